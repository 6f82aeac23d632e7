/** Damage to what the printed profile stores, and centers that are no fault. */
import assert from 'node:assert/strict';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { checkIndex } from '../../../src/store/check/check.ts';
import { buildPages, PRINTED, temporaryFolder } from '../../indexer/build.ts';
import { villagePages } from '../../indexer/pages.ts';
import { type Damage, expectNamed, rewrite, someNeighbors } from './damage.ts';

const PRINTED_DAMAGES: readonly Damage[] = [
  [
    'a signature changed',
    (db) => rewrite(db, 'signature', 'minima', someNeighbors(db), (blob) => blob.fill(0)),
    /topic signatures: pages .* are stored at/,
  ],
  [
    'a signature lost',
    (db) => db.exec('DELETE FROM signature WHERE page_id = 0'),
    /topic signatures: \d+ of \d+ pages/,
  ],
  [
    'a signature cut',
    (db) => rewrite(db, 'signature', 'minima', 'page_id = 0', (blob) => blob.subarray(3)),
    /topic signatures: the signature of page 0 has 237 bytes/,
  ],
];

test('damage to what the printed profile stores is named', async (t) => {
  const { target } = await buildPages(t, villagePages(7), PRINTED);
  for (const damage of PRINTED_DAMAGES) await t.test(damage[0], (t) => expectNamed(t, target, damage));
});

test('centers may be a pair of a list where CENTER scanned other pairs', async (t) => {
  const { target } = await buildPages(t, villagePages(6), { pairSimilarity: 0.2 });
  assert.deepEqual(checkIndex(target).faults, []);
  const copy = join(temporaryFolder(t), 'copy.akin');
  copyFileSync(target, copy);
  const db = new Database(copy);
  db.exec(`UPDATE parameter SET value = '0.03' WHERE name = 'cluster_similarity'`);
  db.close();
  const faults = checkIndex(copy).faults.filter((fault) => fault.startsWith('topic centers'));
  assert.deepEqual(faults, []);
});
