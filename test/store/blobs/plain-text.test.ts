import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { PlainText } from '../../../src/store/blobs/plain-text.ts';
import { decodeText } from '../../../src/store/blobs/sketch-blobs.ts';

const SEED = { seed: 7, numRuns: 200 };
const anyText = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary-ascii', maxLength: 500 }),
);

test('digest and stored form do not hinder each other, in either order', () => {
  const plain = new PlainText();
  fc.assert(
    fc.property(anyText, anyText, (title, text) => {
      const expected = createHash('sha256').update(`${title}\0${text}`).digest().subarray(0, 8);
      plain.set(title, text);
      assert.deepEqual(plain.digest(), expected);
      assert.deepEqual(decodeText(plain.bytes()), { title, text });
      assert.deepEqual(plain.digest(), expected);
      assert.deepEqual(decodeText(plain.bytes()), { title, text });
    }),
    SEED,
  );
});

test('a title of any length', () => {
  const plain = new PlainText();
  for (const length of [0, 1, 127, 128, 16_383, 16_384, 100_000]) {
    plain.set('é'.repeat(length), 'text');
    assert.deepEqual(decodeText(plain.bytes()), { title: 'é'.repeat(length), text: 'text' });
  }
});
