import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { canonicalUrl } from '../../src/url/canonical-url.ts';
import { CanonicalResolver, resolveHttp, TOO_LONG } from '../../src/url/http-reference.ts';

const VECTORS = new URL('../../../shared/data/vectors/url/urltestdata.json', import.meta.url);
const NO_VECTORS = existsSync(VECTORS) ? false : 'the WHATWG URL vectors are not in ../shared/data';

const BASES = [
  'http://example.org',
  'https://example.org/a/b/c.html?d=/e/#/f',
  'http://example.org/a//b///c',
  'https://example.org/a%20b/c;d/e',
  'http://ann:secret@example.org:8080/a/../b/.git/?',
  'HTTP://Bücher.example/ä b/c#d',
  'http://127.1/x;y',
  'mailto:ann@example.org',
  'no base',
];

function assertSame(reference: string, base: string): void {
  const resolved = resolveHttp(reference, base);
  assert.equal(
    new CanonicalResolver(base).resolve(reference) || null,
    resolved === null ? null : canonicalUrl(resolved),
    JSON.stringify([reference, base]),
  );
}

test('references are resolved as by the URL parser', () => {
  const references = [
    ...[
      '',
      '#',
      '#a',
      '#a b',
      '?',
      '?a',
      '?a=b&c#d',
      "?a='",
      '/',
      '/a',
      '//',
      '//a',
      '//a.example/b',
      '///a',
    ],
    ...[
      'a',
      'a/b?c#d',
      'a:b',
      'a/b:c',
      './a',
      '../a',
      '../../../a/b',
      '../',
      '.././a',
      '../a:b?c:d',
      'a?b:c&utm_x=1',
      '..',
      'a/../b',
      'a/.b',
      '.a',
      '/.',
      '/..a',
      '/a/.',
      '\\a',
    ],
    ...[
      'http:a',
      'http://a.example',
      'http://a.example/',
      'http://a.example/b?c#d',
      'http://A.example/',
      'HTTP://a.b/',
    ],
    ...[
      'http://1.2.3/',
      'http://1.2.3.4/x',
      'http://a.0x7f/',
      'http://xn--a.example/',
      'http://a-.example/b',
      'https://a.b:443/',
    ],
    ...[
      'mailto:a',
      'javascript:void(0)',
      'a%2e',
      '/%2e%2e/b',
      ' /a ',
      '/a\tb',
      '/é',
      '/a|b^c`d{e}',
      '/a"b<c>',
      '/a[b]',
    ],
  ];
  for (const base of BASES) for (const reference of references) assertSame(reference, base);
});

test('a reference of any length is resolved', () => {
  for (const start of ['', '/', 'http://a.example/', '#', '?']) {
    assertSame(`${start}${'a/'.repeat(1 << 21)}`, 'http://example.org/b/c');
  }
});

test('what is long and no http(s) URL is none, not one that is too long', () => {
  const base = 'https://a.example/b';
  const long = 'x'.repeat(3_000);
  for (const start of ['data:', 'javascript:', ' \tMAILTO:', 'a+b-c.1:', 'blob:http:']) {
    assert.doesNotMatch(URL.parse(start + long, base)!.protocol, /^https?:$/);
    assert.equal(new CanonicalResolver(base).resolve(start + long), null, start);
  }
  for (const start of ['http:', ' HTTPS:', 'https://b.example/', 'a/b:', '1a:', '?a:', './data:', ':']) {
    assert.match(URL.parse(start + long, base)!.protocol, /^https?:$/);
    assert.equal(new CanonicalResolver(base).resolve(start + long), TOO_LONG, start);
  }
});

test('every reference of the WHATWG cases is resolved as by the URL parser', { skip: NO_VECTORS }, () => {
  const cases = JSON.parse(readFileSync(VECTORS, 'utf8')) as (
    | { input: string; base: string | null }
    | string
  )[];
  for (const vector of cases) {
    if (typeof vector !== 'string') assertSame(vector.input, vector.base ?? 'http://example.org/a/b');
  }
});

const PIECES = [
  ...[
    'http:',
    'https://',
    '//',
    '/',
    '\\',
    '.',
    '..',
    ':',
    ':80',
    '@',
    '?',
    '&',
    '=',
    '#',
    ';',
    '%',
    '%2e',
    '|',
    '^',
  ],
  ...[
    'a',
    'B',
    'xn--',
    'example',
    '.org',
    '.0x7',
    '1',
    '-',
    '_',
    '~',
    '!',
    '$',
    "'",
    '"',
    '(',
    '*',
    '+',
    ',',
    '<',
    '[',
    ' ',
    'é',
  ],
];

test('any reference is resolved as by the URL parser', () => {
  const reference = fc.array(fc.constantFrom(...PIECES), { maxLength: 9 }).map((pieces) => pieces.join(''));
  fc.assert(
    fc.property(reference, fc.constantFrom(...BASES), (written, base) => assertSame(written, base)),
    { seed: 3, numRuns: 5_000 },
  );
});
