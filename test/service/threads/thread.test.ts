/** A thread that is ended while answers of it are on their way: their jobs fail, and nothing else does. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Thread } from '../../../src/service/threads/thread.ts';

const FILE = new URL('./echo-worker.ts', import.meta.url);
const JOBS = 200;

for (const way of ['end', 'letGo'] as const) {
  test(`answers that come behind ${way}() are of jobs that have failed`, async () => {
    const thread = new Thread<number, number>(FILE, {});
    await thread.ready;
    const fault = new Error('it is not wanted any more');
    const jobs = Array.from({ length: JOBS }, (_, i) => thread.run(i));
    jobs[0]!.then(() => thread[way](fault));
    const said = await Promise.allSettled(jobs);
    const failed = said.filter(({ status }) => status === 'rejected');
    assert.ok(failed.length > 0, 'some were under way');
    for (const [i, one] of said.entries()) {
      if (one.status === 'fulfilled') assert.equal(one.value, i);
      else assert.equal(one.reason, fault);
    }
    await assert.rejects(thread.run(JOBS), fault, 'and one that comes later fails, too');
    // Until the thread is gone.
    while (process.getActiveResourcesInfo().includes('MessagePort'))
      await new Promise((next) => setTimeout(next, 5));
  });
}
