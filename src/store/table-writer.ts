import type { Statement } from 'better-sqlite3';
import type { Db } from './database.ts';
import { RowDigest, type TableDigest } from './digest.ts';

/** Rows of a table of numbers that go in with one statement: a call costs as much as a few such rows. */
const BATCH_ROWS = 32;

interface Column {
  readonly name: string;
  readonly type: string;
  /** 1, 2, ... in the primary key; 0 outside. */
  readonly pk: number;
}

/**
 * Inserts the rows of one table. Where they come in the order of a key of numbers, as they do in a new index, they
 * are digested on the way, and the table need not be read again.
 */
export class TableWriter {
  readonly #name: string;
  readonly #single: Statement<unknown[], unknown>;
  readonly #batch: Statement<unknown[], unknown> | null;
  #pending: unknown[] = [];
  #digest: RowDigest | null;
  readonly #columnCount: number;
  readonly #keyColumns: readonly number[];
  readonly #isDigested: readonly boolean[];
  #before: readonly unknown[] | null = null;

  /** `isNew`: nothing is in the table yet. */
  constructor(db: Db, name: string, isNew: boolean) {
    const columns = db.pragma(`table_info(${name})`) as Column[];
    const key = columns.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
    const row = `(${columns.map(() => '?').join(', ')})`;
    const verb = isNew ? 'INSERT' : 'REPLACE';
    this.#name = name;
    this.#columnCount = columns.length;
    this.#single = db.prepare(`${verb} INTO ${name} VALUES ${row}`);
    // Bytes may be a view that is good until the next row is made, so such rows go in one by one.
    const isPlain = columns.every(({ type }) => type === 'INTEGER' || type === 'REAL');
    this.#batch = isPlain
      ? db.prepare(`${verb} INTO ${name} VALUES ${Array(BATCH_ROWS).fill(row).join(', ')}`)
      : null;
    this.#keyColumns = key.map((column) => columns.indexOf(column));
    this.#isDigested = columns.map((column) => !column.name.endsWith('_ms'));
    this.#digest = isNew && key.every(({ type }) => type === 'INTEGER') ? new RowDigest() : null;
  }

  insert(values: readonly unknown[]): void {
    if (this.#digest !== null) this.#addToDigest(values);
    if (this.#batch === null) {
      this.#single.run(...values);
      return;
    }
    this.#pending.push(...values);
    if (this.#pending.length < BATCH_ROWS * this.#columnCount) return;
    this.#batch.run(...this.#pending);
    this.#pending = [];
  }

  #addToDigest(values: readonly unknown[]): void {
    if (!this.#isAfter(values)) {
      this.#digest = null;
      return;
    }
    this.#before = values;
    for (let i = 0; i < values.length; i++) if (this.#isDigested[i]) this.#digest!.value(values[i]);
    this.#digest!.endRow();
  }

  #isAfter(values: readonly unknown[]): boolean {
    if (this.#before === null) return true;
    for (const column of this.#keyColumns) {
      const [now, before] = [values[column] as number, this.#before[column] as number];
      if (now !== before) return now > before;
    }
    return false;
  }

  /** Puts in the rows that wait for others. */
  flush(): void {
    for (let at = 0; at < this.#pending.length; at += this.#columnCount) {
      this.#single.run(...this.#pending.slice(at, at + this.#columnCount));
    }
    this.#pending = [];
  }

  /** Of all rows, once they are in; null where they did not come in order. */
  digest(): TableDigest | null {
    return this.#digest?.end(this.#name) ?? null;
  }
}
