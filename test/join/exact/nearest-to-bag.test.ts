import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  createNearestScratch,
  nearestToBag,
  type PostingSource,
} from '../../../src/join/exact/nearest-to-bag.ts';
import { buildPostings } from '../../../src/join/exact/postings.ts';
import { bagOf, bruteForce, randomMatrix } from '../bags.ts';

function sourceOf(matrix: ReturnType<typeof randomMatrix>, blockPages: number): PostingSource {
  const { blocks } = buildPostings(matrix, blockPages);
  return {
    pageCount: matrix.sums.length,
    blockPages,
    sums: matrix.sums,
    posting: (blockId, featureId) => {
      const block = blocks[blockId]!;
      return block.entries.subarray(block.offsets[featureId]!, block.offsets[featureId + 1]!);
    },
  };
}

test('the pages nearest to a bag are those of the brute force, whatever is filtered', () => {
  const cases = fc.record({
    pages: fc.integer({ min: 1, max: 80 }),
    k: fc.integer({ min: 0, max: 12 }),
    floor: fc.constantFrom(0, 0.03, 0.3),
    blockPages: fc.constantFrom(9, 40, 500),
    every: fc.constantFrom(1, 2, 5),
    seed: fc.integer(),
  });
  fc.assert(
    fc.property(cases, ({ pages, k, floor, blockPages, every, seed }) => {
      const matrix = randomMatrix(pages, 60, seed);
      const strangers = randomMatrix(4, 60, seed + 1);
      const source = sourceOf(matrix, blockPages);
      const scratch = createNearestScratch(source);
      const queries = [0, 1, 2, 3].map((i) => bagOf(strangers, i));
      for (const query of [...queries, bagOf(matrix, 0)]) {
        const accept = (page: number) => page % every === 0;
        const found = nearestToBag(query, source, { k, floor, accept, skip: 3 }, scratch);
        const truth = bruteForce(query, matrix, floor, 3)
          .filter((near) => accept(near.id))
          .slice(0, k);
        const rows = Array.from(found.ids, (id, i) => ({
          id,
          shared: found.shared[i],
          total: found.total[i],
        }));
        assert.deepEqual(rows, truth);
      }
    }),
    { seed: 12, numRuns: 120 },
  );
});
