import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  createNearestScratch,
  exactSearchUs,
  nearestToBag,
  type PostingSource,
} from '../../../src/join/exact/nearest-to-bag.ts';
import { buildPostings } from '../../../src/join/exact/postings.ts';
import { bagOf, bruteForce, matrixOf, randomMatrix } from '../bags.ts';

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

test('a search that its filter ends leaves nothing to the next one', () => {
  const matrix = randomMatrix(80, 60, 5);
  const source = sourceOf(matrix, 40);
  const scratch = createNearestScratch(source);
  const query = bagOf(matrix, 0);
  const options = { k: 10, floor: 0 };
  const found = nearestToBag(query, source, options, scratch);
  const accept = () => {
    throw new Error('enough');
  };
  assert.throws(() => nearestToBag(query, source, { ...options, accept }, scratch), /enough/);
  assert.deepEqual(nearestToBag(query, source, options, scratch), found);
});

test('a large collection of short bags is less work than a small one of long bags', () => {
  const usOf = (matrix: ReturnType<typeof randomMatrix>) => {
    const source = sourceOf(matrix, 5000);
    const frequency = (feature: number) => source.posting(0, feature).length;
    return exactSearchUs(bagOf(matrix, 1), matrix.sums.length, frequency);
  };
  const long = matrixOf(
    Array.from({ length: 500 }, () => new Map(range(200).map((f) => [f, 3]))),
    200,
  );
  const short = matrixOf(
    Array.from({ length: 4000 }, (_, page) => new Map([[page % 200, 3]])),
    200,
  );
  assert.ok(usOf(long) > 20 * usOf(short), `${usOf(long)}, ${usOf(short)}`);
});

const range = (length: number) => Array.from({ length }, (_, i) => i);
