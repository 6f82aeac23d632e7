/** The search of an index file, beside a slow twin of it over the same texts. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import Database from 'better-sqlite3';
import { Random } from '../../src/lib/random.ts';
import { PlaceReader } from '../../src/store/blobs/place-bits.ts';
import { PART_PAGES, readEntries, readWords } from '../../src/store/blobs/search-blobs.ts';
import { IndexFile } from '../../src/store/index-file.ts';
import { FieldReader } from '../../src/store/read/field-reader.ts';
import {
  type SearchOrder,
  SearchReader,
  type WeighedTerm,
} from '../../src/store/read/search/search-reader.ts';
import { PartPacker } from '../../src/store/write/search/part-packer.ts';
import { SearchWriter } from '../../src/store/write/search/search-writer.ts';
import { IndexWriter } from '../../src/store/write/writer.ts';
import { searchWords } from '../../src/text/search/search-words.ts';
import { temporaryFolder } from '../service/fixture-index.ts';
import { phraseOrder } from './search-order.ts';

const folder = temporaryFolder({ after });
const random = new Random(11);
const VOCABULARY = [
  'the',
  "don't",
  'Café',
  '搜索',
  'ｸﾞﾙｰﾌﾟ',
  'グループ',
  'aﾞｱﾞﾊﾟ\u0301ﾞ',
  'été-là',
  'naïve',
  '\u{1d400}\u{1d401}',
  'x\ue800y',
].concat(Array.from({ length: 300 }, (_, i) => `w${(i * 7919).toString(36)}`));
const share = () => random.nextUint32() / 2 ** 32;
/** Few words are frequent. */
const anyWord = () => VOCABULARY[Math.floor(VOCABULARY.length * share() ** 3)]!;
const anyText = (most: number) => Array.from({ length: random.below(most) }, anyWord).join(' ');
/** More than one part has. */
const PAGES = Array.from({ length: PART_PAGES + 900 }, (_, id) => ({
  id,
  title: anyText(4),
  text: id % 50 === 7 ? anyText(400) : `the ${anyText(12)}`,
  siteId: id % 3,
  lang: id % 4 === 0 ? null : ['en', 'de'][id % 2]!,
}));

function write(name: string, memoryBytes: number): string {
  const path = join(folder, name);
  const writer = new IndexWriter(path);
  for (const [id, site] of ['a.example', 'b.example', 'c.example'].entries()) writer.site(id, site);
  const search = new SearchWriter(writer.row, `${path}.words`, memoryBytes, null);
  for (const page of PAGES) {
    const counts = { fetched: true, sweepId: null, wordCount: 0, inLinkCount: 0, outLinkCount: 0 };
    writer.page({ ...page, ...counts, url: `https://a.example/${page.id}` });
    // Those that are gone are not searched.
    if (page.id % 10 !== 9) search.add(page);
  }
  search.finish();
  writer.finish(0, '0');
  return path;
}

const path = write('whole.akin', 1 << 30);
const file = IndexFile.open(path);
const reader = new SearchReader(file, new FieldReader(file));
after(() => file.close());

const searched = PAGES.filter(({ id }) => id % 10 !== 9).map((page) => ({
  ...page,
  titleWords: searchWords(page.title).map(({ word }) => word),
  textWords: searchWords(page.text).map(({ word }) => word),
}));
const wordCount = searched.reduce(
  (sum, { titleWords, textWords }) => sum + titleWords.length + textWords.length,
  0,
);

const timesIn = (words: readonly string[], phrase: readonly string[]) =>
  words.filter((_, at) => phrase.every((word, i) => words[at + i] === word)).length;

/** BM25 by the book, over words. */
function slowFind({ terms, unwanted, averageLength, limit }: SearchOrder) {
  const found = searched.flatMap((page) => {
    const hits = (phrase: readonly string[]) =>
      5 * timesIn(page.titleWords, phrase) + timesIn(page.textWords, phrase);
    const length = page.titleWords.length + page.textWords.length;
    const weighed = (weight: number, f: number) =>
      (weight * f * 2.2) / (f + 1.2 * (0.25 + (0.75 * length) / averageLength));
    if (unwanted.some(({ words }) => hits(words) > 0)) return [];
    let score = 0;
    for (const { words, isPrefix, instead, weight, otherWeight } of terms) {
      const last = words.at(-1)!;
      const isOther = (word: string) =>
        word !== last && (word === instead || (isPrefix && word.startsWith(last)));
      const others = new Set([...page.titleWords, ...page.textWords].filter(isOther));
      const own = hits(words);
      const other = [...others].reduce((sum, word) => sum + hits([...words.slice(0, -1), word]), 0);
      if (own + other === 0) return [];
      score += own > 0 ? weighed(weight, own) : weighed(otherWeight, other);
    }
    return [{ pageId: page.id, score }];
  });
  const pages = found.toSorted((a, b) => b.score - a.score || a.pageId - b.pageId).slice(0, limit);
  return { total: found.length, pages };
}

