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
    'a length that is wrong',
    'UPDATE search_page SET lengths = zeroblob(length(lengths))',
    /^search: page 0 has not 0 words/,
  ],
  [
    'another site',
    'UPDATE search_page SET sites = zeroblob(length(sites))',
    /^search: page \d+ is not of site/,
  ],
  ['a language', "UPDATE search_lang SET lang = 'xx'", /^search: page \d+ is not in the language xx/],
  ['a count of pages', 'UPDATE search_total SET page_count = 0', /^search: 0 pages of \d+ words are counted/],
  [
    'a word that is another',
    "UPDATE search_word SET words = unhex(replace(hex(words), hex('bour'), hex('bous')))",
    /^search: page \d+ is found by other words/,
  ],
  [
    'postings that lack their end',
    'UPDATE search_posting SET postings = substr(postings, 1, length(postings) - 1)',
    /^search: /,
  ],
  [
    'a dictionary without postings',
    'PRAGMA foreign_keys = OFF; DELETE FROM search_posting',
    /^search: row 0 of search_posting is missing/,
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
    db.exec(sql);
    db.close();
    assert.ok(
      checkIndex(path).faults.some((found) => fault.test(found)),
      name,
    );
  }
});
