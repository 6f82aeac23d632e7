import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  bytesOf,
  decodeAscending,
  decodeBag,
  decodeNeighbours,
  decodeSums,
  decodeWords,
  encodeAscending,
  encodeBag,
  encodeNeighbours,
} from '../../src/store/blobs.ts';

const SEED = { seed: 71 };
const uint32 = fc.integer({ min: 0, max: 0xffffffff });
const EDGES = [
  0,
  1,
  127,
  128,
  16_383,
  16_384,
  2 ** 21 - 1,
  2 ** 21,
  2 ** 28 - 1,
  2 ** 28,
  2 ** 31,
  2 ** 32 - 1,
];

/** As SQLite hands bytes out: at any address. */
function misaligned(bytes: Uint8Array): Uint8Array {
  const moved = new Uint8Array(bytes.length + 1);
  moved.set(bytes, 1);
  return moved.subarray(1);
}

test('ascending ids come back from their varint differences', () => {
  fc.assert(
    fc.property(fc.uniqueArray(uint32), (ids) => {
      const sorted = Uint32Array.from(ids).sort();
      assert.deepEqual(decodeAscending(misaligned(encodeAscending(sorted))), sorted);
    }),
    SEED,
  );
});

test('ids at the edges of a varint byte come back, alone and as differences', () => {
  for (const edge of EDGES) assert.deepEqual(Array.from(decodeAscending(encodeAscending([edge]))), [edge]);
  assert.deepEqual(Array.from(decodeAscending(encodeAscending(EDGES))), EDGES);
  const sizes = EDGES.map((edge) => encodeAscending([edge]).length);
  assert.deepEqual(sizes, [1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 5]);
});

test('bags come back with the sum of their weights', () => {
  const entry = fc.tuple(uint32, fc.integer({ min: 1, max: 255 }));
  fc.assert(
    fc.property(fc.uniqueArray(entry, { selector: ([feature]) => feature }), (entries) => {
      entries.sort(([a], [b]) => a - b);
      const features = Uint32Array.from(entries, ([feature]) => feature);
      const weights = Uint8Array.from(entries, ([, weight]) => weight);
      const bag = decodeBag(misaligned(encodeBag(features, weights)));
      assert.deepEqual(bag, { features, weights, sum: weights.reduce((sum, weight) => sum + weight, 0) });
    }),
    SEED,
  );
});

test('neighbour lists come back, and none is an empty one', () => {
  const uint16 = fc.integer({ min: 0, max: 0xffff });
  fc.assert(
    fc.property(fc.array(fc.tuple(uint32, uint16, uint16)), (rows) => {
      const list = {
        ids: Uint32Array.from(rows, ([id]) => id),
        shared: Uint16Array.from(rows, ([, shared]) => shared),
        total: Uint16Array.from(rows, ([, , total]) => total),
      };
      assert.deepEqual(decodeNeighbours(misaligned(encodeNeighbours(list))), list);
    }),
    SEED,
  );
  assert.equal(decodeNeighbours(undefined).ids.length, 0);
});

test('plain arrays of numbers come back from their bytes', () => {
  const words = Uint32Array.from([0, 1, 0xffffffff]);
  const sums = Uint16Array.from([0, 400, 0xffff]);
  assert.deepEqual(decodeWords(misaligned(bytesOf(words))), words);
  assert.deepEqual(decodeSums(misaligned(bytesOf(sums))), sums);
});

test('a blob cut inside an entry is corrupt', () => {
  const corrupt = { name: 'CorruptError', code: 'AKIN_ERR_INDEX_CORRUPT' };
  assert.throws(() => decodeBag(new Uint8Array(9)), corrupt);
  assert.throws(() => decodeNeighbours(new Uint8Array(15)), corrupt);
  assert.throws(() => decodeWords(new Uint8Array(3)), corrupt);
  assert.throws(() => decodeSums(new Uint8Array(3)), corrupt);
});
