import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { BoundedHeap } from '../../src/lib/bounded-heap.ts';

test('the heap keeps what a full sort would put first, ties by id', () => {
  const offers = fc.uniqueArray(fc.tuple(fc.integer({ min: 0, max: 4 }), fc.nat(500)), {
    selector: (offer) => offer[1],
    maxLength: 80,
  });
  fc.assert(
    fc.property(offers, fc.integer({ min: 0, max: 20 }), (list, capacity) => {
      const heap = new BoundedHeap(capacity);
      for (const [score, id] of list) heap.offer(score / 4, id, id + score);
      heap.sort();
      const kept = Array.from({ length: heap.size }, (_, i) => [heap.scores[i], heap.ids[i], heap.values[i]]);
      const truth = list
        .toSorted((x, y) => y[0] - x[0] || x[1] - y[1])
        .slice(0, capacity)
        .map(([score, id]) => [score / 4, id, id + score]);
      assert.deepEqual(kept, truth);
    }),
    { seed: 2, numRuns: 300 },
  );
});

test('the bound is the floor until the heap is full', () => {
  const heap = new BoundedHeap(2);
  heap.offer(0.9, 1, 0);
  assert.equal(heap.bound(0.1), 0.1);
  heap.offer(0.5, 2, 0);
  assert.equal(heap.bound(0.1), 0.5);
  assert.equal(heap.bound(0.6), 0.6);
});
