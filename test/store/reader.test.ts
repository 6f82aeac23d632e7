import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { bytesOf } from '../../src/store/blobs/blobs.ts';
import { encodePageInput, pageTarget } from '../../src/store/blobs/page-input.ts';
import { encodeSpans } from '../../src/store/blobs/page-spans.ts';
import { IndexReader } from '../../src/store/read/reader.ts';
import { tableSizes } from '../../src/store/table-sizes.ts';
import { IndexWriter, publishFile } from '../../src/store/write/writer.ts';
import { temporaryFolder } from '../indexer/build.ts';
import { openStore } from './open-store.ts';

const TOPIC = 1;
const covered = { sites: ['x.example'], hosts: ['www.x.example'] };

/** Three pages written row by row: /a and /b are alike, /c is known by a link alone. */
function writeSmall(path: string): string {
  const writer = new IndexWriter(path);
  writer.parameter('cluster_similarity', 0.2);
  writer.parameter('recipe', { total: 400 });
  writer.sweep({ id: 1, name: 'spring', recordCount: 4, startedAtMs: 1000.4, covered });
  writer.skip(1, 'duplicate', 2);
  writer.site(0, 'x.example');
  const page = { siteId: 0, lang: null, fetched: true, sweepId: 1, wordCount: 9 };
  writer.page({
    ...page,
    id: 0,
    url: 'https://x.example/a',
    title: 'A',
    lang: 'en',
    inLinkCount: 1,
    outLinkCount: 5,
  });
  writer.page({ ...page, id: 1, url: 'https://x.example/b', title: 'B', inLinkCount: 0, outLinkCount: 2 });
  const unfetched = { fetched: false, sweepId: null, wordCount: 0, outLinkCount: 0, inLinkCount: 2 };
  writer.page({ ...page, ...unfetched, id: 2, url: 'https://x.example/c', title: 'see' });
  const capture = {
    sweepId: 1,
    mediaType: 'text/html',
    charset: 'utf-8',
    bodyBytes: 77,
    textDigest: Buffer.alloc(8),
    versionId: null,
  };
  writer.capture({ ...capture, pageId: 0, fetchedAtMs: 5 });
  writer.capture({ ...capture, pageId: 1, fetchedAtMs: 6 });
  const link = { start: 0, end: 1, nofollow: false };
  const input = (...ids: number[]) => {
    const spans = encodeSpans({ links: ids.map(() => link), headings: [], weights: [] });
    const targets = Float64Array.from(ids, pageTarget);
    return encodePageInput({
      ownUrl: '',
      canonical: '',
      features: '',
      words: new Uint8Array(0),
      spans,
      targets,
    });
  };
  writer.pageInput(0, input(2));
  writer.pageInput(1, input(0, 2));
  writer.alias('https://x.example/old', 1, 'redirect');
  writer.links(0, [2]);
  writer.links(1, [0, 2]);
  writer.relation({
    id: TOPIC,
    name: 'topic',
    profile: 'akin',
    measure: 'exact',
    neighborLimit: 4,
    floor: 0.03,
    rank: 'similarity',
    kernel: null,
  });
  writer.part(TOPIC, 'content', 2);
  writer.feature(TOPIC, { id: 0, part: 'content', stem: 'rose', term: 'roses', pageCount: 2 });
  writer.feature(TOPIC, { id: 1, part: 'content', stem: 'keel', term: 'keel', pageCount: 2 });
  writer.bag(TOPIC, 0, Uint32Array.of(0, 1), Uint8Array.of(10, 20));
  writer.bag(TOPIC, 1, Uint32Array.of(0, 1), Uint8Array.of(30, 5));
  writer.bag(TOPIC, 2, Uint32Array.of(), Uint8Array.of());
  writer.bagSums(TOPIC, 0, bytesOf(Uint16Array.of(30, 35, 0)));
  writer.posting(TOPIC, 0, 0, Uint32Array.of(0 | (10 << 24), 1 | (30 << 24)));
  writer.posting(TOPIC, 0, 1, Uint32Array.of(0 | (20 << 24), 1 | (5 << 24)));
  const shared = { shared: Uint16Array.of(15), total: Uint16Array.of(50) };
  writer.neighbors(TOPIC, 0, { ids: Uint32Array.of(1), ...shared });
  writer.neighbors(TOPIC, 1, { ids: Uint32Array.of(0), ...shared });
  const cluster = { relationId: TOPIC, level: 0, parentId: null };
  writer.cluster({ ...cluster, id: 0, key: 'aa', centerId: 0, size: 2, radius: 0.3, label: 'keel, roses' });
  writer.cluster({ ...cluster, id: 1, key: 'bb', centerId: 2, size: 1, radius: 1, label: '' });
  writer.member(0, 0, 1);
  writer.member(0, 1, 0.3);
  writer.member(1, 2, 1);
  writer.stage({ id: 0, name: 'extract', recordCount: 4, durationMs: 12.6, processorMs: 20.2 });
  return writer.finish(9000, '1.2.3');
}

