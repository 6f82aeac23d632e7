import type { Statement } from 'better-sqlite3';
import type { Db } from '../database.ts';
import { isDigested, RowSum, type TableDigest } from '../digest.ts';

/** Rows of a table of numbers that go in with one statement: a call costs as much as a few such rows. */
const BATCH_ROWS = 32;

interface Column {
  readonly name: string;
  readonly type: string;
}

/** Inserts the rows of one table. Those of a new table are digested on the way, so that it need not be read again. */
export class TableWriter {
  readonly #name: string;
  readonly #single: Statement<unknown[], unknown>;
  readonly #batch: Statement<unknown[], unknown> | null;
  #pending: unknown[] = [];
  readonly #sum: RowSum;
  readonly #columnCount: number;
  readonly #isDigested: readonly boolean[];

  /** Nothing is in the table yet but the rows of `start`, and nothing else changes it. */
  constructor(db: Db, name: string, start?: TableDigest) {
    const columns = db.pragma(`table_info(${name})`) as Column[];
    const row = `(${columns.map(() => '?').join(', ')})`;
    this.#name = name;
    this.#columnCount = columns.length;
    this.#single = db.prepare(`INSERT INTO ${name} VALUES ${row}`);
    // Bytes may be a view that is good until the next row is made, and other statements may ask for the rows of a
    // table that is there: such rows go in one by one.
    const isPlain = columns.every(({ type }) => type === 'INTEGER' || type === 'REAL');
    this.#batch = isPlain
      ? db.prepare(`INSERT INTO ${name} VALUES ${Array(BATCH_ROWS).fill(row).join(', ')}`)
      : null;
    this.#isDigested = columns.map((column) => isDigested(column.name));
    this.#sum = new RowSum(start);
  }

  insert(values: readonly unknown[]): void {
    this.#sum.add(values.filter((_, column) => this.#isDigested[column]));
    if (this.#batch === null) {
      this.#single.run(...values);
      return;
    }
    this.#pending.push(...values);
    if (this.#pending.length < BATCH_ROWS * this.#columnCount) return;
    this.#batch.run(...this.#pending);
    this.#pending = [];
  }

  /** Puts in the rows that wait for others. */
  flush(): void {
    for (let at = 0; at < this.#pending.length; at += this.#columnCount) {
      this.#single.run(...this.#pending.slice(at, at + this.#columnCount));
    }
    this.#pending = [];
  }

  /** Of all rows, once they are in. */
  digest(): TableDigest {
    return this.#sum.digest(this.#name);
  }
}
