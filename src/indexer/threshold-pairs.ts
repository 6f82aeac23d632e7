import { mkdirSync } from 'node:fs';
import { pairBytes } from '../join/join-memory.ts';
import { UNIT_PAGES } from '../join/join-space.ts';
import { type PairColumns, streamThresholdPairs } from '../join/threshold-join.ts';
import { ArrayWriter, readArray, readBlocks, writeArray } from './array-file.ts';
import { loadBagRanges } from './bags.ts';
import type { BuildOptions } from './build-options.ts';
import { withEntries } from './join-crew.ts';
import { requireMemory } from './memory-budget.ts';
import type { WorkFolder } from './work-folder.ts';

const RUNS_FOLDER = 'pair-runs';
/** What a pair takes while its thread holds it: 8 bytes, and as much again as room to grow. */
const BYTES_A_PAIR = 16;

/** All pairs at or above a similarity, and the share of them that was found on sampled pages. */
export interface PairReport {
  readonly similarity: number;
  /** Between different bags; pages with equal bags stand as one. */
  readonly pairCount: number;
  readonly recall: number;
}

/** A quarter of the budget for the pairs that the threads have found, a quarter for those they have compared. */
export function joinMemory(
  memoryBytes: number,
  threads: number,
): { mostPairs: number; comparedBytes: number } {
  return {
    mostPairs: Math.ceil(memoryBytes / 4 / BYTES_A_PAIR / threads),
    comparedBytes: memoryBytes / 4,
  };
}

/**
 * Joins all pages at `options.pairSimilarity`, for CENTER to scan.
 *
 * Memory  half of the budget for pairs, and those beyond wait in the work folder; the rest for the join's 200 bytes a
 *         page and, where they fit, for the entries of the bags.
 * Errors  InputError where the memory budget is too small for what must be in memory.
 */
export async function findThresholdPairs(
  folder: WorkFolder,
  similarity: number,
  options: Pick<BuildOptions, 'workerCount' | 'memoryBytes' | 'targetRecall' | 'seed'>,
): Promise<PairReport> {
  const { memoryBytes, targetRecall, seed } = options;
  const pages = loadBagRanges(folder);
  const pageCount = pages.sums.length;
  // More would find no unit to work on, and each holds memory.
  const workerCount = Math.min(options.workerCount, Math.max(1, Math.ceil(pageCount / UNIT_PAGES)));
  const { fixedBytes, entryBytes } = pairBytes({
    pageCount,
    entryCount: pages.offsets.at(-1)!,
    featureCount: pages.featureCount,
    threadCount: workerCount,
  });
  requireMemory(2 * fixedBytes, memoryBytes, pageCount, '--workers');
  const isOnDisk = fixedBytes + entryBytes > memoryBytes / 2;
  folder.remove(RUNS_FOLDER);
  mkdirSync(folder.file(RUNS_FOLDER));
  const { mostPairs, comparedBytes } = joinMemory(memoryBytes, workerCount);
  const columns = {
    a: new ArrayWriter(folder.file('exact-pair-a'), Uint32Array),
    b: new ArrayWriter(folder.file('exact-pair-b'), Uint32Array),
    shared: new ArrayWriter(folder.file('exact-pair-shared'), Uint16Array),
    total: new ArrayWriter(folder.file('exact-pair-total'), Uint16Array),
  };
  const onPairs = (block: PairColumns) => {
    for (let i = 0; i < block.a.length; i++) {
      columns.a.push(block.a[i]!);
      columns.b.push(block.b[i]!);
      columns.shared.push(block.shared[i]!);
      columns.total.push(block.total[i]!);
    }
  };
  const runs = { folder: folder.file(RUNS_FOLDER), mostPairs };
  const join = await withEntries(
    folder,
    isOnDisk,
    pages,
    workerCount,
    (matrix, source) =>
      streamThresholdPairs(
        matrix,
        { threshold: similarity, seed, targetRecall, comparedBytes, ...source },
        onPairs,
      ),
    runs,
  );
  for (const column of Object.values(columns)) column.close();
  folder.remove(RUNS_FOLDER);
  writeArray(folder.file('exact-pair-representative'), join.representative);
  return { similarity, pairCount: columns.a.length, recall: join.recall };
}

/** The pairs in order, block by block; a block is valid until the next one is asked for. */
export function* readThresholdPairs(folder: WorkFolder): IterableIterator<PairColumns> {
  const a = readBlocks(folder.file('exact-pair-a'), Uint32Array);
  const b = readBlocks(folder.file('exact-pair-b'), Uint32Array);
  const shared = readBlocks(folder.file('exact-pair-shared'), Uint16Array);
  const total = readBlocks(folder.file('exact-pair-total'), Uint16Array);
  try {
    for (const first of a) {
      yield { a: first, b: b.next().value!, shared: shared.next().value!, total: total.next().value! };
    }
  } finally {
    // Only the first column has seen its end, and with it closed its file.
    for (const column of [b, shared, total]) column.return();
  }
}

/** Uint32Array(n): the first page with an equal bag. */
export function loadRepresentatives(folder: WorkFolder): Uint32Array {
  return readArray(folder.file('exact-pair-representative'), Uint32Array);
}
