/** Copies by own features: of products without text, from the build to the answers. */
import assert from 'node:assert/strict';
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import Database from 'better-sqlite3';
import { buildIndex } from '../../src/indexer/build-index.ts';
import { additionTo } from '../../src/indexer/options/stored-options.ts';
import { splitIndex } from '../../src/indexer/shards/split-index.ts';
import { checkIndex } from '../../src/store/check/check.ts';
import { IndexReader } from '../../src/store/read/reader.ts';
import { DEFAULTS, input, noting } from '../indexer/build.ts';
import { asker, fileAsker, fixtureApp, pathOf } from './fixture-app.ts';
import { temporaryFolder } from './fixture-index.ts';

const HOST = 'https://shop.example/';

/** Of features alone; without any, of its name. */
const product = (name: string, features?: unknown) => ({
  url: `${HOST}${name}`,
  title: name,
  ...(features === undefined ? { text: name } : { features }),
});

/**
 * a, b: the same. c: a with another color, 3 of 5. d: c with one more, 3 of 6 of a. e: half the weight of f. g: like none. h: no features.
 */
const PRODUCTS = [
  product('a', { kind: { mug: 1, blue: 1, large: 1, clay: 1 } }),
  product('b', { kind: { clay: 1, large: 1, blue: 1, mug: 1 } }),
  product('c', { kind: { mug: 1, red: 1, large: 1, clay: 1 } }),
  product('d', { kind: { mug: 1, red: 1, large: 1, clay: 1 }, sale: { spring: 1 } }),
  product('e', { smell: 1.5, shape: 0.5 }),
  product('f', { smell: 3, shape: 1 }),
  product('g', { kind: { lamp: 1, blue: 1 } }),
  product('h'),
];

const folder = temporaryFolder({ after });
const resources = {
  memoryBytes: DEFAULTS.memoryBytes,
  workerCount: 1,
  isWhole: false,
  isSweepPerInput: false,
};

async function built(name: string, products: readonly object[]): Promise<string> {
  const path = join(folder, `${name}.jsonl`);
  const target = join(folder, `${name}.akin`);
  writeFileSync(path, products.map((one) => JSON.stringify(one)).join('\n'));
  await buildIndex({ ...DEFAULTS, target, inputs: [input(path)] }, noting().listener);
  return target;
}

const whole = await built('whole', PRODUCTS);
const { shards } = await splitIndex(
  { source: whole, shardCount: 3, folder: join(folder, 'shards'), memoryBytes: 64 << 20, workerCount: 1 },
  noting().listener,
);
const paths = shards.map(({ path }) => path);
const ask = asker(await fixtureApp(whole));

type Item = { url: string; similarity: number };
const listed = (items: readonly Item[]) =>
  items.map(({ url, similarity }) => [url.slice(HOST.length), similarity]);

test('GET /related and /cluster say which pages are copies by their features, nearest first', async () => {
  const { body } = await ask('/related', { url: `${HOST}a`, by: 'own-features' });
  assert.deepEqual(listed(body.related), [
    ['b', 1],
    ['c', 0.6],
    ['d', 0.5],
  ]);
  assert.deepEqual([body.related[0].measure, body.complete], ['exact', true]);
  const { body: cluster } = await ask('/cluster', { url: `${HOST}d`, by: 'own-features' });
  assert.deepEqual(listed(cluster.members), [
    ['a', 1],
    ['b', 1],
    ['c', 0.6],
    ['d', 0.5],
  ]);
  assert.equal(cluster.cluster.clustering, null);
  const { body: halves } = await ask('/related', { url: `${HOST}e`, by: 'own-features' });
  assert.deepEqual(listed(halves.related), [['f', 0.5]]);
  const { body: clusters } = await ask('/clusters', { by: 'own-features' });
  assert.deepEqual(
    clusters.clusters.map(({ size }: { size: number }) => size),
    [4, 2],
  );
});

test('an empty list says why, explain names the shared features, and documents are refused', async () => {
  const reasons = await Promise.all(
    ['g', 'h'].map((name) => ask('/related', { url: HOST + name, by: 'own-features' })),
  );
  assert.deepEqual(
    reasons.map(({ body }) => body.empty_reason),
    ['below_threshold', 'no_features'],
  );
  const { body } = await ask('/related', { url: `${HOST}e`, by: 'own-features', explain: true });
  assert.deepEqual(body.related[0].why, {
    terms: [
      { term: 'smell', part: 'own', share: 0.75 },
      { term: 'shape', part: 'own', share: 0.25 },
    ],
    remainder: 0,
  });
  const clustering = await ask('/related', { url: `${HOST}a`, by: 'own-features', clustering: '0.5' });
  assert.equal(clustering.status, 400);
  const app = await fixtureApp(whole);
  const posted = (query: string, payload: object) => app.inject({ method: 'POST', url: query, payload });
  assert.equal((await posted('/similar?by=own-features', { text: 'a' })).statusCode, 400);
  assert.equal((await posted('/similar?by=own-features&exact=true', { url: `${HOST}a` })).statusCode, 400);
  const similar = await posted('/similar?by=own-features', { url: `${HOST}a` });
  assert.equal(similar.json().related.length, 3);
  const compared = await posted('/compare', {
    a: { url: `${HOST}a` },
    b: { text: '', features: { kind: { mug: 2 } } },
  });
  assert.deepEqual(compared.json().features, {
    similarity: 0.2,
    measure: 'exact',
    terms: [{ term: 'mug', part: 'kind', share: 1 }],
  });
  const none = await posted('/compare', { a: { url: `${HOST}a` }, b: { url: `${HOST}h` } });
  assert.equal(none.json().features, null);
});

