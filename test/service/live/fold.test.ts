/** What an app says besides the text of its pages - rules, features and vectors of its own - holds before, through and behind a real fold. */
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { buildIndex } from '../../../src/indexer/build-index.ts';
import { additionTo } from '../../../src/indexer/options/stored-options.ts';
import { splitIndex } from '../../../src/indexer/shards/split-index.ts';
import type { RunFold } from '../../../src/service/live/folds.ts';
import { DEFAULTS, input, noting } from '../../indexer/build.ts';
import { longTest } from '../../long-test.ts';
import { type Body, fixtureApp, pathOf, type Query } from '../fixture-app.ts';
import { temporaryFolder } from '../fixture-index.ts';

const MAIN = fileURLToPath(new URL('../../../src/cli/main.ts', import.meta.url));
const HOST = 'https://shop.example/';
const TEXTS = [
  'green tea leaves of spring, steamed and rolled by hand',
  'black tea leaves, withered and rolled',
  'white tea of spring buds, withered by the sun',
  'a kettle of iron for water that is hot',
  'a cup of clay for green tea and for black tea',
  'a tin that keeps tea leaves dry',
];
const named = (name: string | number) => `${HOST}${name}`;
/** Of a circle, so that what is near is seen. */
const vector = (degrees: number) => [
  Math.cos((degrees * Math.PI) / 180),
  Math.sin((degrees * Math.PI) / 180),
  0.1,
];
const PAGES = TEXTS.map((text, i) => ({
  url: named(i),
  title: `Page ${i}`,
  text,
  features: { kind: { [i < 3 ? 'leaf' : 'tool']: 1, [`own${i}`]: 1 } },
  vectors: { mini: vector(40 * i) },
}));

async function split(source: string, shardCount: number): Promise<readonly string[]> {
  const folder = join(temporaryFolder({ after }), 'shards');
  const options = { source, shardCount, folder, memoryBytes: 64 << 20, workerCount: 1 };
  return (await splitIndex(options, noting().listener)).shards.map(({ path }) => path);
}

/** An addition by this process. */
function adding(target: string): RunFold {
  return async (paths, sweepName) => {
    const { memoryBytes } = DEFAULTS;
    const how = { memoryBytes, workerCount: 1, isWhole: false };
    const inputs = paths.map((path) => input(path));
    await buildIndex(additionTo({ target, sweepName, inputs, ...how }), noting().listener);
    return true;
  };
}

/** `akin add`, as a server has it run: it knows shards, too. */
function addingAside(target: string): RunFold {
  return (inputs, sweep) =>
    new Promise((resolve) => {
      const argv = ['add', ...inputs, '--to', target, '--sweep', sweep];
      const child = fork(MAIN, argv, { stdio: 'ignore', execArgv: ['--conditions=akin-source'] });
      child.once('exit', (code) => resolve(code === 0));
    });
}

async function requireHeld(shardCount: number | null): Promise<void> {
  const folder = temporaryFolder({ after });
  const target = join(folder, 'shop.akin');
  const path = join(folder, 'pages.jsonl');
  writeFileSync(path, PAGES.map((page) => JSON.stringify(page)).join('\n'));
  await buildIndex(
    { ...DEFAULTS, target, inputs: [input(path)], minPageCount: 1, maxPageShare: 1 },
    noting().listener,
  );
  const shards = shardCount === null ? null : await split(target, shardCount);
  const limits = { maxPending: 100, maxPendingBytes: 2 ** 24, share: 2, waitMs: 1e9 };
  const run = shards === null ? adding(target) : addingAside(dirname(shards[0]!));
  const indexPath = shards ?? target;
  const app = await fixtureApp('', { indexPath, live: { ...limits, run } });
  const follower = await fixtureApp('', { indexPath, follow: true });
  const send = async (method: 'PUT' | 'POST' | 'DELETE', path: string, payload?: object, headers = {}) => {
    const answer = await app.inject({ method, url: path, headers, ...(payload && { payload }) });
    assert.ok(answer.statusCode < 300, `${method} ${path}: ${answer.body}`);
    return answer.json() as Body;
  };
  const related = async (name: string | number, query: Query = {}) => {
    const answer = await app.inject(pathOf('/related', { url: named(name), limit: 20, ...query }));
    assert.equal(answer.statusCode, 200, answer.body);
    return (answer.json() as Body).related as { url: string; pinned?: true; similarity: number }[];
  };
  const urls = (list: readonly { url: string }[]) => list.map(({ url }) => url);

  const put = (name: string | number, record: object) =>
    send('PUT', pathOf('/pages', { url: named(name) }), record);
  // Of the same features as page 0, and nearest to page 5 by its vector; page 4 turns to page 0.
  const { features } = PAGES[0]!;
  await put('new', { title: 'New', text: TEXTS[0], features, vectors: { mini: vector(195) } });
  await put(4, { ...PAGES[4], vectors: { mini: vector(5) } });
  await send('DELETE', pathOf('/pages', { url: named(2) }));
  const { not_indexed } = await send('PUT', '/rules', {
    rules: [
      { url: named(0), pin: [named('new')] },
      { url: named(3), pin: [named(2)] },
      { block: [named(5)] },
    ],
  });
  assert.deepEqual(not_indexed, [named(2)]);

  const requireAll = async (when: string) => {
    const list = await related(0);
    assert.deepEqual([list[0]!.url, list[0]!.pinned], [named('new'), true], when);
    assert.ok(!urls(list).includes(named(5)), `${when}: blocked`);
    assert.ok(!urls(list).includes(named(2)), `${when}: gone`);
    assert.ok(!urls(await related(3)).includes(named(2)), `${when}: pinned, and gone`);
    const meaning = { by: 'meaning', vector: 'mini' };
    assert.equal((await related(4, meaning))[0]!.url, named(0), when);
    assert.equal(
      (await related('new', meaning)).at(0)!.url,
      named(3),
      `${when}: 5 is blocked, 4 is elsewhere`,
    );
    const same = await related(0, { by: 'own-features' });
    assert.deepEqual([urls(same)[0], same[0]!.similarity], [named('new'), 1], when);
  };
  await requireAll('before');
  // A day: as long as is waited at all.
  const folding = send('POST', '/pages/fold', undefined, { prefer: 'wait=86400' });
  await requireAll('meanwhile');
  assert.equal((await folding)['state'], 'done');
  assert.equal((await app.inject('/rules')).json().rules.length, 3);
  await follower.holder.check();
  const asked = pathOf('/related', { url: named(0), min_sequence: app.holder.sequence! });
  assert.deepEqual((await follower.inject(asked)).json(), (await app.inject(asked)).json());
  const { body } = await app.inject('/pages/pending');
  assert.equal(JSON.parse(body).count, 0);
  await requireAll('behind');
  // Nothing that was folded in stays on the disk beside the index.
  for (const name of readdirSync(folder).filter((one) => one.startsWith('shop.akin.pages')))
    assert.ok(!readFileSync(join(folder, name)).includes('steamed'), name);
}

test('rules, own features and vectors of pages that wait hold through a fold', () => requireHeld(null));

longTest('and through one of an index in shards', () => requireHeld(3));
