/** The file of a frontier: opened for the one crawler, or read from outside. */
import { existsSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { CorruptError, InputError, optionFault } from '../../errors.ts';
import { asStoreError, type Db } from '../database.ts';
import type { HostRecord } from './records.ts';
import { FRONTIER_APPLICATION_ID, FRONTIER_VERSION, SCHEMA } from './schema.ts';

export const HOST_COLUMNS = 'id, name, queued, next_at_ms AS nextAtMs, fetched, retired';
export const QUEUE_SIZE =
  'SELECT coalesce(sum(queued), 0) AS urls, count(*) AS hosts FROM host WHERE queued > 0';

/**
 * The frontier file at `path`, made where there is none.
 *
 * Errors  InputError AKIN_ERR_INPUT_MISSING (read only, and none there), AKIN_ERR_OPTION (of another version);
 *         CorruptError AKIN_ERR_INDEX_CORRUPT; TransientError AKIN_ERR_DISK.
 */
export function openFrontier(path: string, { readonly }: { readonly: boolean }): Db {
  if (readonly && !existsSync(path)) {
    throw new InputError('AKIN_ERR_INPUT_MISSING', `there is no crawl at ${path}`);
  }
  try {
    const db = new Database(path, { readonly });
    if (readonly) return checked(path, db);
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = NORMAL');
    db.pragma('cache_size = -65536');
    db.pragma('wal_autocheckpoint = 8000');
    if (db.pragma('user_version', { simple: true }) === 0) fill(db);
    return checked(path, db);
  } catch (error) {
    throw asStoreError(error, path);
  }
}

/** Whether a crawl to the file was begun; it is empty where its process found no room. Errors  as `openFrontier`. */
export function isBegun(path: string): boolean {
  if (!existsSync(path) || !statSync(path).isFile()) return false;
  const db = new Database(path, { readonly: true });
  try {
    return (
      (db.pragma('user_version', { simple: true }) as number) > 0 && storedState(checked(path, db)) !== null
    );
  } catch (error) {
    throw asStoreError(error, path);
  } finally {
    db.close();
  }
}

function fill(db: Db): void {
  db.transaction(() => {
    db.exec(SCHEMA);
    db.pragma(`user_version = ${FRONTIER_VERSION}`);
    db.pragma(`application_id = ${FRONTIER_APPLICATION_ID}`);
  }).immediate();
}

function checked(path: string, db: Db): Db {
  const id = db.pragma('application_id', { simple: true });
  const version = db.pragma('user_version', { simple: true });
  if (id === FRONTIER_APPLICATION_ID && version === FRONTIER_VERSION) return db;
  db.close();
  throw optionFault(
    `${path} is not the frontier of a crawl by this version of akin`,
    'give --to another folder',
  );
}

export function storedState(db: Db): unknown {
  const row = db.prepare('SELECT json FROM state').get() as { json: string } | undefined;
  if (row === undefined) return null;
  try {
    return JSON.parse(row.json);
  } catch (cause) {
    throw new CorruptError('AKIN_ERR_INDEX_CORRUPT', `the state of the crawl ${db.name} cannot be read`, {
      cause,
    });
  }
}

interface FrontierSummary {
  readonly state: unknown;
  /** URLs still to fetch, and hosts that have some. */
  readonly queued: { readonly urls: number; readonly hosts: number };
  /** Most fetched from first. */
  readonly hosts: readonly HostRecord[];
}

/** Reads a crawl from outside, also while it runs: what was committed. */
export function readFrontier(path: string, hostLimit: number): FrontierSummary {
  const db = openFrontier(path, { readonly: true });
  try {
    return {
      state: storedState(db),
      queued: db.prepare(QUEUE_SIZE).get() as FrontierSummary['queued'],
      hosts: db
        .prepare(`SELECT ${HOST_COLUMNS} FROM host ORDER BY fetched DESC, queued DESC, id LIMIT ?`)
        .all(hostLimit) as HostRecord[],
    };
  } finally {
    db.close();
  }
}
