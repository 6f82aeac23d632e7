import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  candidateLists,
  crowdedRuns,
  ListCounts,
  unmetAtMost,
} from '../../../src/join/copies/candidate-lists.ts';
import { numberRepeated } from '../../../src/sketch/marked-keys.ts';
import { tableOf } from '../../../src/sketch/sketch-table.ts';

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

test('pages meet by a key that one of them at least is listed by, and by no other', () => {
  const sketches = [
    [1, 4, 9],
    [4, 5, 9],
    [4, 7, 9],
  ].map((keys) => ({ keys: Float64Array.from(keys), limit: 10, shingleCount: 3 }));
  const table = tableOf(sketches);
  const listsBelow = (...limits: number[]) => {
    const options = { maxPagesPerShingle: 100, crowdOrder: () => 0 };
    const { pages, starts } = candidateLists(
      table,
      numberRepeated(table.keys),
      Float64Array.from(limits),
      options,
      new ListCounts(3),
    );
    return Array.from(starts.subarray(1), (end, list) => [...pages.subarray(starts[list], end)]);
  };
  const all = [0, 1, 2];
  assert.deepEqual(listsBelow(4, 4, 4), []);
  assert.deepEqual(listsBelow(4, 5, 4), [all]);
  assert.deepEqual(listsBelow(4, 4, 10), [all, all]);
});
