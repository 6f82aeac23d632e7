/** A program that waits for a thread alone. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { printedBy } from '../run-program.ts';

const ROOM = new URL('../../src/service/threads/', import.meta.url);

/** What a program prints that has `url`, that of the file of a thread, and Thread. */
function printedByThreads(program: string): string {
  const worker = `
    import { threadId } from 'node:worker_threads';
    import { answerJobs } from ${JSON.stringify(new URL('jobs.ts', ROOM).href)};
    let closed = '';
    answerJobs(async ({ name }) => ({
      answer: (ms) => new Promise((done) => setTimeout(done, ms, [threadId, name, ms + closed].join(' '))),
      close: () => { closed += ' after ' + name; },
    }));
  `;
  const text = `
    import { Thread } from ${JSON.stringify(new URL('thread.ts', ROOM).href)};
    const url = new URL('data:text/javascript,' + encodeURIComponent(${JSON.stringify(worker)}));
    ${program}
  `;
  return printedBy(text);
}

test('a process waits for the job of a thread, and not for a thread without one', () => {
  const program = `
    const thread = new Thread(url, { name: 'a' }).unref();
    console.log((await Promise.all([thread.run(150), thread.run(1)])).join());
  `;
  assert.equal(printedByThreads(program), '1 a 150,1 a 1\n');
});

test('a thread that is let go serves the next of its file, and one that has a job ends', () => {
  const program = `
    const thread = new Thread(url, { name: 'a' }).unref();
    await thread.run(1);
    thread.letGo(new Error());
    const next = new Thread(url, { name: 'b' }).unref();
    console.log(await next.run(1));
    const late = next.run(5_000).catch(({ message }) => message);
    await new Promise((done) => setTimeout(done, 20));
    next.letGo(new Error('it is over'));
    console.log(await late);
    console.log(await new Thread(url, { name: 'c' }).unref().run(1));
  `;
  assert.equal(printedByThreads(program), '1 b 1 after a\nit is over\n2 c 1\n');
});
