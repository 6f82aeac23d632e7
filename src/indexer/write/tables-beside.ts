import { divideMemory, type Resources } from '../files/budget.ts';
import { type CopyReport, copyReport } from '../relate/copies.ts';
import { Background } from './prepare.ts';
import { isSearched } from './write-search.ts';
import type { KnownBefore, TableOptions, WrittenTables } from './write-tables.ts';

/**
 * Copies and the tables that need no relation of pages, made by two threads from when the pages are merged: one numbers
 * versions and writes the file, the other makes the rows of the search and finds copies. A third one names the clusters.
 */
export class TablesBeside {
  readonly #folderPath: string;
  readonly #memoryBytes: number;
  readonly #tables: Background;
  /** Null in an index without copies. */
  readonly #copies: Background | null;
  readonly #isSearched: boolean;
  #found: Promise<CopyReport> | null = null;
  #written: Promise<WrittenTables> | null = null;
  #labels: Background | null = null;

  constructor(
    folderPath: string,
    options: TableOptions,
    { memoryBytes }: Resources,
    pageCount: number,
    known: KnownBefore,
  ) {
    this.#folderPath = folderPath;
    this.#memoryBytes = memoryBytes;
    const { formerIndex } = known;
    const ofTables = { what: 'tables', options, memoryBytes, pageCount, known } as const;
    this.#tables = new Background(folderPath, ofTables);
    const ofCopies = { what: 'search and copies', options, memoryBytes, formerIndex } as const;
    this.#copies = options.copies ? new Background(folderPath, ofCopies) : null;
    this.#isSearched = isSearched(options);
    if (options.copies) this.#tables.begin('versions');
    this.#tables.begin('pages');
    if (this.#isSearched) this.#copies!.begin('search');
    if (options.copies) this.#found = awaitedLater(this.#findCopies());
  }

  async #findCopies(): Promise<CopyReport> {
    const versions = await this.#tables.result('versions');
    return copyReport(versions, await this.#copies!.result('copies'));
  }

  /** Has the tables finished, now that there are bags. */
  goOn(): void {
    this.#written = awaitedLater(this.#finish());
  }

  async #finish(): Promise<WrittenTables> {
    await this.#tables.result('pages');
    // What it takes comes behind what the words of the search take.
    if (this.#isSearched) await this.#copies!.result('search');
    await this.#tables.result('topics');
    return this.#tables.result('tables');
  }

  /** Begins with the labels of clusters of so many levels, once they are found. */
  nameClusters(levelCount: number): void {
    const task = { what: 'labels', levelCount, memoryBytes: this.#memoryBytes } as const;
    this.#labels = new Background(this.#folderPath, task);
    this.#labels.begin('labels');
  }

  /** After `nameClusters`. Errors  what a thread threw. */
  async clustersNamed(): Promise<void> {
    await this.#labels!.result('labels');
  }

  /**
   * Waits until the threads are done where a join holds more than its share beside them. After `goOn`.
   *
   * Errors  what a thread threw.
   */
  async makeRoom(bytes: number): Promise<void> {
    if (bytes > divideMemory(this.#memoryBytes).beside.join) await Promise.all([this.#found, this.#written]);
  }

  /** Errors  what a thread threw. */
  copies(): Promise<CopyReport> {
    return this.#found!;
  }

  /** After `goOn`. Errors  what a thread threw. */
  written(): Promise<WrittenTables> {
    return this.#written!;
  }

  /** Ends the threads, whatever they are at. */
  async stop(): Promise<void> {
    await Promise.all([this.#tables.stop(), this.#copies?.stop(), this.#labels?.stop()]);
  }
}

/** A failure meanwhile must not count as unhandled. */
function awaitedLater<Result>(promise: Promise<Result>): Promise<Result> {
  promise.catch(() => {});
  return promise;
}
