import { type ThresholdPairs, thresholdJoin } from '../join/threshold-join.ts';
import { readArray, writeArray } from './array-file.ts';
import { loadBags } from './bags.ts';
import type { BuildOptions } from './build-options.ts';
import { joinCrew } from './join-crew.ts';
import type { WorkFolder } from './work-folder.ts';

/** All pairs at or above a similarity, and the share of them that was found on sampled pages. */
export interface PairReport {
  readonly similarity: number;
  /** Between different bags; pages with equal bags stand as one. */
  readonly pairCount: number;
  readonly recall: number;
}

/** Joins all pages at `options.pairSimilarity`, for CENTER to scan. */
export async function findThresholdPairs(
  folder: WorkFolder,
  similarity: number,
  options: Pick<BuildOptions, 'workerCount' | 'targetRecall' | 'seed'>,
): Promise<PairReport> {
  const { workerCount, targetRecall, seed } = options;
  const pairs = await thresholdJoin(loadBags(folder), {
    threshold: similarity,
    seed,
    targetRecall,
    crew: joinCrew(workerCount),
  });
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
