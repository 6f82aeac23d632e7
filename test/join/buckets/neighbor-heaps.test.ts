import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  createHeapArrays,
  find,
  ID_BITS,
  NEW_BIT,
  offer,
  overlapAtSimilarity,
} from '../../../src/join/buckets/space/neighbor-heaps.ts';

test('a heap holds the k best offers, each id once, in whatever order they come', () => {
  const offers = fc.array(fc.tuple(fc.nat(30), fc.nat(9)), { maxLength: 80 });
  fc.assert(
    fc.property(offers, fc.integer({ min: 1, max: 9 }), (list, k) => {
      const similarityOf = new Map<number, number>();
      const heaps = createHeapArrays(3, k);
      for (const [id, tenths] of list) {
        if (!similarityOf.has(id)) similarityOf.set(id, Math.fround(tenths / 10));
        offer(heaps, 1, id, similarityOf.get(id)!);
      }
      const best = [...similarityOf].sort((x, y) => y[1] - x[1] || x[0] - y[0]).slice(0, k);
      const held = Array.from({ length: heaps.counts[1]! }, (_, i) => [
        heaps.ids[k + i]! & ID_BITS,
        heaps.similarities[k + i]!,
      ]);
      assert.deepEqual(
        held.sort((x, y) => y[1]! - x[1]! || x[0]! - y[0]!),
        best,
      );
      assert.deepEqual([heaps.counts[0], heaps.counts[2]], [0, 0]);
    }),
    { seed: 3 },
  );
});

test('a new neighbor carries the mark, and is found with or without it', () => {
  const heaps = createHeapArrays(1, 4);
  assert.equal(offer(heaps, 0, 77, 0.5), true);
  assert.equal(offer(heaps, 0, 77, 0.5), false);
  assert.equal(heaps.ids[0], NEW_BIT + 77);
  heaps.ids[0]! &= ID_BITS;
  assert.equal(find(heaps, 0, 77), 0);
  assert.equal(find(heaps, 0, 76), -1);
});

test('the overlap comes back from the float32 similarity, and different fractions stay apart', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 2000 }),
      fc.integer({ min: 1, max: 2000 }),
      fc.nat(),
      (a, b, pick) => {
        const shared = pick % (Math.min(a, b) + 1);
        const similarity = Math.fround(shared / (a + b - shared));
        assert.equal(overlapAtSimilarity(similarity, a + b), shared);
        if (shared > 0) assert.ok(Math.fround((shared - 1) / (a + b - shared + 1)) < similarity);
      },
    ),
    { seed: 5 },
  );
});
