import { pairBytes } from '../join/join-memory.ts';
import { type ThresholdPairs, thresholdJoin } from '../join/threshold-join.ts';
import { readArray, writeArray } from './array-file.ts';
import { loadBagRanges } from './bags.ts';
import type { BuildOptions } from './build-options.ts';
import { withEntries } from './join-crew.ts';
import { requireMemory } from './memory-budget.ts';
import type { WorkFolder } from './work-folder.ts';

/** All pairs at or above a similarity, and the share of them that was found on sampled pages. */
export interface PairReport {
  readonly similarity: number;
  /** Between different bags; pages with equal bags stand as one. */
  readonly pairCount: number;
  readonly recall: number;
}

/**
 * Joins all pages at `options.pairSimilarity`, for CENTER to scan.
 *
 * Errors  InputError where the memory budget is too small for what must be in memory.
 */
export async function findThresholdPairs(
  folder: WorkFolder,
  similarity: number,
  options: Pick<BuildOptions, 'workerCount' | 'targetRecall' | 'seed' | 'memoryBytes'>,
): Promise<PairReport> {
  const { workerCount, targetRecall, seed, memoryBytes } = options;
  const pages = loadBagRanges(folder);
  const pageCount = pages.sums.length;
  const { fixedBytes, entryBytes } = pairBytes({
    pageCount,
    entryCount: pages.offsets.at(-1)!,
    featureCount: pages.featureCount,
    k: 0,
    threadCount: workerCount,
  });
  requireMemory(fixedBytes, memoryBytes, pageCount);
  const isOnDisk = fixedBytes + entryBytes > memoryBytes;
  const pairs = await withEntries(folder, isOnDisk, pages, workerCount, (matrix, source) =>
    thresholdJoin(matrix, { threshold: similarity, seed, targetRecall, ...source }),
  );
  writeArray(folder.file('exact-pair-a'), pairs.a);
  writeArray(folder.file('exact-pair-b'), pairs.b);
  writeArray(folder.file('exact-pair-shared'), pairs.shared);
  writeArray(folder.file('exact-pair-total'), pairs.total);
  writeArray(folder.file('exact-pair-representative'), pairs.representative);
  return { similarity, pairCount: pairs.a.length, recall: pairs.recall };
}

export function loadThresholdPairs(
  folder: WorkFolder,
): Pick<ThresholdPairs, 'a' | 'b' | 'shared' | 'total' | 'representative'> {
  return {
    a: readArray(folder.file('exact-pair-a'), Uint32Array),
    b: readArray(folder.file('exact-pair-b'), Uint32Array),
    shared: readArray(folder.file('exact-pair-shared'), Uint16Array),
    total: readArray(folder.file('exact-pair-total'), Uint16Array),
    representative: readArray(folder.file('exact-pair-representative'), Uint32Array),
  };
}
