/** The canonical URL of Link headers, against what RFC 8288 says of their parameters. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalLink } from '../../src/sources/http/headers.ts';

const CASES: readonly (readonly [links: string | readonly string[], target: string | null])[] = [
  ['</a>; rel=canonical', '/a'],
  ['</a>;rel="canonical"', '/a'],
  ['</a>; REL=Canonical; title="a, b"', '/a'],
  ['</a>; rel="alternate canonical"', '/a'],
  ['</s.css>; rel=preload; as=style, </a>; rel=canonical', '/a'],
  [['</s.css>; rel=preload', '</a>; rel=canonical'], '/a'],
  ['</a>; rel=canonical, </b>; rel=canonical', '/a'],
  ['</a>; title="say; rel=canonical; twice"; rel=next', null],
  ['</a>; title=</b>; rel=next', null],
  ['</a>; rel=next; rel=canonical', null],
  ['</a>; rel=canonical; anchor="/other"', null],
  ['</a>; anchor="/other"; rel=canonical, </b>; rel=canonical', '/b'],
  ['</a,b;c>; rel=canonical', '/a,b;c'],
  ['</a>; rel', null],
  ['</a>; rel*=canonical', null],
  ['/a; rel=canonical', null],
  ['<>; rel=canonical', null],
];

for (const [links, target] of CASES)
  test(`${JSON.stringify(links)} is canonical for ${target}`, () => {
    assert.equal(canonicalLink(new Map([['link', [links].flat()]])), target);
  });
