/** A filter is one row in one file: one that is added is found wherever lists are asked for. */
import './added-filter.ts';

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { splitIndex } from '../../src/indexer/shards/split-index.ts';
import { openApiDocument } from '../../src/service/app.ts';
import { openIndex } from '../../src/service/reads/shards/open-shards.ts';
import { ROUTES } from '../../src/service/routes/table.ts';
import { akin } from '../cli/terminal.ts';
import { noting } from '../indexer/build.ts';
import { judged } from './added-filter.ts';
import { addressAsker } from './address-asker.ts';
import { asker, fixtureApp, fixtureIndex, pathOf } from './fixture-app.ts';
import { BAKERY, GARDEN, NEIGHBOR_LIMIT, TWIN, temporaryFolder } from './fixture-index.ts';

// A thread has tables of its own, without the filter: what shards would read there is read here.
Object.assign(ROUTES.shardReads, { isLong: () => false });

const SITE = new URL(GARDEN).hostname;
const SHARDS = 3;
const page = `${GARDEN}3`;
const indexPath = await fixtureIndex();
const exact = { exactSearchUs: Number.POSITIVE_INFINITY };
const ask = asker(await fixtureApp(indexPath));
const urlsOf = ({ related }: { related: readonly { url: string }[] }) => related.map(({ url }) => url);
const isElsewhere = (url: string) => new URL(url).hostname !== SITE;
/** All neighbors of the page by an index that cuts no list. */
const { body: all } = await ask('/related', { url: page, limit: 100, same_site: 'exclude' });
const elsewhere = urlsOf(all);

test('over HTTP, with a key of its own', async () => {
  assert.ok(elsewhere.length > 0 && elsewhere.every(isElsewhere));
  const query = { url: page, limit: 100 };
  const { body, headers } = await ask('/related', { ...query, not_site: SITE.toUpperCase() });
  assert.deepEqual(urlsOf(body), elsewhere);
  const { headers: same } = await ask('/related', { ...query, not_site: SITE });
  assert.equal(same['etag'], headers['etag']);
  const { headers: others } = await ask('/related', query);
  assert.notEqual(others['etag'], headers['etag']);
  const { status, body: problem } = await ask('/related', { ...query, not_site: 'nowhere' });
  assert.equal(status, 400);
  assert.equal(problem.errors[0].parameter, 'not_site');
  assert.equal(problem.errors[0].detail, 'must be a site, such as example.org');
  const { body: copies } = await ask('/related', {
    url: `${BAKERY}0`,
    by: 'copy',
    not_site: 'mirror.example',
  });
  assert.ok(!urlsOf(copies).includes(TWIN));
});

test('in the documentation of every route that lists pages', async () => {
  const { paths } = JSON.parse(JSON.stringify(await openApiDocument()));
  const has = Object.keys(paths).filter((path) => JSON.stringify(paths[path]).includes('not_site'));
  assert.deepEqual(has.sort(), [
    '/export/related',
    '/related',
    '/related.html',
    '/related/batch',
    '/similar',
  ]);
});

test('on the command line', async () => {
  assert.match((await akin(['related', '--help'])).stdout, /--not-site <SITE> +leave out the pages of this/);
  const { stdout, stderr } = await akin([
    'related',
    indexPath,
    page,
    '--not-site',
    SITE,
    '--json',
    '--limit',
    '100',
  ]);
  assert.equal(stderr, '');
  assert.deepEqual(urlsOf(JSON.parse(stdout)), elsewhere);
});

test('in shards, of files and over the network', async () => {
  const folder = join(temporaryFolder({ after }), 'shards');
  const options = { source: indexPath, shardCount: SHARDS, folder, memoryBytes: 64 << 20, workerCount: 1 };
  const { shards } = await splitIndex(options, noting().listener);
  const paths = shards.map(({ path }) => path);
  // More than are stored: the shards search by themselves.
  const asked = pathOf('/related', { url: page, limit: NEIGHBOR_LIMIT + 2, not_site: SITE });
  const requireJudged = (text: string) => {
    assert.deepEqual(urlsOf(JSON.parse(text)), elsewhere.slice(0, NEIGHBOR_LIMIT + 2));
    assert.ok(judged.size > SHARDS, 'each shard judges its own pages');
    judged.clear();
  };
  judged.clear();
  // Without threads, which know no added filter.
  const index = await openIndex(paths, { ...exact, preload: false });
  after(() => index.close());
  requireJudged((await addressAsker(index)(asked))!.text);
  const apps = await Promise.all(paths.map((path) => fixtureApp(path, exact)));
  const urls = await Promise.all(apps.map((app) => app.listen({ port: 0, host: '127.0.0.1' })));
  const router = await fixtureApp('', { ...exact, indexPath: [], peers: { urls, timeLimitMs: 20_000 } });
  requireJudged((await router.inject(asked)).body);
});
