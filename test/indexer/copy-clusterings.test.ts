/** Several clusterings of copies in one index: each as if it were the only one, and the same after a change. */
import assert from 'node:assert/strict';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { checkIndex } from '../../src/store/check/check.ts';
import type { IndexReader } from '../../src/store/read/reader.ts';
import { longTest } from '../long-test.ts';
import { buildPages, pageOf, temporaryFolder } from './build.ts';
import { COPIES, COPY_PAGES, MIRROR, ORIGINAL, RESET, REVISED, randomWords } from './copy-pages.ts';
import { document, type TestPage } from './pages.ts';
import { add, assertWhole, copiesByUrl, forget } from './sweeps.ts';

const page = (url: string, words: readonly string[]): TestPage => ({
  url,
  html: document('Page', `<p>${words.join(' ')}</p>`),
});
const LONG = randomWords(1500);
const BOOK = 'https://book.example/all';
const EXCERPT = 'https://f.example/excerpt';
const ENDING = 'https://g.example/ending';
/** Two excerpts that share nothing but the book they are of. */
const PAGES: TestPage[] = [
  ...COPY_PAGES,
  page(BOOK, LONG),
  page(EXCERPT, LONG.slice(100, 350)),
  page(ENDING, LONG.slice(1100)),
];
const CLUSTERINGS = ['0.9', '0.5', '0.8c'];

/** URLs of the cluster of a page at a level, by URL; null where it is in none. */
function clusterUrls(reader: IndexReader, url: string, level: number): string[] | null {
  const clusters = reader.clusters.ofPage(reader.relation('copy')!.id, pageOf(reader, url).id);
  const cluster = clusters.find((one) => one.level === level);
  if (cluster === undefined) return null;
  return reader.clusters
    .members(cluster.id, 100, 0)
    .map(({ pageId }) => reader.page(pageId).url)
    .sort();
}

test('each clustering joins the pairs that reach its own threshold', async (t) => {
  const { reader, report } = await buildPages(t, PAGES, { copyClusterings: CLUSTERINGS });
  assert.deepEqual(clusterUrls(reader, ORIGINAL, 0), [ORIGINAL, MIRROR, RESET]);
  assert.deepEqual(clusterUrls(reader, ORIGINAL, 1), COPIES);
  assert.equal(clusterUrls(reader, REVISED, 0), null);
  for (const level of [0, 1]) assert.equal(clusterUrls(reader, BOOK, level), null);
  assert.deepEqual(clusterUrls(reader, EXCERPT, 2), [BOOK, EXCERPT, ENDING]);
  assert.ok(report.copies!.containedPairCount >= 2);
  const [cluster] = reader.clusters.ofPage(2, pageOf(reader, EXCERPT).id);
  const [center, ...others] = reader.clusters.members(cluster!.id, 10, 0);
  assert.equal(reader.page(center!.pageId).url, BOOK);
  for (const { similarity } of others) assert.equal(similarity, 1, 'how much of the excerpt is in the book');
});

longTest('a clustering is the same beside others as alone, whatever their order', async (t) => {
  const beside = copiesByUrl((await buildPages(t, PAGES, { copyClusterings: CLUSTERINGS })).target);
  const reversed = await buildPages(t, PAGES, { copyClusterings: CLUSTERINGS.toReversed() });
  assert.deepEqual(copiesByUrl(reversed.target), beside);
  const alone: string[] = [];
  for (const name of CLUSTERINGS) {
    const { target } = await buildPages(t, PAGES, { copyClusterings: [name] });
    const { pairs, clusters } = copiesByUrl(target);
    assert.deepEqual(pairs, beside.pairs);
    alone.push(...clusters);
  }
  assert.deepEqual(alone.sort(), beside.clusters);
});

longTest(
  'clusterings of an index that was added to and forgotten from are those of a full build',
  async (t) => {
    const options = { copyClusterings: CLUSTERINGS };
    const { target } = await buildPages(t, PAGES.slice(0, -1), options);
    const extra = page('https://h.example/extra', LONG.slice(0, 1400));
    await add(t, target, [...PAGES, extra]);
    assert.deepEqual(
      copiesByUrl(target),
      copiesByUrl((await buildPages(t, [...PAGES, extra], options)).target),
    );
    assertWhole(target);
    await forget(target, BOOK, MIRROR);
    const left = [...PAGES, extra].filter(({ url }) => url !== BOOK && url !== MIRROR);
    assert.deepEqual(copiesByUrl(target), copiesByUrl((await buildPages(t, left, options)).target));
    assertWhole(target);
  },
);

