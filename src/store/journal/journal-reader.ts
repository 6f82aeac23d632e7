import { existsSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { InputError } from '../../errors.ts';
import { asStoreError, type Db } from '../database.ts';

/** "akpg" in ASCII. */
export const APPLICATION_ID = 0x616b7067;
export const VERSION = 1;
/** For a process that has just begun to write. */
const BUSY_MS = 500;

interface JournalRecord {
  readonly sequence: number;
  /** A line of JSON. */
  readonly record: string;
}

/** Pages that were handed over and are not in the index yet, as any process of the machine may read them. */
export class JournalReader {
  /** Names the file: another one, in its place, counts anew. */
  readonly id: string;
  readonly path: string;
  protected readonly db: Db;
  readonly #inode: number | undefined;

  protected constructor(path: string, db: Db) {
    this.path = path;
    this.#inode = inodeOf(path);
    this.db = db;
    this.id = db.prepare('SELECT id FROM journal').pluck().get() as string;
  }

  /** The journal at `path`; null where no process has made one yet. Errors  InputError AKIN_ERR_OPTION for another file; CorruptError. */
  static read(path: string): JournalReader | null {
    if (!existsSync(path)) return null;
    let db: Db | undefined;
    try {
      db = new Database(path, { readonly: true, timeout: BUSY_MS });
      if (!isEmpty(db)) requireJournal(path, db);
      if (hasTable(db, 'forgotten')) return new JournalReader(path, db);
      db.close();
      return null;
    } catch (error) {
      db?.close();
      throw error instanceof InputError ? error : asStoreError(error, path);
    }
  }

  /** Whether the file is still in its place. */
  get isInPlace(): boolean {
    return inodeOf(this.path) === this.#inode;
  }

  /** The last one given; 0 for none. */
  get lastSequence(): number {
    const sql = "SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'entry'";
    return this.db.prepare(sql).pluck().get() as number;
  }

  /** Up to this number they were taken out, as an index has them; 0 for none. */
  get forgotten(): number {
    return this.db.prepare('SELECT coalesce(max(sequence), 0) FROM forgotten').pluck().get() as number;
  }

  /** Whether a page of this canonical URL waits. */
  has(url: string): boolean {
    return this.db.prepare('SELECT count(*) FROM entry WHERE url = ?').pluck().get(url) === 1;
  }

  /** Records behind one number and up to another, in the order in which they came. */
  *records(first: number, last: number): IterableIterator<string> {
    for (let from = first; ; ) {
      const entries = this.after(from, 64).filter(({ sequence }) => sequence <= last);
      if (entries.length === 0) return;
      for (const { record } of entries) yield record;
      from = entries.at(-1)!.sequence;
    }
  }

  /** The first records behind a number, at most `limit`, in the order in which they came. */
  after(sequence: number, limit: number): JournalRecord[] {
    const sql = 'SELECT sequence, record FROM entry WHERE sequence > ? ORDER BY sequence LIMIT ?';
    return this.db.prepare(sql).all(sequence, limit) as JournalRecord[];
  }

  close(): void {
    this.db.close();
  }
}

const inodeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.ino;

function hasTable(db: Db, name: string): boolean {
  return db.prepare('SELECT count(*) FROM sqlite_schema WHERE name = ?').pluck().get(name) === 1;
}

export function isEmpty(db: Db): boolean {
  return db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get() === 0;
}

/** Errors  InputError AKIN_ERR_OPTION. */
export function requireJournal(path: string, db: Db): void {
  const id = db.pragma('application_id', { simple: true });
  if (id === APPLICATION_ID && db.pragma('user_version', { simple: true }) === VERSION) return;
  throw new InputError('AKIN_ERR_OPTION', `${path} holds no pages of this version of akin`, {
    hint: 'move it away, or serve without --writable and --follow',
  });
}
