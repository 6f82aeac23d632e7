import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { BuildOptions } from '../../../src/indexer/options/build-options.ts';
import type { CopyReport } from '../../../src/indexer/relate/copies.ts';
import type { IndexReader } from '../../../src/store/read/reader.ts';
import { longTest } from '../../long-test.ts';
import { tableRows } from '../../store/tables.ts';
import { build, buildPages, input, pageOf, temporaryFolder } from '../build.ts';
import { startBuild } from '../child.ts';
import {
  COPIES,
  COPY_PAGES,
  MENU_HOST,
  MIRROR,
  ORIGINAL,
  RESET,
  REVISED,
  REVISED_RESEMBLANCE,
  TRANSLATED,
} from '../copy-pages.ts';
import { document, toJsonl } from '../pages.ts';

function copiesOf(reader: IndexReader, url: string): Record<string, number> {
  const { ids, shared, total } = reader.neighbors(reader.relation('copy')!.id, pageOf(reader, url).id);
  return Object.fromEntries(Array.from(ids, (id, i) => [reader.page(id).url, shared[i]! / total[i]!]));
}

function clusterUrls(reader: IndexReader, url: string): string[] | undefined {
  const [cluster] = reader.clusters.ofPage(reader.relation('copy')!.id, pageOf(reader, url).id);
  if (cluster === undefined) return undefined;
  return reader.clusters.members(cluster.id, 100, 0).map(({ pageId }) => reader.page(pageId).url);
}

test('equal, reset and revised texts are copies of each other, nearest first', async (t) => {
  const { reader } = await buildPages(t, COPY_PAGES);
  const near = copiesOf(reader, ORIGINAL);
  assert.deepEqual(Object.keys(near), [MIRROR, RESET, REVISED]);
  assert.equal(near[MIRROR], 1);
  assert.equal(near[RESET], 1);
  // Sketches of 300 keys or more: a standard error of .02.
  assert.ok(Math.abs(near[REVISED]! - REVISED_RESEMBLANCE) < 0.05, String(near[REVISED]));
  assert.deepEqual(clusterUrls(reader, REVISED), COPIES);
  assert.deepEqual(copiesOf(reader, 'https://a.example/short'), { 'https://b.example/short': 1 });
});

test('a translation, an empty page and a page with the same menu are no copies', async (t) => {
  const { reader, report } = await buildPages(t, COPY_PAGES);
  for (const url of [
    TRANSLATED,
    'https://a.example/empty',
    `https://${MENU_HOST}/3`,
    'https://other.example/3',
  ]) {
    assert.deepEqual(copiesOf(reader, url), {}, url);
    assert.equal(clusterUrls(reader, url), undefined, url);
  }
  assert.ok(report.copies!.templateShingleCount >= 51, 'the shingles of 60 words of menu');
  assert.equal(report.copies!.templatePageCount, 14);
  assert.ok(report.copies!.translationCount > 0);
  assert.equal(reader.versions.templateOf(MENU_HOST).length, report.copies!.templateShingleCount);
  assert.equal(reader.versions.templateOf('other.example').length, 0);
});

test('without the template filter a long menu makes copies', async (t) => {
  const menu = Array.from({ length: 200 }, (_, i) => `item${i}`).join(' ');
  const pages = Array.from({ length: 12 }, (_, i) => ({
    url: `https://menus.example/${i}`,
    html: document(
      'Menu',
      `<p>${menu} ${Array.from({ length: 30 }, (_, j) => `own${i}x${j}`).join(' ')}</p>`,
    ),
  }));
  const kept = await buildPages(t, pages, {
    templateFilter: false,
    copyProfile: 'broder1997',
    shingleSize: 3,
  });
  const left = await buildPages(t, pages, { shingleSize: 3 });
  assert.equal(left.report.copies!.pairCount, 0);
  assert.ok(kept.report.copies!.pairCount > 0);
});

