import assert from 'node:assert/strict';
import { test } from 'node:test';
import { languageOf } from '../../src/features/counts/language.ts';
import { primarySubtag } from '../../src/text/primary-subtag.ts';

test('a language is known by the first part of its tag', () => {
  for (const [tag, subtag] of [
    ['en-US', 'en'],
    ['en_US', 'en'],
    [' DE ', 'de'],
    ['fr, en', 'fr'],
    ['zh;q=.5', 'zh'],
    ['und', null],
    ['x-klingon', null],
    ['e', null],
    ['français', null],
    ['null', null],
    ['12', null],
    ['', null],
    [undefined, null],
  ] as const)
    assert.equal(primarySubtag(tag), subtag, String(tag));
});

test('a name that every object has is no language', () => {
  for (const name of ['constructor', '__proto__', 'toString', 'valueOf'])
    assert.equal(languageOf(name).stem, null, name);
});