test('a look at the file reads from all of it, and past its end there is nothing', (t) => {
  const path = join(temporaryFolder(t), 'small.akin');
  writeSmall(path);
  const reader = IndexReader.open(path);
  t.after(() => reader.close());
  reader.probe([0, 0.5, 0.999999]);
  assert.throws(() => reader.probe([0, 1]), { code: 'AKIN_ERR_INDEX_CORRUPT' });
});

test('a page is found by its URL, and those next to any URL, whatever their number', (t) => {
  const folder = temporaryFolder(t);
  const row = { siteId: 0, title: '', lang: null, fetched: false, sweepId: null, wordCount: 0 };
  for (const count of [0, 1, 2, 3, 7, 64, 65]) {
    const path = join(folder, `${count}.akin`);
    const writer = new IndexWriter(path);
    const urls = Array.from(
      { length: count },
      (_, i) => `https://x.example/${String(3 * i).padStart(3, '0')}`,
    );
    writer.site(0, 'x.example');
    for (const [id, url] of urls.entries()) {
      writer.page({ ...row, id, url, inLinkCount: 0, outLinkCount: 0 });
      const gone = { kind: 'gone', sweepId: id + 9, fetchedAtMs: 0, record: new Uint8Array(0) } as const;
      writer.otherInput({ ...gone, id, url: url.replace('x.', 'y.') });
    }
    writer.finish(0, '1.2.3');
    const reader = IndexReader.open(path);
    for (let i = -1; i <= 3 * count; i++) {
      const url = i < 0 ? 'https://x.example/' : `https://x.example/${String(i).padStart(3, '0')}`;
      const id = urls.indexOf(url);
      assert.equal(reader.findPage(url), id, `${url} of ${count}`);
      assert.equal(reader.input.other(url.replace('x.', 'y.'))?.sweepId, id < 0 ? undefined : id + 9);
      const near = [
        ...urls.filter((one) => one < url).slice(-2),
        ...urls.filter((one) => one > url).slice(0, 2),
      ];
      const found = reader.nearestUrls(url, 2, 4).map((page) => page.url);
      assert.deepEqual(found.sort(), near);
    }
    reader.close();
  }
});

test('what the writer writes the reader reads', (t) => {
  const path = join(temporaryFolder(t), 'a.akin');
  const generation = writeSmall(path);
  const reader = openStore(t, path);
  assert.equal(reader.generation, generation);
  assert.equal(reader.pageCount, 3);
  assert.deepEqual(reader.page(0), {
    id: 0,
    url: 'https://x.example/a',
    site: 'x.example',
    siteId: 0,
    title: 'A',
    fullTitle: 'A',
    lang: 'en',
    fetched: true,
    wordCount: 9,
    inLinkCount: 1,
    outLinkCount: 5,
  });
  assert.deepEqual(
    Array.from(reader.pages(1), ({ id, fetched }) => [id, fetched]),
    [
      [1, true],
      [2, false],
    ],
  );
  assert.equal(reader.findPage('https://x.example/b'), 1);
  assert.equal(reader.findPage('https://x.example/old'), 1);
  assert.equal(reader.findPage('https://x.example/none'), -1);
  assert.deepEqual(reader.aliases(1), [{ url: 'https://x.example/old', kind: 'redirect' }]);
  assert.deepEqual(reader.aliases(0), []);
  assert.deepEqual(reader.captures(1), [
    {
      sweepId: 1,
      sweep: 'spring',
      fetchedAtMs: 6,
      mediaType: 'text/html',
      charset: 'utf-8',
      bodyBytes: 77,
      versionId: -1,
    },
  ]);
  assert.deepEqual(reader.links(1), Uint32Array.of(0, 2));
  assert.deepEqual(reader.links(2), new Uint32Array(0));
});