test('captures of one text share a version, which keeps title, text and sketch', async (t) => {
  const { reader } = await buildPages(t, COPY_PAGES);
  const versionOf = (url: string) => reader.versions.current(pageOf(reader, url).id);
  assert.equal(versionOf(ORIGINAL), versionOf(MIRROR));
  assert.notEqual(versionOf(ORIGINAL), versionOf(RESET));
  assert.equal(reader.captures(pageOf(reader, MIRROR).id)[0]!.versionId, versionOf(MIRROR));
  const pages = reader.versions.pagesOf(versionOf(ORIGINAL)).map(({ pageId }) => reader.page(pageId).url);
  assert.deepEqual(pages, [ORIGINAL, MIRROR]);
  const [original, reset] = [versionOf(ORIGINAL), versionOf(RESET)].map((id) => reader.versions.get(id));
  assert.equal(original!.tokenCount, 400);
  assert.equal(original!.tokenDigest, reset!.tokenDigest);
  assert.notEqual(original!.textDigest, reset!.textDigest);
  assert.deepEqual(original!.sketch, reset!.sketch);
  assert.equal(reader.versions.find(original!.textDigest), original!.id);
  assert.equal(reader.versions.find('0000000000000000'), -1);
  const kept = reader.versions.text(versionOf(RESET))!;
  assert.equal(kept.title, 'An article, set anew');
  assert.match(kept.text, /^W\d+, W\d+, /);
});

test('the lowest keys of a text lead to its copies, most shared first', async (t) => {
  const { reader } = await buildPages(t, COPY_PAGES);
  const id = reader.versions.current(pageOf(reader, ORIGINAL).id);
  const { keys } = reader.versions.get(id).sketch;
  const { versionIds, shared, unreadCount } = reader.versions.withShingle(keys.subarray(0, 64));
  const urls = Array.from(versionIds, (one) => reader.page(reader.versions.pagesOf(one)[0]!.pageId).url);
  assert.deepEqual(new Set(urls), new Set([ORIGINAL, RESET, REVISED, TRANSLATED]));
  assert.deepEqual(
    [...shared].sort((a, b) => b - a),
    [...shared],
  );
  assert.deepEqual([shared[0], shared[1], unreadCount], [64, 64, 0]);
  assert.equal(reader.versions.withShingle(Float64Array.of(0.5, 7)).versionIds.length, 0);
});

/** What two builds of the same pages say alike: the phases by their names. */
const withoutTimes = ({ phases, ...counts }: CopyReport) => ({
  ...counts,
  phases: phases.map(({ name }) => name),
});

longTest('workers, memory and the order of pages leave no trace in copies', async (t) => {
  const expected = await buildPages(t, COPY_PAGES);
  const path = join(temporaryFolder(t), 'reversed.jsonl');
  writeFileSync(path, toJsonl([...COPY_PAGES].reverse()));
  const actual = await build(t, { inputs: [input(path)], workerCount: 3, memoryBytes: 40_000 });
  assert.deepEqual(tableRows(actual.target), tableRows(expected.target));
  assert.deepEqual(withoutTimes(actual.report.copies!), withoutTimes(expected.report.copies!));
});

longTest('a build that is killed while it writes goes on behind the stage of copies', async (t) => {
  const expected = await buildPages(t, COPY_PAGES);
  const folder = temporaryFolder(t);
  const inputs = [input(join(folder, 'pages.jsonl'))];
  writeFileSync(inputs[0]!.path, toJsonl(COPY_PAGES));
  const target = join(folder, 'a.akin');
  const child = startBuild({ inputs, target });
  await child.said('started write');
  child.process.kill('SIGKILL');
  await child.ended;
  const { noted, report } = await build(t, { inputs, target });
  const resumed = noted.stages.filter((stage) => stage.resumed).map((stage) => stage.name);
  // The kill may come too late: then the build was whole, and a new one starts clean.
  assert.ok(resumed.length === 0 || resumed.includes('copies'), String(resumed));
  assert.equal(report.generation, expected.report.generation);
  assert.deepEqual(withoutTimes(report.copies!), withoutTimes(expected.report.copies!));
});

