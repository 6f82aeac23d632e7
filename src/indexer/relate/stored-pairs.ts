import { mkdirSync } from 'node:fs';
import { TransientError } from '../../errors.ts';
import { eachPair } from '../../join/pairs/threshold-pairs.ts';
import { IndexReader } from '../../store/read/reader.ts';
import { divideMemory, type Resources } from '../files/budget.ts';
import { RunFiles } from '../files/records/run-files.ts';
import { THRESHOLD_PAIRS, THRESHOLD_REPRESENTATIVES } from '../files/records/stage-files.ts';
import { type WorkFiles, workFiles } from '../files/work-folder.ts';
import { BagWriter, loadBagOffsets } from '../weigh/bag-files.ts';
import { requirePairKeys } from './crew/join-limits.ts';
import { findThresholdPairs, mostPairsIn, type PairOptions, type PairReport } from './threshold-pairs.ts';

const NO_FEATURES = new Uint32Array(0);
const NO_WEIGHTS = new Uint8Array(0);

/** What is joined, and the folder in which bags and pairs wait. */
export interface PairJoin {
  readonly indexPath: string;
  /** The one whose pairs are wanted. */
  readonly generation: string;
  readonly relationId: number;
  readonly similarity: number;
  readonly options: PairOptions;
  readonly resources: Resources;
  readonly folder: string;
}

/**
 * Joins the pages of an index as a build does, from its stored bags.
 *
 * Errors  InputError where the memory budget is too small; TransientError where another index took its place.
 */
export async function joinStoredPairs(join: PairJoin): Promise<PairReport> {
  const { indexPath, relationId, similarity, options, resources } = join;
  const folder = workFiles(join.folder);
  const reader = IndexReader.open(indexPath);
  try {
    if (reader.generation !== join.generation) {
      throw new TransientError('AKIN_ERR_GENERATION_CHANGED', `${indexPath} was replaced meanwhile`, {
        hint: 'run the same command again',
      });
    }
    requirePairKeys(reader.pageCount);
    copyBags(reader, relationId, folder);
  } finally {
    reader.close();
  }
  return findThresholdPairs(folder, similarity, options, resources);
}

/** Every pair that was found, those of equal bags among them: once, a < b, sorted. */
export function storedPairs({
  folder: path,
  resources,
}: PairJoin): Iterable<[a: number, b: number, similarity: number]> {
  const folder = workFiles(path);
  const runs = folder.file('written-out');
  mkdirSync(runs);
  const store = new RunFiles(
    runs,
    mostPairsIn(divideMemory(resources.memoryBytes).printedPairs.found),
    'pairs',
  );
  const { sums } = loadBagOffsets(folder);
  const representative = THRESHOLD_REPRESENTATIVES.read(folder);
  return eachPair(THRESHOLD_PAIRS.blocks(folder), representative, sums, store);
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
