import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  bytesOf,
  decodeAscending,
  decodeBag,
  decodeNeighbors,
  decodePosting,
  decodeSums,
  decodeWords,
  encodeAscending,
  encodeBag,
  encodeNeighbors,
  encodePosting,
} from '../../../src/store/blobs/blobs.ts';

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

test('an empty bag takes no byte', () => {
  const none = { features: new Uint32Array(0), weights: new Uint8Array(0), sum: 0 };
  assert.equal(encodeBag(none.features, none.weights).length, 0);
  assert.deepEqual(decodeBag(new Uint8Array(0)), none);
  assert.deepEqual(decodeBag(undefined), none);
});

test('small weights and near ids take a byte, large ones more', () => {
  const size = (id: number, weight: number) =>
    encodeBag(Uint32Array.of(id), Uint8Array.of(weight)).length - 1;
  assert.deepEqual([size(0, 1), size(15, 7), size(16, 1), size(2_047, 7)], [1, 1, 2, 2]);
  assert.deepEqual([size(0, 8), size(0, 255), size(2_048, 255)], [2, 2, 4]);
  for (const edge of EDGES.slice(0, -1)) {
    const features = Uint32Array.of(edge, edge + 1);
    const weights = Uint8Array.of(8, 7);
    assert.deepEqual(decodeBag(encodeBag(features, weights)), { features, weights, sum: 15 });
  }
});

test('bags and neighbors are packed as the documentation says', () => {
  const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
  assert.equal(hex(encodeBag(Uint32Array.of(7, 260), Uint8Array.of(3, 9))), '023ae70f09');
  const list = { ids: Uint32Array.of(7, 4), shared: Uint16Array.of(3, 1), total: Uint16Array.of(10, 5) };
  assert.equal(hex(encodeNeighbors(list)), '040e0307050104');
  const nearness = Uint16Array.of(0x3412, 0xffff);
  assert.equal(hex(encodeNeighbors({ ...list, nearness })), '050e0307123405' + '0104ffff');
});

test('posting lists come back', () => {
  const entry = fc.tuple(fc.integer({ min: 0, max: 0xffffff }), fc.integer({ min: 1, max: 255 }));
  fc.assert(
    fc.property(fc.uniqueArray(entry, { selector: ([page]) => page }), (entries) => {
      entries.sort(([a], [b]) => a - b);
      const list = Uint32Array.from(entries, ([page, weight]) => page | (weight << 24));
      assert.deepEqual(decodePosting(misaligned(encodePosting(list))), list);
    }),
    SEED,
  );
});

test('neighbor lists come back, the nearest or all, and none is an empty one', () => {
  const uint16 = fc.integer({ min: 0, max: 0xffff });
  fc.assert(
    fc.property(
      fc.array(fc.tuple(uint32, uint16, uint16)),
      fc.nat({ max: 12 }),
      fc.boolean(),
      (rows, limit, isRated) => {
        const rating = Uint16Array.from(rows, ([id]) => id & 0xffff);
        const list = {
          ids: Uint32Array.from(rows, ([id]) => id),
          shared: Uint16Array.from(rows, ([, shared]) => shared),
          total: Uint16Array.from(rows, ([, , total]) => total),
          ...(isRated && { nearness: rating }),
        };
        const blob = misaligned(encodeNeighbors(list));
        assert.deepEqual(decodeNeighbors(blob), list);
        const nearest = {
          ids: list.ids.slice(0, limit),
          shared: list.shared.slice(0, limit),
          total: list.total.slice(0, limit),
          ...(isRated && { nearness: rating.slice(0, limit) }),
        };
        assert.deepEqual(decodeNeighbors(blob, limit), nearest);
      },
    ),
    SEED,
  );
  assert.equal(decodeNeighbors(undefined).ids.length, 0);
});

test('plain arrays of numbers come back from their bytes', () => {
  const words = Uint32Array.from([0, 1, 0xffffffff]);
  const sums = Uint16Array.from([0, 400, 0xffff]);
  assert.deepEqual(decodeWords(misaligned(bytesOf(words))), words);
  assert.deepEqual(decodeSums(misaligned(bytesOf(sums))), sums);
});

test('a blob that does not end where it should is corrupt', () => {
  const corrupt = { name: 'CorruptError', code: 'AKIN_ERR_INDEX_CORRUPT' };
  const bag = encodeBag(Uint32Array.of(3, 500), Uint8Array.of(1, 200)).slice();
  const near = encodeNeighbors({
    ids: Uint32Array.of(700, 5),
    shared: Uint16Array.of(300, 2),
    total: Uint16Array.of(400, 9),
  }).slice();
  for (const cut of [1, 2]) {
    assert.throws(() => decodeBag(bag.subarray(0, -cut)), corrupt);
    assert.throws(() => decodePosting(bag.subarray(cut)), corrupt);
    assert.throws(() => decodeNeighbors(near.subarray(0, -cut)), corrupt);
    assert.throws(() => decodeNeighbors(near.subarray(0, 2), 1), corrupt);
  }
  assert.throws(() => decodeBag(Buffer.concat([bag, bag])), corrupt);
  assert.throws(() => decodeWords(new Uint8Array(3)), corrupt);
  assert.throws(() => decodeSums(new Uint8Array(3)), corrupt);
});
