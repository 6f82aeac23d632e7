import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { radixSort, sortedOrder } from '../../src/lib/columns/radix-sort.ts';

const key = fc.oneof(fc.integer({ min: 0, max: 0xffff_ffff }), fc.integer({ min: 0, max: 5 }));

test('the radix sort agrees with a stable comparison sort', () => {
  fc.assert(
    fc.property(fc.array(key, { maxLength: 300 }), (items) => {
      const keys = Uint32Array.from(items);
      const payload = Uint32Array.from(keys.keys());
      radixSort(keys, payload);
      const truth = items.map((value, i) => ({ value, i })).sort((x, y) => x.value - y.value);
      assert.deepEqual(
        Array.from(keys),
        truth.map((entry) => entry.value),
      );
      assert.deepEqual(
        Array.from(payload),
        truth.map((entry) => entry.i),
      );
    }),
    { seed: 1, numRuns: 300 },
  );
});

test('the order by two keys sorts by the second within the first', () => {
  const order = sortedOrder(Uint32Array.of(2, 1, 2, 1, 70_000), Uint32Array.of(9, 5, 3, 4, 0));
  assert.deepEqual(Array.from(order), [3, 1, 2, 0, 4]);
});
