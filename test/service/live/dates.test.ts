/** Of what is said of a URL the latest holds, in whichever order it comes: as in a build of all. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { buildIndex } from '../../../src/indexer/build-index.ts';
import { additionTo } from '../../../src/indexer/options/stored-options.ts';
import type { RunFold } from '../../../src/service/live/folds.ts';
import { DEFAULTS, input, noting } from '../../indexer/build.ts';
import { longTest } from '../../long-test.ts';
import { type Body, fixtureApp, pathOf } from '../fixture-app.ts';
import { temporaryFolder } from '../fixture-index.ts';
import { recordIndexes } from '../record-indexes.ts';

const HOST = 'https://dates.example/';
const SMALL = { minPageCount: 1, maxPageShare: 1 };
const limits = { maxPending: 100, maxPendingBytes: 2 ** 24, share: 2, waitMs: 1e9 };
const indexes = recordIndexes(temporaryFolder({ after }));

const said = (name: string, title: string, year: number) => ({
  url: `${HOST}${name}`,
  title,
  text: `${name}: words of ${title}`,
  fetched_at: `${year}-01-01`,
});
const gone = (name: string, year: number) => {
  return { url: `${HOST}${name}`, status: 410, fetched_at: `${year}-01-01` };
};
const STORED = [said('stored', 'A', 2020), said('left', 'A', 2019)];

/** A server of a small index, whose folds are those of `akin add`. */
async function served(name: string) {
  const { target: indexPath } = await indexes.build(name, STORED, SMALL);
  const run: RunFold = async (paths, sweepName) => {
    const how = { memoryBytes: DEFAULTS.memoryBytes, workerCount: 1, isWhole: false };
    const inputs = paths.map((path) => input(path));
    await buildIndex(additionTo({ target: indexPath, sweepName, ...how, inputs }), noting().listener);
    return true;
  };
  const start = () => fixtureApp('', { indexPath, live: { ...limits, run } });
  let app = await start();
  return {
    /** What becomes of records, one by one. */
    states: async (records: readonly object[]) => {
      const states: string[] = [];
      for (const record of records) {
        const payload = JSON.stringify(record);
        const headers = { 'content-type': 'application/x-ndjson' };
        const counts = (await app.inject({ method: 'POST', url: '/pages', payload, headers })).json() as Body;
        states.push(
          ['added', 'changed', 'unchanged', 'older', 'deleted'].find((state) => counts[state] === 1) ??
            'failed',
        );
      }
      return states;
    },
    titleOf: async (page: string) => {
      const { statusCode, body } = await app.inject(pathOf('/page', { url: `${HOST}${page}` }));
      const { title, gone } = JSON.parse(body) as Body;
      return statusCode === 404 || gone === true ? null : title;
    },
    restart: async () => {
      await app.close();
      app = await start();
    },
    fold: async () => {
      const headers = { prefer: 'wait=60' };
      assert.equal((await app.inject({ method: 'POST', url: '/pages/fold', headers })).json().state, 'done');
    },
  };
}

for (const between of ['nothing', 'restart', 'fold'] as const) {
  test(`a text that is said again later keeps the later date, with ${between} between`, async () => {
    const { states, titleOf, ...server } = await served(between);
    const come = () => (between === 'nothing' ? null : server[between]());
    const first = [
      said('new', 'A', 2020),
      said('new', 'A', 2024),
      said('stored', 'A', 2024),
      gone('left', 2020),
      gone('left', 2024),
    ];
    assert.deepEqual(await states(first), ['added', 'unchanged', 'unchanged', 'deleted', 'unchanged']);
    await come();
    const late = [said('new', 'B', 2022), said('stored', 'B', 2022), said('left', 'B', 2022)];
    assert.deepEqual(await states(late), ['older', 'older', 'older']);
    await come();
    assert.deepEqual([await titleOf('new'), await titleOf('stored')], ['A', 'A']);
    assert.deepEqual(await states([said('new', 'A', 2024), said('new', 'C', 2025)]), [
      'unchanged',
      'changed',
    ]);
  });
}

test('a record without a date that is said again is of now', async () => {
  const { states } = await served('undated');
  const record = { url: `${HOST}undated`, text: 'words' };
  assert.deepEqual(await states([record]), ['added']);
  const between = new Date().toISOString();
  while (new Date().toISOString() === between);
  assert.deepEqual(await states([record, { ...record, text: 'other words', fetched_at: between }]), [
    'unchanged',
    'older',
  ]);
});

longTest('a build of the same records, in their order, has the same page', async () => {
  const { target } = await indexes.build('whole', [said('new', 'A', 2020)], SMALL);
  for (const [i, record] of [said('new', 'A', 2024), said('new', 'B', 2022)].entries())
    await indexes.add(target, `sweep${i}`, [record]);
  const app = await fixtureApp('', { indexPath: target });
  assert.equal((await app.inject(pathOf('/page', { url: `${HOST}new` }))).json().title, 'A');
});
