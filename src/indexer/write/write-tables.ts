import { rmSync } from 'node:fs';
import { TOPIC } from '../../relations/topic.ts';
import type { TableDigest } from '../../store/digest.ts';
import { IndexWriter } from '../../store/write/writer.ts';
import { type Budget, divideMemory } from '../files/budget.ts';
import { FEATURES, INDEX_FILE } from '../files/records/stage-files.ts';
import type { WorkFiles } from '../files/work-folder.ts';
import { Aliases } from '../gather/records/answers/aliases.ts';
import type { BuildTask, CopyOptions, DisplayOptions } from '../options/build-options.ts';
import { openBags } from '../weigh/open-bags.ts';
import { featureNames } from '../weigh/vocabulary.ts';
import { FormerIndex } from './former-index.ts';
import { VersionWriter, writeVersionShingles } from './write-copies.ts';
import { type SweepChange, writeBags, writePages, writePostings } from './write-index.ts';
import { insertSearch, isSearched, writeSearch } from './write-search.ts';

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
 * The index file with all tables that need no relation of pages: the pages with their captures, versions and links, the
 * features, the bags both ways round, the search, and the shingles of the versions, which `findCopies` has numbered.
 *
 * Memory  24 bytes a URL; bags and inverted lists as files/budget.ts divides it, larger bags stay on disk.
 */
export class TablesWriter {
  readonly #writer: IndexWriter;
  readonly #folder: WorkFiles;
  readonly #options: TableOptions;
  readonly #budget: Budget;
  readonly #former: FormerIndex | null;
  readonly #change: SweepChange;

  /** Begins the file, with the pages. */
  constructor(
    folder: WorkFiles,
    options: TableOptions,
    memoryBytes: number,
    pageCount: number,
    { firstNewSweep, formerIndex }: KnownBefore,
    onPages: (done: number) => void = () => {},
  ) {
    const path = folder.file(INDEX_FILE);
    rmSync(path, { force: true });
    this.#folder = folder;
    this.#options = options;
    this.#budget = divideMemory(memoryBytes);
    this.#former = FormerIndex.open(formerIndex);
    this.#writer = new IndexWriter(path, [], this.#former);
    try {
      const versions = options.copies ? new VersionWriter(this.#writer, folder) : null;
      const aliases = new Aliases(folder);
      const extras = { versions, cutsTitles: !options.keepTitles, fields: options.fields };
      try {
        this.#change = writePages(this.#writer, folder, aliases, pageCount, firstNewSweep, extras, onPages);
      } finally {
        aliases.close();
      }
      if (options.copies && !options.listsOnly) {
        writeVersionShingles(this.#writer, folder, this.#budget.tables.lists);
      }
    } catch (error) {
      this.abandon();
      throw error;
    }
  }

  /** The features, and the bags both ways round. */
  addTopics(): void {
    const writer = this.#writer;
    const { bags, lists } = this.#budget.tables;
    const { matrix, entries, close } = openBags(this.#folder, bags);
    try {
      const pageCounts = FEATURES.columns.pageCounts.readOwn(this.#folder);
      for (const name of featureNames(this.#folder, matrix.featureCount)) {
        writer.feature(TOPIC.id, { ...name, pageCount: pageCounts[name.id]! });
      }
      writeBags(writer, TOPIC.id, matrix, entries);
      writePostings(writer, TOPIC.id, matrix, lists, entries);
    } finally {
      close();
    }
  }

  /** The search, as another thread has left it, or made here. */
  addSearch(isSaved: boolean): void {
    if (!isSearched(this.#options)) return;
    if (isSaved) insertSearch(this.#writer, this.#folder);
    else writeSearch(this.#writer.row, this.#folder, this.#budget.search.words, this.#former);
  }

  /** Leaves the file to another writer. */
  finish(): WrittenTables {
    const digests = this.#writer.leave();
    this.#former?.close();
    return { digests, change: this.#change };
  }

  /** Leaves it unreadable. */
  abandon(): void {
    this.#writer.abandon();
    this.#former?.close();
  }
}

/** All of that, one table after the other. */
export function writeTables(...begin: ConstructorParameters<typeof TablesWriter>): WrittenTables {
  const tables = new TablesWriter(...begin);
  try {
    tables.addTopics();
    tables.addSearch(false);
    return tables.finish();
  } catch (error) {
    tables.abandon();
    throw error;
  }
}
