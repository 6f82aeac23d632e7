/** Digests taken while rows are written are those of the rows that are read. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { openDatabase } from '../../src/store/database.ts';
import { digestedTables, digestTable } from '../../src/store/digest.ts';
import { IndexWriter } from '../../src/store/write/writer.ts';
import { temporaryFolder } from '../indexer/build.ts';

const TITLES = ['rose', '', 'žluťoučký kůň 🐎', '\ud800 alone', 'x'.repeat(70_000), 'nul \0 inside'];

function writePages(writer: IndexWriter, ids: readonly number[]): void {
  for (const id of ids) {
    const title = TITLES[id % TITLES.length]!;
    const facts = {
      lang: id % 2 ? 'en' : null,
      fetched: true,
      sweepId: 1,
      wordCount: 2 ** 31 * id,
      inLinkCount: 0,
    };
    writer.page({ id, url: `https://x.example/${id}`, siteId: 0, title, outLinkCount: 1, ...facts });
    writer.links(
      id,
      Uint32Array.from({ length: 40_000 * (id % 3) }, (_, i) => i * 300),
    );
    for (let page = 0; page < 45; page++) writer.member(id, page, 1 / (1 + page));
  }
}

for (const [order, ids] of [
  ['in order', [0, 1, 2, 3, 4, 5, 6]],
  ['out of order', [3, 1, 2, 0, 6, 5, 4]],
] as const) {
  test(`rows that come ${order} have the digest that a reader finds`, (t) => {
    const path = join(temporaryFolder(t), 'a.akin');
    const writer = new IndexWriter(path);
    writer.site(0, 'x.example');
    writePages(writer, ids);
    writer.finish(0, '0');
    const db = openDatabase(path);
    t.after(() => db.close());
    const stored = db.prepare('SELECT name, row_count, sum FROM table_digest ORDER BY name').raw().all();
    const fresh = digestedTables(db).map((name) => digestTable(db, name));
    assert.deepEqual(
      stored,
      fresh.map(({ name, rowCount, sum }) => [name, rowCount, sum]),
    );
    assert.equal(db.prepare('SELECT count(*) FROM member').pluck().get(), 7 * 45);
    assert.equal(db.prepare('SELECT title FROM page WHERE id = 5').pluck().get(), TITLES[5]);
    const indexes = db.prepare("SELECT count(*) FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL");
    assert.ok((indexes.pluck().get() as number) >= 5, 'the named indexes are there');
  });
}
