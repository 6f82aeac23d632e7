/** Buckets are collapsed alike in one pass and in many, on threads and without. */

import assert from 'node:assert/strict';
import { readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { CorruptError } from '../../../../src/errors.ts';
import { formHash } from '../../../../src/features/feature-hash.ts';
import { BucketFiles } from '../../../../src/indexer/files/records/bucket-files.ts';
import { ByteReader, ByteWriter } from '../../../../src/indexer/files/records/bytes.ts';
import { readRecords } from '../../../../src/indexer/files/records/record-file.ts';
import { linkUrlsOfBucket, recordsOfBucket } from '../../../../src/indexer/files/records/stage-files.ts';
import { type WorkFiles, WorkFolder } from '../../../../src/indexer/files/work-folder.ts';
import { collapse } from '../../../../src/indexer/gather/collapse/collapse.ts';
import { Collapser } from '../../../../src/indexer/gather/collapse/collapser.ts';
import { bucketOf } from '../../../../src/indexer/gather/extract/extract-task.ts';
import {
  Aliases,
  ERASES,
  FOLDED,
  PAST,
  SUPERSEDED,
  writeAliases,
} from '../../../../src/indexer/gather/records/answers/aliases.ts';
import { LaterVisits } from '../../../../src/indexer/gather/records/answers/later-visits.ts';
import { packBigrams } from '../../../../src/indexer/gather/records/bigram-record.ts';
import {
  CollapsedWords,
  readCollapsedFacts,
  readCollapsedWords,
} from '../../../../src/indexer/gather/records/collapsed-record.ts';
import { CountsBuffer } from '../../../../src/indexer/gather/records/counts-buffer.ts';
import { saveCoverage } from '../../../../src/indexer/gather/records/covered-sites.ts';
import {
  type PageRecord,
  writeCaptures,
  writeGone,
  writeNoindex,
  writePage,
  writeWindow,
} from '../../../../src/indexer/gather/records/page-record.ts';
import { key53 } from '../../../../src/lib/keys/key-table.ts';
import { temporaryFolder } from '../../build.ts';

const BUCKETS = 3;
const url = (n: number) => `https://x.example/${n}`;
const words = (texts: readonly string[]) => ({
  keys: Float64Array.from(texts, key53),
  tfs: Uint32Array.from(texts, (_, i) => i + 1),
  forms: Uint32Array.from(texts, formHash),
});

function page(n: number, sequence: number, title: string): PageRecord {
  return {
    url: url(n),
    ownUrl: '',
    sequence,
    sweepId: 1,
    fetchedAtMs: 1000 + sequence,
    title,
    lang: 'en',
    mediaType: 'text/html',
    charset: 'utf-8',
    bodyBytes: 300,
    textDigest: Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8),
    wordCount: 2,
    content: words(['rose', 'keel']),
    titleWords: words([]),
    headings: words(['keel']),
    bigrams: packBigrams(
      { lefts: [0], rights: [1], tfs: Uint32Array.of(3), leftForms: [formHash('rose')], rightForms: [7] },
      words(['rose', 'keel']).forms,
    ),
    canonical: '',
    features: '',
    vectors: '',
    fields: '',
    links: Float64Array.of(key53(url(n + 1)), 2 ** 53 - 1),
    spans: Uint8Array.of(1, 2),
    words: Uint8Array.of(3),
    card: Buffer.alloc(0),
    copy: Uint8Array.of(9, 8, 7),
  };
}

/**
 * Ten URLs in three buckets: 0 to 3 fetched, 4 gone though linked to, 5 to 8 known by links alone, 9 an alias of 5.
 * The capture of sequence 3 is silent, and so is what it links to.
 */