test('features, bags, postings and neighbors come by key, and nothing is an empty answer', (t) => {
  const path = join(temporaryFolder(t), 'a.akin');
  writeSmall(path);
  const reader = openStore(t, path);
  const roses = { id: 0, part: 'content', stem: 'rose', term: 'roses', pageCount: 2 };
  assert.deepEqual(reader.feature(TOPIC, 0), roses);
  assert.deepEqual(reader.findFeature(TOPIC, 'content', 'rose'), roses);
  assert.equal(reader.findFeature(TOPIC, 'title', 'rose'), undefined);
  assert.equal(reader.partPageCount(TOPIC, 'content'), 2);
  assert.equal(reader.partPageCount(TOPIC, 'anchor'), 0);
  assert.deepEqual(reader.bag(TOPIC, 1), {
    features: Uint32Array.of(0, 1),
    weights: Uint8Array.of(30, 5),
    sum: 35,
  });
  assert.equal(reader.bag(TOPIC, 2).features.length, 0);
  assert.deepEqual(
    Array.from(reader.allBags(TOPIC), ({ pageId, bag }) => [pageId, bag.sum]),
    [
      [0, 30],
      [1, 35],
      [2, 0],
    ],
  );
  assert.deepEqual(reader.bagSums(TOPIC), Uint16Array.of(30, 35, 0));
  assert.deepEqual(
    Array.from(reader.postings(TOPIC, 1).get(0)!, (entry) => [entry & 0xffffff, entry >>> 24]),
    [
      [0, 20],
      [1, 5],
    ],
  );
  assert.equal(reader.postings(TOPIC, 9).size, 0);
  assert.deepEqual(reader.neighbors(TOPIC, 0).ids, Uint32Array.of(1));
  assert.equal(reader.neighbors(TOPIC, 2).ids.length, 0);
  assert.deepEqual(
    Array.from(reader.allNeighbors(TOPIC), ({ pageId }) => pageId),
    [0, 1],
  );
  assert.equal(reader.relation('topic')!.measure, 'exact');
  assert.equal(reader.relation('copy'), undefined);
});

test('clusters come by page, key, id and in lists', (t) => {
  const path = join(temporaryFolder(t), 'a.akin');
  writeSmall(path);
  const { clusters } = openStore(t, path);
  assert.deepEqual(
    clusters.ofPage(TOPIC, 1).map(({ key, size, radius }) => [key, size, radius]),
    [['aa', 2, 0.3]],
  );
  assert.deepEqual(clusters.byKey('bb'), clusters.byId(1));
  assert.equal(clusters.byKey('cc'), undefined);
  assert.deepEqual(clusters.members(0, 9, 0), [
    { pageId: 0, similarity: 1 },
    { pageId: 1, similarity: 0.3 },
  ]);
  assert.deepEqual(
    clusters.members(0, 1, 1).map(({ pageId }) => pageId),
    [1],
  );
  const keys = (sort: 'size' | 'label', offset = 0) =>
    clusters.list(TOPIC, { level: 0, sort, limit: 9, offset }).map(({ key }) => key);
  assert.deepEqual(keys('size'), ['aa', 'bb']);
  assert.deepEqual(keys('label'), ['bb', 'aa']);
  assert.deepEqual(keys('label', 1), ['aa']);
  assert.equal(clusters.total(TOPIC, { level: 0 }), 2);
  assert.equal(clusters.total(TOPIC, { level: 1 }), 0);
});

