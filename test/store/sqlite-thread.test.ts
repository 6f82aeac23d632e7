/** Threads that are ended, and processes that exit, while native code is loaded: at the wrong moment, that is an abort. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { newFolder } from '../new-folder.ts';

const MODULE = JSON.stringify(new URL('../../src/store/sqlite-thread.ts', import.meta.url).href);

const thread = (code: string) => `data:text/javascript,${encodeURIComponent(code)}`;

/** Says that it begins to load a good while after it began to run. */
const SLOW = thread(`
  import { workerData } from 'node:worker_threads';
  import { startThread } from ${MODULE};
  const wait = new Int32Array(new SharedArrayBuffer(4));
  Atomics.wait(wait, 0, 0, 150);
  Atomics.store(workerData.data, 0, 1);
  startThread();
`);
const BROKEN = thread('throw new Error("no such file")');
const NESTED = thread(`
  import { SqliteThread, startThread } from ${MODULE};
  const began = startThread();
  new SqliteThread(new URL(${JSON.stringify(SLOW)}), began);
  Atomics.store(began, 1, 1);
  Atomics.notify(began, 1);
`);

/** What a program prints that has SqliteThread, and `began`: whether SLOW began to load, and whether NESTED made its own. */
function printedBy(program: string): string {
  const folder = newFolder('sqlite-thread');
  const file = join(folder, 'program.mjs');
  writeFileSync(
    file,
    `import { SqliteThread } from ${MODULE};
    const began = new Int32Array(new SharedArrayBuffer(8));
    ${program}`,
  );
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--conditions=akin-source', file], {
    env,
    encoding: 'utf8',
    timeout: 20_000,
  });
  rmSync(folder, { recursive: true });
  assert.equal(status, 0, stderr);
  return stdout.trim();
}

test('a thread that is ended has loaded its native code', () => {
  const program = `
    const thread = new SqliteThread(new URL(${JSON.stringify(SLOW)}), began);
    await thread.terminate();
    console.log(began[0]);
  `;
  assert.equal(printedBy(program), '1');
});

test('a process exits when its threads, and theirs, have loaded their native code', () => {
  const own = `
    new SqliteThread(new URL(${JSON.stringify(SLOW)}), began);
    process.on('exit', () => console.log(began[0]));
    process.exit();
  `;
  assert.equal(printedBy(own), '1');
  const theirs = `
    new SqliteThread(new URL(${JSON.stringify(NESTED)}), began);
    process.on('exit', () => console.log(began[0]));
    Atomics.wait(began, 1, 0);
    process.exit();
  `;
  assert.equal(printedBy(theirs), '1');
});

test('nothing waits for a thread that failed before it could load', () => {
  const program = `
    const thread = new SqliteThread(new URL(${JSON.stringify(BROKEN)}), began);
    const { message } = await new Promise((done) => thread.once('error', done));
    await thread.terminate();
    console.log(message);
  `;
  assert.equal(printedBy(program), 'no such file');
});
