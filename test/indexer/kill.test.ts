import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildIndex } from '../../src/indexer/build-index.ts';
import type { BuildListener } from '../../src/indexer/files/stage-runner.ts';
import { longTest } from '../long-test.ts';
import { proveStore } from '../store/open-store.ts';
import { build, DEFAULTS, input, noting, temporaryFolder } from './build.ts';
import { startBuild } from './child.ts';
import { killAndGoOn } from './kill.ts';
import { toJsonl, villagePages } from './pages.ts';

longTest('a build killed behind a stage goes on or starts clean, and gives the same index', async (t) => {
  const folder = temporaryFolder(t);
  const path = join(folder, 'pages.jsonl');
  writeFileSync(path, toJsonl(villagePages(15)));
  const resumed = await killAndGoOn({ inputs: [input(path)], target: join(folder, 'a.akin') }, 1, 17);
  assert.ok(resumed.has('extract'), `some run went on behind a stage: ${[...resumed]}`);
});

test('a second build of one target is refused while the first runs, and hurts no one', async (t) => {
  const folder = temporaryFolder(t);
  const path = join(folder, 'pages.jsonl');
  writeFileSync(path, toJsonl(villagePages(10)));
  const target = join(folder, 'a.akin');
  const first = startBuild({ inputs: [input(path)], target });
  t.after(() => first.process.kill('SIGKILL'));
  await first.said('started extract');
  first.process.kill('SIGSTOP');
  const { listener } = noting();
  await assert.rejects(buildIndex({ ...DEFAULTS, inputs: [input(path)], target }, listener), {
    name: 'TransientError',
    code: 'AKIN_ERR_INDEX_BUSY',
  });
  first.process.kill('SIGCONT');
  assert.match(await first.ended, /generation/);
  proveStore(target);
});

longTest(
  'a changed input, a changed option and a changed stop word list start clean; a new worker count goes on',
  async (t) => {
    const folder = temporaryFolder(t);
    const path = join(folder, 'pages.jsonl');
    const target = join(folder, 'a.akin');
    const pages = villagePages(8);
    /** A build of these options that ends when the pages are merged; here, as it leaves what one leaves that is killed then. */
    const halfBuild = async () => {
      const listener: BuildListener = {
        ...noting().listener,
        stageEnded({ name }) {
          if (name === 'merge') throw new Error('far enough');
        },
      };
      const order = { ...DEFAULTS, inputs: [input(path)], target };
      await assert.rejects(buildIndex(order, listener), /far enough/);
    };
    const resumedStages = async (options: object) => {
      const { noted } = await build(t, { inputs: [input(path)], target, ...options });
      return noted.stages.filter((stage) => stage.resumed).map((stage) => stage.name);
    };
    writeFileSync(path, toJsonl(pages));
    await halfBuild();
    assert.deepEqual((await resumedStages({ workerCount: 2 })).slice(0, 3), ['extract', 'collapse', 'merge']);
    await halfBuild();
    assert.deepEqual(await resumedStages({ stopWords: 'rose\n' }), []);
    await halfBuild();
    assert.deepEqual(await resumedStages({ windowWords: 4 }), []);
    await halfBuild();
    writeFileSync(path, toJsonl(pages.slice(1)));
    assert.deepEqual(await resumedStages({}), []);
  },
);
