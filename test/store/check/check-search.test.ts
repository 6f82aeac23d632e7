import assert from 'node:assert/strict';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { checkIndex } from '../../../src/store/check/check.ts';
import { buildPages, temporaryFolder } from '../../indexer/build.ts';
import { villagePages } from '../../indexer/pages.ts';

const DAMAGES: readonly (readonly [name: string, sql: string, fault: RegExp])[] = [
  [
    'a page that the search lacks',
    'DELETE FROM page_text_docsize WHERE id = 1',
    /^search: page 1 is in the search/,
  ],
  [
    'a search of other words',
    `INSERT INTO page_text (page_text) VALUES ('delete-all');
     INSERT INTO page_text (rowid, title, body) SELECT id, 'nothing', 'of this' FROM page`,
    /^search: page 0 is not found by "/,
  ],
  [
    'a card that says nothing',
    'INSERT INTO card VALUES (0, NULL, NULL, NULL, NULL, NULL)',
    /^cards: page 0 has an empty/,
  ],
  [
    'a date that is none',
    "INSERT INTO card VALUES (0, NULL, NULL, 'May', NULL, NULL)",
    /^cards: page 0 has the date May/,
  ],
  ['a title of another page', "UPDATE page SET full_title = 'x' WHERE id = 0", /^cards: page 0 is shown as/],
];

test('a sound index is whole; lost words, cards and titles are named', async (t) => {
  const { target } = await buildPages(t, villagePages(3));
  assert.deepEqual(checkIndex(target).faults, []);
  const folder = temporaryFolder(t);
  for (const [name, sql, fault] of DAMAGES) {
    const path = join(folder, `${name}.akin`);
    copyFileSync(target, path);
    const db = new Database(path);
    db.unsafeMode();
    db.exec(sql);
    db.close();
    assert.ok(
      checkIndex(path).faults.some((found) => fault.test(found)),
      name,
    );
  }
});
