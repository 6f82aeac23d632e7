import type { Resources } from '../files/budget.ts';
import type { CopyReport } from '../relate/copies.ts';
import { Background } from './prepare.ts';
import { isSearched } from './write-search.ts';
import type { KnownBefore, TableOptions, WrittenTables } from './write-tables.ts';

/**
 * Copies and the tables that need no relation of pages, made by two threads from when the pages are merged: one finds
 * copies and writes the file, the other makes the rows of the search.
 */
export class TablesBeside {
  #search: Background | null;
  readonly #tables: Background;
  #written: Promise<WrittenTables> | null = null;

  constructor(
    folderPath: string,
    options: TableOptions,
    { memoryBytes }: Resources,
    pageCount: number,
    known: KnownBefore,
  ) {
    const { formerIndex } = known;
    const tables = { what: 'tables', options, memoryBytes, pageCount, known } as const;
    this.#tables = new Background(folderPath, tables, 'copies', 'pages');
    const search = { what: 'search', memoryBytes, formerIndex } as const;
    this.#search = isSearched(options) ? new Background(folderPath, search, 'search') : null;
  }

  /** Has the tables finished, now that there are bags. */
  goOn(): void {
    this.#written = this.#finish();
    // Awaited later.
    this.#written.catch(() => {});
  }

  async #finish(): Promise<WrittenTables> {
    void this.#tables.result('topics');
    const search = this.#search;
    await search?.result('search');
    // Another task has its thread then.
    this.#search = null;
    await search?.stop();
    // What stands in the way of a step before it is what stands in the way of all.
    for (const step of ['pages', 'topics'] as const) await this.#tables.result(step);
    return this.#tables.result('tables');
  }

  /** Errors  what a thread threw. */
  copies(): Promise<CopyReport | null> {
    return this.#tables.result('copies');
  }

  /** After `goOn`. Errors  what a thread threw. */
  written(): Promise<WrittenTables> {
    return this.#written!;
  }

  /** Ends the threads, whatever they are at. */
  async stop(): Promise<void> {
    await Promise.all([this.#search?.stop(), this.#tables.stop()]);
  }
}
