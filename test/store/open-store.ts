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

/** Generations of the indexes that were proved, and digests of their rows. */
const proved = new Set<string>();

/** Proves every invariant; of an index with the rows of one that was proved, that its file is sound and says what these are. */
export function proveStore(path: string): void {
  const db = new Database(path, { readonly: true });
  try {
    const rows = digestsOf(db);
    const stored = db.prepare('SELECT name, row_count, hex(sum) FROM table_digest ORDER BY name').raw().all();
    const isSound = db.pragma('integrity_check', { simple: true }) === 'ok';
    const key = `${db.prepare('SELECT id FROM generation').pluck().get()} ${rows}`;
    if (isSound && rows === JSON.stringify(stored) && proved.has(key)) return;
    assert.deepEqual(checkIndex(path).faults, []);
    proved.add(key);
  } finally {
    db.close();
  }
}

function digestsOf(db: Database.Database): string {
  const digests = digestedTables(db).map((table) => digestTable(db, table));
  return JSON.stringify(
    digests.map(({ name, rowCount, sum }) => [
      name,
      rowCount,
      Buffer.from(sum).toString('hex').toUpperCase(),
    ]),
  );
}
