/** One process takes pages, others show them: what was written is read from any of them, through a fold and a kill, or it says that it is behind. */
import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { IndexReader } from '../../../src/store/read/reader.ts';
import { type Body, pathOf } from '../fixture-app.ts';
import { buildFixture, fixturePages, GARDEN, temporaryFolder } from '../fixture-index.ts';

const MAIN = fileURLToPath(new URL('../../../src/cli/main.ts', import.meta.url));
const PAGES = 6;

interface Server {
  readonly process: ChildProcess;
  at(path: string): string;
}

async function serve(indexPath: string, ...flags: string[]): Promise<Server> {
  const argv = ['serve', indexPath, '--port', '0', '--no-explorer', '--log-level', 'error', ...flags];
  const process = fork(MAIN, argv, {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    execArgv: ['--conditions=akin-source'],
  });
  after(() => process.kill('SIGKILL'));
  for await (const chunk of process.stdout!) {
    const address = /http:\/\/[\d.:]+/.exec(String(chunk))?.[0];
    if (address !== undefined) return { process, at: (path) => `${address}${path}` };
  }
  throw new Error('the server ended before it listened');
}

test('what a process has written is read from the others, or they say that they are behind', async () => {
  const indexPath = join(temporaryFolder({ after }), 'live.akin');
  await buildFixture(indexPath);
  let writer = await serve(indexPath, '--writable', '--fold-share', '1');
  const readers = await Promise.all([serve(indexPath, '--follow'), serve(indexPath, '--follow')]);
  const texts = fixturePages().slice(0, PAGES);
  const pageUrl = (i: number) => `https://live.example/${i}`;
  const send = async (path: string, method: string, body?: object) => {
    const headers = { 'content-type': 'application/json' };
    const init = body === undefined ? {} : { body: JSON.stringify(body), headers };
    const answer = await fetch(writer.at(path), { method, ...init });
    assert.ok(answer.ok, `${method} ${path}: ${answer.status}`);
    return (await answer.json()) as { sequence: number };
  };
  const put = (i: number, title: string) => {
    const text = texts[i]!.html.replace(/<[^>]*>/g, ' ');
    return send(pathOf('/pages', { url: pageUrl(i) }), 'PUT', { title, text });
  };
  let behindCount = 0;
  /** The answer of a reader that knows the write; until then each is a 503 that says when to ask again. */
  const read = async ({ at }: Server, path: string, query: object, sequence: number) => {
    for (let tries = 0; tries < 500; tries++) {
      const answer = await fetch(at(pathOf(path, { ...query, min_sequence: sequence })));
      const known = Number(answer.headers.get('akin-sequence'));
      if (answer.status !== 503) {
        assert.ok(known >= sequence, `${known}, asked for ${sequence}`);
        return { status: answer.status, body: (await answer.json()) as Body };
      }
      const { code } = (await answer.json()) as Body;
      assert.deepEqual([code, answer.headers.get('retry-after')], ['behind', '1']);
      behindCount++;
      await delay(5);
    }
    throw new Error(`it stays behind ${sequence}`);
  };
  const requireRead = async (i: number, title: string | null, sequence: number) => {
    for (const reader of readers) {
      const { status, body } = await read(reader, '/page', { url: pageUrl(i) }, sequence);
      if (title !== null) assert.deepEqual([status, body.title], [200, title]);
      const listed = await read(reader, '/related', { url: `${GARDEN}0`, limit: 100 }, sequence);
      const found = listed.body.related.find(({ url }: { url: string }) => url === pageUrl(i));
      assert.equal(found?.title ?? null, title);
    }
  };
  for (let i = 0; i < PAGES; i++) await requireRead(i, `New ${i}`, (await put(i, `New ${i}`)).sequence);
  assert.ok(behindCount < 500, `${behindCount}`);
  // Nothing is written where pages are shown.
  const refused = await fetch(readers[0]!.at(pathOf('/pages', { url: pageUrl(0) })), { method: 'DELETE' });
  assert.equal(((await refused.json()) as Body).code, 'pages-off');

  const folding = send('/pages/fold', 'POST');
  for (let i = 0; i < PAGES; i++) await requireRead(i, `During ${i}`, (await put(i, `During ${i}`)).sequence);
  await folding;
  const { id } = (await (await fetch(writer.at('/pages/fold'), { method: 'POST' })).json()) as { id: string };
  for (let state = ''; state !== 'done'; await delay(50)) {
    ({ state } = (await (await fetch(writer.at(`/folds/${id}`))).json()) as { state: string });
    assert.notEqual(state, 'failed');
  }
  // Behind the fold, before and behind the moment at which a reader changes to its index.
  for (let i = 0; i < PAGES; i++) {
    await requireRead(i, null, (await send(pathOf('/pages', { url: pageUrl(i) }), 'DELETE')).sequence);
    await requireRead(i, `After ${i}`, (await put(i, `After ${i}`)).sequence);
    await delay(100);
  }
  writer.process.kill('SIGKILL');
  await once(writer.process, 'exit');
  const last = await fetch(readers[0]!.at('/livez'));
  const sequence = Number(last.headers.get('akin-sequence'));
  await requireRead(0, 'After 0', sequence);
  writer = await serve(indexPath, '--writable');
  await requireRead(1, 'Again', (await put(1, 'Again')).sequence);
  readers[0] = await serve(indexPath, '--follow');
  await requireRead(1, 'Again', sequence + 1);
  const reader = IndexReader.open(indexPath);
  assert.ok(reader.sweeps().some(({ name }) => name.startsWith('live-')));
  reader.close();
});
