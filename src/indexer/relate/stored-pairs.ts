import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eachPair } from '../../join/pairs/threshold-pairs.ts';
import type { IndexReader } from '../../store/reader.ts';
import { ArrayWriter, writeArray } from '../files/array-file.ts';
import { requirePairKeys } from '../files/memory-budget.ts';
import { RunFiles } from '../files/run-files.ts';
import { type WorkFiles, workFiles } from '../files/work-folder.ts';
import { loadBagRanges } from '../weigh/bags.ts';
import {
  findThresholdPairs,
  joinMemory,
  loadRepresentatives,
  type PairOptions,
  type PairReport,
  readThresholdPairs,
} from './threshold-pairs.ts';

/** What is done with the pairs of an index: they come once, a < b, sorted. */
export type TakePairs = (
  pairs: Iterable<[a: number, b: number, similarity: number]>,
  report: PairReport,
) => Promise<void>;

/**
 * Joins the pages of an index as a build does, from its stored bags, and hands over every pair of pages, those of equal
 * bags among them. Bags and pairs wait in a folder for temporary files, which is removed.
 *
 * Errors  InputError where the memory budget is too small.
 */
export async function withStoredPairs(
  reader: IndexReader,
  relationId: number,
  similarity: number,
  options: PairOptions,
  take: TakePairs,
): Promise<void> {
  requirePairKeys(reader.pageCount);
  const path = mkdtempSync(join(tmpdir(), 'akin-pairs-'));
  const remove = () => rmSync(path, { recursive: true, force: true });
  // Whoever reads the pairs may have enough before the end, which ends the process.
  process.once('exit', remove);
  try {
    const folder = workFiles(path);
    writeBags(reader, relationId, folder);
    const report = await findThresholdPairs(folder, similarity, options);
    const runs = folder.file('written-out');
    mkdirSync(runs);
    const store = new RunFiles(runs, joinMemory(options.memoryBytes, 1).mostPairs, 'pairs');
    const { sums } = loadBagRanges(folder);
    await take(eachPair(readThresholdPairs(folder), loadRepresentatives(folder), sums, store), report);
  } finally {
    process.off('exit', remove);
    remove();
  }
}

/** The files of the bags, as the stage `bags` leaves them. */
function writeBags(reader: IndexReader, relationId: number, folder: WorkFiles): void {
  const features = new ArrayWriter(folder.file('bag-features'), Uint32Array);
  const weights = new ArrayWriter(folder.file('bag-weights'), Uint8Array);
  const offsets = new Float64Array(reader.pageCount + 1);
  const sums = new Uint16Array(reader.pageCount);
  for (const { pageId, bag } of reader.allBags(relationId)) {
    for (const feature of bag.features) features.push(feature);
    for (const weight of bag.weights) weights.push(weight);
    offsets[pageId + 1] = bag.features.length;
    sums[pageId] = bag.sum;
  }
  for (let page = 0; page < sums.length; page++) offsets[page + 1]! += offsets[page]!;
  for (const file of [features, weights]) file.close();
  writeArray(folder.file('bag-offsets'), offsets);
  writeArray(folder.file('bag-sums'), sums);
  // A byte a feature: how many there are is all that a join asks.
  writeArray(folder.file('feature-parts'), new Uint8Array(reader.featureCount(relationId)));
}