test('a cluster that is not that of its clustering is named by the check', async (t) => {
  const { target } = await buildPages(t, PAGES, { copyClusterings: CLUSTERINGS });
  const id = (url: string) => `(SELECT id FROM page WHERE url = '${url}')`;
  const cluster = (url: string, level: number) =>
    `(SELECT id FROM cluster WHERE relation_id = 2 AND level = ${level} AND center_id = ${id(url)})`;
  const damages: [string, RegExp][] = [
    [
      `DELETE FROM member WHERE cluster_id = ${cluster(BOOK, 2)} AND page_id = ${id(EXCERPT)};
       UPDATE cluster SET size = size - 1 WHERE id = ${cluster(BOOK, 2)}`,
      /copy clusters: page \d+ has a pair outside its cluster at 0.8c/,
    ],
    [
      `INSERT INTO member SELECT ${cluster(ORIGINAL, 0)}, page_id, similarity FROM member
       WHERE cluster_id = ${cluster(ORIGINAL, 1)} AND page_id = ${id(REVISED)};
       UPDATE cluster SET size = size + 1, radius = (SELECT min(similarity) FROM member
       WHERE cluster_id = cluster.id) WHERE id = ${cluster(ORIGINAL, 0)}`,
      /copy clusters: cluster \d+ has 2 parts that no pair connects/,
    ],
    [
      `UPDATE cluster SET level = 5 WHERE id = ${cluster(BOOK, 2)}`,
      /copy clusters: cluster \w+ belongs to no clustering/,
    ],
    [
      'UPDATE clustering SET threshold = 0.6 WHERE level = 0',
      /copy clusters: page \d+ has a pair outside its cluster at 0.9/,
    ],
  ];
  for (const [damage, fault] of damages) {
    const copy = join(temporaryFolder(t), 'copy.akin');
    copyFileSync(target, copy);
    const db = new Database(copy);
    db.pragma('foreign_keys = OFF');
    db.exec(damage);
    db.close();
    assert.match(checkIndex(copy).faults.join('\n'), fault);
  }
});

test('super shingles find what is nearly the same, and no short page', async (t) => {
  const words = randomWords(600);
  const short = randomWords(15);
  const changed = (all: readonly string[]) => all.map((word, i) => (i === all.length - 1 ? 'changed' : word));
  const pages = [
    ...PAGES,
    page('https://a.example/x', words),
    page('https://b.example/x', changed(words)),
    // Five shingles of six: at .8 a copy, and one shingle short of a super shingle.
    page('https://a.example/y', short),
    page('https://b.example/y', short.slice(0, 14)),
  ];
  const options = { copySimilarity: 0.8 } as const;
  const { reader: plain } = await buildPages(t, pages, options);
  const { reader: quick, report } = await buildPages(t, pages, { ...options, copyJoin: 'super-shingles' });
  const near = (reader: IndexReader, url: string) =>
    Array.from(reader.neighbors(2, pageOf(reader, url).id).ids, (id) => reader.page(id).url);
  assert.deepEqual(near(plain, 'https://a.example/x'), ['https://b.example/x']);
  assert.deepEqual(near(quick, 'https://a.example/x'), ['https://b.example/x']);
  assert.deepEqual(near(plain, 'https://a.example/y'), ['https://b.example/y']);
  assert.deepEqual(near(quick, 'https://a.example/y'), []);
  const { candidateCount, phases } = report.copies!;
  assert.ok(candidateCount < 10);
  assert.deepEqual(
    phases.map(({ name }) => name),
    ['equal texts', 'shingles', 'pairs', 'clusters'],
  );
  const { stages } = quick.card();
  assert.deepEqual(
    stages.slice(-6).map(({ name }) => name),
    ['copies', ...phases.map(({ name }) => `copies: ${name}`), 'write'],
  );
  assert.ok(report.stages.every(({ name }) => !name.startsWith('copies:')));
  const wholeMs = phases.reduce((sum, { durationMs }) => sum + durationMs, 0);
  assert.ok(
    phases.every(({ durationMs }) => durationMs >= 0) && wholeMs > 0 && wholeMs <= report.durationMs + 1,
  );
});
