/** Copies by own features: of products without text, from the build to the answers. */
import assert from 'node:assert/strict';
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import Database from 'better-sqlite3';
import { buildIndex } from '../../src/indexer/build-index.ts';
import { splitIndex } from '../../src/indexer/shards/split-index.ts';
import { Random } from '../../src/lib/random.ts';
import { checkIndex } from '../../src/store/check/check.ts';
import { IndexReader } from '../../src/store/read/reader.ts';
import { DEFAULTS, input, noting } from '../indexer/build.ts';
import { longTest } from '../long-test.ts';
import { asker, fileAsker, fixtureApp, pathOf } from './fixture-app.ts';
import { temporaryFolder } from './fixture-index.ts';
import { recordIndexes } from './record-indexes.ts';

const HOST = 'https://shop.example/';

interface Product {
  readonly url: string;
  readonly title: string;
  readonly features?: object;
  readonly text?: string;
}

/** Of features alone; without any, of its name. */
const product = (name: string, features?: object): Product => ({
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
const indexes = recordIndexes(folder);
const built = async (name: string, products: readonly object[]) =>
  (await indexes.build(name, products)).target;

const whole = await built('whole', PRODUCTS);
const paths = await indexes.split(whole);
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

test('an empty list says why, and explain names the shared features', async () => {
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
  const plain = await posted('/similar?by=own-features', { text: 'a' });
  assert.deepEqual([plain.json().related, plain.json().empty_reason], [[], 'no_features']);
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
  // Of an index without features, and of one that has some.
  const target = await built('late', [product('h')]);
  await indexes.add(target, 'second', PRODUCTS.slice(0, 5));
  await indexes.add(target, 'third', PRODUCTS.slice(5));
  assert.deepEqual(rowsOf(target), rowsOf(whole));
  assert.deepEqual(checkIndex(target).faults, []);
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

longTest('the check knows the relation, in a whole index and in shards', () => {
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

/** 300 products of few features, so that many are alike. */
const RANDOM = new Random(5);
const CROWD = Array.from({ length: 300 }, (_, i) => {
  const names = Array.from({ length: 1 + RANDOM.below(6) }, () => `n${RANDOM.below(12)}`);
  const of = (some: readonly string[]) =>
    Object.fromEntries(some.map((name) => [name, 1 + RANDOM.below(4) / 2]));
  return product(`p${i}`, { kind: of(names.slice(0, 3)), use: of([...names.slice(3), 'any']) });
});

/** Weighted Jaccard of two products, feature by feature. */
function similarity(a: Product, b: Product): number {
  const flat = ({ features }: Product) =>
    new Map(
      Object.entries(features as Record<string, Record<string, number>>).flatMap(([group, own]) =>
        Object.entries(own).map(([name, weight]) => [`${group} ${name}`, weight] as const),
      ),
    );
  const [x, y] = [flat(a), flat(b)];
  let [least, most] = [0, 0];
  for (const name of new Set([...x.keys(), ...y.keys()])) {
    least += Math.min(x.get(name) ?? 0, y.get(name) ?? 0);
    most += Math.max(x.get(name) ?? 0, y.get(name) ?? 0);
  }
  return least / most;
}

/** All that resemble a product by half or more, by what an answer prints. */
function slowList(of: Product, all: readonly Product[]): Map<string, number> {
  const near = all
    .filter(({ url }) => url !== of.url)
    .map((other) => [other.url, similarity(of, other)] as const)
    .filter(([, figure]) => figure >= 0.5 - 1e-9);
  return new Map(near);
}

async function wholeList(
  ask: (cursor: string | null) => Promise<Item[] & { next: string | null }>,
): Promise<Item[]> {
  const items: Item[] = [];
  for (let cursor: string | null = null; ; ) {
    const page = await ask(cursor);
    items.push(...page);
    if (page.next === null) return items;
    cursor = page.next;
  }
}

/** Figures are kept as fractions of whole numbers below 2^16. */
function assertList(items: readonly Item[], expected: ReadonlyMap<string, number>, label: string): void {
  assert.deepEqual(items.map(({ url }) => url).sort(), [...expected.keys()].sort(), label);
  for (const item of items) assert.ok(Math.abs(item.similarity - expected.get(item.url)!) < 3e-6, label);
  const figures = items.map((item) => item.similarity);
  assert.deepEqual(
    figures,
    figures.toSorted((a, b) => b - a),
    label,
  );
}

longTest(
  'a document that is posted is compared by its features with all pages, in a file and in shards',
  async () => {
    const target = await built('crowd', CROWD.slice(0, 250));
    const order = {
      source: target,
      shardCount: 3,
      folder: join(folder, 'crowd'),
      memoryBytes: 64 << 20,
      workerCount: 1,
    };
    const split = await splitIndex(order, noting().listener);
    const apps = [
      await fixtureApp(target),
      await fixtureApp('', { indexPath: split.shards.map(({ path }) => path) }),
    ];
    // Three that are there and three that are not, with lists of two pieces, of one and of none.
    const posted = [243, 247, 249, 251, 253, 255].map((i) => CROWD[i]!);
    for (const app of apps) {
      let longest = 0;
      for (const of of posted) {
        const items = await wholeList(async (cursor) => {
          const url = pathOf('/similar', {
            by: 'own-features',
            limit: 10,
            ...(cursor !== null && { cursor }),
          });
          const body = (await app.inject({ method: 'POST', url, payload: of })).json();
          return Object.assign(body.related, { next: body.next });
        });
        assertList(items, slowList(of, CROWD.slice(0, 250)), of.url);
        longest = Math.max(longest, items.length);
      }
      assert.ok(longest > 10, 'lists of several pages');
    }
    // One that is known by its URL needs no features of its own; with a filter, and explained.
    const [app] = apps as [(typeof apps)[0]];
    const payload = { url: CROWD[3]!.url, text: 'another text' };
    const known = (
      await app.inject({ method: 'POST', url: '/similar?by=own-features&limit=100&explain=true', payload })
    ).json();
    const { related: stored } = (
      await asker(app)('/related', { url: CROWD[3]!.url, by: 'own-features', limit: 100, explain: true })
    ).body;
    assert.deepEqual(known.related, stored);
  },
);

longTest('pages that wait are in lists by features at once, as a build of all has them', async () => {
  const path = await built('waiting', CROWD.slice(0, 260));
  const live = { maxPending: 99, maxPendingBytes: 2 ** 24, share: 9, waitMs: 1e9, run: async () => false };
  const app = await fixtureApp(path, { live });
  const put = async ({ url, ...page }: Product) => {
    const answer = await app.inject({ method: 'PUT', url: pathOf('/pages', { url }), payload: page });
    assert.ok(answer.statusCode < 300, answer.body);
  };
  // New ones, one that is described otherwise now, and one that is gone.
  for (const one of CROWD.slice(260)) await put(one);
  const changed = { ...CROWD[299]!, url: CROWD[7]!.url, title: 'other' };
  await put(changed);
  await app.inject({ method: 'DELETE', url: pathOf('/pages', { url: CROWD[9]!.url }) });
  const now = CROWD.map((one) => (one.url === changed.url ? changed : one)).filter((_, i) => i !== 9);
  for (const of of now.filter((_, i) => i % 9 === 0 || i > 285)) {
    const items = await wholeList(async (cursor) => {
      const { body } = await asker(app)('/related', {
        url: of.url,
        by: 'own-features',
        limit: 100,
        ...(cursor !== null && { cursor }),
      });
      assert.equal(body.complete, true);
      return Object.assign(body.related, { next: body.next });
    });
    assertList(items, slowList(of, now), of.url);
  }
  const { body: gone } = await asker(app)('/related', { url: CROWD[9]!.url, by: 'own-features' });
  assert.equal(gone.empty_reason, 'gone');
});

longTest(
  'own features count in lists by topic as in a build: in a page that waits, and in a document',
  async () => {
    const words = (i: number) =>
      Array.from({ length: 30 }, (_, j) => `word${'abcdefgh'[(i * j) % 8]}${'klmn'[j % 4]}`).join(' ');
    const pages = CROWD.slice(0, 60).map((one, i) => ({ ...one, text: words(i) }));
    const path = join(folder, 'topic.jsonl');
    const target = join(folder, 'topic.akin');
    writeFileSync(path, pages.map((one) => JSON.stringify(one)).join('\n'));
    const parts = { content: 0.5, kind: 0.3, use: 0.2 };
    await buildIndex({ ...DEFAULTS, target, inputs: [input(path)], parts }, noting().listener);
    const live = { maxPending: 99, maxPendingBytes: 2 ** 24, share: 9, waitMs: 1e9, run: async () => false };
    const app = await fixtureApp(target, { live });
    for (const { url, title, ...page } of pages.slice(0, 5)) {
      // The same page under another address is the same bag: as similar to all others as itself, and wholly to itself.
      const twin = `${url}-twin`;
      const posted = await app.inject({
        method: 'POST',
        url: '/similar?limit=100&rank=similarity',
        payload: page,
      });
      await app.inject({ method: 'PUT', url: pathOf('/pages', { url: twin }), payload: page });
      const listOf = async (one: string): Promise<Item[]> =>
        (await asker(app)('/related', { url: one, limit: 100, rank: 'similarity' })).body.related;
      const others = (items: readonly Item[]) =>
        Object.fromEntries(
          items.filter((item) => ![url, twin].includes(item.url)).map((item) => [item.url, item.similarity]),
        );
      const [ofTwin, own] = [await listOf(twin), await listOf(url)];
      assert.deepEqual([ofTwin[0]!.url, ofTwin[0]!.similarity], [url, 1]);
      assert.deepEqual(others(ofTwin), others(own));
      assert.deepEqual(others(posted.json().related), others(own));
      await app.inject({ method: 'DELETE', url: pathOf('/pages', { url: twin }) });
    }
  },
);
