import { divideMemory, type Resources } from '../files/budget.ts';
import { workFiles } from '../files/work-folder.ts';
import { type CopyReport, copyReport, type JoinReport, joinVersions } from '../relate/copies.ts';
import { Background } from './prepare.ts';
import { isSearched } from './write-search.ts';
import type { KnownBefore, TableOptions, WrittenTables } from './write-tables.ts';

/** With fewer threads a second one beside the joins would share a processor with them, and compile anew what it runs there. */
const MIN_FOR_COPIES = 3;

/**
 * Copies and the tables that need no relation of pages, made from when the pages are merged: a thread numbers versions and
 * writes the file. Where threads are enough a second one makes the rows of the search and finds copies; else the first one makes
 * those too, and whoever asks for copies finds them. The last thread names the clusters.
 */
export class TablesBeside {
  readonly #folderPath: string;
  readonly #memoryBytes: number;
  readonly #tables: Background;
  readonly #options: TableOptions;
  /** Null where copies are found by the calling thread, if at all. */
  readonly #copies: Background | null;
  /** Whether that thread makes the search. */
  readonly #isSearched: boolean;
  #found: Promise<CopyReport> | null = null;
  #written: Promise<WrittenTables> | null = null;

  constructor(
    folderPath: string,
    options: TableOptions,
    { memoryBytes, workerCount }: Resources,
    pageCount: number,
    known: KnownBefore,
  ) {
    this.#folderPath = folderPath;
    this.#memoryBytes = memoryBytes;
    this.#options = options;
    const isApart = options.copies && workerCount >= MIN_FOR_COPIES;
    this.#isSearched = isApart && isSearched(options);
    const task = { options, memoryBytes, pageCount, known, isSearchSaved: this.#isSearched };
    this.#tables = new Background(folderPath, task);
    this.#copies = isApart ? new Background(folderPath, task) : null;
    if (options.copies) this.#tables.begin('versions');
    this.#tables.begin('pages');
    if (this.#isSearched) this.#copies!.begin('search');
    if (isApart) this.#found = awaitedLater(this.#findCopies());
  }

  async #findCopies(): Promise<CopyReport> {
    const versions = await this.#tables.result('versions');
    return copyReport(versions, (await this.#copies?.result('copies')) ?? this.#joinHere());
  }

  #joinHere(): JoinReport {
    return joinVersions(workFiles(this.#folderPath), this.#options, this.#memoryBytes);
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
    (this.#copies ?? this.#tables).begin('labels', levelCount);
  }

  /** After `nameClusters`. Errors  what a thread threw. */
  async clustersNamed(): Promise<void> {
    await (this.#copies ?? this.#tables).result('labels');
  }

  /**
   * Waits until the threads are done where a join holds more than its share beside them. After `goOn`.
   *
   * Errors  what a thread threw.
   */
  async makeRoom(bytes: number): Promise<void> {
    if (bytes > divideMemory(this.#memoryBytes).beside.join) await Promise.all([this.#found, this.#written]);
  }

  /** Once. Errors  what a thread threw. */
  copies(): Promise<CopyReport> {
    return this.#found ?? this.#findCopies();
  }

  /** After `goOn`. Errors  what a thread threw. */
  written(): Promise<WrittenTables> {
    return this.#written!;
  }

  /** Ends the threads, whatever they are at. */
  async stop(): Promise<void> {
    await Promise.all([this.#tables.stop(), this.#copies?.stop()]);
  }
}

/** A failure meanwhile must not count as unhandled. */
function awaitedLater<Result>(promise: Promise<Result>): Promise<Result> {
  promise.catch(() => {});
  return promise;
}
