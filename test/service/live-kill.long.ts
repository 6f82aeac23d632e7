/** Servers that take pages are killed at any moment: nothing answered is lost, nothing deleted comes back. */
import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, statSync, utimesSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { splitIndex } from '../../src/indexer/shards/split-index.ts';
import { Random } from '../../src/lib/random.ts';
import { openIndex } from '../../src/service/reads/shards/open-shards.ts';
import { PageJournal } from '../../src/store/journal/page-journal.ts';
import { finishShards } from '../../src/store/publish-shards.ts';
import { IndexReader } from '../../src/store/read/reader.ts';
import { shardOf } from '../../src/url/shard.ts';
import { noting } from '../indexer/build.ts';
import { buildFixture, temporaryFolder } from './fixture-index.ts';

const PAGES = 60;
const PORT = 20_000 + (process.pid % 20_000);
const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));
const PUBLISHER = fileURLToPath(new URL('./publish-child.ts', import.meta.url));
const at = (path: string) => `http://127.0.0.1:${PORT}${path}`;
const pageUrl = (i: number) => `https://live.example/page/${i}`;

async function started(paths: readonly string[]): Promise<ChildProcess> {
  const argv = [
    'serve',
    ...paths,
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

interface State {
  isOver: boolean;
  count: number;
  /** What a page is to be: a number of its text, or gone; several where a write was not answered. */
  readonly wanted: Map<number, (number | null)[]>;
}

async function write(random: Random, state: State): Promise<void> {
  const { wanted } = state;
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
function standing(paths: readonly string[]): Map<number, number | null> {
  const found = new Map<number, number | null>();
  for (const folder of new Set(paths.map(dirname))) finishShards(folder);
  const readers = paths.map((path) => IndexReader.open(path));
  const sweepsOf = (reader: IndexReader) => reader.sweeps().map(({ name }) => name);
  for (const reader of readers) assert.deepEqual(sweepsOf(reader), sweepsOf(readers[0]!), 'all of one state');
  const name = `${paths[0]}.pages`;
  const journal = PageJournal.open(name);
  const folded = readers[0]!
    .sweeps()
    .flatMap(({ name: sweep }) =>
      sweep.startsWith(`live-${journal.id}-`) ? [Number(sweep.split('-').at(-1))] : [],
    );
  const last = Math.max(0, ...folded);
  for (let page = 0; page < PAGES; page++) {
    const reader = readers[shardOf(pageUrl(page), readers.length)]!;
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
  for (const reader of readers) reader.close();
  return found;
}

async function killServers(
  paths: readonly string[],
  { kills, longestMs, folds }: { kills: number; longestMs: number; folds: number },
): Promise<void> {
  const random = new Random(11);
  const state: State = { isOver: false, count: 0, wanted: new Map() };
  for (let kill = 0; kill < kills; kill++) {
    const server = await started(paths);
    state.isOver = false;
    const writing = Promise.all([write(random, state), write(random, state)]);
    await delay(500 + random.below(longestMs));
    server.kill('SIGKILL');
    state.isOver = true;
    await writing;
    await new Promise((resolve) =>
      server.exitCode === null && server.signalCode === null ? server.once('exit', resolve) : resolve(null),
    );
    for (const [page, number] of standing(paths)) {
      const allowed = state.wanted.get(page) ?? [null];
      assert.ok(allowed.includes(number), `kill ${kill}, page ${page}: ${number}, not ${allowed}`);
      state.wanted.set(page, [number]);
    }
  }
  const sweeps = IndexReader.open(paths[0]!)
    .sweeps()
    .filter(({ name }) => name.startsWith('live-'));
  assert.ok(sweeps.length >= folds, `${sweeps.length} folds`);
  assert.ok(state.count > 300, `${state.count} writes`);
}

test('20 servers are killed while they take pages and fold them in', { timeout: 600_000 }, async () => {
  const indexPath = join(temporaryFolder({ after }), 'live.akin');
  await buildFixture(indexPath);
  await killServers([indexPath], { kills: 20, longestMs: 3500, folds: 3 });
});

async function splitFixture(shardCount: number): Promise<string[]> {
  const folder = temporaryFolder({ after });
  const source = join(folder, 'whole.akin');
  await buildFixture(source);
  const options = {
    source,
    shardCount,
    folder: join(folder, 'shards'),
    memoryBytes: 64 << 20,
    workerCount: 1,
  };
  return (await splitIndex(options, noting().listener)).shards.map(({ path }) => path);
}

test('12 servers of three shards are killed in the same way', { timeout: 600_000 }, async () => {
  await killServers(await splitFixture(3), { kills: 12, longestMs: 12_000, folds: 2 });
});

test('a process that is killed while it puts shards in place leaves all of one state', async () => {
  const one = await splitFixture(3);
  const folder = dirname(one[0]!);
  const other = await splitFixture(3);
  const states = [join(folder, 'one'), join(folder, 'other')];
  for (const [i, state] of states.entries()) {
    mkdirSync(state);
    for (const path of i === 0 ? one : other) copyFileSync(path, join(state, basename(path)));
    // Each has times of its own, as nothing of it is read here.
    for (const name of readdirSync(state)) utimesSync(join(state, name), 1000 * (i + 1), 1000 * (i + 1));
  }
  const met = new Set<string>();
  const random = new Random(5);
  // On a busy machine some states are rarely met.
  for (let kill = 0; kill < 60 || (met.size < 4 && kill < 600); kill++) {
    const publisher = fork(PUBLISHER, [folder, ...states], { execArgv: ['--conditions=akin-source'] });
    await new Promise((resolve) => publisher.once('message', resolve));
    await delay(random.below(30));
    publisher.kill('SIGKILL');
    await new Promise((resolve) => publisher.once('exit', resolve));
    const isBetween = existsSync(join(folder, 'shards.publishing'));
    const index = await openIndex(one);
    index.close();
    const times = new Set(one.map((path) => statSync(path).mtimeMs));
    assert.equal(times.size, 1, `kill ${kill}`);
    met.add(`${isBetween} ${[...times]}`);
  }
  assert.equal(met.size, 4, `both states, between and behind: ${[...met]}`);
});
