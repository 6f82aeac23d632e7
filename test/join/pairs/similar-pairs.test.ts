import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { neighborsFromPairs, type SimilarPairs } from '../../../src/join/pairs/similar-pairs.ts';
import { Random } from '../../../src/lib/random.ts';
import { expandTwins } from '../expand-twins.ts';

function randomPairs(pageCount: number, seed: number): SimilarPairs {
  const random = new Random(seed);
  const representative = Uint32Array.from({ length: pageCount }, (_, page) => page);
  for (let page = 1; page < pageCount; page++) {
    if (random.below(3) === 0) representative[page] = representative[random.below(page)]!;
  }
  const rows: [number, number, number][] = [];
  for (let a = 0; a < pageCount; a++) {
    for (let b = a + 1; b < pageCount; b++) {
      const isPair = representative[a] === a && representative[b] === b && random.below(4) === 0;
      if (isPair) rows.push([a, b, 16 + random.below(4)]);
    }
  }
  return {
    a: Uint32Array.from(rows, (row) => row[0]),
    b: Uint32Array.from(rows, (row) => row[1]),
    agreement: Uint16Array.from(rows, (row) => row[2]),
    total: 80,
    representative,
  };
}

test('the lists of a page are its pairs both ways, nearest first, ties by id, at most k', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 40 }),
      fc.integer({ min: 1, max: 9 }),
      fc.integer(),
      (pages, k, seed) => {
        const pairs = randomPairs(pages, seed);
        const table = neighborsFromPairs(pairs, k);
        const all = expandTwins(pairs);
        for (let page = 0; page < pages; page++) {
          const truth = Array.from(all.a, (a, i) => ({ a, b: all.b[i]!, agreement: all.agreement[i]! }))
            .filter((pair) => pair.a === page || pair.b === page)
            .map((pair) => ({ id: pair.a + pair.b - page, agreement: pair.agreement }))
            .sort((x, y) => y.agreement - x.agreement || x.id - y.id)
            .slice(0, k);
          const slots = Array.from({ length: table.counts[page]! }, (_, i) => page * k + i);
          assert.deepEqual(
            slots.map((slot) => ({ id: table.ids[slot], agreement: table.shared[slot] })),
            truth,
          );
          assert.ok(slots.every((slot) => table.total[slot] === 80));
        }
      },
    ),
    { seed: 31, numRuns: 150 },
  );
});
