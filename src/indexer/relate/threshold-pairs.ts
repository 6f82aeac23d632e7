import { mkdirSync, rmSync } from 'node:fs';
import type { BagMatrix } from '../../features/bag.ts';
import { collapseEqualBags } from '../../join/bags/collapse-equal-bags.ts';
import { EntriesInMemory } from '../../join/bags/entry-source.ts';
import { areExactPairsCheaper, countWork } from '../../join/buckets/space/join-cost.ts';
import { exactPairBytes, pairBytes } from '../../join/buckets/space/join-memory.ts';
import { UNIT_PAGES } from '../../join/buckets/space/join-space.ts';
import { ownThread } from '../../join/buckets/steps/join-tasks.ts';
import { streamThresholdPairs } from '../../join/buckets/threshold-join.ts';
import { streamExactPairs } from '../../join/exact/stream-exact-pairs.ts';
import type { JoinReport, PairColumns } from '../../join/pairs/pair-columns.ts';
import { divideMemory, type Resources } from '../files/budget.ts';
import {
  PAIR_RUNS_FOLDER,
  THRESHOLD_PAIRS,
  THRESHOLD_REPRESENTATIVES,
} from '../files/records/stage-files.ts';
import { closeAll } from '../files/records/table-file.ts';
import type { WorkFiles } from '../files/work-folder.ts';
import type { TopicOptions } from '../options/build-options.ts';
import { loadBagOffsets } from '../weigh/bag-files.ts';
import { type JoinSource, withEntries } from './crew/join-crew.ts';
import { requireKernelRoom, requireMemory, requirePairKeys } from './crew/join-limits.ts';

/** What a pair takes while its thread holds it: 8 bytes, and as much again as room to grow. */
const BYTES_A_PAIR = 16;
const POSTING_BYTES = 4;
const OWN_THREAD_PAGES = 256;

export type PairOptions = Pick<TopicOptions, 'targetRecall' | 'seed'>;

/** All pairs at or above a similarity, how they were found and how complete they are. Every similarity is exact. */
export interface PairReport extends Omit<JoinReport, 'representative'> {
  readonly similarity: number;
  /** Between different bags; pages with equal bags stand as one. */
  readonly pairCount: number;
}

/** Pairs that fit what each of some threads may hold of them. */
export function mostPairsIn(foundBytes: number, threads = 1): number {
  return Math.ceil(foundBytes / BYTES_A_PAIR / threads);
}

/**
 * Joins all pages at a similarity, for CENTER to scan: exactly where that is cheaper, or where full recall is asked for,
 * else by the join that measures its own recall and works until the target is met.
 *
 * Memory  as files/budget.ts divides it; pairs beyond their part wait in the folder, and entries of bags that do not fit
 *         are read from their files.
 * Errors  InputError where the memory budget is too small for what must be in memory.
 */
export async function findThresholdPairs(
  folder: WorkFiles,
  similarity: number,
  options: PairOptions,
  resources: Resources,
): Promise<PairReport> {
  const runs = folder.file(PAIR_RUNS_FOLDER);
  rmSync(runs, { recursive: true, force: true });
  mkdirSync(runs);
  const columns = THRESHOLD_PAIRS.writers(folder);
  try {
    const { representative, ...report } = await join(folder, similarity, options, resources, (block) => {
      for (let i = 0; i < block.a.length; i++) {
        columns.a.push(block.a[i]!);
        columns.b.push(block.b[i]!);
        columns.shared.push(block.shared[i]!);
        columns.total.push(block.total[i]!);
      }
    });
    THRESHOLD_REPRESENTATIVES.write(folder, representative);
    return { similarity, pairCount: columns.a.length, ...report };
  } finally {
    closeAll(Object.values(columns));
    rmSync(runs, { recursive: true });
  }
}

function join(
  folder: WorkFiles,
  threshold: number,
  { targetRecall, seed }: PairOptions,
  { memoryBytes, workerCount: mostWorkers }: Resources,
  onPairs: (block: PairColumns) => void,
): Promise<JoinReport> {
  const pages = loadBagOffsets(folder);
  const pageCount = pages.sums.length;
  // More would find no unit to work on, and each holds memory.
  const workerCount = Math.min(mostWorkers, Math.max(1, Math.ceil(pageCount / UNIT_PAGES)));
  const size = {
    pageCount,
    entryCount: pages.offsets.at(-1)!,
    featureCount: pages.featureCount,
    threadCount: workerCount,
  };
  const { fixedBytes, entryBytes } = pairBytes(size);
  const budget = divideMemory(memoryBytes);
  const isOnDisk = fixedBytes + entryBytes > budget.pairs.pages;
  const require = (bytes: number) =>
    requireMemory('similar pairs', 2 * bytes, memoryBytes, pageCount, '--workers');
  const joinPages = async (matrix: BagMatrix, source: JoinSource): Promise<JoinReport> => {
    const entries = source.entries ?? new EntriesInMemory(matrix);
    const collapsed = collapseEqualBags(matrix, entries);
    const distinctCount = collapsed.bags.sums.length;
    if (targetRecall === 1 || areExactPairsCheaper(countWork(collapsed.bags, entries))) {
      require(exactPairBytes(size).fixedBytes);
      requirePairKeys(distinctCount);
      const mostPostings = budget.exactPairs.postings / POSTING_BYTES;
      // A thread takes longer to start than few pages take.
      const crew =
        distinctCount <= OWN_THREAD_PAGES && source.entries === undefined ? ownThread : source.crew;
      return streamExactPairs(matrix, { ...source, crew, threshold, collapsed, mostPostings }, onPairs);
    }
    require(fixedBytes);
    requireKernelRoom('similar pairs', distinctCount, workerCount);
    const settings = { threshold, seed, targetRecall, comparedBytes: budget.pairs.compared, collapsed };
    return streamThresholdPairs(matrix, { ...settings, ...source }, onPairs);
  };
  return withEntries(folder, isOnDisk, pages, workerCount, joinPages, {
    folder: folder.file(PAIR_RUNS_FOLDER),
    mostPairs: mostPairsIn(budget.pairs.found, workerCount),
  });
}
