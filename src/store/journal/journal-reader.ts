import { existsSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { AkinError, CorruptError, optionFault } from '../../errors.ts';
import { cutText } from '../../lib/cut-text.ts';
import { asReadError, type Db } from '../database.ts';
import { recordFault, type StoredRecord } from './journal-record.ts';

/** "akpg" in ASCII. */
export const APPLICATION_ID = 0x616b7067;
export const VERSION = 2;
/** For a process that has just begun to write. */
const BUSY_MS = 500;

/** A record that is not what was written. */
interface DamagedRecord {
  readonly sequence: number;
  readonly url: string;
  readonly error: CorruptError;
}

/** A record as it was written. */
export interface WaitingRecord {
  /** Canonical. */
  readonly url: string;
  /** A line of JSON. */
  readonly record: string;
  /** Of all that it says but its date. */
  readonly digest: string;
  /** As it says. */
  readonly datedMs: number;
  /** Number that its page had when it came first. */
  readonly firstSequence: number;
}

interface SomeRecords {
  readonly records: readonly WaitingRecord[];
  /** Number of the last one that was looked at; that which was asked for where there is none behind it. */
  readonly readTo: number;
  /** Whether there was none behind these. */
  readonly isEnd: boolean;
}

/** Pages that were handed over and are not in the index yet, as any process of the machine may read them. */
export class JournalReader {
  /** Names the file: another one, in its place, counts anew. */
  readonly id: string;
  readonly path: string;
  /** Called with each record that is damaged, when it is first passed over. */
  onDamage: (damaged: DamagedRecord) => void = () => {};
  protected readonly db: Db;
  readonly #passedOver = new Set<number>();
  readonly #inode: number | undefined;

  protected constructor(path: string, db: Db) {
    this.path = path;
    this.#inode = inodeOf(path);
    this.db = db;
    const id = this.read(() => db.prepare('SELECT id FROM journal').pluck().get());
    if (typeof id !== 'string' || !ID.test(id)) throw corruptJournal(path, 'it has no id');
    this.id = id;
  }

  /** The journal at `path`; null where no process has made one yet. Errors  InputError AKIN_ERR_OPTION for another file; CorruptError. */
  static read(path: string): JournalReader | null {
    if (!existsSync(path)) return null;
    let db: Db | undefined;
    try {
      db = new Database(path, { readonly: true, timeout: BUSY_MS });
      if (!isEmpty(db)) {
        requireJournal(path, db);
        return new JournalReader(path, db);
      }
      db.close();
      return null;
    } catch (error) {
      db?.close();
      throw asJournalError(error, path);
    }
  }

  /** Whether the file is still in its place. */
  get isInPlace(): boolean {
    return inodeOf(this.path) === this.#inode;
  }

  /** The last one given; 0 for none. */
  get lastSequence(): number {
    const sql = `SELECT max(coalesce((SELECT max(seq) FROM sqlite_sequence WHERE name = 'entry'), 0),
      coalesce((SELECT max(sequence) FROM entry), 0))`;
    return this.#number('the last number', sql);
  }

  /** Up to this number they were taken out, as an index has them; 0 for none. */
  get forgotten(): number {
    const sql = 'SELECT coalesce(max(sequence), 0) FROM forgotten';
    const forgotten = this.#number('the number up to which pages are forgotten', sql);
    if (forgotten > this.lastSequence)
      throw corruptJournal(this.path, 'it has forgotten pages that it never had');
    return forgotten;
  }

  /** Whether a page of this canonical URL waits. */
  has(url: string): boolean {
    const sql = 'SELECT count(*) FROM entry WHERE url = ?';
    return this.read(() => this.db.prepare(sql).pluck().get(url)) === 1;
  }

  /** How many wait behind a number. */
  countBehind(sequence: number): number {
    const sql = 'SELECT count(*) FROM entry WHERE sequence > ?';
    return this.read(() => this.db.prepare(sql).pluck().get(sequence)) as number;
  }

  /** Lines of JSON behind one number and up to another, in the order in which they came. Errors  as `after`. */
  *records(first: number, last: number): IterableIterator<string> {
    for (let from = first; ; ) {
      const { records, readTo, isEnd } = this.after(from, 64, last);
      for (const { record } of records) yield record;
      if (isEnd) return;
      from = readTo;
    }
  }

  /**
   * The records among the first `limit` behind a number and up to another, in the order in which they came; what is damaged is passed over.
   *
   * Errors  CorruptError where the file cannot be read.
   */
  after(sequence: number, limit: number, last = Number.MAX_SAFE_INTEGER): SomeRecords {
    const sql = `SELECT sequence, url, record, is_gone AS isGone, digest, text_digest AS textDigest,
      dated_ms AS datedMs, at_ms AS atMs, coalesce(first_sequence, sequence) AS firstSequence
      FROM entry WHERE sequence > ? AND sequence <= ? ORDER BY sequence LIMIT ?`;
    const rows = this.read(() => this.db.prepare(sql).all(sequence, last, limit) as StoredRecord[]);
    const records: WaitingRecord[] = [];
    for (const row of rows) {
      const fault = recordFault(row);
      if (fault === null) records.push(row as WaitingRecord);
      else this.#passOver(row, fault);
    }
    return { records, readTo: rows.at(-1)?.sequence ?? sequence, isEnd: rows.length < limit };
  }

  #passOver({ sequence, url }: StoredRecord, fault: string): void {
    this.setAside(sequence);
    if (this.#passedOver.has(sequence)) return;
    this.#passedOver.add(sequence);
    const shown = cutText(String(url), 300);
    const what = `record ${sequence} of ${this.path}, of the page ${shown}, is damaged: ${fault}`;
    const hint =
      'hand the page over again; the damaged record stays in the file until then, and no answer has it';
    const error = new CorruptError('AKIN_ERR_INDEX_CORRUPT', what, { hint });
    this.onDamage({ sequence, url: shown, error });
  }

  /** Does nothing: who reads alone changes nothing. */
  protected setAside(_sequence: number): void {}

  /** Errors  CorruptError where the file cannot be read. */
  protected read<Value>(work: () => Value): Value {
    try {
      return work();
    } catch (error) {
      throw asJournalError(error, this.path);
    }
  }

  /** Errors  CorruptError for what is no number of a record. */
  #number(what: string, sql: string): number {
    const value = this.read(() => this.db.prepare(sql).pluck().get());
    if (Number.isSafeInteger(value) && (value as number) >= 0) return value as number;
    throw corruptJournal(this.path, `${what} is none`);
  }

  close(): void {
    this.db.close();
  }
}

