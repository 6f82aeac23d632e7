import { closeSync, openSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { TransientError } from '../errors.ts';
import { asStoreError } from './database.ts';

/**
 * Holds a folder for one process. The lock is SQLite's own file lock, so it ends with the process
 * however that ends: there is no stale lock file to clear away.
 *
 * Errors  TransientError AKIN_ERR_INDEX_BUSY while another process holds it.
 */
export function lockFile(path: string, what: string): { release(): void } {
  let db: Database.Database | undefined;
  try {
    closeSync(openSync(path, 'a'));
    const fileId = statSync(path).ino;
    db = new Database(path, { timeout: 0 });
    db.pragma('journal_mode = DELETE');
    db.exec('BEGIN EXCLUSIVE');
    // The holder before may have unlinked the file in between: a lock on that one would keep nobody out.
    if (statSync(path, { throwIfNoEntry: false })?.ino !== fileId) throw busy(what, undefined);
    const held = db;
    return { release: () => held.close() };
  } catch (cause) {
    db?.close();
    if (cause instanceof TransientError) throw cause;
    if (!/^SQLITE_(BUSY|LOCKED)/.test(String((cause as { code?: unknown }).code)))
      throw asStoreError(cause, path);
    throw busy(what, cause);
  }
}

function busy(what: string, cause: unknown): TransientError {
  return new TransientError('AKIN_ERR_INDEX_BUSY', `another process is building ${what}`, {
    hint: 'wait for it, or give another --to FILE',
    cause,
  });
}
