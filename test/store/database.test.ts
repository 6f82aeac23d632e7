import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import Database from 'better-sqlite3';
import { checkIndex } from '../../src/store/check/check.ts';
import {
  ALGORITHM_VERSION,
  asStoreError,
  createDatabase,
  FORMAT_VERSION,
  isIndexFile,
  openDatabase,
} from '../../src/store/database.ts';
import { IndexReader } from '../../src/store/read/reader.ts';
import { IndexWriter } from '../../src/store/write/writer.ts';
import { buildPages, temporaryFolder } from '../indexer/build.ts';
import { villagePages } from '../indexer/pages.ts';

/** 'akin'. */
const APPLICATION_ID = 0x616b696e;

const run = promisify(execFile);
const moduleUrl = (path: string) => JSON.stringify(new URL(`../../src/store/${path}`, import.meta.url).href);

/** Changes a copy of an index from outside. */
function tampered(t: TestContext, path: string, sql: string): string {
  const copy = join(temporaryFolder(t), 'copy.akin');
  copyFileSync(path, copy);
  const db = new Database(copy);
  db.exec(sql);
  db.close();
  return copy;
}

test('a schema that changes has another format number', () => {
  const schema = readFileSync(new URL('../../migrations/0001-index.sql', import.meta.url), 'utf8');
  const statements = schema.replace(/--.*$/gm, '').replace(/\s+/g, ' ');
  const sha256 = createHash('sha256').update(statements).digest('hex').slice(0, 16);
  // After a change of the schema: raise FORMAT_VERSION once a release, and write both here.
  assert.deepEqual([FORMAT_VERSION, sha256], [15, '4700a69ee4abfce6']);
});

test('a file that is begun keeps its tables and rows', (t) => {
  const path = join(temporaryFolder(t), 'a.akin');
  const begun = createDatabase(path);
  begun.exec("INSERT INTO site VALUES (0, 'a.example')");
  begun.close();
  const db = createDatabase(path);
  t.after(() => db.close());
  assert.deepEqual(db.prepare('SELECT name FROM site').pluck().all(), ['a.example']);
  assert.equal(db.pragma('user_version', { simple: true }), FORMAT_VERSION);
  assert.equal(db.pragma('application_id', { simple: true }), APPLICATION_ID);
});

test('two processes read one index at once', async (t) => {
  const { target, reader } = await buildPages(t, villagePages(3));
  const script = `
    import { IndexReader } from ${moduleUrl('read/reader.ts')};
    const reader = IndexReader.open(${JSON.stringify(target)});
    console.log(reader.generation, [...reader.pages()].length);`;
  const reading = [1, 2].map(() => run(process.execPath, ['--input-type=module', '-e', script]));
  for (const { stdout } of await Promise.all(reading)) {
    assert.equal(stdout.trim(), `${reader.generation} ${reader.pageCount}`);
  }
});

test('an index of a newer or an older format is refused by number', async (t) => {
  const { target } = await buildPages(t, villagePages(3));
  const newer = tampered(t, target, `PRAGMA user_version = ${FORMAT_VERSION + 1}`);
  const older = tampered(t, target, `PRAGMA user_version = ${FORMAT_VERSION - 1}`);
  for (const open of [openDatabase, IndexReader.open, checkIndex]) {
    assert.throws(() => open(newer), { name: 'InputError', code: 'AKIN_ERR_INDEX_NEWER' });
    assert.throws(() => open(older), {
      name: 'InputError',
      code: 'AKIN_ERR_NOT_AN_INDEX',
      message: `${older} has the old index format ${FORMAT_VERSION - 1}; this akin reads format ${FORMAT_VERSION}`,
      hint: 'build the index again: akin index INPUT... --to FILE',
    });
  }
  const later = tampered(t, target, `UPDATE generation SET algorithm_version = ${ALGORITHM_VERSION + 1}`);
  assert.throws(() => IndexReader.open(later), { name: 'InputError', code: 'AKIN_ERR_INDEX_NEWER' });
  const earlier = tampered(t, target, 'UPDATE generation SET algorithm_version = 0');
  assert.throws(() => IndexReader.open(earlier), { name: 'InputError', code: 'AKIN_ERR_NOT_AN_INDEX' });
});

test('what is missing, no SQLite file, or of another program is no index', (t) => {
  const folder = temporaryFolder(t);
  const [text, empty, foreign] = [join(folder, 'a.txt'), join(folder, 'empty'), join(folder, 'foreign.db')];
  writeFileSync(
    text,
    'a letter to somebody, long enough to hold a header of a hundred bytes and some more of it',
  );
  writeFileSync(empty, '');
  const db = new Database(foreign);
  db.exec('CREATE TABLE t (x)');
  db.close();
  for (const path of [text, empty, foreign]) {
    assert.throws(() => IndexReader.open(path), { name: 'InputError', code: 'AKIN_ERR_NOT_AN_INDEX' }, path);
    assert.equal(isIndexFile(path), false);
  }
  assert.throws(() => IndexReader.open(join(folder, 'nothing')), {
    name: 'InputError',
    code: 'AKIN_ERR_INPUT_MISSING',
  });
});

test('a file that was never finished is corrupt', (t) => {
  const path = join(temporaryFolder(t), 'a.akin');
  new IndexWriter(path).abandon();
  assert.ok(isIndexFile(path));
  assert.throws(() => IndexReader.open(path), { name: 'CorruptError', code: 'AKIN_ERR_INDEX_CORRUPT' });
});

test('an index cut off anywhere is corrupt, never half an answer', async (t) => {
  const { target } = await buildPages(t, villagePages(6));
  const { length } = readFileSync(target);
  for (const share of [0.02, 0.1, 0.3, 0.5, 0.8, 0.99]) {
    const cut = tampered(t, target, '');
    truncateSync(cut, Math.floor(length * share));
    try {
      const { faults } = checkIndex(cut);
      assert.notDeepEqual(faults, [], `cut at ${share}`);
      assert.match(faults.join('\n'), /sqlite integrity|digests/);
    } catch (error) {
      assert.equal((error as { code?: string }).code, 'AKIN_ERR_INDEX_CORRUPT', String(error));
    }
  }
});

test('failures of the disk and of SQLite say how to react', () => {
  const codeOf = (code: string) =>
    (asStoreError(Object.assign(new Error('x'), { code }), 'a.akin') as { code?: string }).code;
  for (const code of [
    'ENOSPC',
    'EDQUOT',
    'EFBIG',
    'SQLITE_FULL',
    'SQLITE_IOERR_WRITE',
    'SQLITE_IOERR_FSYNC',
  ]) {
    assert.equal(codeOf(code), 'AKIN_ERR_DISK', code);
  }
  for (const code of [
    'SQLITE_CORRUPT',
    'SQLITE_CORRUPT_VTAB',
    'SQLITE_NOTADB',
    'SQLITE_IOERR_READ',
    'SQLITE_IOERR_SHORT_READ',
  ]) {
    assert.equal(codeOf(code), 'AKIN_ERR_INDEX_CORRUPT', code);
  }
  for (const code of ['SQLITE_BUSY', 'SQLITE_LOCKED', 'SQLITE_BUSY_SNAPSHOT']) {
    assert.equal(codeOf(code), 'AKIN_ERR_INDEX_BUSY', code);
  }
  assert.equal(codeOf('SQLITE_CONSTRAINT'), 'SQLITE_CONSTRAINT', 'a bug stays what it is');
});
