/** A program that waits for a thread alone. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';

const ROOM = new URL('../../src/service/threads/', import.meta.url);

test('a process waits for the job of a thread, and not for a thread without one', () => {
  const worker = `
    import { answerJobs } from ${JSON.stringify(new URL('jobs.ts', ROOM).href)};
    answerJobs((ms) => new Promise((done) => setTimeout(done, ms, 'slept ' + ms)));
  `;
  const program = `
    import { Thread } from ${JSON.stringify(new URL('thread.ts', ROOM).href)};
    const url = new URL('data:text/javascript,' + encodeURIComponent(${JSON.stringify(worker)}));
    const thread = new Thread(url, {}).unref();
    console.log(await Promise.all([thread.run(150), thread.run(1)]));
  `;
  const argv = ['--conditions=akin-source', '--input-type=module', '--eval', program];
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, argv, {
    env,
    encoding: 'utf8',
    timeout: 20_000,
  });
  assert.equal(stdout, "[ 'slept 150', 'slept 1' ]\n", stderr);
  assert.equal(status, 0);
});
