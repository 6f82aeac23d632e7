/** What a thread makes ready is what the calling thread would. */
import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { buildIndex } from '../../../src/indexer/build-index.ts';
import type { BuildListener } from '../../../src/indexer/build-options.ts';
import { writeArray } from '../../../src/indexer/files/array-file.ts';
import { WorkFolder } from '../../../src/indexer/files/work-folder.ts';
import { levelFile } from '../../../src/indexer/relate/clusters.ts';
import { restoreFeatures } from '../../../src/indexer/weigh/vocabulary.ts';
import { clusterLabels } from '../../../src/indexer/write/cluster-labels.ts';
import { isWorthAside, type Preparation, prepare, prepareAside } from '../../../src/indexer/write/prepare.ts';
import { graphBytes } from '../../../src/join/buckets/join-memory.ts';
import { checkIndex } from '../../../src/store/check/check.ts';
import { build, DEFAULTS, input, noting, temporaryFolder } from '../build.ts';
import { startBuild } from '../child.ts';
import { toJsonl } from '../pages.ts';

function folderOf(t: TestContext): WorkFolder {
  const folder = WorkFolder.open({ ...DEFAULTS, inputs: [], target: join(temporaryFolder(t), 'a.akin') }, 0);
  t.after(() => folder.release());
  return folder;
}

/** Pages of roses, 0 and 1, and of keels, 2 and 3. */
function labelTask(folder: WorkFolder): Preparation {
  restoreFeatures(folder, [
    { id: 0, part: 'content', stem: 'rose', term: 'roses', pageCount: 2 },
    { id: 1, part: 'content', stem: 'keel', term: 'keel', pageCount: 2 },
  ]);
  writeArray(folder.file(levelFile(0)), Uint32Array.of(0, 0, 3, 3));
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
  const steps: string[] = [];
  prepare(folder, task, (step) => steps.push(step));
  assert.deepEqual(steps, ['labels']);
  const here = [...clusterLabels(folder, 0)];
  assert.deepEqual(here, ['roses', 'keel']);
  folder.remove('cluster-labels-0');
  const aside = prepareAside(folder.path, task);
  assert.equal(await aside.result('labels'), null);
  assert.deepEqual([...clusterLabels(folder, 0)], here);
  await aside.stop();
});

test('a failure aside is a failure of what waits for it', async (t) => {
  const aside = prepareAside(folderOf(t).path, {
    what: 'copies and tables',
    options: { ...DEFAULTS, inputs: [], target: 'x' },
  });
  for (const step of ['copies', 'tables'] as const) await assert.rejects(aside.result(step), /ENOENT/);
});

test('work aside can be stopped', async (t) => {
  const folder = folderOf(t);
  const aside = prepareAside(folder.path, labelTask(folder));
  await aside.stop();
  await assert.rejects(aside.result('labels'), /a worker ended/);
});

/** Pages known by links alone: enough of them to work aside. */
function linkedPages(t: TestContext) {
  const pages = Array.from({ length: 20 }, (_, page) => {
    const links = Array.from({ length: 1000 }, (_, i) => `<a href="/${page}/${i}">rose ${i % 50} pruned</a>`);
    return { url: `https://rose.example/${page}.html`, html: links.join(' ') };
  });
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'pages.jsonl'), toJsonl(pages));
  return { inputs: [input(join(folder, 'pages.jsonl'))], target: join(folder, 'a.akin'), workerCount: 2 };
}

test('what works aside ends with the build that it is for', async (t) => {
  const portCount = () => process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length;
  const before = portCount();
  const { listener } = noting();
  const full: BuildListener = {
    ...listener,
    stageEnded({ name }) {
      if (name !== 'neighbours') return;
      assert.ok(portCount() > before, 'a thread works aside');
      throw new Error('no room');
    },
  };
  await assert.rejects(buildIndex({ ...DEFAULTS, ...linkedPages(t) }, full), /no room/);
  assert.equal(portCount(), before);
});

test('tables written aside are those that one thread writes, and go to a full disk as others do', async (t) => {
  const options = linkedPages(t);
  const { report } = await build(t, { ...options, target: `${options.target}.1`, workerCount: 1 });
  const aside = await build(t, { ...options, target: `${options.target}.2` });
  assert.equal(aside.report.generation, report.generation);
  assert.deepEqual(checkIndex(aside.report.target).faults, []);
  const said = await startBuild(options, `ulimit -f ${report.indexBytes >> 11}`).ended;
  assert.match(said, /started neighbours[\s\S]*error AKIN_ERR_DISK cannot write/);
  assert.ok(!existsSync(options.target));
});

test('work goes aside where there are threads, pages enough and room', (t) => {
  const folder = folderOf(t);
  const many = 1 << 14;
  const work = { entryCount: 0, featureCount: 0, k: 32, threadCount: 2 };
  const memoryBytes = Math.ceil(2 * graphBytes({ ...work, pageCount: many }).fixedBytes);
  writeArray(folder.file('pages'), new Uint8Array(memoryBytes));
  const isWorth = (workerCount: number, pageCount: number, bytes = memoryBytes) =>
    isWorthAside(folder, { workerCount, memoryBytes: bytes, neighbourLimit: 32 }, pageCount);
  assert.ok(isWorth(2, many));
  assert.ok(!isWorth(1, many));
  assert.ok(!isWorth(2, many - 1));
  assert.ok(!isWorth(2, many + 1), 'the joins need it');
  writeArray(folder.file('pages'), new Uint8Array(memoryBytes + 1));
  assert.ok(!isWorth(2, many), 'the records need it');
});
