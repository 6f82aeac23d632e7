/** Threads that are ended, and processes that exit, while native code is loaded: at the wrong moment, that is an abort. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { printedBy } from '../run-program.ts';

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
function printedByThreads(program: string): string {
  const text = `
    import { SqliteThread } from ${MODULE};
    const began = new Int32Array(new SharedArrayBuffer(8));
    ${program}
  `;
  return printedBy(text).trim();
}

test('a thread that is ended has loaded its native code', () => {
  const program = `
    const thread = new SqliteThread(new URL(${JSON.stringify(SLOW)}), began);
    await thread.terminate();
    console.log(began[0]);
  `;
  assert.equal(printedByThreads(program), '1');
});

test('a process exits when its threads, and theirs, have loaded their native code', () => {
  const own = `
    new SqliteThread(new URL(${JSON.stringify(SLOW)}), began);
    process.on('exit', () => console.log(began[0]));
    process.exit();
  `;
  assert.equal(printedByThreads(own), '1');
  const theirs = `
    new SqliteThread(new URL(${JSON.stringify(NESTED)}), began);
    process.on('exit', () => console.log(began[0]));
    Atomics.wait(began, 1, 0);
    process.exit();
  `;
  assert.equal(printedByThreads(theirs), '1');
});

test('nothing waits for a thread that failed before it could load', () => {
  const program = `
    const thread = new SqliteThread(new URL(${JSON.stringify(BROKEN)}), began);
    const { message } = await new Promise((done) => thread.once('error', done));
    await thread.terminate();
    console.log(message);
  `;
  assert.equal(printedByThreads(program), 'no such file');
});
