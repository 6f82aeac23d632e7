import { divideMemory, type Resources } from '../files/budget.ts';
import { type CopyReport, copyReport } from '../relate/copies.ts';
import { Background } from './prepare.ts';
import { isSearched } from './write-search.ts';
import type { KnownBefore, TableOptions, WrittenTables } from './write-tables.ts';

/** With fewer threads a second one beside the joins would share a processor with them, and compile anew what the first one runs. */
const MIN_FOR_COPIES = 3;

/**
 * Copies and the tables that need no relation of pages, made from when the pages are merged: a thread numbers versions and
 * writes the file. Where threads are enough a second one makes the rows of the search and finds copies, else the first one does
 * that too. The last thread names the clusters.
 */
export class TablesBeside {
  readonly #memoryBytes: number;
  readonly #tables: Background;
  /** The same where it has all. */
  readonly #copies: Background;
  /** Whether a thread beside that of the tables makes the search. */
  readonly #isSearchSaved: boolean;
  readonly #found: Promise<CopyReport> | null;
  #written: Promise<WrittenTables> | null = null;

  constructor(
    folderPath: string,
    options: TableOptions,
    { memoryBytes, workerCount }: Resources,
    pageCount: number,
    known: KnownBefore,
  ) {
    this.#memoryBytes = memoryBytes;
    const isApart = options.copies && workerCount >= MIN_FOR_COPIES;
    this.#isSearchSaved = isApart && isSearched(options);
    const task = { options, memoryBytes, pageCount, known, isSearchSaved: this.#isSearchSaved };
    this.#tables = new Background(folderPath, task);
    this.#copies = isApart ? new Background(folderPath, task) : this.#tables;
    if (options.copies) this.#tables.begin('versions');
    this.#tables.begin('pages');
    if (this.#isSearchSaved) this.#copies.begin('search');
    this.#found = options.copies ? awaitedLater(this.#findCopies()) : null;
  }

  async #findCopies(): Promise<CopyReport> {
    const versions = await this.#tables.result('versions');
    return copyReport(versions, await this.#copies.result('copies'));
  }

  /** Has the tables finished, now that there are bags. */
  goOn(): void {
    this.#written = awaitedLater(this.#finish());
  }

  async #finish(): Promise<WrittenTables> {
    await this.#tables.result('pages');
    // What it takes comes behind what the words of the search take.
    if (this.#isSearchSaved) await this.#copies.result('search');
    await this.#tables.result('topics');
    return this.#tables.result('tables');
  }

  /** Begins with the labels of clusters of so many levels, once they are found. */
  nameClusters(levelCount: number): void {
    this.#copies.begin('labels', levelCount);
  }

  /** After `nameClusters`. Errors  what a thread threw. */
  async clustersNamed(): Promise<void> {
    await this.#copies.result('labels');
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
    await Promise.all(Array.from(new Set([this.#tables, this.#copies]), (thread) => thread.stop()));
  }
}

/** A failure meanwhile must not count as unhandled. */
function awaitedLater<Result>(promise: Promise<Result>): Promise<Result> {
  promise.catch(() => {});
  return promise;
}
