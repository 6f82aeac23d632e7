import type { BagMatrix } from '../../features/bag.ts';
import { EntriesInMemory, type EntrySource } from '../../join/bags/entry-source.ts';
import { BAG_ENTRIES } from '../files/records/stage-files.ts';
import type { WorkFiles } from '../files/work-folder.ts';
import { loadBagOffsets } from './bag-files.ts';
import { EntriesOnDisk, entryFiles } from './entry-files.ts';

/** Features and weights of one entry. */
const ENTRY_BYTES = 5;

/** The bags of a folder; their entries are in the matrix, or in files. */
interface OpenBags {
  readonly matrix: BagMatrix;
  readonly entries: EntrySource;
  close(): void;
}

/** Opens the bags, with their entries in memory where these take no more than `budgetBytes`. */
export function openBags(folder: WorkFiles, budgetBytes: number): OpenBags {
  const pages = loadBagOffsets(folder);
  if (ENTRY_BYTES * pages.offsets.at(-1)! <= budgetBytes) {
    const matrix = { ...pages, ...BAG_ENTRIES.read(folder) };
    return { matrix, entries: new EntriesInMemory(matrix), close() {} };
  }
  const entries = new EntriesOnDisk(entryFiles(folder));
  const matrix = { ...pages, features: new Uint32Array(0), weights: new Uint8Array(0) };
  return { matrix, entries, close: () => entries.close() };
}