function writeBuckets(folder: WorkFolder): void {
  writeAliases(folder, [[url(9), url(5), 'redirect']], Uint8Array.of(0, 0, 0, SUPERSEDED));
  const buckets = new BucketFiles(folder, recordsOfBucket, BUCKETS, 1 << 16);
  const add = (n: number, write: (out: ByteWriter) => void) => {
    const out = new ByteWriter();
    write(out);
    buckets.append(bucketOf(key53(url(n)), BUCKETS), out.view());
  };
  for (let n = 0; n < 4; n++) add(n, (out) => writePage(out, page(n, n, n === 1 ? '' : `page ${n}`)));
  add(4, (out) => writeGone(out, url(4)));
  for (let n = 0; n < 10; n++) {
    for (const [sequences, text] of [
      [[0], 'zwei'],
      [[1], 'eins'],
      [[3, 2, 3], 'eins'],
      [[3], 'never'],
    ] as const) {
      const window = { url: url(n), anchorText: text, words: words([text, `of ${n}`]), from: 0, to: 2 };
      add(n, (out) => {
        writeWindow(out, window);
        writeCaptures(out, sequences);
      });
    }
  }
  buckets.end();
  const linkUrls = new BucketFiles(folder, linkUrlsOfBucket, BUCKETS, 1 << 16);
  for (const n of [4, 1, 4, 2]) {
    const out = new ByteWriter();
    out.text(url(n));
    linkUrls.append(bucketOf(key53(url(n)), BUCKETS), out.view());
  }
  linkUrls.end();
}

function folderOf(t: TestContext): WorkFolder {
  const folder = WorkFolder.open(join(temporaryFolder(t), 'a.akin'), null, 0);
  t.after(() => folder.release());
  // No sweep has met a page again as it was.
  new LaterVisits().write(folder);
  return folder;
}

/** Facts and words of all records, by URL. */
const contentOf = (folder: WorkFiles, runs: readonly string[]) =>
  runs
    .flatMap((run) =>
      Array.from(readRecords(folder.file(run)), (record) => {
        const bytes = Buffer.from(record);
        const words = new CollapsedWords();
        readCollapsedWords(new ByteReader(bytes), words);
        const { keys, tfs, length } = words.anchor;
        const anchor = { keys: keys.slice(0, length), tfs: tfs.slice(0, length) };
        const content = { ...words.content, keys: words.content.keys.slice(0, words.content.length) };
        const headingKeys = words.heading.keys.slice(0, words.heading.length);
        const { stemKeys, wordForms } = words.bigram;
        const bigram = Array.from({ length: words.bigram.length }, (_, i) => [
          words.bigram.tfs[i],
          ...[2 * i, 2 * i + 1].flatMap((word) => [stemKeys[word], wordForms[word]]),
        ]);
        const facts = readCollapsedFacts(new ByteReader(bytes));
        return { ...facts, anchor, contentKeys: content.keys, headingKeys, bigram };
      }),
    )
    .sort((a, b) => (a.url < b.url ? -1 : 1));

test('a bucket collapses to what its URLs are, aliases under the URL that speaks for them', async (t) => {
  const folder = folderOf(t);
  writeBuckets(folder);
  const done: number[] = [];
  const { urlCount, runs } = await collapse(
    folder,
    BUCKETS,
    { memoryBytes: 1 << 26, workerCount: 1 },
    (count) => done.push(count),
  );
  assert.deepEqual(done, [1, 2, 3]);
  const all = contentOf(folder, runs);
  assert.deepEqual(
    all.map((record) => record.url),
    [0, 1, 2, 5, 6, 7, 8, 3].sort().map(url),
  );
  assert.equal(urlCount, 8);
  const of = (n: number) => all.find((record) => record.url === url(n))!;
  const { content, titleWords: _, headings, bigrams: __, ...facts } = page(0, 0, 'page 0');
  const [spans, words, copy] = [Buffer.of(1, 2), Buffer.of(3), Buffer.of(9, 8, 7)];
  assert.deepEqual(of(0).page, { ...facts, spans, words, copy });
  assert.deepEqual(of(0).contentKeys, content.keys);
  assert.deepEqual(of(0).headingKeys, headings.keys);
  assert.deepEqual(of(0).bigram, [[3, key53('rose'), formHash('rose'), key53('keel'), 7]]);
  assert.deepEqual([of(5).headingKeys.length, of(5).bigram], [0, []], 'nothing stays of the page before');
  assert.equal(of(3).page, null, 'its only capture is silent');
  assert.deepEqual([of(0).title, of(1).title, of(6).title], ['page 0', 'eins', 'eins']);
  const counts = (n: number) =>
    new Map(Array.from(of(n).anchor.keys, (key, i) => [key, of(n).anchor.tfs[i]]));
  const anchorOf = (times: number, n: number) => [
    [key53('eins'), 2 * times],
    [key53('zwei'), times],
    [key53(`of ${n}`), 6],
  ];
  assert.deepEqual(counts(6), new Map(anchorOf(1, 6).sort((a, b) => a[0]! - b[0]!) as [number, number][]));
  assert.equal(counts(5).get(key53('eins')), 4, 'its own and those of its alias');
  assert.deepEqual(
    [...of(6).anchor.keys],
    [...of(6).anchor.keys].sort((a, b) => a - b),
  );
});

