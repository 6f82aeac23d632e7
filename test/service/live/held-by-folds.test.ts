/** What a server acknowledged holds behind a fold, and what a fold would not take is refused. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { ConfigError } from '../../../src/errors.ts';
import { buildIndex } from '../../../src/indexer/build-index.ts';
import { additionTo } from '../../../src/indexer/options/stored-options.ts';
import type { RunFold } from '../../../src/service/live/folds.ts';
import { DEFAULTS, input, noting } from '../../indexer/build.ts';
import { type Body, fixtureApp, fixtureIndex, pathOf, type Query } from '../fixture-app.ts';
import { temporaryFolder } from '../fixture-index.ts';
import { recordIndexes } from '../record-indexes.ts';

const HOST = 'https://held.example/';
const text = (name: string) => `the page ${name} is of roses and of hedges`;
const page = (name: string, fetched_at: string, more: object = {}) => {
  return { url: `${HOST}${name}`, title: `First ${name}`, text: text(name), fetched_at, ...more };
};
const MAX_PAGE_BYTES = 2048;
const folder = temporaryFolder({ after });
const target = join(folder, 'held.akin');
const indexes = recordIndexes(folder);
await indexes.build(
  'held',
  [
    page('plain', '2026-01-06'),
    page('stale', '2026-01-06'),
    page('deleted', '2026-01-06'),
    page('ahead', '2030-01-01'),
    page('ahead-deleted', '2030-01-01'),
    page('last-day', '+275760-09-13T00:00:00.000Z'),
    page('left', '2026-01-01'),
    page('log', '2026-01-06'),
    page('kept', '2026-01-06'),
  ],
  { minPageCount: 1, maxPageShare: 1, maxPageBytes: MAX_PAGE_BYTES },
);
await indexes.add(target, 'gone', [
  { url: `${HOST}left`, status: 410, fetched_at: '2026-01-06' },
  { url: `${HOST}elsewhere`, status: 301, location: `${HOST}kept`, fetched_at: '2026-01-06' },
]);

/** As `akin add`, in this process. */
const run: RunFold = async (paths, sweepName) => {
  const { memoryBytes } = DEFAULTS;
  const how = { memoryBytes, workerCount: 1, isWhole: false, isSweepPerInput: false };
  const addition = additionTo({ target, sweepName, ...how, inputs: paths.map((path) => input(path)) });
  await buildIndex(addition, noting().listener);
  return true;
};
const limits = { maxPending: 100, maxPendingBytes: 2 ** 24, share: 2, waitMs: 1e9 };
const app = await fixtureApp('', { indexPath: target, live: { ...limits, run } });

async function send(method: 'PUT' | 'DELETE', name: string, payload?: object): Promise<Body> {
  const url = pathOf('/pages', { url: `${HOST}${name}` });
  return (await app.inject({ method, url, ...(payload && { payload }) })).json();
}
const get = async (path: string, query: Query) => (await app.inject(pathOf(path, query))).json() as Body;
const titleOf = async (name: string) => (await get('/page', { url: `${HOST}${name}` })).title;
const isGone = async (name: string) =>
  (await get('/related', { url: `${HOST}${name}` })).empty_reason === 'gone';

const put = (name: string, title: string, more: object = {}) =>
  send('PUT', name, { title, text: `${text(name)} again`, ...more });

