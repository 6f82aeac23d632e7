/** Servers that take pages are killed at any moment: nothing answered is lost, nothing deleted comes back. */
import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Random } from '../../src/lib/random.ts';
import { PageJournal } from '../../src/store/journal/page-journal.ts';
import { IndexReader } from '../../src/store/read/reader.ts';
import { buildFixture, temporaryFolder } from './fixture-index.ts';

const KILLS = 20;
const PAGES = 60;
const PORT = 20_000 + (process.pid % 20_000);
const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));
const indexPath = join(temporaryFolder({ after }), 'live.akin');
const at = (path: string) => `http://127.0.0.1:${PORT}${path}`;
const pageUrl = (i: number) => `https://live.example/page/${i}`;

async function started(): Promise<ChildProcess> {
  const argv = [
    'serve',
    indexPath,
    '--writable',
    '--port',
    String(PORT),
    '--fold-after-ms',
    '1000',
    '--no-explorer',
  ];
  const server = fork(MAIN, argv, {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    execArgv: ['--conditions=akin-source'],
  });
  for (;;) {
    const isReady = await fetch(at('/readyz')).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return server;
    assert.equal(server.exitCode, null, 'the server ended by itself');
    await delay(50);
  }
}

/** What a page is to be: a number of its text, or gone; several where a write was not answered. */
const wanted = new Map<number, (number | null)[]>();

async function write(random: Random, state: { isOver: boolean; count: number }): Promise<void> {
  while (!state.isOver) {
    const page = random.below(PAGES);
    const before = wanted.get(page) ?? [null];
    const number = random.below(4) === 0 ? null : state.count + 1;
    wanted.set(page, [...before, number]);
    const url = at(`/pages?url=${encodeURIComponent(pageUrl(page))}`);
    const body = JSON.stringify({
      title: `state ${number}`,
      text: `rose petal thorn state number ${number}`,
    });
    const init =
      number === null
        ? { method: 'DELETE' }
        : { method: 'PUT', body, headers: { 'content-type': 'application/json' } };
    const answer = await fetch(url, init).catch(() => null);
    if (answer === null) return;
    if (answer.ok) wanted.set(page, [number]);
    else if (answer.status === 404) wanted.set(page, [null]);
    else wanted.set(page, before);
    state.count++;
  }
}

/** What stands of a page in index and journal. */
function standing(): Map<number, number | null> {
  const found = new Map<number, number | null>();
  const reader = IndexReader.open(indexPath);
  const name = `${indexPath}.pages`;
  const journal = PageJournal.open(name);
  const folded = reader
    .sweeps()
    .flatMap(({ name: sweep }) =>
      sweep.startsWith(`live-${journal.id}-`) ? [Number(sweep.split('-').at(-1))] : [],
    );
  const last = Math.max(0, ...folded);
  for (let page = 0; page < PAGES; page++) {
    const id = reader.findPage(pageUrl(page));
    const isThere = id >= 0 && !reader.isGone(id);
    found.set(page, isThere ? Number(/state (\d+)/.exec(reader.page(id).title)?.[1]) : null);
    const pending = journal.get(pageUrl(page));
    if (pending === null || pending.sequence <= last) continue;
    const record = [...journal.records(0, pending.sequence)]
      .map((text) => JSON.parse(text))
      .find(({ url }) => url === pageUrl(page));
    found.set(page, pending.isGone ? null : Number(/state (\d+)/.exec(record.title)![1]));
  }
  journal.close();
  reader.close();
  return found;
}

test(`${KILLS} servers are killed while they take pages and fold them in`, { timeout: 600_000 }, async () => {
  await buildFixture(indexPath);
  const random = new Random(11);
  const state = { isOver: false, count: 0 };
  for (let kill = 0; kill < KILLS; kill++) {
    const server = await started();
    state.isOver = false;
    const writing = Promise.all([write(random, state), write(random, state)]);
    await delay(500 + random.below(3500));
    server.kill('SIGKILL');
    state.isOver = true;
    await writing;
    await new Promise((resolve) =>
      server.exitCode === null && server.signalCode === null ? server.once('exit', resolve) : resolve(null),
    );
    for (const [page, number] of standing()) {
      const allowed = wanted.get(page) ?? [null];
      assert.ok(allowed.includes(number), `kill ${kill}, page ${page}: ${number}, not ${allowed}`);
      wanted.set(page, [number]);
    }
  }
  const sweeps = IndexReader.open(indexPath)
    .sweeps()
    .filter(({ name }) => name.startsWith('live-'));
  assert.ok(sweeps.length >= 3, `${sweeps.length} folds`);
  assert.ok(state.count > 500, `${state.count} writes`);
});
