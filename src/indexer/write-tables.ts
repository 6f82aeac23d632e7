import { rmSync } from 'node:fs';
import type { TableDigest } from '../store/digest.ts';
import { IndexWriter } from '../store/writer.ts';
import { Aliases } from './aliases.ts';
import { loadBags } from './bags.ts';
import type { BuildOptions } from './build-options.ts';
import { featureNames, loadFeatureTable } from './vocabulary.ts';
import type { WorkFiles } from './work-folder.ts';
import { VersionWriter, writeVersionShingles } from './write-copies.ts';
import { writeBags, writePages, writePostings } from './write-index.ts';

export const INDEX_FILE = 'index.sqlite';
export const TOPIC_RELATION_ID = 1;
export const COPY_RELATION_ID = 2;

/**
 * Begins the index file with all that asks for no relation of pages: the pages with their captures, versions and
 * links, the features, the bags both ways round, and the shingles of the versions, which `findCopies` has numbered.
 *
 * Memory  24 bytes a URL, and 10 bytes an entry of the bags.
 */
export function writeTables(
  folder: WorkFiles,
  options: BuildOptions,
  onPages: (done: number) => void = () => {},
): TableDigest[] {
  const path = folder.file(INDEX_FILE);
  rmSync(path, { force: true });
  const writer = new IndexWriter(path);
  try {
    const matrix = loadBags(folder);
    const versions = options.copies ? new VersionWriter(writer, folder) : null;
    writePages(writer, folder, new Aliases(folder), matrix.sums.length, versions, onPages);
    const { pageCounts } = loadFeatureTable(folder);
    for (const name of featureNames(folder, matrix.featureCount)) {
      writer.feature(TOPIC_RELATION_ID, { ...name, pageCount: pageCounts[name.id]! });
    }
    writeBags(writer, TOPIC_RELATION_ID, matrix);
    writePostings(writer, TOPIC_RELATION_ID, matrix, options.memoryBytes / 4);
    if (options.copies) writeVersionShingles(writer, folder, options);
    return writer.leave();
  } catch (error) {
    writer.abandon();
    throw error;
  }
}
