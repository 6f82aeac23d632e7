import { optionFault } from '../../../errors.ts';
import { partNames } from '../../../features/parts.ts';
import type { Bm25Facts } from '../../../join/bm25/bm25.ts';
import { countBags, meanLengthOf, readsOfAll } from '../../../join/bm25/counted-bags.ts';
import { type WordFeatures, wordFeatures } from '../../../join/bm25/word-features.ts';
import { createNeighborTable } from '../../../join/pairs/neighbor-table.ts';
import type { Resources } from '../../files/budget.ts';
import { FEATURES } from '../../files/records/stage-files.ts';
import type { WorkFiles } from '../../files/work-folder.ts';
import type { ShapingOptions } from '../../options/build-options.ts';
import { loadBagOffsets, loadBags } from '../../weigh/bag-files.ts';
import type { FeatureTable } from '../../weigh/frequencies.ts';
import { requireMemory } from '../crew/join-limits.ts';
import type { Bm25Work } from './bm25-worker.ts';
import { EXACT, fillInParallel, type NeighborReport, saveNeighbors } from './neighbors.ts';

/** Entries of posting lists that are read at most, about an hour of one core. */
const MOST_READS = 1e12;
/** Bags, their counts, the postings of these, each with its features and weights. */
const ENTRY_BYTES = 14;
const PAGE_BYTES = 48;
const NEIGHBOR_BYTES = 10;

const shared = (bytes: number) => new SharedArrayBuffer(bytes);

/**
 * Finds the K nearest pages of every page by BM25, each compared with all that share a word with it.
 *
 * Errors  InputError where the memory does not do, or where that is more work than the kernel is meant for.
 */
export async function findBm25Neighbors(
  folder: WorkFiles,
  { neighborLimit: k, parts }: Pick<ShapingOptions, 'neighborLimit' | 'parts'>,
  { memoryBytes, workerCount }: Resources,
  partPageCounts: FeatureTable['partPageCounts'],
  onPages: (done: number) => void,
): Promise<NeighborReport> {
  const { offsets } = loadBagOffsets(folder);
  const pageCount = offsets.length - 1;
  const bytes = ENTRY_BYTES * offsets.at(-1)! + pageCount * (PAGE_BYTES + k * NEIGHBOR_BYTES);
  requireMemory('neighbors', bytes, memoryBytes, pageCount, '--neighbors');
  const matrix = loadBags(folder);
  const features = featuresOf(folder, partNames(parts), partPageCounts);
  const counted = countBags(matrix, features, shared);
  requireFewReads(readsOfAll(counted), pageCount);
  const facts: Bm25Facts = { features, meanLength: meanLengthOf(counted.lengths) };
  const nearness = new Uint16Array(shared(2 * pageCount * k));
  const table = { ...createNeighborTable(pageCount, k, shared), nearness };
  const work: Bm25Work = { matrix, counted, facts, table };
  const url = new URL('./bm25-worker', import.meta.url);
  await fillInParallel(url, work, pageCount, workerCount, onPages);
  return {
    pairCount: saveNeighbors(folder, table),
    ...EXACT,
    meanLength: facts.meanLength,
  };
}

function featuresOf(
  folder: WorkFiles,
  names: readonly string[],
  partPageCounts: FeatureTable['partPageCounts'],
): WordFeatures {
  const { parts, pageCounts } = FEATURES.readOwn(folder);
  const rows = Array.from(parts, (part, id) => ({ part: names[part]!, pageCount: pageCounts[id]! }));
  return wordFeatures(parts.length, rows, (part) => partPageCounts[names.indexOf(part)]!);
}

function requireFewReads(reads: number, pageCount: number): void {
  if (reads <= MOST_READS) return;
  throw optionFault(
    `the kernel bm25 compares each of ${pageCount} pages with all that share a word: ${Math.round(reads / 1e9)} billion entries are to be read, and ${MOST_READS / 1e9} billion are the most`,
    'build with --kernel jaccard, or with a smaller --max-df',
  );
}
