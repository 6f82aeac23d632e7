/** What a server acknowledged holds behind a fold, and what a fold would not take is refused. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { ConfigError } from '../../../src/errors.ts';
import { buildIndex } from '../../../src/indexer/build-index.ts';
import { additionTo } from '../../../src/indexer/options/stored-options.ts';
import type { RunFold } from '../../../src/service/live/folds.ts';
import { DEFAULTS, input, noting } from '../../indexer/build.ts';
import { longTest } from '../../long-test.ts';
import { type Body, fixtureApp, fixtureIndex, pathOf, type Query } from '../fixture-app.ts';
import { temporaryFolder } from '../fixture-index.ts';
import { recordIndexes } from '../record-indexes.ts';

const HOST = 'https://held.example/';
const text = (name: string) => `the page ${name} is of roses and of hedges`;
const page = (name: string, fetched_at: string, more: object = {}) => {
  return { url: `${HOST}${name}`, title: `First ${name}`, text: text(name), fetched_at, ...more };
};
const MAX_PAGE_BYTES = 2048;
const canonicalOf = (name: string) =>
  `<title>Speaks</title><link rel="canonical" href="${HOST}${name}"><p>${text(name)} in other words`;
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
    page('said', '2026-01-06'),
    { url: `${HOST}says`, fetched_at: '2026-01-07', html: canonicalOf('said') },
    page('lost-by-crawl', '2026-01-06'),
    { url: `${HOST}stays`, fetched_at: '2026-01-07', html: canonicalOf('lost-by-crawl') },
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
  const how = { memoryBytes, workerCount: 1, isWhole: false };
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
  const picture = { title: 'A picture', html: '\u0001\u0002\u0003\u0004 of a picture' };
  assert.equal((await send('PUT', 'picture', picture)).detail, 'html: it is not text');
  assert.equal((await send('PUT', 'mark', { title: 'Mark', text: '<\0a\0 a page of roses' })).state, 'added');

  // What a page speaks for goes with it where its owner deletes it; a crawl that did not find it says nothing of other URLs.
  assert.equal((await send('DELETE', 'said')).state, 'deleted');
  const crawled = JSON.stringify({ url: `${HOST}lost-by-crawl`, status: 410, fetched_at: '2026-01-08' });
  const lines = (async function* () {
    yield crawled;
  })();
  assert.equal((await app.pageDoor!.handOver(lines)).deleted, 1);
  // The index has no vectors; of each name those that wait count, and so do names.
  const vector = (name: string, lengths: Record<string, number>) =>
    put(name, 'Vector', {
      vectors: Object.fromEntries(
        Object.entries(lengths).map(([one, length]) => [one, Array(length).fill(1)]),
      ),
    });
  assert.equal((await vector('v1', { m: 3 })).state, 'added');
  assert.match((await vector('v2', { m: 2 })).detail, /vectors.m: has 2 components.* have 3/);
  assert.equal((await vector('v1', { m: 2 })).state, 'unchanged', 'no other page has one');
  assert.equal((await vector('v2', { m: 2, a: 2, b: 2, c: 2 })).state, 'added');
  assert.equal((await vector('v3', { d: 2, e: 2, f: 2, g: 2 })).state, 'added');
  assert.match((await vector('v4', { h: 2 })).detail, /vectors.h: .* have 8 names already/);
  const batch = ['x', 'y'].map((name, i) => ({
    url: `${HOST}${name}`,
    text: 'x',
    vectors: { m: Array(2 + i).fill(1) },
  }));
  const posted = await app.inject({
    method: 'POST',
    url: '/pages',
    headers: { 'content-type': 'application/x-ndjson' },
    payload: batch.map((one) => JSON.stringify(one)).join('\n'),
  });
  assert.match(posted.json().errors[0].detail, /vectors.m: has 3 components/);

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
    const { results } = await get('/search', { q: 'rose', limit: 100 });
    const found = (results as Body[]).map(({ url }) => url.slice(HOST.length));
    for (const name of ['says', 'said', 'lost-by-crawl'])
      assert.ok(!found.includes(name), `${when}: ${name}`);
    assert.equal(found.includes('stays'), when === 'behind');
    for (const name of ['v1', 'v2', 'v3']) {
      const { error: _, ...meaning } = await get('/related', {
        url: `${HOST}${name}`,
        by: 'meaning',
        vector: name === 'v3' ? 'd' : 'm',
      });
      assert.ok(when === 'before' || meaning.by === 'meaning', JSON.stringify(meaning));
    }
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

longTest('a fold that would fail again is not begun by itself until something else waits', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval', 'Date'], now: Date.now() });
  const sinceStart = performance.now.bind(performance);
  let aheadMs = 0;
  t.mock.method(performance, 'now', () => sinceStart() + aheadMs);
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
    aheadMs += 61_000;
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
