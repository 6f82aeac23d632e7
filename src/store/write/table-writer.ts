import type { Statement } from 'better-sqlite3';
import type { Db } from '../database.ts';
import { isDigested, RowSum, type TableDigest } from '../digest.ts';

/** Rows that go in with one statement: a call costs as much as a few of them. */
const BATCH_ROWS = 32;
/** For the bytes of the rows that wait; a row with more goes in at once. */
const ROOM_BYTES = 1 << 15;

/** Puts a row in a table. */
export type Insert = (table: string, ...values: unknown[]) => void;

interface Column {
  readonly name: string;
}

/** Inserts the rows of one table. Those of a new table are digested on the way, so that it need not be read again. */
export class TableWriter {
  readonly #name: string;
  readonly #single: Statement<unknown[], unknown>;
  /** Made with the first rows that fill it: many tables have a few. */
  #batch: Statement<unknown[], unknown> | null = null;
  readonly #db: Db;
  readonly #row: string;
  /** Values of the rows that wait. */
  readonly #pending: unknown[];
  #pendingCount = 0;
  /** Bytes of a row may be a view that is good until the next row is made. */
  #room: Uint8Array | null = null;
  #used = 0;
  readonly #sum: RowSum;
  readonly #columnCount: number;
  readonly #isLeftOut: readonly boolean[];

  /** Nothing is in the table yet but the rows of `start`, and nothing else changes it. */
  constructor(db: Db, name: string, start?: TableDigest) {
    const columns = db.pragma(`table_info(${name})`) as Column[];
    this.#db = db;
    this.#row = `(${columns.map(() => '?').join(', ')})`;
    this.#name = name;
    this.#columnCount = columns.length;
    this.#pending = new Array(BATCH_ROWS * columns.length).fill(null);
    this.#single = db.prepare(`INSERT INTO ${name} VALUES ${this.#row}`);
    this.#isLeftOut = columns.map((column) => !isDigested(column.name));
    this.#sum = new RowSum(start);
  }

  insert(values: readonly unknown[]): void {
    this.#sum.add(values, this.#isLeftOut);
    let sizeBytes = 0;
    for (let i = 0; i < values.length; i++) {
      const value = values[i];
      if (value instanceof Uint8Array) sizeBytes += value.length;
    }
    if (this.#used + sizeBytes > ROOM_BYTES) this.flush();
    if (sizeBytes > ROOM_BYTES) {
      this.#single.run(...values);
      return;
    }
    for (let i = 0; i < values.length; i++) {
      const value = values[i];
      this.#pending[this.#pendingCount++] = value instanceof Uint8Array ? this.#kept(value) : value;
    }
    if (this.#pendingCount < this.#pending.length) return;
    const rows = Array(BATCH_ROWS).fill(this.#row).join(', ');
    this.#batch ??= this.#db.prepare(`INSERT INTO ${this.#name} VALUES ${rows}`);
    this.#batch.run(...this.#pending);
    this.#empty();
  }

  #kept(bytes: Uint8Array): Uint8Array {
    const start = this.#used;
    this.#room ??= new Uint8Array(ROOM_BYTES);
    this.#room.set(bytes, start);
    this.#used += bytes.length;
    return this.#room.subarray(start, this.#used);
  }

  #empty(): void {
    this.#pendingCount = 0;
    this.#used = 0;
  }

  /** Puts in the rows that wait for others. */
  flush(): void {
    for (let at = 0; at < this.#pendingCount; at += this.#columnCount) {
      this.#single.run(...this.#pending.slice(at, at + this.#columnCount));
    }
    this.#empty();
  }

  /** Of all rows, once they are in. */
  digest(): TableDigest {
    return this.#sum.digest(this.#name);
  }
}
