import { closeSync, existsSync, lstatSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { CorruptError, TransientError } from '../errors.ts';
import { asStoreError } from './database.ts';

/**
 * Holds a folder for one process. The lock is SQLite's own file lock, so it ends with the process
 * however that ends: there is no stale lock file to clear away.
 *
 * Errors  TransientError AKIN_ERR_INDEX_BUSY while another process holds it, or removes it with its folder just now;
 *         CorruptError where something else stands in place of the lock.
 */
export function lockFile(path: string, what: string): { release(): void } {
  let db: Database.Database | undefined;
  try {
    // Looked at before it is opened: a pipe would wait for a reader, and a link lead elsewhere.
    if (lstatSync(path, { throwIfNoEntry: false })?.isFile() === false) throw noLock(path, undefined);
    closeSync(openSync(path, 'a'));
    const fileId = statSync(path).ino;
    db = new Database(path, { timeout: 0 });
    db.pragma('journal_mode = DELETE');
    db.exec('BEGIN EXCLUSIVE');
    // The holder before may have unlinked the file in between: a lock on that one would keep no one out.
    if (statSync(path, { throwIfNoEntry: false })?.ino !== fileId) throw busy(what, undefined);
    const held = db;
    return { release: () => held.close() };
  } catch (cause) {
    db?.close();
    if (cause instanceof TransientError || cause instanceof CorruptError) throw cause;
    const code = String((cause as { code?: unknown }).code);
    if (/^SQLITE_(BUSY|LOCKED)/.test(code)) throw busy(what, cause);
    // The last holder removes the lock with its folder: both can disappear between two steps here.
    if (code === 'ENOENT' || !existsSync(dirname(path))) throw busy(what, cause);
    throw /^SQLITE_(NOTADB|CORRUPT)/.test(code) ? noLock(path, cause) : asStoreError(cause, path);
  }
}

function busy(what: string, cause: unknown): TransientError {
  return new TransientError('AKIN_ERR_INDEX_BUSY', `another process is building ${what}`, {
    hint: 'wait for it, or give another --to FILE',
    cause,
  });
}

function noLock(path: string, cause: unknown): CorruptError {
  return new CorruptError('AKIN_ERR_INDEX_CORRUPT', `${path} is not the lock of a build`, {
    hint: `remove the folder ${dirname(path)} and run the same command again: the build starts from the beginning`,
    cause,
  });
}
