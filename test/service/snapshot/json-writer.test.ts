import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { aroundSimilarity, JsonWriter } from '../../../src/service/snapshot/json-writer.ts';
import { anyCharacter } from '../../any-character.ts';

const json = new JsonWriter();
const around = aroundSimilarity('before ', ' and behind');
const similarityText = (shared: number, total: number) => {
  const text = json.begin().similarity(around, shared, total).toString();
  return /^before (.*) and behind$/.exec(text)?.[1];
};

test('a similarity is written as JSON writes it rounded to six decimals', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 65_535 }), fc.nat(65_535), (total, part) => {
      const shared = Math.min(part, total);
      assert.equal(
        similarityText(shared, total),
        String(Math.round((shared / total) * 1e6) / 1e6).replace('1e-6', '0.000001'),
      );
    }),
    { seed: 11, numRuns: 2000 },
  );
  assert.equal(similarityText(1, 1), '1');
  assert.equal(similarityText(0, 5), '0');
  assert.equal(similarityText(1, 65_535), '0.000015');
});

test('what is written as bytes is what was written as text, however long', () => {
  const piece = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc.constant('longer than the buffer is \u00e9\u4e00'.repeat(4000)),
  );
  fc.assert(
    fc.property(fc.array(piece), (texts) => {
      json.begin();
      for (const [i, text] of texts.entries()) {
        if (i % 2 === 0) json.text(text);
        else json.bytes(Buffer.from(text));
      }
      const expected = Buffer.from(texts.map((text) => text.toWellFormed()).join(''));
      const copy = Buffer.alloc(json.length);
      json.copyTo(copy);
      assert.deepEqual(copy, expected);
      assert.equal(json.toString(), expected.toString());
      assert.equal(json.length, expected.length);
    }),
    { seed: 14 },
  );
});
