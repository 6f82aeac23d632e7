import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crowdedRuns, unmetAtMost } from '../../../src/join/copies/candidate-lists.ts';

test('what is said of the pages that a crowded shingle does not bring together is what its runs leave', () => {
  for (const count of [1, 128, 255, 256, 257, 300, 384, 385, 1001, 1025]) {
    const pages = Uint32Array.from({ length: count }, (_, i) => i);
    const met = Array.from(pages, () => new Set<number>());
    // In the order of their places, which is not that of their numbers.
    for (const run of crowdedRuns(pages, (page) => count - page)) {
      assert.deepEqual(run, run.toSorted());
      for (const page of run) for (const other of run) met[page]!.add(other);
    }
    assert.equal(unmetAtMost(count), Math.max(...met.map(({ size }) => count - size)), String(count));
    assert.ok(met.every(({ size }) => size > Math.min(128, count - 1)));
  }
});
