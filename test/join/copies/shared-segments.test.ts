import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sharedSegments } from '../../../src/join/copies/shared-segments.ts';
import { TokenSequence } from '../../../src/text/token-sequence.ts';
import { readTokens } from '../../../src/text/tokens.ts';

const read = (text: string) => ({ text, tokens: readTokens(text, new TokenSequence()) });
const of = (a: string, b: string) => Object.values(sharedSegments(read(a), read(b)));

test('sentences and lines are shared whole, in any order and form', () => {
  const a =
    'Roses are red. Violets are blue!\nA heading\nVersion 1.5 of it is here? "Roses are red." Last words';
  assert.deepEqual(of(a, a), [5, 5, 5], 'a sentence that is there twice counts once');
  assert.deepEqual(of(a, 'VIOLETS, are blue. \u201cRoses are red.\u201d And more.'), [5, 3, 2]);
  assert.deepEqual(of(a, 'Roses are red and violets are blue.'), [5, 1, 0], 'a part of a sentence is none');
  assert.deepEqual(of('Version 1.5 of it', 'Version 1. 5 of it'), [1, 2, 0], 'a point in a number is no end');
  assert.deepEqual(of('', a), [0, 5, 0]);
  assert.deepEqual(of('... \n ...', ''), [0, 0, 0]);
});

test('texts without spaces are cut behind their own signs', () => {
  assert.deepEqual(of('\u732b\u304c\u597d\u304d\u3002\u72ac\u3082\u3002', '\u72ac\u3082\u3002'), [2, 1, 1]);
});
