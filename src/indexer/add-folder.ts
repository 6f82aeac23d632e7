import { TransientError } from '../errors.ts';
import { IndexReader } from '../store/reader.ts';
import type { StoredOptions } from './add-options.ts';
import { asBuildError } from './build-index.ts';
import { WorkFolder } from './files/work-folder.ts';

export interface Change {
  /** The index as it is; nobody else changes it while the folder is held. */
  readonly reader: IndexReader;
  readonly folder: WorkFolder;
  readonly options: StoredOptions;
}

/**
 * Runs one change of an index with its work folder held. Where it fails, what is complete is left for the next call.
 *
 * Errors  TransientError AKIN_ERR_INDEX_BUSY while another build or change of the index runs; what `work` throws,
 *         and failures of the disk as `buildIndex` tells them.
 */
export async function changeIndex<Report>(
  target: string,
  optionsOf: (reader: IndexReader) => StoredOptions,
  work: (change: Change) => Report | Promise<Report>,
): Promise<Report> {
  const reader = IndexReader.open(target);
  let folder: WorkFolder | undefined;
  try {
    const options = optionsOf(reader);
    folder = WorkFolder.open(options, Date.now());
    requireSame(reader, target);
    const report = await work({ reader, folder, options });
    folder.discard();
    return report;
  } catch (error) {
    folder?.release();
    throw asBuildError(error, target);
  } finally {
    reader.close();
  }
}

/** Another change may have come to its end between the look at the index and the hold on its folder. */
function requireSame(reader: IndexReader, target: string): void {
  const now = IndexReader.open(target);
  now.close();
  if (now.generation === reader.generation) return;
  throw new TransientError('AKIN_ERR_INDEX_BUSY', `${target} was changed at this moment by another process`, {
    hint: 'call again',
  });
}