test('pages, their order, scores and number are those of a slow twin', () => {
  const phrase = (most: number) =>
    searchWords(Array.from({ length: most }, anyWord).join(' ')).map(({ word }) => word);
  for (let round = 0; round < 60; round++) {
    const terms = Array.from({ length: 1 + random.below(3) }, (): WeighedTerm => {
      const words = phrase(1 + random.below(2));
      const isAlone = words.length === 1;
      const instead = isAlone && random.below(3) === 0 ? phrase(1)[0]! : null;
      const isPrefix = random.below(2) === 0;
      if (isPrefix && !isAlone) words[1] = words[1]!.slice(0, 2);
      return { words, isPrefix, instead, weight: 1 + share(), otherWeight: share() };
    });
    const unwanted = random.below(3) === 0 ? [{ words: phrase(1), isPrefix: false, instead: null }] : [];
    const order = { ...phraseOrder('the', 50), terms, unwanted, averageLength: 20 };
    const { pages, total } = reader.find(order);
    const expected = slowFind(order);
    assert.equal(total, expected.total, JSON.stringify(terms));
    assert.deepEqual(pages, expected.pages, JSON.stringify(terms));
  }
});

test('words are counted, with those that begin alike and those that are meant', () => {
  assert.deepEqual(reader.total(), { pageCount: searched.length, wordCount });
  const pagesWith = (isOne: (word: string) => boolean) =>
    searched.reduce(
      (sum, { titleWords, textWords }) => sum + new Set([...titleWords, ...textWords].filter(isOne)).size,
      0,
    );
  assert.deepEqual(reader.counts('w1', true, false), {
    pageCount: pagesWith((word) => word === 'w1'),
    longerPageCount: pagesWith((word) => word.startsWith('w1') && word !== 'w1'),
    similar: [],
    typos: 0,
  });
  assert.deepEqual(reader.counts('naiev', false, true), {
    pageCount: 0,
    longerPageCount: 0,
    similar: [{ word: 'naive', pageCount: pagesWith((word) => word === 'naive') }],
    typos: 1,
  });
  const all = new Set(searched.flatMap(({ titleWords, textWords }) => [...titleWords, ...textWords]));
  assert.deepEqual(
    Array.from(reader.dictionary.blocks()).flatMap((words) => words.map(({ word }) => word)),
    [...all].sort(),
  );
});

test('filters and facets go by site, language and host', () => {
  const { total, facets } = reader.find({ ...phraseOrder('the', 5), facets: ['site', 'lang'] });
  assert.equal(
    facets.site!.reduce((sum, [, count]) => sum + count, 0),
    total,
  );
  for (const [value, count] of facets.site!) {
    assert.equal(reader.find({ ...phraseOrder('the', 5), site: value }).total, count);
  }
  const german = facets.lang!.find(([value]) => value === 'de')!;
  assert.equal(reader.find({ ...phraseOrder('the', 5), lang: 'de' }).total, german[1]);
  for (const [hosts, isFound] of [
    [['a.example'], true],
    [['example'], true],
    [['ample'], false],
    [['b.example'], false],
  ] as const) {
    assert.equal(reader.find({ ...phraseOrder('the', 5), hosts }).total, isFound ? total : 0, hosts[0]);
  }
  assert.equal(reader.find({ ...phraseOrder('the', 5), site: 'z.example' }).total, 0);
});

test('the rows are the same however little memory there is, and nothing is left beside the index', () => {
  const tables = [
    'search_page',
    'search_word',
    'search_posting',
    'search_part',
    'search_lang',
    'search_total',
  ];
  const rows = (from: string) => {
    const db = new Database(from, { readonly: true });
    const all = tables.map((table) => db.prepare(`SELECT * FROM ${table}`).all());
    db.close();
    return all;
  };
  const small = write('small.akin', 300_000);
  assert.deepEqual(rows(small), rows(path));
  assert.equal(existsSync(`${small}.words`), false);
  const [, words, , parts] = rows(path) as [unknown, { words: Uint8Array }[], unknown, unknown[]];
  assert.ok(
    words.flatMap((block) => readWords(block.words)).some(({ pageCount }) => pageCount > PART_PAGES) &&
      parts.length >= 2,
  );
});

test('entries and places of any page come back from their bytes', () => {
  const cases = Array.from({ length: 500 }, (_, i) => {
    const length = [1, 20, 3000, 0xffff][i % 4]!;
    const limit = length === 0xffff ? 1 << 22 : length + 1;
    // More places than the kernel takes at once, too.
    const most = i === 3 ? 40_000 : Math.min(40, length);
    const places = new Set(Array.from({ length: 1 + random.below(most) }, () => random.below(limit)));
    const titleHits = random.below(4) === 0 ? 1 + random.below(places.size) : 0;
    const ascending = Uint32Array.from([...places].sort((a, b) => a - b));
    return { page: i * (1 + (i % 3)), length, titleHits, places: ascending };
  }).sort((a, b) => a.page - b.page);
  const pages = cases.filter(({ page }, i) => page !== cases[i - 1]?.page);
  const lengths = new Uint16Array(1500);
  for (const { page, length } of pages) lengths[page] = length;
  const packer = new PartPacker([lengths]);
  const entries = pages.flatMap(({ page, titleHits, places }) => [page, titleHits, places.length, ...places]);
  assert.equal(packer.add(Uint32Array.from(entries), 0), entries.length);
  assert.equal(packer.end(), pages.length);
  const { found, end } = readEntries(packer.pages(), pages.length);
  assert.equal(end, packer.pages().length);
  const reader = new PlaceReader(packer.places());
  for (const [i, { page, length, titleHits, places: expected }] of pages.entries()) {
    const places = new Uint32Array(expected.length);
    reader.read(places.length, length, places, 0);
    assert.deepEqual(
      [found.pages[i], found.titleHits[i], found.textHits[i], places],
      [page, titleHits, expected.length - titleHits, expected],
    );
  }
  reader.end();
});
