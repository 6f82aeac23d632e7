import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import Database from 'better-sqlite3';
import { checkIndex } from '../../src/store/check/check.ts';
import { digestedTables, digestTable } from '../../src/store/digest.ts';
import { IndexReader } from '../../src/store/read/reader.ts';

/** Opens an index for one test, of whose file every invariant has been proved. */
export function openProved(t: TestContext, path: string): IndexReader {
  const reader = IndexReader.open(path);
  // Hooks run in the order of their making: the folder's removal, registered before, must not come first.
  t.after(() => reader.close());
  return reader;
}

/** Opens an index for one test, and proves every invariant of the file. */
export function openStore(t: TestContext, path: string): IndexReader {
  proveStore(path);
  return openProved(t, path);
}

/** What the indexes that were proved say of their rows. */
const proved = new Set<string>();

/** Proves every invariant; of an index with the rows of one that was proved, that its file is sound and has these rows. */
export function proveStore(path: string): void {
  const db = new Database(path, { readonly: true });
  const digests = db.prepare('SELECT name, row_count AS rowCount, sum FROM table_digest ORDER BY name').all();
  const key = JSON.stringify([db.prepare('SELECT id FROM generation').pluck().get(), digests]);
  const isProved = proved.has(key) && isAsSaid(db, digests);
  db.close();
  if (isProved) return;
  assert.deepEqual(checkIndex(path).faults, []);
  proved.add(key);
}

function isAsSaid(db: Database.Database, digests: readonly unknown[]): boolean {
  const found = digestedTables(db).map((table) => digestTable(db, table));
  return (
    db.pragma('integrity_check', { simple: true }) === 'ok' &&
    JSON.stringify(found) === JSON.stringify(digests)
  );
}
