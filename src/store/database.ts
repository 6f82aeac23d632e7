import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { CorruptError, InputError, TransientError } from '../errors.ts';

export type Db = Database.Database;

/** "akin" in ASCII: stands in the header of every index file. */
export const APPLICATION_ID = 0x616b696e;

/** Bumped whenever the same pages would give other features, sketches or similarities. */
export const ALGORITHM_VERSION = 1;

/** Bumped whenever a table or a blob changes; an index of any other format is refused. */
export const FORMAT_VERSION = 6;

const SCHEMA_PATH = fileURLToPath(new URL('../../migrations/0001-index.sql', import.meta.url));
const SQLITE_MAGIC = 'SQLite format 3\0';
/** In the header of an SQLite file. */
const PAGE_SIZE_OFFSET = 16;
const PAGE_COUNT_OFFSET = 28;
const APPLICATION_ID_OFFSET = 68;

/**
 * A finished index at `path` for one writer. The journal stays in memory: the file is a copy that is thrown away when
 * the process ends early, and a journal left beside it would be rolled back into the next copy.
 */
export function openForEdit(path: string): Db {
  openDatabase(path).close();
  const db = new Database(path);
  db.pragma('journal_mode = MEMORY');
  db.pragma('synchronous = OFF');
  db.pragma('locking_mode = EXCLUSIVE');
  return db;
}

/** A new index at `path`, or one that is begun, for one writer; the journal stays in memory, as a half-written file is thrown away. */
export function createDatabase(path: string): Db {
  const db = new Database(path);
  db.pragma('page_size = 8192');
  // OFF would be refused: SQLite's defensive mode is on.
  db.pragma('journal_mode = MEMORY');
  db.pragma('synchronous = OFF');
  db.pragma('locking_mode = EXCLUSIVE');
  if (db.pragma('user_version', { simple: true }) !== FORMAT_VERSION) {
    db.transaction(() => {
      db.exec(readFileSync(SCHEMA_PATH, 'utf8'));
      db.pragma(`application_id = ${APPLICATION_ID}`);
      db.pragma(`user_version = ${FORMAT_VERSION}`);
    })();
  }
  return db;
}

/**
 * Opens an index read-only.
 *
 * Errors  InputError AKIN_ERR_INPUT_MISSING, AKIN_ERR_NOT_AN_INDEX, AKIN_ERR_INDEX_NEWER;
 *         CorruptError AKIN_ERR_INDEX_CORRUPT where SQLite cannot read it.
 */
export function openDatabase(path: string): Db {
  requireSqliteFile(path);
  requireWholeFile(path);
  let db: Db | undefined;
  try {
    db = new Database(path, { readonly: true, fileMustExist: true });
    const applicationId = db.pragma('application_id', { simple: true });
    const version = db.pragma('user_version', { simple: true }) as number;
    if (applicationId !== APPLICATION_ID || version === 0) {
      throw new InputError('AKIN_ERR_NOT_AN_INDEX', `${path} is an SQLite file, but not an akin index`, {
        hint: 'make one with: akin index INPUT... --to FILE',
      });
    }
    if (version !== FORMAT_VERSION) throw versionError(path, version);
    db.pragma('mmap_size = 17179869184');
    return db;
  } catch (cause) {
    db?.close();
    throw cause instanceof InputError ? cause : asStoreError(cause, path);
  }
}

function versionError(path: string, version: number): InputError {
  return version > FORMAT_VERSION
    ? new InputError(
        'AKIN_ERR_INDEX_NEWER',
        `${path} has index format ${version}; this akin reads format ${FORMAT_VERSION}`,
        { hint: 'update akin, or build the index again with this version' },
      )
    : new InputError(
        'AKIN_ERR_NOT_AN_INDEX',
        `${path} has the old index format ${version}; this akin reads format ${FORMAT_VERSION}`,
        { hint: 'build the index again: akin index INPUT... --to FILE' },
      );
}

function requireSqliteFile(path: string): void {
  const head = Buffer.alloc(SQLITE_MAGIC.length);
  try {
    const file = openSync(path, 'r');
    try {
      readSync(file, head, 0, head.length, 0);
    } finally {
      closeSync(file);
    }
  } catch (cause) {
    throw new InputError('AKIN_ERR_INPUT_MISSING', `cannot read the index ${path}`, {
      hint: 'check the path, or make an index with: akin index INPUT... --to FILE',
      cause,
    });
  }
  if (head.toString('latin1') !== SQLITE_MAGIC) {
    throw new InputError('AKIN_ERR_NOT_AN_INDEX', `${path} is not an akin index`, {
      hint: 'make one with: akin index INPUT... --to FILE',
    });
  }
}

/** SQLite reads a file that lacks the unused end of its last page without a word. */
function requireWholeFile(path: string): void {
  const head = Buffer.alloc(PAGE_COUNT_OFFSET + 4);
  const file = openSync(path, 'r');
  let sizeBytes: number;
  try {
    readSync(file, head, 0, head.length, 0);
    sizeBytes = fstatSync(file).size;
  } finally {
    closeSync(file);
  }
  const written = head.readUInt16BE(PAGE_SIZE_OFFSET) * head.readUInt32BE(PAGE_COUNT_OFFSET);
  if (sizeBytes >= written) return;
  throw new CorruptError(
    'AKIN_ERR_INDEX_CORRUPT',
    `${path} is incomplete: it has ${sizeBytes} of ${written} bytes`,
    { hint: 'copy it again, or build the index again from its source' },
  );
}

/** No room, over the quota, over the limit of a file's size; SQLite says only that the write failed. */
const DISK_CODES = new Set([
  'ENOSPC',
  'EDQUOT',
  'EFBIG',
  'SQLITE_FULL',
  'SQLITE_IOERR_WRITE',
  'SQLITE_IOERR_FSYNC',
  'SQLITE_IOERR_DIR_FSYNC',
  'SQLITE_IOERR_TRUNCATE',
]);

/** Turns a failure of SQLite or of the disk into the error that says how to react. */
export function asStoreError(cause: unknown, path: string): Error {
  const code = String((cause as { code?: unknown }).code ?? '');
  if (DISK_CODES.has(code)) {
    return new TransientError('AKIN_ERR_DISK', `cannot write ${path}: ${(cause as Error).message}`, {
      hint: 'free some space and run the same command again: finished work is kept, and the old index is unchanged',
      cause,
    });
  }
  if (code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB' || code.startsWith('SQLITE_IOERR')) {
    return new CorruptError('AKIN_ERR_INDEX_CORRUPT', `${path} cannot be read: ${(cause as Error).message}`, {
      hint: 'run: akin check FILE; then build the index again from its source',
      cause,
    });
  }
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) {
    return new TransientError('AKIN_ERR_INDEX_BUSY', `${path} is in use by another process`, { cause });
  }
  return cause instanceof Error ? cause : new Error(String(cause));
}

/** Whether a file calls itself an akin index, of whatever version, whole or not. */
export function isIndexFile(path: string): boolean {
  const head = Buffer.alloc(APPLICATION_ID_OFFSET + 4);
  const file = openSync(path, 'r');
  try {
    readSync(file, head, 0, head.length, 0);
  } finally {
    closeSync(file);
  }
  const magic = head.toString('latin1', 0, SQLITE_MAGIC.length);
  return magic === SQLITE_MAGIC && head.readUInt32BE(APPLICATION_ID_OFFSET) === APPLICATION_ID;
}
