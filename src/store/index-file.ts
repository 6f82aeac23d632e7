import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import type { Statement } from 'better-sqlite3';
import { AkinError, CorruptError, InputError } from '../errors.ts';
import { keptIn } from '../lib/kept.ts';
import { SHARD_HASH } from '../url/shard.ts';
import { asReadError, type Db, openDatabase } from './database.ts';
import { digestTable, type TableDigest } from './digest.ts';
import type { ShardPlace } from './records.ts';
import { faultOfRow, type RowShape, rowShape } from './stored-values.ts';

type Mode = 'row' | 'tuple' | 'value';

const COUNT_ROW = rowShape<{ rowCount: number }>('table_digest', { rowCount: 'count' });
const DIGEST_ROW = rowShape<Pick<TableDigest, 'rowCount' | 'sum'>>('table_digest', {
  rowCount: 'count',
  sum: 'bytes',
});
/** Rows of an iteration between two looks at the file. */
const ROWS_PER_LOOK = 4096;

/**
 * An index file that is read: statements by their SQL, each compiled once, and every failure named.
 *
 * An index is replaced by a rename, which leaves an open file as it is. A file that is written to in place while it is
 * open is another matter: what is read after that may be of two indexes at once, so that it is refused. Hence no memory
 * map either: the system ends a process that touches a page of a file that was cut.
 *
 * Cost    a look at the file is 1 microsecond, compared with the 4 to 60 of a statement.
 * Errors  of every method: CorruptError AKIN_ERR_INDEX_CORRUPT where rows cannot be read, or are not those of the file
 *         that was opened.
 */
export class IndexFile {
  readonly path: string;
  readonly sizeBytes: number;
  /** Pages have the ids 0 .. pageCount - 1. */
  readonly pageCount: number;
  /** Pages that are not merely named as those of another shard: 0 .. ownPageCount - 1. */
  readonly ownPageCount: number;
  /** Null where the file is a whole index. */
  readonly shard: ShardPlace | null;
  readonly #db: Db;
  readonly #descriptor: number;
  readonly #opened: Stats;
  readonly #statements = new Map<string, Statement<unknown[], unknown>>();

  private constructor(path: string, db: Db, descriptor: number) {
    this.path = path;
    this.#db = db;
    this.#descriptor = descriptor;
    this.#opened = fstatSync(descriptor);
    this.sizeBytes = this.#opened.size;
    this.pageCount = (this.value<number | null>('SELECT max(id) FROM page') ?? -1) + 1;
    this.shard = this.#readShard();
    this.ownPageCount = this.shard?.ownPageCount ?? this.pageCount;
  }

