import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  decodeKeys,
  decodeShingleBlock,
  decodeText,
  encodeKeys,
  encodeText,
  firstVersionCount,
  ShingleBlocks,
  type ShingleEntry,
} from '../../../src/store/blobs/sketch-blobs.ts';
import { keyLimitOf } from '../../../src/text/shingle.ts';

const SEED = { seed: 5, numRuns: 200 };
const CORRUPT = { code: 'AKIN_ERR_INDEX_CORRUPT' };
const key = fc.integer({ min: 0, max: keyLimitOf(0) - 1 });
const keySet = fc.uniqueArray(key).map((keys) => Float64Array.from(keys).sort());

test('keys come back as they were, at five bytes each or less and a head', () => {
  const ofOneLevel = fc
    .uniqueArray(fc.integer({ min: 0, max: 2 ** 40 - 1 }), { minLength: 30, maxLength: 300 })
    .map((kept) => Float64Array.from(kept, (one) => keyLimitOf(1) + one).sort());
  for (const keys of [keySet, ofOneLevel]) {
    fc.assert(
      fc.property(keys, (some) => {
        const blob = encodeKeys(some);
        assert.deepEqual(decodeKeys(blob), some);
        assert.ok(blob.length <= 5 * some.length + 18);
        if (some.length >= 128) assert.ok(blob.length <= 4.5 * some.length + 18);
      }),
      SEED,
    );
  }
});

test('keys at the edges of a level come back, few or many', () => {
  for (const count of [1, 36, 37, 300]) {
    for (const first of [0, keyLimitOf(1), keyLimitOf(0) - count]) {
      const keys = Float64Array.from({ length: count }, (_, i) => first + i);
      assert.deepEqual(decodeKeys(encodeKeys(keys)), keys);
    }
  }
});

test('title and text come back as they were, whatever separates them', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (title, text) => {
      assert.deepEqual(decodeText(encodeText(title, text)), { title, text });
    }),
    SEED,
  );
  const [title, text] = ['line\none\0', 'x'.repeat(100_000)];
  assert.deepEqual(decodeText(encodeText(title, text)), { title, text });
});

function packed(entries: readonly ShingleEntry[]): [firstKey: number, blob: Uint8Array][] {
  const all: [number, Uint8Array][] = [];
  const blocks = new ShingleBlocks((firstKey, blob) => all.push([firstKey, blob.slice()]));
  for (const { key, versionIds } of entries) blocks.add(key, versionIds);
  blocks.finish();
  return all;
}

test('a block of shingles comes back as it was, and says what its first key will cost', () => {
  const ids = fc.uniqueArray(fc.integer({ min: 0, max: 2 ** 32 - 2 }), { minLength: 1 });
  const list = ids.map((all) => Uint32Array.from(all).sort());
  const block = fc
    .uniqueArray(fc.record({ key, versionIds: list }), { selector: (entry) => entry.key, minLength: 1 })
    .map((entries) => entries.sort((a, b) => a.key - b.key));
  fc.assert(
    fc.property(block, (entries) => {
      const blocks = packed(entries);
      assert.deepEqual(
        blocks.flatMap(([firstKey, blob]) => decodeShingleBlock(firstKey, blob)),
        entries.map((entry) => ({ ...entry })),
      );
      assert.equal(firstVersionCount(blocks[0]![1]), entries[0]!.versionIds.length);
    }),
    SEED,
  );
});

test('blobs cut short are corrupt', () => {
  const keys = encodeKeys(Float64Array.of(1, 2, 3));
  assert.throws(() => decodeKeys(keys.subarray(1)), CORRUPT);
  assert.throws(() => decodeKeys(keys.subarray(0, -1)), CORRUPT);
  const many = encodeKeys(Float64Array.from({ length: 100 }, (_, i) => keyLimitOf(1) + i));
  assert.throws(() => decodeKeys(many.fill(0, -40)), CORRUPT);
  assert.throws(() => decodeText(encodeText('a', '').subarray(0, -1)), CORRUPT);
  const [[, block]] = packed([{ key: 7, versionIds: Uint32Array.of(1, 500) }]) as [[number, Uint8Array]];
  assert.throws(() => decodeShingleBlock(7, block.subarray(0, -1)), CORRUPT);
});
