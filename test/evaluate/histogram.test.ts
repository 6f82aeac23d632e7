import assert from 'node:assert/strict';
import { test } from 'node:test';
import { histogram, sizeHistogram } from '../../src/evaluate/histogram.ts';

test('a value falls into the bin that begins at or below it, and 1 into the last', () => {
  assert.deepEqual(histogram([0, 0.24, 0.25, 0.5, 1], 4), { counts: [2, 1, 1, 1], median: 0.25, size: 5 });
  assert.equal(histogram([0.1, 0.3], 2).median, 0.2);
  assert.deepEqual(histogram([], 2).counts, [0, 0]);
});

test('sizes are counted by powers of two', () => {
  assert.deepEqual(sizeHistogram([1, 2, 3, 4, 7, 8, 1]), [2, 2, 2, 1]);
  assert.deepEqual(sizeHistogram([]), []);
});
