/** The search of an index some of whose pages are kept from another one, beside that of the same pages read again. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { after, test } from 'node:test';
import Database from 'better-sqlite3';
import { Random } from '../../src/lib/random.ts';
import { PART_PAGES } from '../../src/store/blobs/search-blobs.ts';
import { encodeText } from '../../src/store/blobs/sketch-blobs.ts';
import { zstdUnpack } from '../../src/store/blobs/zstd.ts';
import { IndexFile } from '../../src/store/index-file.ts';
import { FieldReader } from '../../src/store/read/field-reader.ts';
import { SearchReader } from '../../src/store/read/search/search-reader.ts';
import { StoredTexts } from '../../src/store/read/stored/stored-texts.ts';
import { SearchWriter } from '../../src/store/write/search/search-writer.ts';
import { IndexWriter } from '../../src/store/write/writer.ts';
import { temporaryFolder } from '../service/fixture-index.ts';

const folder = temporaryFolder({ after });
const random = new Random(17);
const WORDS = ['the', 'Été', '搜索', ...Array.from({ length: 200 }, (_, i) => `w${(i * 7919).toString(36)}`)];
const anyText = (most: number) =>
  Array.from(
    { length: random.below(most) },
    () => WORDS[Math.floor(WORDS.length * (random.below(1000) / 1000) ** 3)]!,
  ).join(' ');

interface TestText {
  readonly url: string;
  readonly title: string;
  readonly text: string;
}

let made = 0;
const textAt = (url: string): TestText => ({
  url,
  title: random.below(9) === 0 ? '' : anyText(4),
  text: `${random.below(7) === 0 ? '' : 'the '}${anyText(12)} once${made++}`,
});
/** The commonest word needs more than one part, before and after. */
const FORMER = Array.from({ length: PART_PAGES + 1200 }, (_, i) =>
  textAt(`u${String(2 * i).padStart(6, '0')}`),
);
/** So long that its length is not stored. */
FORMER[3] = { ...FORMER[3]!, text: 'long '.repeat(70_000) };

/** `keeps`: by URL a page of `former` that is the same. */
function write(
  name: string,
  pages: readonly TestText[],
  memoryBytes: number,
  former: Former | null = null,
  keeps: (page: TestText) => number = () => -1,
): { readonly path: string; readonly keptCount: number } {
  const path = join(folder, name);
  const writer = new IndexWriter(path);
  writer.site(0, 'a.example');
  const search = new SearchWriter(writer.row, `${path}.words`, memoryBytes, former);
  let keptCount = 0;
  for (const [id, page] of pages.entries()) {
    const counts = { fetched: true, sweepId: null, wordCount: 0, inLinkCount: 0, outLinkCount: 0 };
    const about = { id, siteId: 0, lang: null };
    writer.page({ ...page, ...about, ...counts });
    const formerId = keeps(page);
    if (formerId >= 0 && search.keep(about, formerId)) keptCount++;
    else search.add({ ...about, ...page });
  }
  search.finish();
  writer.finish(0, '0');
  return { path, keptCount };
}

type Former = { readonly search: SearchReader; readonly pageCount: number };
const file = IndexFile.open(write('former.akin', FORMER, 1 << 30).path);
after(() => file.close());
const former: Former = { search: new SearchReader(file, new FieldReader(file)), pageCount: FORMER.length };

const TABLES = ['search_page', 'search_word', 'search_posting', 'search_part', 'search_total'];

/** Of each table a hash of its rows: to show how long ones differ takes minutes. */
function rowsOf(path: string): Record<string, string> {
  const db = new Database(path, { readonly: true });
  const hashes = TABLES.map((table) => {
    const rows = createHash('sha256');
    for (const row of db.prepare(`SELECT * FROM ${table}`).raw().iterate() as Iterable<unknown[]>) {
      for (const value of row) rows.update(value instanceof Uint8Array ? value : `${value}\n`);
    }
    return [table, rows.digest('hex')];
  });
  db.close();
  return Object.fromEntries(hashes);
}

