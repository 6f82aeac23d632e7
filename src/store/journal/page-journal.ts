/**
 * Pages that were handed over and are not in the index yet: the file `FILE.pages` beside it. A write is on the disk when `write`
 * returns; of a URL the last one counts. Sequence numbers are never given twice.
 */
import { randomBytes } from 'node:crypto';
import Database from 'better-sqlite3';
import { CorruptError, TransientError } from '../../errors.ts';
import { asStoreError, type Db } from '../database.ts';
import {
  APPLICATION_ID,
  asJournalError,
  isEmpty,
  JournalReader,
  requireJournal,
  VERSION,
} from './journal-reader.ts';
import { readyPathOf, removeReadyFile } from './ready-file.ts';

/** For a process that begins to read. */
const BUSY_MS = 500;

const SCHEMA = `
CREATE TABLE journal (id TEXT NOT NULL) STRICT;
CREATE TABLE entry (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  -- Number that the page had when it came first; null where this is it.
  first_sequence INTEGER,
  url TEXT NOT NULL UNIQUE,
  bytes INTEGER NOT NULL,
  record TEXT NOT NULL,
  is_gone INTEGER NOT NULL,
  digest TEXT NOT NULL,
  text_digest TEXT NOT NULL,
  dated_ms INTEGER NOT NULL,
  at_ms INTEGER NOT NULL
) STRICT;
CREATE TABLE forgotten (sequence INTEGER PRIMARY KEY) STRICT;
-- Records that are damaged, as they are: neither folded in nor forgotten with others. Columns as those of entry.
CREATE TABLE damaged (
  sequence INTEGER PRIMARY KEY, url, bytes, record, is_gone, digest, text_digest, dated_ms, at_ms
);
`;

const COLUMNS =
  'sequence, url, is_gone AS isGone, digest, text_digest AS textDigest, dated_ms AS datedMs, at_ms AS atMs, bytes';

export interface JournalEntry {
  /** Canonical. */
  readonly url: string;
  /** The line of JSON that a build reads. */
  readonly record: string;
  readonly isGone: boolean;
  /** Of all that the record says. */
  readonly digest: string;
  /** Of title and text; '' for a page that is gone. */
  readonly textDigest: string;
  /** As the record says. */
  readonly datedMs: number;
  readonly atMs: number;
}

export interface PendingEntry extends Omit<JournalEntry, 'record'> {
  readonly sequence: number;
  /** Of its record. */
  readonly bytes: number;
}

interface Size {
  readonly count: number;
  readonly bytes: number;
}

interface PendingFigures extends Size {
  /** When the oldest was handed over; null where there is none. */
  readonly oldestMs: number | null;
}

type Row = Omit<PendingEntry, 'isGone'> & { readonly isGone: number };

/** Beside an index. */
export function journalPathOf(indexPath: string): string {
  return `${indexPath}.pages`;
}

export class PageJournal extends JournalReader {
  /** Open as long as this process writes. */
  readonly #lock: Db;
  /** Counted as they are written: a look at all of them for each would take the square. */
  #size: Size;

  private constructor(path: string, db: Db, lock: Db) {
    super(path, db);
    this.#lock = lock;
    this.#size = sizeOf(db);
  }

  /**
   * The journal at `path`, made where there is none, for this process alone to write.
   *
   * Errors  TransientError AKIN_ERR_INDEX_BUSY while another process has it, AKIN_ERR_DISK; InputError AKIN_ERR_OPTION for another
   *         file; ConfigError AKIN_ERR_CONFIG where it cannot be written; CorruptError.
   */
  static open(path: string): PageJournal {
    let db: Db | undefined;
    let lock: Db | undefined;
    try {
      db = new Database(path, { timeout: BUSY_MS });
      // Before anything of the file is changed.
      if (!isEmpty(db)) requireJournal(path, db);
      lock = new Database(`${path}.lock`, { timeout: 0 });
      // Held to the end of the process, however that ends.
      lock.exec('BEGIN EXCLUSIVE');
      db.pragma('journal_mode = WAL');
      db.pragma('synchronous = FULL');
      // What is taken out may be what is to be forgotten.
      db.pragma('secure_delete = ON');
      if (isEmpty(db)) create(db);
      // A file that this user may not write is opened all the same.
      db.exec('DELETE FROM forgotten WHERE false');
      return new PageJournal(path, db, lock);
    } catch (error) {
      db?.close();
      lock?.close();
      throw isBusy(error) ? takenAlready(path, error) : asWriteError(error, path);
    }
  }

  /** Records that are damaged, and were passed over: no one has handed their pages over again. */
  get damagedCount(): number {
    return this.read(() => this.db.prepare('SELECT count(*) FROM damaged').pluck().get()) as number;
  }

