import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { hash64 } from '../../../../src/lib/hash.ts';
import { textHash } from '../../../../src/service/http/question/request-key.ts';

test('a hash is written in base 36, seven digits a word', () => {
  const words = new Uint32Array(2);
  fc.assert(
    fc.property(fc.string(), (text) => {
      hash64(text, words);
      assert.equal(textHash(text), Array.from(words, (word) => word.toString(36).padStart(7, '0')).join(''));
    }),
    { seed: 13 },
  );
});
