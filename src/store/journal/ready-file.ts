/**
 * What pages that wait were made into for one index: the file `FILE.pages.ready` beside their journal, so that a server that starts
 * need not read them anew.
 *
 * It is never waited for and never believed: what was not written, is torn, damaged or made for another index is as if it were not
 * there, which costs time alone. A row is bound to its index, its page and its record by a digest over all of them.
 */
import { createHash } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import Database, { type Statement } from 'better-sqlite3';
import type { Db } from '../database.ts';

/** "akrd" in ASCII. */
const APPLICATION_ID = 0x616b7264;
const SCHEMA = `
CREATE TABLE made_for (key TEXT NOT NULL) STRICT;
CREATE TABLE page (
  url TEXT PRIMARY KEY,
  digest TEXT NOT NULL,
  page_id INTEGER NOT NULL,
  said BLOB,
  sum BLOB NOT NULL
) STRICT;
`;
/** For a process that reads just now. */
const BUSY_MS = 100;
/** The log of SQLite is cut back to this. */
const LOG_BYTES = 2 ** 24;

/** A record of the journal. */
export interface RecordName {
  readonly url: string;
  /** Of all that it says but its date. */
  readonly digest: string;
}

interface ReadyRow {
  /** Of the index whose place the page takes; -1 for none. */
  readonly pageId: number;
  /** Null for a page that is gone. */
  readonly said: SharedArrayBuffer | null;
}

/** Beside a journal. */
export function readyPathOf(journalPath: string): string {
  return `${journalPath}.ready`;
}

/** Removes the file, with those of SQLite beside it. Errors  those of the system. */
export function removeReadyFile(path: string): void {
  for (const end of ['', '-wal', '-shm']) rmSync(`${path}${end}`, { force: true });
}

export class ReadyFile {
  readonly #key: string;
  readonly #db: Db;
  readonly #find: Statement<[url: string, digest: string], StoredRow>;

  private constructor(key: string, db: Db) {
    this.#key = key;
    this.#db = db;
    this.#find = db.prepare('SELECT page_id AS pageId, said, sum FROM page WHERE url = ? AND digest = ?');
  }

  /** For the process that writes the journal: a file that was made for another key is removed, and begun anew. Errors  those of SQLite and of the system. */
  static open(path: string, key: string): ReadyFile {
    return ReadyFile.read(path, key, false) ?? ReadyFile.#create(path, key);
  }

  /** For processes that read alone; null where there is none for this key that can be read. */
  static read(path: string, key: string, readonly = true): ReadyFile | null {
    if (!existsSync(path)) return null;
    let db: Db | undefined;
    try {
      db = new Database(path, { readonly, timeout: BUSY_MS });
      const isOurs = db.pragma('application_id', { simple: true }) === APPLICATION_ID;
      if (isOurs && db.prepare('SELECT key FROM made_for').pluck().get() === key) {
        if (!readonly) setUp(db);
        return new ReadyFile(key, db);
      }
    } catch {
      // Damaged: as if it were not there.
    }
    db?.close();
    return null;
  }

  static #create(path: string, key: string): ReadyFile {
    removeReadyFile(path);
    const db = new Database(path, { timeout: BUSY_MS });
    try {
      setUp(db);
      db.transaction(() => {
        db.exec(SCHEMA);
        db.prepare('INSERT INTO made_for (key) VALUES (?)').run(key);
        db.pragma(`application_id = ${APPLICATION_ID}`);
      })();
    } catch (error) {
      db.close();
      throw error;
    }
    return new ReadyFile(key, db);
  }

  /** What the page of a record was made into; undefined where that is not known. Errors  those of SQLite. */
  find(name: RecordName): ReadyRow | undefined {
    const row = this.#find.get(name.url, name.digest);
    if (row === undefined) return undefined;
    const { pageId, said, sum } = row;
    if (!Buffer.isBuffer(sum) || !this.#sum(name, pageId, said).equals(sum)) return undefined;
    return { pageId, said: said === null ? null : sharedCopy(said) };
  }

  /** All or none; of a URL the last one counts. Errors  those of SQLite. */
  keep(pages: Iterable<RecordName & ReadyRow>): void {
    const put = this.#db.prepare(
      'INSERT OR REPLACE INTO page (url, digest, page_id, said, sum) VALUES (@url, @digest, @pageId, @said, @sum)',
    );
    this.#db
      .transaction(() => {
        for (const { url, digest, pageId, said } of pages) {
          const bytes = said === null ? null : Buffer.from(said);
          const sum = this.#sum({ url, digest }, pageId, bytes);
          put.run({ url, digest, pageId, said: bytes, sum });
        }
      })
      .immediate();
  }

  #sum({ url, digest }: RecordName, pageId: number, said: Buffer | null): Buffer {
    const hash = createHash('sha256');
    hash.update(JSON.stringify([this.#key, url, digest, pageId, said === null]));
    return (said === null ? hash : hash.update(said)).digest();
  }

  close(): void {
    this.#db.close();
  }
}

interface StoredRow {
  readonly pageId: number;
  readonly said: Buffer | null;
  readonly sum: unknown;
}

/** What is lost with the machine is made again. */
function setUp(db: Db): void {
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = OFF');
  db.pragma(`journal_size_limit = ${LOG_BYTES}`);
  // Of a page that is changed or gone nothing is to be left.
  db.pragma('secure_delete = ON');
}

function sharedCopy(bytes: Buffer): SharedArrayBuffer {
  const memory = new SharedArrayBuffer(bytes.length);
  new Uint8Array(memory).set(bytes);
  return memory;
}