  /** Errors  CorruptError for a place that cannot be, InputError for URLs given to shards in an unknown way. */
  #readShard(): ShardPlace | null {
    const stored = this.value<string>("SELECT value FROM parameter WHERE name = 'shard'");
    if (stored === undefined) return null;
    const place = this.decode('the parameter shard', () => JSON.parse(stored) as ShardPlace);
    const { number, count, pageCount, ownPageCount, index, hash } = place;
    const isSound =
      [number, count, pageCount, ownPageCount].every((one) => Number.isSafeInteger(one) && one >= 0) &&
      number < count &&
      ownPageCount <= this.pageCount &&
      this.pageCount <= pageCount &&
      typeof index === 'string';
    if (!isSound) throw this.corrupt('the parameter shard is not what a build writes');
    if (hash === SHARD_HASH) return place;
    throw new InputError('AKIN_ERR_INDEX_NEWER', `${this.path} tells URLs to shards by "${hash}"`, {
      hint: 'update akin, or make the shards again with this version',
    });
  }

  /** Errors  as `openDatabase`. */
  static open(path: string): IndexFile {
    const db = openDatabase(path);
    let descriptor: number | undefined;
    try {
      descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
      return new IndexFile(path, db, descriptor);
    } catch (cause) {
      db.close();
      if (descriptor !== undefined) closeSync(descriptor);
      throw asReadError(cause, path);
    }
  }

  /**
   * Reads a byte at each of some places, shares of the file: what SQLite holds in memory says nothing of a disk that is gone.
   *
   * Errors  CorruptError where there is none, or whatever the system says.
   */
  probe(places: readonly number[]): void {
    const byte = Buffer.allocUnsafe(1);
    for (const place of places) {
      const count = readSync(this.#descriptor, byte, 0, 1, Math.floor(place * this.sizeBytes));
      if (count === 0) throw this.corrupt(`ends before ${place} of its bytes`);
    }
  }

  /** Rows of a table as its digest says, 0 where that is lost: SQLite would walk the whole table, 0.1 s for a million pages. */
  rowCount(table: string): number {
    return this.get(COUNT_ROW, 'WHERE name = ?', table)?.rowCount ?? 0;
  }

  /** The first row; `which` is what follows the table in its statement. */
  get<Row>(shape: RowShape<Row>, which: string, ...keys: unknown[]): Row | undefined {
    const row = this.#read('row', `${shape.select} ${which}`, (statement) => statement.get(...keys)) as
      | Row
      | undefined;
    return row === undefined ? undefined : this.#sound(shape, row);
  }

  all<Row>(shape: RowShape<Row>, which: string, ...keys: unknown[]): Row[] {
    const rows = this.#read('row', `${shape.select} ${which}`, (statement) =>
      statement.all(...keys),
    ) as Row[];
    for (const row of rows) this.#sound(shape, row);
    return rows;
  }

  /** Row by row, for what is too much at once. */
  rows<Row>(shape: RowShape<Row>, which: string, ...keys: unknown[]): IterableIterator<Row> {
    return this.#iterate('row', `${shape.select} ${which}`, keys, shape) as IterableIterator<Row>;
  }

  /** Row by row by a whole statement, each an array of its columns, which are taken as they are. */
  tuples<Tuple extends unknown[]>(sql: string, ...keys: unknown[]): IterableIterator<Tuple> {
    return this.#iterate('tuple', sql, keys) as IterableIterator<Tuple>;
  }

  /** The first column of the first row. */
  value<Value>(sql: string, ...keys: unknown[]): Value | undefined {
    return this.#read('value', sql, (statement) => statement.get(...keys)) as Value | undefined;
  }

  /** The first column of every row. */
  values<Value>(sql: string, ...keys: unknown[]): Value[] {
    return this.#read('value', sql, (statement) => statement.all(...keys)) as Value[];
  }

  /** Whether a table is what was written, as its digest says; it is read whole. */
  isAsWritten(table: string): boolean {
    const written = this.get(DIGEST_ROW, 'WHERE name = ?', table);
    const found = this.#digest(table);
    return written?.rowCount === found.rowCount && Buffer.compare(written.sum, found.sum) === 0;
  }

  #digest(table: string): TableDigest {
    try {
      return digestTable(this.#db, table);
    } catch (cause) {
      throw asReadError(cause, this.path);
    }
  }

  /** Errors  CorruptError where the keys of a table lead to other rows than those that it has. It is read whole. */
  requireKeysOf(table: string): void {
    const found = this.value<string>(`PRAGMA integrity_check(${table})`);
    if (found !== 'ok') throw this.corrupt(`the keys of table ${table} are damaged: ${found}`);
  }

  /** The id of a page that a row names. */
  pageId(value: unknown): number {
    if (Number.isInteger(value) && (value as number) >= 0 && (value as number) < this.pageCount) {
      return value as number;
    }
    throw this.corrupt(`a row names page ${value}, there are ${this.pageCount}`);
  }

  /** What `read` makes of stored bytes; that it cannot make anything of them is their fault. */
  decode<Value>(what: string, read: () => Value): Value {
    try {
      return read();
    } catch (cause) {
      throw cause instanceof AkinError ? cause : this.corrupt(`${what} cannot be read`, cause);
    }
  }

  corrupt(what: string, cause?: unknown): CorruptError {
    return new CorruptError('AKIN_ERR_INDEX_CORRUPT', `${what} (${this.path})`, {
      hint: 'run: akin check FILE; then build the index again from its source',
      cause,
    });
  }

  close(): void {
    if (!this.#db.open) return;
    this.#db.close();
    closeSync(this.#descriptor);
  }

  #read(mode: Mode, sql: string, step: (statement: Statement<unknown[], unknown>) => unknown): unknown {
    let found: unknown;
    try {
      found = step(keptIn(this.#statements, `${mode} ${sql}`, () => this.#prepare(mode, sql)));
    } catch (cause) {
      this.#requireSameFile();
      throw asReadError(cause, this.path);
    }
    this.#requireSameFile();
    return found;
  }

  *#iterate<Row>(mode: Mode, sql: string, keys: unknown[], shape?: RowShape<Row>): IterableIterator<unknown> {
    try {
      let count = 0;
      for (const row of this.#prepare(mode, sql).iterate(...keys)) {
        if (++count % ROWS_PER_LOOK === 0) this.#requireSameFile();
        yield shape === undefined ? row : this.#sound(shape, row as Row);
      }
    } catch (cause) {
      this.#requireSameFile();
      throw asReadError(cause, this.path);
    }
    this.#requireSameFile();
  }

  #sound<Row>(shape: RowShape<Row>, row: Row): Row {
    const fault = faultOfRow(row, shape);
    if (fault !== null) throw this.corrupt(fault);
    return row;
  }

  #prepare(mode: Mode, sql: string): Statement<unknown[], unknown> {
    const statement = this.#db.prepare(sql);
    if (mode === 'value') return statement.pluck();
    return mode === 'tuple' ? statement.raw() : statement;
  }

  /** Looked at behind a read: what was read before a change is of the file that was opened. */
  #requireSameFile(): void {
    const { size, mtimeMs } = fstatSync(this.#descriptor);
    if (size === this.#opened.size && mtimeMs === this.#opened.mtimeMs) return;
    throw new CorruptError('AKIN_ERR_INDEX_CORRUPT', `${this.path} was written to while it was open`, {
      hint: 'put a new index in its place by a rename: cp NEW FILE.next && mv FILE.next FILE',
    });
  }
}
