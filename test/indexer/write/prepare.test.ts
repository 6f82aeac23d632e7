/** What a thread makes ready is what the calling thread would. */
import assert from 'node:assert/strict';
import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { formHash } from '../../../src/features/feature-hash.ts';
import { buildIndex } from '../../../src/indexer/build-index.ts';
import { ByteWriter } from '../../../src/indexer/files/records/bytes.ts';
import {
  centersOfLevel,
  FEATURES,
  formsOfBucket,
  labelsOfLevel,
  PAGES,
} from '../../../src/indexer/files/records/stage-files.ts';
import type { BuildListener } from '../../../src/indexer/files/stage-runner.ts';
import { endIdleThreads } from '../../../src/indexer/files/threads/thread.ts';
import { WorkFolder } from '../../../src/indexer/files/work-folder.ts';
import { writeCollapsed } from '../../../src/indexer/gather/records/collapsed-record.ts';
import { writePage } from '../../../src/indexer/gather/records/page-record.ts';
import { nameFeatures } from '../../../src/indexer/weigh/vocabulary.ts';
import { clusterLabels } from '../../../src/indexer/write/clusters/cluster-labels.ts';
import { isWorthAThread, prepare, prepareInBackground } from '../../../src/indexer/write/prepare.ts';
import { graphBytes } from '../../../src/join/buckets/space/join-memory.ts';
import { key53 } from '../../../src/lib/key-table.ts';
import { DEFAULTS, noting, temporaryFolder } from '../build.ts';
import { linkedPages } from './linked-pages.ts';

type Preparation = Parameters<typeof prepareInBackground>[1];

function folderOf(t: TestContext): WorkFolder {
  const folder = WorkFolder.open(join(temporaryFolder(t), 'a.akin'), null, 0);
  t.after(() => folder.release());
  return folder;
}

/** Pages of one word each. */
function writePages(folder: WorkFolder, words: readonly (readonly [stem: string, form: string])[]): void {
  const pages = PAGES.writer(folder);
  const forms = formsOfBucket(0).writer(folder);
  const out = new ByteWriter();
  const none = { keys: new Float64Array(0), tfs: new Uint32Array(0), forms: new Uint32Array(0) };
  for (const [i, [stem, form]] of words.entries()) {
    const url = `https://x.example/${i}`;
    const content = {
      keys: Float64Array.of(key53(stem)),
      tfs: Uint32Array.of(1),
      forms: Uint32Array.of(formHash(form)),
    };
    const page = new ByteWriter();
    writePage(page, {
      url,
      ownUrl: '',
      sequence: i,
      sweepId: 1,
      fetchedAtMs: 0,
      title: '',
      lang: '',
      mediaType: '',
      charset: '',
      bodyBytes: 0,
      textDigest: new Uint8Array(8),
      wordCount: 1,
      content,
      titleWords: none,
      headings: none,
      bigrams: new Uint8Array(0),
      canonical: '',
      features: '',
      links: new Float64Array(0),
      spans: new Uint8Array(0),
      words: new Uint8Array(0),
      card: new Uint8Array(0),
      copy: new Uint8Array(0),
    });
    out.clear();
    writeCollapsed(out, { url, title: '', anchor: none }, { page: page.view(), past: [], folded: [] });
    pages.append(out.view());
    out.clear();
    out.text(stem);
    out.text(form);
    forms.append(out.view());
  }
  pages.close();
  forms.close();
}

/** Pages of roses, 0 and 1, and of keels, 2 and 3. */
function labelTask(folder: WorkFolder): Preparation {
  writePages(folder, [
    ['rose', 'roses'],
    ['rose', 'roses'],
    ['keel', 'keel'],
    ['keel', 'keel'],
  ]);
  const table = {
    parts: Uint8Array.of(0, 0),
    keys: Float64Array.of(key53('rose'), key53('keel')),
    pageCounts: Uint32Array.of(2, 2),
    partPageCounts: [4],
  };
  FEATURES.write(folder, table);
  nameFeatures(folder, table, ['content'], 1, 1 << 20);
  centersOfLevel(0).write(folder, Uint32Array.of(0, 0, 3, 3));
  const matrix = {
    offsets: Float64Array.of(0, 1, 2, 3, 4),
    features: Uint32Array.of(0, 0, 1, 1),
    weights: Uint8Array.of(5, 6, 7, 8),
    sums: Uint16Array.of(5, 6, 7, 8),
    featureCount: 2,
  };
  return { what: 'labels', matrix, entries: null, levelCount: 1 };
}

test('labels stand in the order of the centers, made here or aside', async (t) => {
  const folder = folderOf(t);
  const task = labelTask(folder);
  prepare(folder, task, 'labels');
  const here = [...clusterLabels(folder, 0)];
  assert.deepEqual(here, ['roses', 'keel']);
  folder.remove(labelsOfLevel(0).name);
  const aside = prepareInBackground(folder.path, task);
  assert.equal(await aside.result('labels'), null);
  assert.deepEqual([...clusterLabels(folder, 0)], here);
  await aside.stop();
});

test('a failure aside is a failure of what waits for it', async (t) => {
  const aside = prepareInBackground(folderOf(t).path, {
    what: 'copies and tables',
    options: DEFAULTS,
    firstNewSweep: 1,
  });
  t.after(() => aside.stop());
  for (const step of ['copies', 'tables'] as const) await assert.rejects(aside.result(step), /ENOENT/);
});

test('work aside can be stopped', async (t) => {
  const folder = folderOf(t);
  // One that is warm may be done before it is stopped.
  await endIdleThreads();
  const aside = prepareInBackground(folder.path, labelTask(folder));
  await aside.stop();
  await assert.rejects(aside.result('labels'), /a thread ended/);
});

test('what works aside ends with the build that it is for', async (t) => {
  const portCount = () => process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length;
  const before = portCount();
  const { listener } = noting();
  const full: BuildListener = {
    ...listener,
    stageEnded({ name }) {
      if (name !== 'neighbors') return;
      assert.ok(portCount() > before, 'a thread works aside');
      throw new Error('no room');
    },
  };
  await assert.rejects(buildIndex({ ...DEFAULTS, ...linkedPages(t) }, full), /no room/);
  assert.equal(portCount(), before);
});

test('work goes aside where there are threads, pages enough and room', (t) => {
  const folder = folderOf(t);
  const many = 1 << 14;
  const pages = PAGES.path(folder);
  writeFileSync(pages, '');
  const work = { entryCount: 0, featureCount: 0, k: 32, threadCount: 2 };
  const memoryBytes = Math.ceil(2 * graphBytes({ ...work, pageCount: many }).fixedBytes);
  truncateSync(pages, memoryBytes);
  const isWorth = (workerCount: number, pageCount: number, bytes = memoryBytes) =>
    isWorthAThread(folder, { workerCount, memoryBytes: bytes, neighborLimit: 32 }, pageCount);
  assert.ok(isWorth(2, many));
  assert.ok(!isWorth(1, many));
  assert.ok(!isWorth(2, many - 1));
  assert.ok(!isWorth(2, many + 1), 'the joins need it');
  truncateSync(pages, memoryBytes + 1);
  assert.ok(!isWorth(2, many), 'the records need it');
});
