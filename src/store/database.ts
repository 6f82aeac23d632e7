import { closeSync, constants, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { AkinError, ConfigError, CorruptError, InputError, TransientError } from '../errors.ts';

export type Db = Database.Database;

/** "akin" in ASCII: stands in the header of every index file. */
const APPLICATION_ID = 0x616b696e;

/** Bumped whenever the same pages would give other features, sketches or similarities. */
export const ALGORITHM_VERSION = 8;

/** Bumped whenever a table or a blob changes; an index of any other format is refused. */
export const FORMAT_VERSION = 15;

const SCHEMA_PATH = fileURLToPath(new URL('../../migrations/0001-index.sql', import.meta.url));
const SQLITE_MAGIC = 'SQLite format 3\0';
/** In the header of an SQLite file. */
const PAGE_SIZE_OFFSET = 16;
const PAGE_COUNT_OFFSET = 28;
const APPLICATION_ID_OFFSET = 68;
const HEADER_BYTES = 100;
/** Pages of an index that SQLite keeps of those it has read. */
const CACHE_KIB = 16_384;

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
 * Opens an index read-only. Its lock is held until it is closed: taking it again for each statement takes longer than
 * most statements.
 *
 * Errors  InputError AKIN_ERR_INPUT_MISSING, AKIN_ERR_NOT_AN_INDEX, AKIN_ERR_INDEX_NEWER;
 *         CorruptError AKIN_ERR_INDEX_CORRUPT where SQLite cannot read it.
 */
export function openDatabase(path: string): Db {
  requireWholeFile(path, readHeader(path));
  let db: Db | undefined;
  try {
    db = new Database(path, { readonly: true, fileMustExist: true });
    db.pragma('locking_mode = EXCLUSIVE');
    db.pragma(`cache_size = -${CACHE_KIB}`);
    const applicationId = db.pragma('application_id', { simple: true });
    const version = db.pragma('user_version', { simple: true }) as number;
    if (applicationId !== APPLICATION_ID || version === 0) {
      throw notAnIndex(`${path} is an SQLite file, but not an akin index`);
    }
    if (version !== FORMAT_VERSION) throw versionError(path, version);
    return db;
  } catch (cause) {
    db?.close();
    throw asReadError(cause, path);
  }
}

function notAnIndex(message: string, hint = 'make one with: akin index INPUT... --to FILE'): InputError {
  return new InputError('AKIN_ERR_NOT_AN_INDEX', message, { hint });
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

interface Header {
  /** Fewer than `HEADER_BYTES` where the file has no more. */
  readonly bytes: Buffer;
  readonly sizeBytes: number;
  readonly isFile: boolean;
}

/** Errors  those of the system. A pipe is not waited for, and not read. */
function headerOf(path: string): Header {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stat = fstatSync(file);
    const bytes = Buffer.alloc(HEADER_BYTES);
    const length = stat.isFile() ? readSync(file, bytes, 0, HEADER_BYTES, 0) : 0;
    return { bytes: bytes.subarray(0, length), sizeBytes: stat.size, isFile: stat.isFile() };
  } finally {
    closeSync(file);
  }
}

function readHeader(path: string): Header {
  let header: Header;
  try {
    header = headerOf(path);
  } catch (cause) {
    throw new InputError('AKIN_ERR_INPUT_MISSING', `cannot read the index ${path}`, {
      hint: 'check the path, or make an index with: akin index INPUT... --to FILE',
      cause,
    });
  }
  if (!header.isFile) {
    const hint = 'give a file; of an index in shards, one of the files in its folder';
    throw notAnIndex(`${path} is a folder, a pipe or a device, not an akin index`, hint);
  }
  if (!isSqlite(header)) throw notAnIndex(`${path} is not an akin index`);
  return header;
}

function isSqlite({ bytes }: Header): boolean {
  return bytes.toString('latin1', 0, SQLITE_MAGIC.length) === SQLITE_MAGIC;
}

/** SQLite reads a file that lacks the unused end of its last page without a word. */
function requireWholeFile(path: string, { bytes, sizeBytes }: Header): void {
  const isWhole = bytes.length === HEADER_BYTES;
  const written = isWhole ? pageBytesOf(bytes) * bytes.readUInt32BE(PAGE_COUNT_OFFSET) : HEADER_BYTES;
  if (sizeBytes >= written) return;
  throw new CorruptError(
    'AKIN_ERR_INDEX_CORRUPT',
    `${path} is incomplete: it has ${sizeBytes} of ${written} bytes`,
    { hint: 'copy it again, or build the index again from its source' },
  );
}

/** SQLite writes 1 for 65,536. */
function pageBytesOf(header: Buffer): number {
  const pageBytes = header.readUInt16BE(PAGE_SIZE_OFFSET);
  return pageBytes === 1 ? 65_536 : pageBytes;
}

/** A file, or what SQLite makes beside it, that this user may not write. */
const NOT_WRITABLE = /^SQLITE_(?:CANTOPEN|READONLY|PERM)/;
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
  'SQLITE_IOERR_SHMSIZE',
]);

/** Loads the native code of SQLite into this thread. */
export function loadSqlite(): void {
  new Database(':memory:').close();
}

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
    return unreadable(cause, path);
  }
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) {
    return new TransientError('AKIN_ERR_INDEX_BUSY', `${path} is in use by another process`, {
      hint: 'wait for that process, or end it',
      cause,
    });
  }
  if (NOT_WRITABLE.test(code)) {
    return new ConfigError('AKIN_ERR_CONFIG', `cannot write ${path}: ${(cause as Error).message}`, {
      hint: 'let this user write to that file and its folder',
      cause,
    });
  }
  return cause instanceof Error ? cause : new Error(String(cause));
}

/** What stands in the way of reading an open index lies in its bytes, unless the machine or another process does. */
export function asReadError(cause: unknown, path: string): Error {
  if (cause instanceof AkinError) return cause;
  const error = asStoreError(cause, path);
  const code = String((cause as { code?: unknown }).code ?? '');
  if (NOT_WRITABLE.test(code)) return unreadable(cause, path);
  if (error instanceof AkinError || !code.startsWith('SQLITE_') || code === 'SQLITE_NOMEM') return error;
  return unreadable(cause, path);
}

function unreadable(cause: unknown, path: string): CorruptError {
  const isOfDisk = String((cause as { code?: unknown }).code).startsWith('SQLITE_IOERR');
  return new CorruptError('AKIN_ERR_INDEX_CORRUPT', `${path} cannot be read: ${(cause as Error).message}`, {
    hint: isOfDisk
      ? 'look whether its disk is there and whole; when it is, run: akin check FILE'
      : 'run: akin check FILE; then build the index again from its source',
    cause,
  });
}

/** Whether a file calls itself an akin index, of whatever version, whole or not; false for one that cannot be read. */
export function isIndexFile(path: string): boolean {
  let header: Header;
  try {
    header = headerOf(path);
  } catch {
    return false;
  }
  return (
    header.bytes.length === HEADER_BYTES &&
    isSqlite(header) &&
    header.bytes.readUInt32BE(APPLICATION_ID_OFFSET) === APPLICATION_ID
  );
}
