import { divideMemory, type Resources } from '../files/budget.ts';
import { workFiles } from '../files/work-folder.ts';
import { type CopyReport, copyReport } from '../relate/copies.ts';
import { Background, type Preparation, prepare } from './prepare.ts';
import { isSearched } from './write-search.ts';
import type { KnownBefore, TableOptions, WrittenTables } from './write-tables.ts';

/** With fewer threads a second one beside the joins would share a processor with them, and compile anew what the first one runs. */
const MIN_FOR_COPIES = 3;

/**
 * Copies and the tables that need no relation of pages, made from when the pages are merged: a thread numbers versions and
 * writes the file. Where threads are enough a second one makes the rows of the search and finds copies; else the first one finds
 * copies too, and the calling thread makes those rows behind the stages. The last thread names the clusters.
 */
export class TablesBeside {
  readonly #folderPath: string;
  readonly #task: Preparation;
  readonly #tables: Background;
  /** The same where it has all. */
  readonly #copies: Background;
  readonly #isApart: boolean;
  readonly #found: Promise<CopyReport> | null;
  #written: Promise<WrittenTables> | null = null;

  constructor(
    folderPath: string,
    options: TableOptions,
    { memoryBytes, workerCount }: Resources,
    pageCount: number,
    known: KnownBefore,
  ) {
    this.#folderPath = folderPath;
    this.#isApart = options.copies && workerCount >= MIN_FOR_COPIES;
    this.#task = { options, memoryBytes, pageCount, known };
    this.#tables = new Background(folderPath, this.#task);
    this.#copies = this.#isApart ? new Background(folderPath, this.#task) : this.#tables;
    if (options.copies) this.#tables.begin('versions');
    this.#tables.begin('pages');
    if (this.#isApart && isSearched(options)) this.#copies.begin('search');
    this.#found = options.copies ? awaitedLater(this.#findCopies()) : null;
  }

  async #findCopies(): Promise<CopyReport> {
    const versions = await this.#tables.result('versions');
    return copyReport(versions, await this.#copies.result('copies'));
  }

  /** Has the tables go on, now that there are bags. */
  goOn(): void {
    if (this.#isApart) void this.written();
    else this.#tables.begin('topics');
  }

  async #finish(): Promise<WrittenTables> {
    await this.#makeSearch();
    await this.#tables.result('topics');
    return this.#tables.result('tables');
  }

  /** What topics take comes behind what the words of the search take, where a thread makes that. */
  async #makeSearch(): Promise<void> {
    if (!isSearched(this.#task.options)) return;
    if (!this.#isApart) prepare(workFiles(this.#folderPath), this.#task).search();
    else await Promise.all([this.#tables.result('pages'), this.#copies.result('search')]);
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
    if (bytes > divideMemory(this.#task.memoryBytes).beside.join)
      await Promise.all([this.#found, this.written()]);
  }

  /** After `goOn`. What is left for the calling thread is done before it waits. Errors  what a thread threw. */
  copies(): Promise<CopyReport> {
    void this.written();
    return this.#found!;
  }

  /** After `goOn`. Errors  what a thread threw. */
  written(): Promise<WrittenTables> {
    this.#written ??= awaitedLater(this.#finish());
    return this.#written;
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