/** As it is made. */
const ID = /^[0-9a-f]{16}$/;

function corruptJournal(path: string, what: string, cause?: unknown): CorruptError {
  return new CorruptError('AKIN_ERR_INDEX_CORRUPT', `${path}, the pages that wait, cannot be read: ${what}`, {
    hint: 'move it away, with -wal and -shm beside it, and hand over again what waited; the index has all other pages',
    ...(cause !== undefined && { cause }),
  });
}

/** The index is not what is damaged. */
export function asJournalError(cause: unknown, path: string): Error {
  if (cause instanceof AkinError) return cause;
  const error = asReadError(cause, path);
  return error instanceof CorruptError ? corruptJournal(path, (cause as Error).message, cause) : error;
}

const inodeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.ino;

export function isEmpty(db: Db): boolean {
  return db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get() === 0;
}

/** Errors  InputError AKIN_ERR_OPTION. */
export function requireJournal(path: string, db: Db): void {
  const id = db.pragma('application_id', { simple: true });
  if (id === APPLICATION_ID && db.pragma('user_version', { simple: true }) === VERSION) return;
  if (id === APPLICATION_ID) throw ofOtherVersion(path, db);
  throw optionFault(
    `${path} is no file of pages that wait`,
    'move it away, or serve without --writable and --follow',
  );
}

function ofOtherVersion(path: string, db: Db): Error {
  const away = 'move it away, with -wal and -shm beside it';
  const ofEntries = "SELECT count(*) FROM sqlite_schema WHERE name = 'entry'";
  const isKnown = db.prepare(ofEntries).pluck().get() === 1;
  const count = isKnown ? db.prepare('SELECT count(*) FROM entry').pluck().get() : null;
  return optionFault(
    `${path} is of another version of akin, which alone reads it`,
    count === 0
      ? `no page waits in it: ${away}`
      : `have that version take its pages into the index (POST /pages/fold); then ${away}`,
  );
}
