import assert from 'node:assert/strict';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { ConfigError, InputError, TransientError } from '../../src/errors.ts';
import { JournalReader } from '../../src/store/journal/journal-reader.ts';
import { PageJournal } from '../../src/store/journal/page-journal.ts';
import { temporaryFolder } from '../indexer/build.ts';

test('a journal that this user may not write is refused with its name, before anyone hands over a page', (t) => {
  const folder = temporaryFolder(t);
  const path = join(folder, 'web.akin.pages');
  PageJournal.open(path).close();
  const isRoot = process.getuid?.() === 0;
  for (const [fileMode, folderMode] of [
    [0o444, 0o777],
    [0o444, 0o555],
  ] as const) {
    chmodSync(path, fileMode);
    chmodSync(folder, folderMode);
    if (isRoot) process.seteuid!(65_534);
    try {
      assert.throws(
        () => PageJournal.open(path),
        (error: unknown) =>
          error instanceof ConfigError && error.message.startsWith(`cannot write ${path}: `),
      );
    } finally {
      if (isRoot) process.seteuid!(0);
    }
  }
  chmodSync(folder, 0o755);
});

test('a journal of another version says what becomes of its pages, and what is none that it is none', (t) => {
  const path = join(temporaryFolder(t), 'web.akin.pages');
  PageJournal.open(path).close();
  const db = new Database(path);
  db.exec('PRAGMA user_version = 1');
  const refused = (message: RegExp, hint: RegExp) => {
    for (const read of [PageJournal.open, JournalReader.read]) {
      assert.throws(
        () => read.call(PageJournal, path),
        (error: unknown) =>
          error instanceof InputError && message.test(error.message) && hint.test(error.hint!),
      );
    }
  };
  refused(/web\.akin\.pages is of another version of akin/, /^no page waits in it: move it away/);
  const columns = db.pragma('table_info(entry)') as { name: string; type: string }[];
  const values = columns.map(({ type }) => (type === 'INTEGER' ? 1 : type === 'BLOB' ? "x'00'" : "'x'"));
  db.exec(`INSERT INTO entry (${columns.map(({ name }) => name)}) VALUES (${values})`);
  refused(
    /is of another version of akin/,
    /^have that version take its pages into the index \(POST \/pages\/fold\)/,
  );
  db.exec('PRAGMA application_id = 7');
  refused(/is no file of pages that wait/, /^move it away/);
  db.close();
});

test('a second process that would take pages reads that another one does, and how to show them', (t) => {
  const path = join(temporaryFolder(t), 'web.akin.pages');
  const journal = PageJournal.open(path);
  const refused = (error: unknown) =>
    error instanceof TransientError &&
    error.message === `another process takes pages into ${path} already` &&
    /--follow/.test(error.hint!);
  assert.throws(() => PageJournal.open(path), refused);
  journal.close();
  PageJournal.open(path).close();
});
