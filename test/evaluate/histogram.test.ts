import assert from 'node:assert/strict';
import { test } from 'node:test';
import { binOf, histogram, sizeHistogram } from '../../src/evaluate/histogram.ts';

test('a value falls into the bin that begins at or below it, and 1 into the last', () => {
  assert.deepEqual(histogram([0, 0.24, 0.25, 0.5, 1], 4), { counts: [2, 1, 1, 1], median: 0.25, size: 5 });
  assert.equal(histogram([0.1, 0.3], 2).median, 0.2);
  assert.deepEqual(histogram([], 2).counts, [0, 0]);
});

test('a value that is a fraction of the bins begins one', () => {
  for (let bins = 1; bins <= 100; bins++)
    for (let bin = 0; bin < bins; bin++) assert.equal(binOf(bin / bins, bins), bin, `${bin} of ${bins}`);
});

test('sizes are counted by powers of two, with their members', () => {
  assert.deepEqual(sizeHistogram([1, 8, 3, 3, 1]), [
    { from: 1, groups: 2, members: 2 },
    { from: 2, groups: 2, members: 6 },
    { from: 4, groups: 0, members: 0 },
    { from: 8, groups: 1, members: 8 },
  ]);
  assert.deepEqual(sizeHistogram([]), []);
});