  figures(): PendingFigures {
    const sql = 'SELECT at_ms FROM entry ORDER BY sequence LIMIT 1';
    const oldest = this.read(() => this.db.prepare(sql).pluck().get());
    return { ...this.#size, oldestMs: (oldest as number | undefined) ?? null };
  }

  get(url: string): PendingEntry | null {
    const sql = `SELECT ${COLUMNS} FROM entry WHERE url = ?`;
    const row = this.read(() => this.db.prepare(sql).get(url)) as Row | undefined;
    return row === undefined ? null : { ...row, isGone: row.isGone === 1 };
  }

  /** All or none of what `decide` writes by `put`, which gives the number of the entry. Errors  TransientError AKIN_ERR_DISK. */
  write<Value>(decide: (put: (entry: JournalEntry) => number) => Value): Value {
    const remove = this.db.prepare(
      'DELETE FROM entry WHERE url = ? RETURNING bytes, coalesce(first_sequence, sequence) AS firstSequence',
    );
    const mend = this.db.prepare('DELETE FROM damaged WHERE url = ?');
    const add = this.db.prepare(
      `INSERT INTO entry (first_sequence, url, bytes, record, is_gone, digest, text_digest, dated_ms, at_ms)
       VALUES (@firstSequence, @url, @bytes, @record, @isGone, @digest, @textDigest, @datedMs, @atMs)`,
    );
    let { count } = this.#size;
    let added = 0;
    const put = (entry: JournalEntry): number => {
      const before = remove.get(entry.url) as { bytes: number; firstSequence: number } | undefined;
      const bytes = Buffer.byteLength(entry.record);
      mend.run(entry.url);
      count += before === undefined ? 1 : 0;
      added += bytes - (before?.bytes ?? 0);
      const firstSequence = before?.firstSequence ?? null;
      const row = { ...entry, firstSequence, bytes, isGone: entry.isGone ? 1 : 0 };
      return Number(add.run(row).lastInsertRowid);
    };
    try {
      const value = this.db.transaction(() => decide(put)).immediate();
      this.#size = { count, bytes: this.#size.bytes + added };
      return value;
    } catch (error) {
      throw asWriteError(error, this.path);
    }
  }

  /** Into a table of its own. */
  protected override setAside(sequence: number): void {
    this.write(() => {
      // By a URL that is damaged the index of the table does not have it.
      this.db.exec('REINDEX entry');
      this.db
        .prepare(
          `INSERT OR REPLACE INTO damaged
           SELECT sequence, url, bytes, record, is_gone, digest, text_digest, dated_ms, at_ms FROM entry WHERE sequence = ?`,
        )
        .run(sequence);
      this.db.prepare('DELETE FROM entry WHERE sequence = ?').run(sequence);
    });
    this.#size = sizeOf(this.db);
  }

  /** Forgets all up to a number: the index has them. Errors  as `write`. */
  forget(last: number): void {
    this.write(() => {
      this.db.prepare('DELETE FROM entry WHERE sequence <= ?').run(last);
      this.db.prepare('DELETE FROM forgotten').run();
      this.db.prepare('INSERT INTO forgotten (sequence) VALUES (?)').run(last);
    });
    this.#size = sizeOf(this.db);
    this.#emptyLog();
  }

  /** Takes out pages, and every byte of what was taken out before, with what they were made into. Errors  as `write`. */
  erase(urls: readonly string[]): void {
    this.write(() => {
      for (const table of ['entry', 'damaged'])
        for (const url of urls) this.db.prepare(`DELETE FROM ${table} WHERE url = ?`).run(url);
    });
    this.#size = sizeOf(this.db);
    try {
      removeReadyFile(readyPathOf(this.path));
      // Free room of the file may have bytes of records that SQLite has moved.
      this.db.exec('VACUUM');
    } catch (error) {
      throw asStoreError(error, this.path);
    }
    this.#emptyLog();
  }

  /** The log has what was written before; where another process reads just now, until the next time. */
  #emptyLog(): void {
    this.db.pragma('wal_checkpoint(TRUNCATE)');
  }

  override close(): void {
    super.close();
    this.#lock.close();
  }
}

/** What cannot be written may be what cannot be read. */
function asWriteError(cause: unknown, path: string): Error {
  const error = asStoreError(cause, path);
  return error instanceof CorruptError ? asJournalError(cause, path) : error;
}

function sizeOf(db: Db): Size {
  return db.prepare('SELECT count(*) AS count, coalesce(sum(bytes), 0) AS bytes FROM entry').get() as Size;
}

function create(db: Db): void {
  db.transaction(() => {
    db.exec(SCHEMA);
    db.prepare('INSERT INTO journal (id) VALUES (?)').run(randomBytes(8).toString('hex'));
    db.pragma(`application_id = ${APPLICATION_ID}`);
    db.pragma(`user_version = ${VERSION}`);
  }).immediate();
}

const isBusy = (error: unknown) => /^SQLITE_(?:BUSY|LOCKED)/.test(String((error as { code?: unknown }).code));

function takenAlready(path: string, cause: unknown): TransientError {
  return new TransientError('AKIN_ERR_INDEX_BUSY', `another process takes pages into ${path} already`, {
    hint: 'end it, or show its pages beside it: akin serve FILE --follow',
    cause,
  });
}