test('many passes find what one does, and so do threads', async (t) => {
  const folder = folderOf(t);
  writeBuckets(folder);
  const { runs } = await collapse(folder, BUCKETS, { memoryBytes: 1 << 26, workerCount: 1 }, () => {});
  const once = contentOf(folder, runs);
  const onThreads = await collapse(folder, BUCKETS, { memoryBytes: 1 << 26, workerCount: 2 }, () => {}, 0);
  assert.deepEqual(onThreads.runs, runs);
  assert.deepEqual(contentOf(folder, onThreads.runs), once);
  const collapser = new Collapser(folder, 300);
  t.after(() => collapser.close());
  const many = Array.from({ length: BUCKETS }, (_, bucket) => collapser.collapse(bucket));
  assert.ok(many.every((result) => result.runs.length > 1));
  assert.deepEqual(
    contentOf(
      folder,
      many.flatMap((result) => result.runs),
    ),
    once,
  );
});

test('a bucket that is cut is an error', (t) => {
  const folder = folderOf(t);
  writeBuckets(folder);
  writeAliases(folder, [], new Uint8Array(0));
  const collapser = new Collapser(folder, 1 << 20);
  t.after(() => collapser.close());
  const path = recordsOfBucket(0).path(folder);
  truncateSync(path, readFileSync(path).length - 1);
  assert.throws(() => collapser.collapse(0), { name: 'CorruptError' });
});

test('a bucket that is cut is the same error from a thread', async (t) => {
  const folder = folderOf(t);
  writeBuckets(folder);
  writeAliases(folder, [], new Uint8Array(0));
  const path = recordsOfBucket(0).path(folder);
  truncateSync(path, readFileSync(path).length - 1);
  const options = { memoryBytes: 1 << 26, workerCount: 2 };
  const collapsed = collapse(folder, BUCKETS, options, () => {}, 0);
  await assert.rejects(
    collapsed,
    (error) => error instanceof CorruptError && error.code === 'AKIN_ERR_INDEX_CORRUPT',
  );
});

test('URLs of a covered site have a page only where they were read', async (t) => {
  const folder = folderOf(t);
  writeBuckets(folder);
  saveCoverage(folder, ['x.example']);
  const { runs } = await collapse(folder, BUCKETS, { memoryBytes: 1 << 26, workerCount: 1 }, () => {});
  assert.deepEqual(
    contentOf(folder, runs).map((record) => record.url),
    [0, 1, 2].map(url),
  );
});

test('URLs of links are left once and in order', async (t) => {
  const folder = folderOf(t);
  writeBuckets(folder);
  const { linkUrlRuns } = await collapse(folder, BUCKETS, { memoryBytes: 1 << 26, workerCount: 1 }, () => {});
  const urls = linkUrlRuns.flatMap((run) =>
    Array.from(readRecords(folder.file(run)), (record) => new ByteReader(record).text()),
  );
  assert.deepEqual(urls.sort(), [1, 2, 4].map(url));
});

