/** A server that begins with no pages. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { addExplorer } from '../../../src/explorer/explorer.ts';
import { buildIndex } from '../../../src/indexer/build-index.ts';
import { additionTo } from '../../../src/indexer/options/stored-options.ts';
import type { RunFold } from '../../../src/service/live/folds.ts';
import { DEFAULTS, input, noting } from '../../indexer/build.ts';
import { asker, fixtureApp } from '../fixture-app.ts';
import { temporaryFolder } from '../fixture-index.ts';
import { LIMITS, lines, NDJSON } from '../routes/writable.ts';

const SEEN = [
  '/',
  '/explore/topics',
  '/explore/sites',
  '/index',
  '/clusters',
  '/lost',
  '/export/related',
  '/changes',
];
const TEAS = ['green tea of spring', 'black tea of autumn', 'white tea of spring', 'a kettle for tea'];
const PAGES = TEAS.map((text, i) => ({ url: `https://shop.example/${i}`, title: `Tea ${i}`, text }));

test('pages that come to an empty index are found at once, and have lists after the fold', async () => {
  const target = join(temporaryFolder({ after }), 'shop.akin');
  const small = { minPageCount: 1, maxPageShare: 1 };
  await buildIndex({ ...DEFAULTS, ...small, target, inputs: [], mayBeEmpty: true }, noting().listener);
  const run: RunFold = async (paths, sweepName) => {
    const inputs = paths.map((path) => input(path));
    const { memoryBytes } = DEFAULTS;
    await buildIndex(
      additionTo({ target, sweepName, inputs, memoryBytes, workerCount: 1 }),
      noting().listener,
    );
    return true;
  };
  const app = await fixtureApp(target, { live: { ...LIMITS, run }, extend: addExplorer });
  const ask = asker(app);
  for (const path of SEEN) assert.equal((await ask(path)).status, 200, path);
  const related = () => ask('/related', { url: PAGES[0]!.url });
  assert.equal((await related()).status, 404);
  const put = await app.inject({ method: 'POST', url: '/pages', headers: NDJSON, payload: lines(PAGES) });
  assert.deepEqual([put.statusCode, put.json().added], [200, PAGES.length], put.body);
  assert.equal((await ask('/search', { q: 'tea' })).body.total, PAGES.length);
  assert.deepEqual((await related()).body.related, []);
  const fold = await app.inject({ method: 'POST', url: '/pages/fold', headers: { prefer: 'wait=50' } });
  assert.equal(fold.json().state, 'done', fold.body);
  const urls = (await related()).body.related.map(({ url }: { url: string }) => url);
  // Spring is the one word that two pages have, and not all.
  assert.deepEqual(urls, [PAGES[2]!.url]);
});
