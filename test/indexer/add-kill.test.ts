import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { buildIndex } from '../../src/indexer/build-index.ts';
import { additionTo } from '../../src/indexer/options/stored-options.ts';
import { longTest } from '../long-test.ts';
import { proveStore } from '../store/open-store.ts';
import { killChanges } from './add-kill.ts';
import { input, noting, temporaryFolder } from './build.ts';
import { startAdd } from './child.ts';
import { toJsonl } from './pages.ts';
import { addSweeps, buildSweeps, firstSweep, secondSweep } from './sweeps.ts';

async function begun(t: TestContext) {
  const { target } = await buildSweeps(t, [firstSweep()]);
  const path = join(temporaryFolder(t), 'sweep.jsonl');
  writeFileSync(path, toJsonl(secondSweep()));
  /** The addition that `startAdd` starts, in this process. */
  const add = () => {
    const resources = { memoryBytes: 64 << 20, workerCount: 1 };
    const change = { target, inputs: [input(path)], sweepName: '', ...resources };
    return buildIndex(additionTo(change), noting().listener);
  };
  return { target, path, add };
}

test('an addition that is killed leaves the old index or the new one, and is made by the next', async (t) => {
  const { target, path, add } = await begun(t);
  const old = readFileSync(target);
  const { reports } = await addSweeps(t, [firstSweep(), secondSweep()]);
  const child = startAdd(target, path);
  await child.said('started collapse');
  child.process.kill('SIGKILL');
  assert.doesNotMatch(await child.ended, /error/);
  if (!readFileSync(target).equals(old)) proveStore(target);
  assert.equal((await add()).generation, reports[0]!.generation);
  proveStore(target);
  assert.ok(!existsSync(`${target}.work`), 'the work folder is gone');
});

longTest('an addition that is killed at some moment leaves the old index or the new one', async (t) => {
  const { target, path } = await begun(t);
  await killChanges(target, () => startAdd(target, path), 1, 7);
});

longTest(
  'of two additions at once one says that the other is at work, or finds its sweep there',
  async (t) => {
    const { target, path, add } = await begun(t);
    const first = startAdd(target, path);
    await first.said('started');
    const second = await add().then(
      ({ sweeps }) => sweeps,
      ({ code }) => code,
    );
    assert.match(await first.ended, /^generation /m);
    assert.match(String(second), /^(AKIN_ERR_INDEX_BUSY|sweep-\d)$/);
  },
);
