import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eachPair } from '../../join/pairs/threshold-pairs.ts';
import type { IndexReader } from '../../store/read/reader.ts';
import { divideMemory } from '../files/budget.ts';
import { RunFiles } from '../files/records/run-files.ts';
import { THRESHOLD_PAIRS, THRESHOLD_REPRESENTATIVES } from '../files/records/stage-files.ts';
import { type WorkFiles, workFiles } from '../files/work-folder.ts';
import { BagWriter, loadBagOffsets } from '../weigh/bag-files.ts';
import { requirePairKeys } from './join-limits.ts';
import { findThresholdPairs, mostPairsIn, type PairOptions, type PairReport } from './threshold-pairs.ts';

const NO_FEATURES = new Uint32Array(0);
const NO_WEIGHTS = new Uint8Array(0);

/** What is done with the pairs of an index: they come once, a < b, sorted. */
type TakePairs = (
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
    copyBags(reader, relationId, folder);
    const report = await findThresholdPairs(folder, similarity, options);
    const runs = folder.file('written-out');
    mkdirSync(runs);
    const store = new RunFiles(
      runs,
      mostPairsIn(divideMemory(options.memoryBytes).printedPairs.found),
      'pairs',
    );
    const { sums } = loadBagOffsets(folder);
    const representative = THRESHOLD_REPRESENTATIVES.read(folder);
    await take(eachPair(THRESHOLD_PAIRS.blocks(folder), representative, sums, store), report);
  } finally {
    process.off('exit', remove);
    remove();
  }
}

/** The bags of the index as files of the folder. */
function copyBags(reader: IndexReader, relationId: number, folder: WorkFiles): void {
  const writer = new BagWriter(folder);
  const skipTo = (pageId: number) => {
    while (writer.pageCount < pageId) writer.append(NO_FEATURES, NO_WEIGHTS);
  };
  for (const { pageId, bag } of reader.allBags(relationId)) {
    skipTo(pageId);
    writer.append(bag.features, bag.weights);
  }
  skipTo(reader.pageCount);
  writer.close(reader.featureCount(relationId));
}