test('what a server acknowledged holds behind a fold, whatever dates say', async () => {
  // A page whose date is ahead of the clock is changed and deleted.
  assert.equal((await put('ahead', 'New')).state, 'changed');
  assert.equal((await put('last-day', 'New')).state, 'changed');
  assert.equal((await send('DELETE', 'ahead-deleted')).state, 'deleted');
  // A record without a date is of now, and one of an earlier day does not take its place.
  const before = { fetched_at: '2026-01-02' };
  assert.equal((await put('stale', 'Third')).state, 'changed');
  assert.equal((await put('stale', 'Stale', before)).state, 'older');
  assert.equal((await send('DELETE', 'deleted')).state, 'deleted');
  assert.equal((await put('deleted', 'Stale', before)).state, 'older');
  // Nor that of an answer of the index that is no page.
  assert.equal((await put('left', 'Stale', before)).state, 'older');
  assert.equal((await put('elsewhere', 'Stale', before)).state, 'older');
  assert.equal((await put('elsewhere', 'Page')).state, 'added');
  // A text that is given as text is one, whatever characters it has.
  const log = { title: 'A pasted log', text: '\u0001\u0002\u0003 control characters of a pasted log' };
  assert.equal((await send('PUT', 'log', log)).state, 'changed');
  assert.equal((await send('PUT', 'mark', { title: 'Mark', text: '<\0a\0 a page of roses' })).state, 'added');

  const requireAll = async (when: string) => {
    for (const [name, title] of [
      ['ahead', 'New'],
      ['last-day', 'New'],
      ['stale', 'Third'],
      ['elsewhere', 'Page'],
      ['log', 'A pasted log'],
      ['mark', 'Mark'],
    ] as const)
      assert.equal(await titleOf(name), title, `${when}: ${name}`);
    for (const name of ['ahead-deleted', 'deleted', 'left'])
      assert.ok(await isGone(name), `${when}: ${name}`);
  };
  await requireAll('before');
  const texts = await Promise.all(
    ['log', 'mark'].map((name) => get('/compare', { a: `${HOST}${name}`, b: `${HOST}kept` })),
  );
  const folded = await app.inject({ method: 'POST', url: '/pages/fold', headers: { prefer: 'wait=60' } });
  assert.equal(folded.json().state, 'done', folded.body);
  assert.equal((await get('/pages/pending', {})).count, 0);
  await requireAll('behind');
  const after = await Promise.all(
    ['log', 'mark'].map((name) => get('/compare', { a: `${HOST}${name}`, b: `${HOST}kept` })),
  );
  assert.deepEqual(
    after.map(({ copy }) => copy),
    texts.map(({ copy }) => copy),
    'both read the same text',
  );
});

test('what a fold would leave out is refused with its reason', async () => {
  const large = await put('plain', 'Large', { text: 'rose '.repeat(500) });
  assert.deepEqual([large.code, large.status], ['body-too-large', 413]);
  const fields = { notes: 'x'.repeat(1000) };
  const card = await put('plain', 'Long card', { fields, description: 'x'.repeat(70_000) });
  assert.deepEqual([card.code, card.status], ['body-too-large', 413], 'a longer line than a build reads');
  const day = 86_400_000;
  const ahead = await put('plain', 'Ahead', { fetched_at: Date.now() + 1.1 * day });
  assert.deepEqual([ahead.code, /a day ahead/.test(ahead.detail)], ['invalid-body', true]);
  assert.equal((await put('plain', 'Soon', { fetched_at: Date.now() + 0.9 * day })).state, 'changed');
});

test('a fold that would fail again is not begun by itself until something else waits', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval', 'Date'], now: Date.now() });
  let count = 0;
  const failing: RunFold = async () => {
    count++;
    throw new ConfigError('AKIN_ERR_CONFIG', 'it cannot succeed');
  };
  const indexPath = await fixtureIndex();
  const served = await fixtureApp('', { indexPath, live: { ...limits, waitMs: 1, run: failing } });
  const write = (name: string) =>
    served.inject({
      method: 'PUT',
      url: pathOf('/pages', { url: `${HOST}${name}` }),
      payload: { text: 'x' },
    });
  const later = async () => {
    t.mock.timers.tick(61_000);
    // The event loop has to turn: the fold writes files.
    const isFolding = async () => (await served.inject('/pages/pending')).json().folding !== null;
    while (await isFolding()) await new Promise((resolve) => setImmediate(resolve));
  };
  await write('a');
  for (let i = 0; i < 4; i++) await later();
  assert.equal(count, 1);
  await write('b');
  for (let i = 0; i < 4; i++) await later();
  assert.equal(count, 2);
});
