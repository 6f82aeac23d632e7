/** Damage that is planted in a copy of a sound index, which the check of that invariant must name. */
import assert from 'node:assert/strict';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import Database from 'better-sqlite3';
import { checkIndex } from '../../../src/store/check/check.ts';
import { temporaryFolder } from '../../indexer/build.ts';

export type Db = Database.Database;

/** Rewrites one blob. */
export function rewrite(
  db: Db,
  table: string,
  column: string,
  where: string,
  change: (blob: Buffer) => Uint8Array,
): void {
  const blob = db.prepare(`SELECT ${column} FROM ${table} WHERE ${where}`).pluck().get() as Buffer;
  const { changes } = db
    .prepare(`UPDATE ${table} SET ${column} = ? WHERE ${where}`)
    .run(change(Buffer.from(blob)));
  assert.equal(changes, 1);
}

/** Where a page has neighbors. */
export const someNeighbors = (db: Db) =>
  `page_id = ${db.prepare('SELECT page_id FROM neighbor WHERE length(entries) >= 13 LIMIT 1').pluck().get()}`;

export type Damage = readonly [name: string, plant: (db: Db) => void, fault: RegExp];

export function expectNamed(t: TestContext, sound: string, [, plant, fault]: Damage): void {
  const copy = join(temporaryFolder(t), 'copy.akin');
  copyFileSync(sound, copy);
  const db = new Database(copy);
  db.pragma('foreign_keys = OFF');
  plant(db);
  db.close();
  assert.match(checkIndex(copy).faults.join('\n'), fault);
}
