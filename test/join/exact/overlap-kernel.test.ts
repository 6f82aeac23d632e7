import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAccumulators } from '../../../src/join/exact/overlap-kernel.ts';
import { Random } from '../../../src/lib/random.ts';

test('the pages that are picked are those of a loop over all, from any page on', () => {
  const random = new Random(7);
  for (const pageCount of [1, 2, 15, 16, 17, 32, 33, 1000, 70_001]) {
    const accumulators = createAccumulators(pageCount);
    const { single, picked } = accumulators;
    for (const used of [pageCount, pageCount >> 1]) {
      single.fill(0);
      for (let page = 0; page < used; page++) single[page] = random.below(3) * random.below(2 ** 14);
      for (const least of [1, 2, 5000, 2 ** 14, 2 ** 15 - 1, 2 ** 15, 2 ** 17]) {
        for (const from of [0, 1, 7, used >> 1].filter((page) => page <= used)) {
          const slow = Array.from(single.keys()).filter((page) => page >= from && single[page]! >= least);
          const count = accumulators.pick(from, used, least);
          assert.deepEqual(
            Array.from(picked.subarray(0, count)),
            slow,
            `${used} pages from ${from}, ${least}`,
          );
        }
      }
    }
  }
});
