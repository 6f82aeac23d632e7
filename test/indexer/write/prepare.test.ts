/** What a thread makes ready is what the calling thread would. */
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { buildIndex } from '../../../src/indexer/build-index.ts';
import { labelsOfLevel } from '../../../src/indexer/files/records/stage-files.ts';
import type { BuildListener } from '../../../src/indexer/files/stage-runner.ts';
import { endIdleThreads } from '../../../src/indexer/files/threads/thread.ts';
import { workFiles } from '../../../src/indexer/files/work-folder.ts';
import { clusterLabels } from '../../../src/indexer/write/clusters/cluster-labels.ts';
import { Background, isWorthAThread, prepare } from '../../../src/indexer/write/prepare.ts';
import { TablesBeside } from '../../../src/indexer/write/tables-beside.ts';
import { graphBytes } from '../../../src/join/buckets/space/join-memory.ts';
import { longTest } from '../../long-test.ts';
import { DEFAULTS, input, noting, temporaryFolder } from '../build.ts';
import { document, toJsonl } from '../pages.ts';
import { linkedPages } from './linked-pages.ts';

/** The work folder of a build of two pages of roses and two of keels that went no further than to clusters. */
async function untilClusters(t: TestContext) {
  const folder = temporaryFolder(t);
  const pages = ['roses', 'roses', 'keel', 'keel'].map((word, i) => {
    return { url: `https://${i}.example/`, html: document('', `<p>${word}</p>`) };
  });
  const inputs = [input(join(folder, 'pages.jsonl'))];
  writeFileSync(inputs[0]!.path, toJsonl(pages));
  const target = join(folder, 'a.akin');
  const listener: BuildListener = {
    ...noting().listener,
    stageEnded({ name }) {
      if (name === 'clusters') throw new Error('far enough');
    },
  };
  await assert.rejects(buildIndex({ ...DEFAULTS, copies: false, inputs, target }, listener), /far enough/);
  const path = `${target}.work`;
  const files = workFiles(path);
  const options = { ...DEFAULTS, copies: false };
  const known = { firstNewSweep: 1 };
  const task = { options, memoryBytes: 1 << 20, pageCount: 4, known, isSearchSaved: false };
  return { path, files, task };
}

test('labels stand in the order of the centers, made here or aside', async (t) => {
  const { path, files, task } = await untilClusters(t);
  prepare(files, task).labels(1);
  assert.deepEqual([...clusterLabels(files, 0)], ['roses', 'keel']);
  rmSync(labelsOfLevel(0).path(files));
  const aside = new Background(path, task);
  aside.begin('labels', 1);
  assert.equal(await aside.result('labels'), null);
  assert.deepEqual([...clusterLabels(files, 0)], ['roses', 'keel']);
  await aside.stop();
});

for (const workerCount of [2, 3]) {
  test(`a failure aside is a failure of what waits for it, with ${workerCount} workers`, async (t) => {
    const resources = { ...DEFAULTS, workerCount };
    const beside = new TablesBeside(temporaryFolder(t), DEFAULTS, resources, 4, { firstNewSweep: 1 });
    t.after(() => beside.stop());
    beside.goOn();
    await assert.rejects(beside.copies(), /ENOENT/);
    await assert.rejects(beside.written(), /ENOENT/);
    // Before the folder goes.
    await beside.stop();
  });
}

test('a join that holds more than half of the budget waits for what works aside', async (t) => {
  const beside = new TablesBeside(temporaryFolder(t), DEFAULTS, DEFAULTS, 4, { firstNewSweep: 1 });
  t.after(() => beside.stop());
  beside.goOn();
  await beside.makeRoom(DEFAULTS.memoryBytes / 2);
  // It waits for a failure.
  await assert.rejects(beside.makeRoom(DEFAULTS.memoryBytes / 2 + 1), /ENOENT/);
  await beside.stop();
});

test('work aside can be stopped', async (t) => {
  const { path, task } = await untilClusters(t);
  // One that is warm may be done before it is stopped.
  await endIdleThreads();
  const aside = new Background(path, task);
  aside.begin('labels', 1);
  await aside.stop();
  await assert.rejects(aside.result('labels'), /a thread ended/);
});

longTest('what works aside ends with the build that it is for', async (t) => {
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

test('work goes aside where there are threads, pages enough and room', () => {
  const many = 1 << 14;
  const work = { entryCount: 0, featureCount: 0, k: 32, threadCount: 2 };
  const memoryBytes = Math.ceil(2 * graphBytes({ ...work, pageCount: many }).fixedBytes);
  const isWorth = (workerCount: number, pageCount: number, bytes = memoryBytes) =>
    isWorthAThread({ neighborLimit: 32 }, { workerCount, memoryBytes: bytes }, pageCount);
  assert.ok(isWorth(2, many));
  assert.ok(!isWorth(1, many));
  assert.ok(!isWorth(2, many - 1));
  assert.ok(!isWorth(2, many + 1), 'the joins need it');
});
