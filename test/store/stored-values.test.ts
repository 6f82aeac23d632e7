/** What a reader takes from a file is of the kind that it says, or the file is refused. */
import assert from 'node:assert/strict';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { buildApp } from '../../src/service/app.ts';
import { checkIndex } from '../../src/store/check/check.ts';
import { IndexReader } from '../../src/store/read/reader.ts';
import { faultOfRow, rowShape } from '../../src/store/stored-values.ts';
import { canonicalUrl } from '../../src/url/canonical-url.ts';
import { anyCharacter } from '../any-character.ts';
import { buildPages, temporaryFolder } from '../indexer/build.ts';
import { villagePages } from '../indexer/pages.ts';
import { webUrls } from '../url/web-urls.ts';

const URL_ROW = rowShape<{ url: string }>('page', { url: 'url' });
const REFUSED = { name: 'CorruptError', code: 'AKIN_ERR_INDEX_CORRUPT' };

function tampered(t: TestContext, path: string, sql: string, ...values: unknown[]): string {
  const copy = join(temporaryFolder(t), 'copy.akin');
  copyFileSync(path, copy);
  const db = new Database(copy);
  db.pragma('foreign_keys = OFF');
  assert.ok(db.prepare(sql).run(...values).changes > 0);
  db.close();
  return copy;
}

test('whatever canonicalUrl gives may stand in an index', () => {
  const hard = fc.string({ unit: anyCharacter, maxLength: 40 });
  fc.assert(
    fc.property(
      fc.oneof(
        webUrls,
        hard.map((path) => `http://a.example/${path}`),
      ),
      (text) => {
        const url = canonicalUrl(text);
        assert.equal(url === null ? null : faultOfRow({ url }, URL_ROW), null);
      },
    ),
    { seed: 5, numRuns: 1000 },
  );
});

test('a URL of another scheme, or with what JSON or HTML would escape, is refused wherever it is read', async (t) => {
  const { target, reader } = await buildPages(t, [
    ...villagePages(6),
    {
      url: 'https://village0.example/old',
      html: '',
      status: 301,
      location: 'https://village0.example/p1.html',
    },
  ]);
  const [id, alias] = [reader.findPage('https://village0.example/p1.html'), 'https://village0.example/old'];
  const strange = [
    'javascript:alert(1)',
    'JavaScript://x.example/%0aalert(1)',
    'data:text/html,x',
    'https://x.example/"},{"url":"https://y.example/',
    'https://x.example/<script>',
    'https://x.example/a b',
    'https://x.example/\\',
    'https://x.example/\u0001',
    'https://x.example/ü',
    ' https://x.example/',
    'ftp://x.example/',
    '',
  ];
  for (const url of strange) {
    const page = tampered(t, target, 'UPDATE page SET url = ? WHERE id = ?', url, id);
    const open = IndexReader.open(page);
    assert.throws(() => open.page(id), { ...REFUSED, message: /^table page has a row whose url is / }, url);
    assert.throws(() => [...open.pages()], REFUSED);
    open.close();
    await assert.rejects(buildApp({ indexPath: page, pollMs: 0 }), REFUSED, url);
    assert.match(checkIndex(page).faults.join('\n'), /pages: table page has a row whose url is /);

    const aliased = IndexReader.open(
      tampered(t, target, 'UPDATE alias SET url = ? WHERE url = ?', url, alias),
    );
    assert.throws(
      () => aliased.aliases(id),
      { ...REFUSED, message: /^table alias has a row whose url is / },
      url,
    );
    assert.throws(() => [...aliased.allAliases()], REFUSED);
    aliased.close();
  }
});

test('ids of no page, times of no date and blocks of too many pages are refused', async (t) => {
  const pages = villagePages(3);
  const { target, reader } = await buildPages(t, [...pages, { ...pages[0]!, url: 'https://copy.example/' }]);
  const id = reader.findPage('https://village0.example/p1.html');
  const read = (sql: string, ...values: unknown[]) => {
    const open = IndexReader.open(tampered(t, target, sql, ...values));
    t.after(() => open.close());
    return open;
  };
  assert.throws(() => read('UPDATE cluster SET center_id = 9999').clusters.ofPage(1, id), REFUSED);
  assert.throws(
    () =>
      read('UPDATE cluster SET level = level + 40 WHERE relation_id = 2').clusters.list(2, {
        level: 40,
        sort: 'size',
        limit: 5,
        offset: 0,
      }),
    REFUSED,
  );
  assert.throws(() => read('UPDATE capture SET fetched_at_ms = ?', 9e15).captures(id), REFUSED);
  assert.throws(() => read('UPDATE bag_sum SET block_id = 7').bagSums(1), REFUSED);
  assert.throws(() => read('UPDATE bag_sum SET sums = substr(sums, 1, 2)').bagSums(1), REFUSED);
  assert.throws(() => read('DELETE FROM bag_sum').bagSums(1), REFUSED);
  assert.throws(() => read('UPDATE page SET id = 1 << 40 WHERE id = 0'), {
    ...REFUSED,
    message: /^the last page has the id/,
  });
});

test('an index whose parameters or relations are not what was written is not served', async (t) => {
  const { target } = await buildPages(t, villagePages(3));
  for (const sql of [
    `UPDATE parameter SET value = '{}' WHERE name = 'recipe'`,
    `DELETE FROM parameter WHERE name = 'recipe'`,
    'UPDATE relation SET neighbor_limit = 3',
    `DELETE FROM table_digest WHERE name = 'parameter'`,
  ]) {
    const path = tampered(t, target, sql);
    assert.throws(
      () => IndexReader.open(path),
      { ...REFUSED, message: /^table (parameter|relation) is not what was written/ },
      sql,
    );
    assert.notDeepEqual(checkIndex(path).faults, [], 'the check opens it and names what is wrong');
  }
});

test('an index whose parameters are others where they are read by their names is not served', async (t) => {
  const { target } = await buildPages(t, villagePages(3));
  const path = tampered(t, target, `UPDATE parameter SET name = 'x' || name`);
  const db = new Database(path);
  // The names go back without the keys hearing of it.
  db.unsafeMode().pragma('writable_schema = ON');
  const shape = db.prepare(`UPDATE sqlite_schema SET sql = ? WHERE name = 'parameter'`);
  const of = (name: string) =>
    db.prepare('SELECT * FROM sqlite_schema WHERE name = ?').get(name) as { sql: string };
  const [{ sql }, keys] = [of('parameter'), of('sqlite_autoindex_parameter_1')];
  shape.run(sql.replace('PRIMARY KEY', ''));
  db.exec(`DELETE FROM sqlite_schema WHERE name = 'sqlite_autoindex_parameter_1'`);
  db.pragma('writable_schema = RESET');
  db.exec('UPDATE parameter SET name = substr(name, 2)');
  db.pragma('writable_schema = ON');
  shape.run(sql);
  db.prepare('INSERT INTO sqlite_schema VALUES (@type, @name, @tbl_name, @rootpage, @sql)').run(keys);
  db.close();
  assert.throws(() => IndexReader.open(path), {
    ...REFUSED,
    message: /^the keys of table parameter are damaged/,
  });
});

test('features whose ids were moved are refused before anything is allotted for them', async (t) => {
  const { target } = await buildPages(t, villagePages(6));
  for (const by of [2 ** 20, 2 ** 33]) {
    const path = tampered(t, target, 'UPDATE feature SET id = id + ? WHERE id % 5 = 1', by);
    const reader = IndexReader.open(path);
    t.after(() => reader.close());
    assert.throws(() => reader.featureCount(1), REFUSED);
  }
});