test('an index says of itself what it holds and how it was made', (t) => {
  const path = join(temporaryFolder(t), 'a.akin');
  const generation = writeSmall(path);
  const card = openStore(t, path).card();
  assert.deepEqual(card.parameters, { cluster_similarity: 0.2, recipe: { total: 400 } });
  assert.deepEqual(card.sweeps, [
    {
      name: 'spring',
      recordCount: 4,
      startedAtMs: 1000,
      covered,
      skipped: { duplicate: 2 },
      skippedFiles: {},
    },
  ]);
  assert.deepEqual(card.stages, [{ name: 'extract', recordCount: 4, durationMs: 13, processorMs: 20 }]);
  assert.deepEqual(
    [card.generation, card.builtAtMs, card.akinVersion, card.pageCount, card.fetchedPageCount],
    [generation, 9000, '1.2.3', 3, 2],
  );
  assert.deepEqual([card.aliasCount, card.clusterCount, card.sizeBytes], [1, 2, statSync(path).size]);
  const sizes = tableSizes(path);
  assert.ok(sizes.some(({ name }) => name === 'posting'));
  assert.equal(
    sizes.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    card.sizeBytes,
  );
});

test('an unknown page or feature is corruption, not an empty answer', (t) => {
  const path = join(temporaryFolder(t), 'a.akin');
  writeSmall(path);
  const reader = openStore(t, path);
  assert.throws(() => reader.page(3), { name: 'CorruptError', code: 'AKIN_ERR_INDEX_CORRUPT' });
  assert.throws(() => reader.feature(TOPIC, 2), { name: 'CorruptError', code: 'AKIN_ERR_INDEX_CORRUPT' });
});

test('times are no part of the generation, everything else is', (t) => {
  const folder = temporaryFolder(t);
  const write = (name: string, change: (writer: IndexWriter) => void, builtAtMs = 0) => {
    const writer = new IndexWriter(join(folder, name));
    change(writer);
    return writer.finish(builtAtMs, '0');
  };
  const plain = write('a', (writer) => writer.parameter('x', 1));
  assert.equal(
    write('b', (writer) => writer.parameter('x', 1), 99),
    plain,
  );
  assert.notEqual(
    write('c', (writer) => writer.parameter('x', 2)),
    plain,
  );
  assert.notEqual(
    write('d', (writer) => writer.parameter('x', '1')),
    plain,
  );
});

test('a published file takes the place of the old one while that is being read', (t) => {
  const folder = temporaryFolder(t);
  const [fresh, target] = [join(folder, 'fresh'), join(folder, 'a.akin')];
  const old = writeSmall(target);
  const reader = IndexReader.open(target);
  t.after(() => reader.close());
  const writer = new IndexWriter(fresh);
  writer.parameter('cluster_similarity', 0.2);
  const generation = writer.finish(0, '0');
  publishFile(fresh, target);
  assert.ok(!existsSync(fresh));
  assert.equal(reader.generation, old);
  assert.equal(reader.page(2).title, 'see');
  assert.equal(openStore(t, target).generation, generation);
});

test('a file of another disk is published by a copy', (t) => {
  const [here, there] = [temporaryFolder(t), mkdtempSync(join(tmpdir(), 'akin-other-disk-'))];
  t.after(() => rmSync(there, { recursive: true }));
  if (statSync(here).dev === statSync(there).dev) return t.skip(`${here} and ${there} are on one disk`);
  const [fresh, target] = [join(there, 'fresh'), join(here, 'a.akin')];
  writeSmall(target);
  const writer = new IndexWriter(fresh);
  writer.parameter('cluster_similarity', 0.3);
  const generation = writer.finish(0, '0');
  publishFile(fresh, target);
  assert.equal(openStore(t, target).generation, generation);
  assert.deepEqual([readdirSync(there), readdirSync(here)], [[], ['a.akin']]);
});
