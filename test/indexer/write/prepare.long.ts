/** Whole builds that work aside. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { checkIndex } from '../../../src/store/check/check.ts';
import { build } from '../build.ts';
import { startBuild } from '../child.ts';
import { linkedPages } from './linked-pages.ts';

test('tables written aside are those that one thread writes, and go to a full disk as others do', async (t) => {
  const options = linkedPages(t);
  const { report } = await build(t, { ...options, target: `${options.target}.1`, workerCount: 1 });
  for (const workerCount of [2, 3]) {
    const aside = await build(t, { ...options, target: `${options.target}.${workerCount}`, workerCount });
    assert.equal(aside.report.generation, report.generation);
    assert.deepEqual(checkIndex(aside.report.target).faults, []);
  }
  const said = await startBuild(options, `ulimit -f ${report.indexBytes >> 11}`).ended;
  assert.match(said, /started neighbors[\s\S]*error AKIN_ERR_DISK cannot write/);
  assert.ok(!existsSync(options.target));
});
