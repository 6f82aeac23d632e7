import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  createQuickScratch,
  nearestToBagQuick,
  type QuickSource,
} from '../../../src/join/exact/nearest-to-bag-quick.ts';
import { buildPostings } from '../../../src/join/exact/postings.ts';
import type { NeighborList } from '../../../src/join/pairs/neighbor-table.ts';
import { bagOf, bruteForce, randomMatrix } from '../bags.ts';

function sourceOf(matrix: ReturnType<typeof randomMatrix>, blockPages: number): QuickSource {
  const { blocks } = buildPostings(matrix, blockPages);
  return {
    pageCount: matrix.sums.length,
    blockPages,
    sums: matrix.sums,
    featureCount: matrix.featureCount,
    posting: (blockId, featureId) => {
      const block = blocks[blockId]!;
      return block.entries.subarray(block.offsets[featureId]!, block.offsets[featureId + 1]!);
    },
    bag: (pageId) => bagOf(matrix, pageId),
  };
}

function rowsOf({ ids, shared, total }: NeighborList) {
  return Array.from(ids, (id, i) => ({ id, shared: shared[i]!, total: total[i]! }));
}

const cases = fc.record({
  pages: fc.integer({ min: 1, max: 120 }),
  k: fc.integer({ min: 0, max: 12 }),
  floor: fc.constantFrom(0, 0.03, 0.3),
  blockPages: fc.constantFrom(9, 40, 500),
  every: fc.constantFrom(1, 2, 5, 40),
  leaders: fc.constantFrom(12, 30),
  seed: fc.integer(),
});

test('similarities are exact, a list shorter than asked for is complete, and each page is let pass', () => {
  fc.assert(
    fc.property(cases, ({ pages, k, floor, blockPages, every, leaders, seed }) => {
      const matrix = randomMatrix(pages, 60, seed);
      const strangers = randomMatrix(4, 60, seed + 1);
      const source = sourceOf(matrix, blockPages);
      const scratch = createQuickScratch(source);
      const accept = (page: number) => page % every === 0;
      const options = { k, floor, accept, skip: 3, leaders };
      for (const query of [...[0, 1, 2, 3].map((i) => bagOf(strangers, i)), bagOf(matrix, 0)]) {
        const truth = bruteForce(query, matrix, floor, 3).filter((near) => accept(near.id));
        const found = rowsOf(nearestToBagQuick(query, source, options, scratch));
        const ranks = found.map((row) => truth.findIndex(({ id }) => id === row.id));
        assert.deepEqual(
          found,
          ranks.map((rank) => truth[rank]),
        );
        assert.deepEqual(
          ranks,
          ranks.toSorted((a, b) => a - b),
        );
        if (found.length < k) assert.equal(found.length, truth.length);
        else assert.equal(found.length, k);
      }
    }),
    { seed: 12, numRuns: 150 },
  );
});

test('nothing is lost where every word is read', () => {
  fc.assert(
    fc.property(cases, ({ pages, k, floor, blockPages, every, leaders, seed }) => {
      const matrix = randomMatrix(pages, 60, seed);
      const accept = (page: number) => page % every === 0;
      const options = { k, floor, accept, skip: 3, leaders, firstRest: 0, restShare: 0 };
      const query = bagOf(randomMatrix(1, 60, seed + 1), 0);
      const truth = bruteForce(query, matrix, floor, 3).filter((near) => accept(near.id));
      assert.deepEqual(
        rowsOf(nearestToBagQuick(query, sourceOf(matrix, blockPages), options)),
        truth.slice(0, k),
      );
    }),
    { seed: 13, numRuns: 150 },
  );
});

test('a search leaves its working memory as it found it', () => {
  const matrix = randomMatrix(200, 60, 7);
  const source = sourceOf(matrix, 64);
  const scratch = createQuickScratch(source);
  const query = bagOf(matrix, 5);
  const first = nearestToBagQuick(query, source, { k: 10, floor: 0 }, scratch);
  nearestToBagQuick(bagOf(matrix, 9), source, { k: 3, floor: 0.1 }, scratch);
  assert.deepEqual(nearestToBagQuick(query, source, { k: 10, floor: 0 }, scratch), first);
  const accept = (page: number) => {
    if (page > 20) throw new Error('enough');
    return true;
  };
  assert.throws(() => nearestToBagQuick(query, source, { k: 10, floor: 0, accept }, scratch), /enough/);
  assert.deepEqual(nearestToBagQuick(query, source, { k: 10, floor: 0 }, scratch), first);
  assert.ok(scratch.weightOf.every((weight) => weight === 0));
  assert.ok(scratch.accumulators.single.every((sum) => sum === 0));
});