const idOf = new Map(FORMER.map(({ url }, id) => [url, id]));
const isSame = (page: TestText) => FORMER[idOf.get(page.url) ?? -1] === page;
const keepsSame = (page: TestText) => (isSame(page) ? idOf.get(page.url)! : -1);

const CASES: Record<string, readonly TestText[]> = {
  'all pages as they were': FORMER,
  'pages with other texts': FORMER.map((page, i) => (i % 500 === 9 ? textAt(page.url) : page)),
  'every third page with another text': FORMER.map((page, i) => (i % 3 === 0 ? textAt(page.url) : page)),
  'pages that are gone': FORMER.filter((_, i) => i % 700 !== 5),
  'so few pages that no word needs parts': FORMER.slice(40, 900),
  'new pages before, between and behind': [
    textAt('a'),
    ...FORMER.flatMap((page, i) => (i % 900 === 1 ? [page, textAt(`${page.url}x`)] : [page])),
    textAt('z'),
  ],
  'pages that all are new': FORMER.slice(0, 50).map(({ url }) => textAt(url)),
};

for (const [name, pages] of Object.entries(CASES)) {
  test(`${name}: the rows are those of a search of all texts`, () => {
    const again = rowsOf(write(`again ${name}`, pages, 1 << 30).path);
    for (const memoryBytes of [1 << 30, 300_000]) {
      const kept = write(`kept ${name} ${memoryBytes}`, pages, memoryBytes, former, keepsSame);
      assert.deepEqual(rowsOf(kept.path), again);
      const long = pages.includes(FORMER[3]!) ? 1 : 0;
      assert.equal(kept.keptCount, pages.filter(isSame).length - long);
    }
  });
}

test('a page that is kept with another text is found by these rows', () => {
  const pages = FORMER.map((page, i) => (i === 2000 ? { ...page, text: `${page.text} once` } : page));
  const again = rowsOf(write('other again', pages, 1 << 30).path);
  const kept = write('other kept', pages, 1 << 30, former, ({ url }) => idOf.get(url)!);
  assert.notDeepEqual(rowsOf(kept.path), again);
});

test('a search is kept only where it is what was written', () => {
  assert.ok(former.search.isAsWritten());
  for (const [table, column] of [
    ['search_page', 'lengths'],
    ['search_word', 'words'],
    ['search_posting', 'postings'],
    ['search_part', 'positions'],
  ]) {
    const { path } = write(`damaged ${table}`, FORMER, 1 << 30);
    const db = new Database(path);
    const where = `rowid = (SELECT max(rowid) FROM ${table})`;
    const bytes = db.prepare(`SELECT ${column} FROM ${table} WHERE ${where}`).pluck().get() as Buffer;
    bytes[bytes.length >> 1]! ^= 1;
    db.prepare(`UPDATE ${table} SET ${column} = ? WHERE ${where}`).run(bytes);
    db.close();
    const damaged = IndexFile.open(path);
    assert.equal(new SearchReader(damaged, new FieldReader(damaged)).isAsWritten(), false, table);
    damaged.close();
  }
});

test('a block of texts is known by all its bytes', () => {
  const path = join(folder, 'texts.akin');
  const writer = new IndexWriter(path);
  writer.site(0, 'a.example');
  const texts = ['one', 'two'].map((text) => encodeText('title', text));
  for (const [id, text] of texts.entries()) writer.versionText(id, text);
  writer.finish(0, '0');
  const stored = new StoredTexts(IndexFile.open(path));
  const blockOf = (text: string) =>
    Buffer.concat([Buffer.of(2, 10, 10), texts[0]!, encodeText('title', text)]);
  const packed = stored.packedAs(blockOf('two'));
  assert.deepEqual(packed && zstdUnpack(packed), blockOf('two'));
  assert.equal(stored.packedAs(blockOf('twp')), null);
  assert.equal(stored.packedAs(blockOf('three')), null);
});
