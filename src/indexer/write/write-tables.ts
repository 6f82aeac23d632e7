import { rmSync } from 'node:fs';
import { TOPIC } from '../../relations/topic.ts';
import type { TableDigest } from '../../store/digest.ts';
import { IndexWriter } from '../../store/write/writer.ts';
import { type Budget, divideMemory } from '../files/budget.ts';
import { BAG_SUMS, FEATURES, INDEX_FILE } from '../files/records/stage-files.ts';
import type { WorkFiles } from '../files/work-folder.ts';
import { Aliases } from '../gather/records/answers/aliases.ts';
import type { BuildTask, CopyOptions, DisplayOptions } from '../options/build-options.ts';
import { openBags } from '../weigh/open-bags.ts';
import { featureNames } from '../weigh/vocabulary.ts';
import { FormerIndex } from './former-index.ts';
import { VersionWriter, writeVersionShingles } from './write-copies.ts';
import { type SweepChange, writeBags, writePages, writePostings } from './write-index.ts';

/** The settings of `findCopies` and `writeTables`. */
export type TableOptions = CopyOptions & DisplayOptions & Pick<BuildTask, 'listsOnly'>;

/** What stands in the file so far, and what the pages say of the new sweeps. */
export interface WrittenTables {
  readonly digests: readonly TableDigest[];
  readonly change: SweepChange;
}

/** What a build has that begins with an index. */
export interface KnownBefore {
  /** 1 where it begins with none. */
  readonly firstNewSweep: number;
  /** An index among the inputs, which saves time and changes nothing. */
  readonly formerIndex?: string | undefined;
}

/**
 * Begins the index file with all tables that need no relation of pages: the pages with their captures, versions and
 * links, the features, the bags both ways round, and the shingles of the versions, which `findCopies` has numbered.
 *
 * Memory  24 bytes a URL; bags and inverted lists as files/budget.ts divides it, larger bags stay on disk.
 */
export function writeTables(
  folder: WorkFiles,
  options: TableOptions,
  memoryBytes: number,
  { firstNewSweep, formerIndex }: KnownBefore,
  onPages: (done: number) => void = () => {},
): WrittenTables {
  const path = folder.file(INDEX_FILE);
  rmSync(path, { force: true });
  const { search, tables } = divideMemory(memoryBytes);
  const former = FormerIndex.open(formerIndex);
  const writer = new IndexWriter(path, [], former);
  try {
    const versions = options.copies ? new VersionWriter(writer, folder) : null;
    const aliases = new Aliases(folder);
    const pageCount = BAG_SUMS.length(folder);
    const extras = {
      versions,
      cutsTitles: !options.keepTitles,
      fields: options.fields,
      searchBytes: options.search && options.copies && options.keepText ? search.words : null,
      former,
    };
    const change = writePages(writer, folder, aliases, pageCount, firstNewSweep, extras, onPages);
    aliases.close();
    writeTopicTables(writer, folder, tables);
    if (options.copies && !options.listsOnly) writeVersionShingles(writer, folder, tables.lists);
    return { digests: writer.leave(), change };
  } catch (error) {
    writer.abandon();
    throw error;
  } finally {
    former?.close();
  }
}

/** The features, and the bags both ways round. */
function writeTopicTables(writer: IndexWriter, folder: WorkFiles, budget: Budget['tables']): void {
  const { matrix, entries, close } = openBags(folder, budget.bags);
  try {
    const pageCounts = FEATURES.columns.pageCounts.readOwn(folder);
    for (const name of featureNames(folder, matrix.featureCount)) {
      writer.feature(TOPIC.id, { ...name, pageCount: pageCounts[name.id]! });
    }
    writeBags(writer, TOPIC.id, matrix, entries);
    writePostings(writer, TOPIC.id, matrix, budget.lists, entries);
  } finally {
    close();
  }
}