test('an index of pages without own features, or without copies, does not hold the relation', async () => {
  const plain = await fileAsker(await built('plain', [product('x'), product('y')]));
  const { status, body } = await plain('/related', { url: `${HOST}x`, by: 'own-features' });
  assert.deepEqual([status, body.code], [400, 'relation-not-in-index']);
});

/** Rows of the relation, by URL. */
function rowsOf(path: string): unknown {
  const reader = IndexReader.open(path);
  const lists = [...reader.allNeighbors(3)].map(({ pageId, list }) => {
    const near = [...list.ids].map((id, i) => [reader.page(id).url, list.shared[i], list.total[i]]);
    return [reader.page(pageId).url, near];
  });
  const clusters = [...reader.clusters.all()]
    .filter(({ relationId }) => relationId === 3)
    .map(({ key, size, radius, label }) => ({ key, size, radius, label }));
  const found = reader.card().parameters['own_features_found'];
  reader.close();
  return { lists, clusters, found };
}

test('additions come to what a build comes to', async () => {
  for (const [name, first] of [
    ['late', 0],
    ['more', 5],
  ] as const) {
    const target = await built(name, first === 0 ? [product('h')] : PRODUCTS.slice(0, first));
    const path = join(folder, `${name}-rest.jsonl`);
    writeFileSync(
      path,
      PRODUCTS.slice(first)
        .map((one) => JSON.stringify(one))
        .join('\n'),
    );
    const addition = { target, inputs: [input(path)], sweepName: 'second', ...resources };
    await buildIndex(additionTo(addition), noting().listener);
    assert.deepEqual(rowsOf(target), rowsOf(whole));
    assert.deepEqual(checkIndex(target).faults, []);
  }
});

test('shards answer as the whole', async () => {
  const apart = asker(await fixtureApp('', { indexPath: paths }));
  for (const { url } of PRODUCTS) {
    for (const path of ['/related', '/cluster']) {
      const question = { url, by: 'own-features', ...(path === '/related' && { explain: true }) };
      const [one, other] = await Promise.all([ask(path, question), apart(path, question)]);
      const { generation: _own, ...expected } = one.body;
      const { generation: _other, ...found } = other.body;
      assert.deepEqual(found, expected);
    }
  }
});

test('the check knows the relation, in a whole index and in shards', () => {
  for (const path of [whole, ...paths]) assert.deepEqual(checkIndex(path).faults, []);
  assert.ok(checkIndex(whole).checked.includes('own-features neighbors'));
  const damaged = join(folder, 'damaged.akin');
  copyFileSync(whole, damaged);
  const db = new Database(damaged);
  const lists = db.prepare('SELECT page_id, entries FROM neighbor WHERE relation_id = 3').all() as {
    page_id: number;
    entries: Buffer;
  }[];
  db.prepare('DELETE FROM neighbor WHERE relation_id = 3 AND page_id = ?').run(lists[0]!.page_id);
  db.prepare('UPDATE member SET similarity = .9 WHERE page_id = ? AND similarity = .6').run(2);
  db.close();
  const faults = checkIndex(damaged).faults.join('\n');
  assert.match(faults, /own-features neighbors: page 0 has the features of page 1, which is not listed/);
  assert.match(faults, /own-features clusters: page 2 is stored at 0.9/);
});

test('lists say that they are not complete while a page waits', async () => {
  const path = join(folder, 'live.akin');
  copyFileSync(whole, path);
  const live = { maxPending: 9, maxPendingBytes: 2 ** 20, share: 9, waitMs: 1e9, run: async () => false };
  const app = await fixtureApp(path, { live });
  const listOf = async () => (await asker(app)('/related', { url: `${HOST}a`, by: 'own-features' })).body;
  const before = await listOf();
  assert.equal(before.complete, true);
  const { url, ...page } = product('new', { kind: { mug: 1, blue: 1, large: 1, clay: 1 } });
  const { statusCode } = await app.inject({ method: 'PUT', url: pathOf('/pages', { url }), payload: page });
  assert.equal(statusCode, 201);
  const after = await listOf();
  assert.deepEqual([after.complete, after.related], [false, before.related]);
});