test('a second opinion by words parts pages of one host, and their simhashes are kept', async (t) => {
  const words = Array.from({ length: 300 }, (_, i) => `word${i}`);
  const grown = [...words, ...Array.from({ length: 150 }, (_, i) => `added${i}`)];
  const pages = [words, grown].map((all, i) => ({
    url: `https://one.example/${i}`,
    html: document('Page', `<p>${all.join(' ')}</p>`),
  }));
  const without = await buildPages(t, pages);
  const asked = await buildPages(t, pages, { sameSiteBits: 384 });
  assert.deepEqual([without.report.copies!.pairCount, asked.report.copies!.pairCount], [1, 0]);
  assert.equal(asked.report.copies!.sameSiteRejectedCount, 1);
  assert.equal(asked.reader.versions.get(0).simhash!.length, 12);
  assert.equal(without.reader.versions.get(0).simhash, null);
});

const LEFT_OUT: [string, Partial<BuildOptions>, (reader: IndexReader) => void][] = [
  [
    'without copies there is no version and no relation',
    { copies: false },
    (reader) => {
      assert.equal(reader.relation('copy'), undefined);
      assert.equal(reader.versions.count, 0);
      assert.equal(reader.versions.current(0), -1);
      assert.equal(reader.card().parameters['copy'], undefined);
    },
  ],
  [
    'without texts the sketches are there all the same',
    { keepText: false },
    (reader) => {
      assert.equal(reader.versions.text(0), null);
      assert.ok(reader.versions.count > 0);
      assert.equal(copiesOf(reader, ORIGINAL)[MIRROR], 1);
    },
  ],
  [
    'at a higher threshold the revised page is none',
    { copySimilarity: 0.95 },
    (reader) => assert.deepEqual(clusterUrls(reader, ORIGINAL), [ORIGINAL, MIRROR, RESET]),
  ],
  [
    'as printed, equal pages are found however short',
    { copyProfile: 'broder1997', templateFilter: false },
    (reader) => {
      assert.equal(copiesOf(reader, 'https://a.example/short')['https://b.example/short'], 1);
      assert.equal(copiesOf(reader, ORIGINAL)[RESET], 1);
      assert.ok(TRANSLATED in copiesOf(reader, REVISED), 'the language is not asked for');
    },
  ],
  [
    'by permutations near-duplicates are found, by the share in which they agree',
    { copyProfile: 'cs276', templateFilter: false, copySimilarity: 0.4 },
    (reader) => {
      const near = copiesOf(reader, ORIGINAL);
      assert.deepEqual(Object.keys(near).slice(0, 3), [MIRROR, RESET, REVISED]);
      assert.equal(near[RESET], 1);
      // 200 permutations: a standard error of .033.
      assert.ok(Math.abs(near[REVISED]! - REVISED_RESEMBLANCE) < 0.1, String(near[REVISED]));
      assert.equal(copiesOf(reader, 'https://a.example/short')['https://b.example/short'], 1);
      const { sketch } = reader.versions.get(reader.versions.current(pageOf(reader, ORIGINAL).id));
      assert.equal(sketch.keys.length, 200);
    },
  ],
  [
    'by permutations an excerpt is none, and texts need not be kept',
    { copyProfile: 'cs276', templateFilter: false, copySimilarity: 0.8, keepText: false },
    (reader) => {
      assert.equal(copiesOf(reader, ORIGINAL)[MIRROR], 1);
      assert.ok(!(REVISED in copiesOf(reader, ORIGINAL)));
    },
  ],
];

for (const [name, options, expectation] of LEFT_OUT) {
  test(name, async (t) => {
    const { reader } = await buildPages(t, COPY_PAGES, options);
    expectation(reader);
  });
}