test('past captures stay with their URL, one a sweep, and go where a later one asks not to be indexed', async (t) => {
  const folder = folderOf(t);
  const flags = Uint8Array.of(
    SUPERSEDED | PAST,
    SUPERSEDED | PAST,
    0,
    SUPERSEDED | PAST,
    SUPERSEDED | PAST,
    ERASES,
  );
  writeAliases(folder, [[url(1), url(0), 'redirect']], flags);
  const add = (files: BucketFiles, n: number, write: (out: ByteWriter) => void) => {
    const out = new ByteWriter();
    write(out);
    files.append(bucketOf(key53(url(n)), BUCKETS), out.view());
  };
  const buckets = new BucketFiles(folder, recordsOfBucket, BUCKETS, 1 << 16);
  const capture = (n: number, sequence: number, sweepId: number) =>
    add(buckets, n, (out) => writePage(out, { ...page(n, sequence, `${n} of ${sweepId}`), sweepId }));
  capture(0, 0, 1);
  capture(0, 1, 2);
  capture(0, 2, 3);
  capture(1, 3, 1);
  capture(2, 4, 1);
  add(buckets, 2, (out) => writeNoindex(out, url(2), 5));
  buckets.end();
  new BucketFiles(folder, linkUrlsOfBucket, BUCKETS, 1 << 16).end();
  const { runs } = await collapse(folder, BUCKETS, { memoryBytes: 1 << 26, workerCount: 1 }, () => {});
  const found = contentOf(folder, runs).map(({ url, title, page, past }) => ({
    url,
    title,
    page: page?.sweepId ?? null,
    past: past.map(({ sweepId }) => sweepId),
  }));
  assert.deepEqual(found, [
    { url: url(0), title: '0 of 3', page: 3, past: [1, 2] },
    { url: url(1), title: '1 of 1', page: null, past: [1] },
  ]);
});

test('counts of distinct keys are added to ascending ones', () => {
  const list = fc.uniqueArray(fc.integer({ min: 1, max: 60 }));
  fc.assert(
    fc.property(list, list, (first, second) => {
      const of = (keys: readonly number[]) => {
        const buffer = new CountsBuffer();
        for (const key of keys) {
          buffer.keys[buffer.length] = key;
          buffer.tfs[buffer.length++] = key * 3;
        }
        return buffer;
      };
      const sum = of(first.sort((a, b) => a - b));
      sum.addDistinct(of(second));
      const expected = new Map(first.map((key) => [key, key * 3]));
      for (const key of second) expected.set(key, (expected.get(key) ?? 0) + key * 3);
      assert.deepEqual(
        new Map(Array.from({ length: sum.length }, (_, i) => [sum.keys[i]!, sum.tfs[i]!])),
        expected,
      );
    }),
    { seed: 9, numRuns: 100 },
  );
});

test('an alias is found among records that are held, and among those that stay in their file', (t) => {
  const folder = folderOf(t);
  const list = Array.from(
    { length: 3000 },
    (_, i) => [`${url(i)}${'x'.repeat(i % 7)}`, url(i + 1), i % 2 === 0 ? 'redirect' : 'canonical'] as const,
  );
  writeAliases(folder, list, Uint8Array.of(0, FOLDED));
  for (const heldBytes of [0, 1 << 20]) {
    const aliases = new Aliases(folder, heldBytes);
    assert.equal(aliases.size, list.length);
    for (const [from, to] of list) assert.equal(aliases.target(from), to);
    assert.equal(aliases.target(`${url(1)}xx`), undefined);
    assert.deepEqual([...aliases.all()], list);
    assert.deepEqual([aliases.flagsOf(0), aliases.flagsOf(1)], [0, FOLDED]);
    aliases.close();
  }
});
