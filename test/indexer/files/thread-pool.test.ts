/** Tasks on threads: in any number, with errors that keep their class, and threads that end. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { CorruptError } from '../../../src/errors.ts';
import { endIdleThreads, Thread, ThreadEndError } from '../../../src/indexer/files/threads/thread.ts';
import { ThreadPool } from '../../../src/indexer/files/threads/thread-pool.ts';
import type { PoolTask } from './pool-worker.ts';

// Of threads that start from here on: one that takes all it can get ends soon.
setFlagsFromString('--max-old-space-size=40');

type Task = number | 'name' | 'throw' | 'exhaust' | 'recurse' | 'end';

/** A task that is a number travels as a buffer that is handed over: it can be sent once. */
function openPool(t: TestContext, threadCount: number, tasksAtThread = 1, isBroken = false) {
  const pack = (task: Task) => {
    if (typeof task === 'string') return { message: { what: task }, transferList: [] };
    const bytes = Uint8Array.of(task);
    return { message: { what: 'answer', bytes } as const, transferList: [bytes.buffer] };
  };
  const url = new URL('./pool-worker', import.meta.url);
  const pool = new ThreadPool<Task, Uint8Array<ArrayBuffer>, PoolTask>(
    url,
    threadCount,
    { isBroken },
    pack,
    tasksAtThread,
  );
  t.after(() => pool.close());
  return pool;
}

test('every task has its own result, whatever the number of threads', async (t) => {
  for (const [threadCount, tasksAtThread] of [
    [1, 1],
    [1, 2],
    [3, 2],
  ] as const) {
    const pool = openPool(t, threadCount, tasksAtThread);
    const tasks = Array.from({ length: 50 }, (_, task) => task);
    const results = await Promise.all(tasks.map((task) => pool.run(task)));
    assert.deepEqual(
      results.map(([byte]) => byte),
      tasks.map((task) => task + 1),
    );
  }
});

test('an error in a thread keeps its class, code and hint, and the thread goes on', async (t) => {
  const pool = openPool(t, 1);
  const [thrown, after] = await Promise.allSettled([pool.run('throw'), pool.run(1)]);
  assert.ok(thrown.status === 'rejected' && thrown.reason instanceof CorruptError);
  assert.equal(thrown.reason.code, 'AKIN_ERR_INDEX_CORRUPT');
  assert.equal(thrown.reason.hint, 'build it again');
  assert.match(thrown.reason.stack!, /pool-worker/);
  assert.ok(after.status === 'fulfilled' && after.value[0] === 2);
});

test('an error while a thread starts is that of its tasks', async (t) => {
  const pool = openPool(t, 2, 1, true);
  const results = await Promise.allSettled([pool.run(1), pool.run(2), pool.run(3)]);
  for (const result of results)
    assert.ok(result.status === 'rejected' && result.reason instanceof CorruptError);
});

for (const [task, code] of [
  ['exhaust', 'ERR_WORKER_OUT_OF_MEMORY'],
  ['recurse', 'ERR_WORKER_ENDED'],
  ['end', 'ERR_WORKER_ENDED'],
] as const) {
  test(`a thread that ends (${task}) fails its task alone; another takes its place`, async (t) => {
    const pool = openPool(t, 1, 3);
    const results = await Promise.allSettled([pool.run(1), pool.run(task), pool.run(2), pool.run(3)]);
    const [ended] = results.splice(1, 1);
    assert.ok(ended?.status === 'rejected' && ended.reason instanceof ThreadEndError);
    assert.equal(ended.reason.code, code);
    assert.deepEqual(
      results.map((result) => result.status === 'fulfilled' && result.value[0]),
      [2, 3, 4],
    );
  });
}

async function nameOfThread(): Promise<unknown> {
  const url = new URL('./pool-worker', import.meta.url);
  const thread = new Thread<PoolTask, Uint8Array<ArrayBuffer>>(url, { isBroken: false });
  const [name] = await thread.ask({ what: 'name' });
  await thread.stop();
  return name;
}

test('threads of a build wait a little for the next one', async (t) => {
  t.after(() => endIdleThreads());
  await endIdleThreads();
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const name = await nameOfThread();
  await endIdleThreads(2000);
  t.mock.timers.tick(1000);
  assert.equal(await nameOfThread(), name);
  await endIdleThreads(2000);
  t.mock.timers.tick(1000);
  assert.equal(await nameOfThread(), name, 'from the end of the last build on');
  t.mock.timers.tick(1000);
  assert.notEqual(await nameOfThread(), name);
});

test('a thread takes one task after the other, and ends with the last', async (t) => {
  t.after(() => endIdleThreads());
  // Those of other tests.
  await endIdleThreads();
  const name = await nameOfThread();
  assert.equal(await nameOfThread(), name);
  await endIdleThreads();
  const other = await nameOfThread();
  assert.notEqual(other, name);
  // A build of the same process that goes on meanwhile takes none of those that end.
  const ending = endIdleThreads();
  const third = await nameOfThread();
  await ending;
  assert.notEqual(third, other);
});

test('a pool leaves a thread to what another one is at', async (t) => {
  const gate = new Int32Array(new SharedArrayBuffer(4));
  const other = new Thread<PoolTask, Uint8Array>(new URL('./pool-worker', import.meta.url), {
    isBroken: false,
  });
  const waiting = other.ask({ what: 'wait', gate });
  const pool = openPool(t, 2);
  const names = async () => {
    const results = await Promise.all(Array.from({ length: 8 }, () => pool.run('name')));
    return new Set(results.map(([name]) => name));
  };
  assert.equal((await names()).size, 1);
  Atomics.store(gate, 0, 1);
  Atomics.notify(gate, 0);
  await waiting;
  assert.equal((await names()).size, 2);
  await other.stop();
});

test('a pool that is closed lets no task wait', async (t) => {
  const pool = openPool(t, 1);
  const runs = Promise.allSettled(['exhaust' as const, 1, 2].map((task) => pool.run(task)));
  await pool.close();
  assert.deepEqual(
    (await runs).map(({ status }) => status),
    ['rejected', 'rejected', 'rejected'],
  );
});
