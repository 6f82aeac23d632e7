/** A shop of which one product is added again, others are new, then all but a few come, as a part and as the whole: what is lost, and what is not. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { splitIndex } from '../../src/indexer/shards/split-index.ts';
import { checkIndex } from '../../src/store/check/check.ts';
import { noting } from '../indexer/build.ts';
import { longTest } from '../long-test.ts';
import { asker, type Body, fixtureApp } from './fixture-app.ts';
import { addSweep, buildFixture, type FixturePage, temporaryFolder } from './fixture-index.ts';
import { prose } from './sweeps-index.ts';

const product = (i: number, seed = i): FixturePage => ({
  url: `https://shop.example/item/${i}`,
  html: `<title>Item ${i}</title><p>${prose(seed, 60)}</p>`,
});
const shop = Array.from({ length: 150 }, (_, i) => product(1000 + i));
const path = join(temporaryFolder({ after }), 'shop.akin');
await buildFixture(path, shop);

/** Pages that are not gone, pages that are, and of the first those that a sweep came by and did not meet. */
async function counts() {
  assert.deepEqual(checkIndex(path).faults, []);
  const app = await fixtureApp(path);
  const { body } = await app.inject('/export/pages');
  const states = body
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line).state);
  const count = (state: string) => states.filter((one) => one === state).length;
  return [states.length - count('gone'), count('gone'), count('not_seen_since')];
}

test('an addition of some pages says nothing of the others', async () => {
  await addSweep(path, [product(1070, 7)]);
  assert.deepEqual(await counts(), [150, 0, 0]);
  await addSweep(
    path,
    Array.from({ length: 40 }, (_, i) => product(2000 + i)),
  );
  assert.deepEqual(await counts(), [190, 0, 0]);
  const ask = asker(await fixtureApp(path));
  for (const url of [shop[0]!.url, shop[69]!.url, shop[70]!.url, shop[149]!.url]) {
    assert.equal((await ask('/history', { url })).body.state, 'current', url);
  }
});

longTest('a large part says no more of the others, a crawl that left nothing out does', async () => {
  const missed = (i: number) => i % 10 === 3;
  const others = shop.filter((_, i) => !missed(i) && i !== 5);
  await addSweep(path, [...others, { ...shop[5]!, status: 404 }]);
  assert.deepEqual(await counts(), [189, 1, 0]);
  const crawled = [...others, product(1005)].filter(({ url }) => url !== shop[8]!.url);
  await addSweep(path, crawled, 'crawl');
  assert.deepEqual(await counts(), [190, 0, 56], 'the 40 of the first addition, every tenth, and one more');
  const ask = asker(await fixtureApp(path));
  const stateOf = async (i: number) => (await ask('/history', { url: shop[i]!.url })).body.state;
  assert.deepEqual(
    [await stateOf(3), await stateOf(4), await stateOf(5), await stateOf(8)],
    ['not_seen_since', 'current', 'current', 'not_seen_since'],
  );
});

longTest('the whole of a site makes gone what it does not have, and what is gone is no page', async () => {
  await addSweep(path, shop.slice(0, 100), 'whole');
  assert.deepEqual(await counts(), [100, 90, 0]);
  const ask = asker(await fixtureApp(path));
  const stateOf = async (i: number) => (await ask('/history', { url: shop[i]!.url })).body.state;
  assert.deepEqual([await stateOf(3), await stateOf(99), await stateOf(100)], ['current', 'current', 'gone']);
  const { body } = await ask('/index', {});
  assert.deepEqual([body.page_count, body.fetched_page_count], [100, 100]);
  const folder = join(temporaryFolder({ after }), 'shards');
  const parts = { source: path, shardCount: 3, folder, memoryBytes: 64 << 20, workerCount: 1 };
  const { shards } = await splitIndex(parts, noting().listener);
  const indexPath = shards.map((shard) => shard.path);
  for (const app of [await fixtureApp(path), await fixtureApp('', { indexPath })]) {
    assert.equal((await asker(app)('/readyz', {})).body.page_count, 100);
    assert.match((await app.inject('/metrics')).body, /^akin_index_pages 100$/m);
  }
  assert.deepEqual(
    body.sweeps.map((sweep: Body) => [sweep.crawled_host_count, sweep.whole_site_count]),
    [
      [0, 0],
      [0, 0],
      [0, 0],
      [0, 0],
      [1, 0],
      [0, 1],
    ],
  );
});

longTest(
  'what is lost is news of the sweep that found it so, not of the one after the last that had it',
  async () => {
    const ask = asker(await fixtureApp(path));
    const { sweeps } = (await ask('/index', {})).body;
    const names: string[] = sweeps.map(({ sweep, name = sweep }: Body) => name);
    const lost = async (sweep: string) =>
      (await ask('/changes', { sweep, news: 'lost', limit: 100 })).body.pages.map(({ url }: Body) => url);
    const [, , , , crawled, whole] = names as [string, string, string, string, string, string];
    assert.deepEqual(await Promise.all(names.slice(0, 4).map(lost)), [[], [], [], []]);
    assert.ok((await lost(whole)).includes(shop[100]!.url));
    assert.ok(!(await lost(crawled)).includes(shop[100]!.url));
  },
);

longTest('what is gone is in no list of pages, sites or clusters', async () => {
  const app = await fixtureApp(path);
  const ask = asker(app);
  const site = 'shop.example';
  const { pages } = (await ask('/pages', { site, limit: 100 })).body;
  const { sites } = (await ask('/sites', {})).body;
  const { clusters, total } = (await ask('/clusters', { limit: 100 })).body;
  const { body } = await app.inject('/export/clusters');
  const exported = body
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line).url);
  const gone = shop[120]!.url;
  assert.deepEqual([pages.length, sites[0].pages, sites[0].fetched_pages], [100, 100, 100]);
  assert.ok(!pages.some(({ url }: Body) => url === gone) && !exported.includes(gone));
  const sizes = clusters.map(({ size }: Body) => size);
  assert.deepEqual(
    [clusters.length, sizes.reduce((sum: number, size: number) => sum + size, 0)],
    [total, 100],
  );
});
