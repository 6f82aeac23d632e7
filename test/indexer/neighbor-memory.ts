/** What the neighbors of many bags are within a budget of memory, and the same with room enough. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { BagMatrix } from '../../src/features/bag.ts';
import type { WorkFiles } from '../../src/indexer/files/work-folder.ts';
import { findNeighbors } from '../../src/indexer/relate/lists/neighbors.ts';
import { findThresholdPairs } from '../../src/indexer/relate/threshold-pairs.ts';
import { graphBytes, pairBytes } from '../../src/join/buckets/space/join-memory.ts';
import { Random } from '../../src/lib/random.ts';
import { matrixOf } from '../join/bags.ts';
import { folderOfBags } from './bag-folder.ts';
import { DEFAULTS } from './build.ts';

export const PAGES = 18_000;
const PAIR_PAGES = 14_000;

const WORDS = 64;
const PAIR_WORDS = 16;
/** The pages of one are near each other. */
const FAMILIES = 1500;

const random = new Random(5);
const families = Array.from({ length: FAMILIES }, () =>
  Array.from({ length: WORDS }, () => random.below(24)),
);
/** Bags so full of common words that the graph is cheaper than the exact join. */
export const matrix = bagsOf(PAGES, WORDS, () => {
  const weights = families[random.below(FAMILIES)]!;
  const entries = weights.map((weight, word) => [word, 1 + weight + random.below(8)] as const);
  return new Map(entries.filter(() => random.below(16) > 0));
});
export const pairMatrix = bagsOf(
  PAIR_PAGES,
  PAIR_WORDS,
  () => new Map(Array.from({ length: 8 }, () => [random.below(PAIR_WORDS), 1 + random.below(40)])),
);
export const size = sizeOf(matrix);
export const pairSize = sizeOf(pairMatrix);

/** Every tenth bag is one of the first hundred. */
function bagsOf(pageCount: number, wordCount: number, draw: () => Map<number, number>): BagMatrix {
  const rows: Map<number, number>[] = [];
  for (let page = 0; page < pageCount; page++)
    rows.push((page % 10 === 9 ? rows[random.below(Math.min(page, 100))] : undefined) ?? draw());
  return matrixOf(rows, wordCount);
}

function sizeOf({ sums, features, featureCount }: BagMatrix) {
  return { pageCount: sums.length, entryCount: features.length, featureCount, k: 8 };
}

const bytesOf = (folder: WorkFiles, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, readFileSync(folder.file(name))]));

/** Declares the test of the graph, with bags on disk for each number of threads. */
export function testNeighbors(threadCounts: readonly number[]): void {
  test(`neighbors are the same with bags in memory and on disk, on ${threadCounts} threads`, async (t) => {
    const folder = folderOfBags(t, matrix);
    const find = async (memoryBytes: number, workerCount: number) => {
      const found = await findNeighbors(folder, DEFAULTS, { memoryBytes, workerCount }, () => {});
      const { entryReadCount, ...report } = found;
      assert.equal(report.method, 'graph');
      const names = ['neighbor-counts', 'neighbor-ids', 'neighbor-shared', 'neighbor-total'];
      return { entryReadCount, lists: { report, ...bytesOf(folder, names) } };
    };
    const roomy = await find(2 ** 30, threadCounts.at(-1)!);
    assert.equal(roomy.entryReadCount, 0);
    if (threadCounts.length > 1) assert.deepEqual(await find(2 ** 30, 1), roomy);
    for (const threadCount of threadCounts) {
      const { fixedBytes, entryBytes } = graphBytes({ ...size, threadCount });
      const tight = await find(fixedBytes + entryBytes - 1, threadCount);
      assert.deepEqual(tight.lists, roomy.lists);
      assert.ok(tight.entryReadCount > PAGES, `${tight.entryReadCount} reads`);
    }
  });
}

const PAIR_JOINS = {
  buckets: { similarity: 0.7, targetRecall: 0.9, leastReads: PAIR_PAGES, leastRuns: 0 },
  // Bags are read in order, much at a time; pairs are more than a thread may hold.
  exact: { similarity: 0.4, targetRecall: 1, leastReads: 1, leastRuns: 1 },
};

/** Declares the test of a join of pairs, with bags on disk for each number of threads. */
export function testPairs(method: keyof typeof PAIR_JOINS, threadCounts: readonly number[]): void {
  const { similarity, targetRecall, leastReads, leastRuns } = PAIR_JOINS[method];
  test(`similar pairs are the same with bags and pairs in memory and on disk: ${method}, on ${threadCounts} threads`, async (t) => {
    const folder = folderOfBags(t, pairMatrix);
    const find = async (memoryBytes: number, workerCount: number) => {
      const options = { ...DEFAULTS, targetRecall };
      const found = await findThresholdPairs(folder, similarity, options, { memoryBytes, workerCount });
      const { entryReadCount, storedRunCount, ...report } = found;
      assert.equal(report.method, method);
      const names = [
        'exact-pair-a',
        'exact-pair-b',
        'exact-pair-shared',
        'exact-pair-total',
        'exact-pair-representative',
      ];
      return { entryReadCount, storedRunCount, pairs: { report, ...bytesOf(folder, names) } };
    };
    const roomy = await find(2 ** 30, 1);
    assert.ok(roomy.pairs.report.pairCount > 1000, `${roomy.pairs.report.pairCount} pairs`);
    assert.deepEqual([roomy.entryReadCount, roomy.storedRunCount], [0, 0]);
    for (const workerCount of threadCounts) {
      const { fixedBytes, entryBytes } = pairBytes({ ...pairSize, threadCount: workerCount });
      // Half of the budget is for pairs.
      const tight = await find(2 * (fixedBytes + entryBytes) - 1, workerCount);
      assert.deepEqual(tight.pairs, roomy.pairs);
      assert.ok(tight.entryReadCount >= leastReads, `${tight.entryReadCount} reads`);
      assert.ok(tight.storedRunCount >= leastRuns, `${tight.storedRunCount} runs`);
    }
  });
}
