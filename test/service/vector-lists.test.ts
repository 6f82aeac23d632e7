/** Lists by vectors that owners give: from the build to the answers, against cosines in double precision. */
import assert from 'node:assert/strict';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import Database from 'better-sqlite3';
import { addExplorer } from '../../src/explorer/explorer.ts';
import { Random } from '../../src/lib/random.ts';
import { checkIndex } from '../../src/store/check/check.ts';
import { IndexReader } from '../../src/store/read/reader.ts';
import { longTest } from '../long-test.ts';
import { asker, type Body, fileAsker, fixtureApp, pathOf, type Query } from './fixture-app.ts';
import { temporaryFolder } from './fixture-index.ts';
import { recordIndexes } from './record-indexes.ts';

const HOST = 'https://tea.example/';
const DIMENSIONS = 24;
const COUNT = 320;

interface Given {
  readonly url: string;
  readonly text: string;
  readonly vectors?: Readonly<Record<string, unknown>>;
}

const random = new Random(11);
const draw = () => random.below(20_001) / 10_000 - 1;
const kinds = Array.from({ length: 6 }, () => Array.from({ length: DIMENSIONS }, draw));
const nearKind = (kind: number) => kinds[kind]!.map((component) => component + 0.6 * draw());
const base64 = (values: readonly number[]) =>
  Buffer.from(Float32Array.from(values).buffer).toString('base64');
const floats = new Map<string, number[]>();
const named = (i: number) => `${HOST}${String(i).padStart(3, '0')}`;

/** Each seventh has none; each third has its as base64; each fifth has a second name. */
const PAGES: readonly Given[] = Array.from({ length: COUNT }, (_, i) => {
  const url = named(i);
  const text = `leaf ${i % 9} water ${i % 5} cup`;
  if (i % 7 === 0) return { url, text };
  const vector = nearKind(i % 6);
  floats.set(url, vector);
  const small = { ...(i % 5 === 0 && { small: [1, i % 2 === 0 ? 1 : -1, i / COUNT] }) };
  return { url, text, vectors: { mini: i % 3 === 0 ? base64(vector) : vector, ...small } };
});

function cosine(a: readonly number[], b: readonly number[]): number {
  const dot = (x: readonly number[], y: readonly number[]) => x.reduce((sum, one, i) => sum + one * y[i]!, 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}

const folder = temporaryFolder({ after });
const indexes = recordIndexes(folder);
const built = indexes.build;

const { target: whole, vectors: report } = await built('whole', PAGES);
const bound = report!.found[0]!.error_bound;
const ask = asker(await fixtureApp(whole));
const mini = { by: 'meaning', vector: 'mini' };

/** Of a list: right order within what rounding may cost, right figures, and none left out. */
function requireNearest(
  related: Body[],
  to: readonly number[],
  among: ReadonlyMap<string, number[]>,
  self = '',
) {
  const near = new Map(
    [...among].filter(([url]) => url !== self).map(([url, vector]) => [url, cosine(to, vector)]),
  );
  const wanted = [...near.values()].sort((a, b) => b - a).slice(0, related.length);
  assert.ok(related.length > 0);
  for (const [i, { url, similarity, measure }] of related.entries()) {
    assert.ok(
      Math.abs(similarity - near.get(url)!) <= bound + 1e-5,
      `${url}: ${similarity}, ${near.get(url)}`,
    );
    assert.ok(Math.abs(similarity - wanted[i]!) <= bound + 1e-5, `place ${i}: ${similarity}, ${wanted[i]}`);
    assert.equal(measure, 'estimate');
  }
  const listed = new Set(related.map(({ url }) => url));
  assert.equal(listed.size, related.length);
}

test('GET /related lists the pages of the nearest vectors, and says why there are none', async () => {
  for (const [url, vector] of [...floats].slice(0, 40)) {
    const { body } = await ask('/related', { url, ...mini, limit: 30 });
    assert.equal(body.related.length, 30);
    requireNearest(body.related, vector, floats, url);
  }
  const none = await ask('/related', { url: named(7), ...mini });
  assert.deepEqual([none.body.related, none.body.empty_reason], [[], 'no_vector']);
  const unnamed = await ask('/related', { url: named(1), by: 'meaning' });
  assert.deepEqual([unnamed.status, unnamed.body.errors[0].parameter], [400, 'vector']);
  assert.match(unnamed.body.detail, /mini, small/);
  const other = await ask('/related', { url: named(1), vector: 'mini' });
  assert.match(other.body.detail, /vector: has no effect with by=topic/);
  const clusters = await ask('/clusters', { by: 'meaning' });
  assert.equal(clusters.status, 400);
});

test('filters leave the next ones, further down than the index keeps a list', async () => {
  const url = named(1);
  const wanted = new Map([...floats].filter(([other]) => Number(other.slice(-3)) >= 250));
  const { body } = await ask('/related', {
    url,
    ...mini,
    limit: 20,
    exclude: [`${HOST}0*`, `${HOST}1*`, `${HOST}20*`, `${HOST}21*`, `${HOST}22*`, `${HOST}23*`, `${HOST}24*`],
  });
  assert.equal(body.related.length, 20);
  requireNearest(body.related, floats.get(url)!, wanted);
  const { body: first } = await ask('/related', { url, ...mini, limit: 25 });
  const { body: rest } = await ask('/related', { url, ...mini, limit: 25, cursor: first.next });
  requireNearest([...first.related, ...rest.related], floats.get(url)!, floats, url);
  assert.equal(rest.related.length, 25);
});

test('POST /similar takes a vector alone, as numbers or base64, and refuses what it cannot compare', async () => {
  const app = await fixtureApp(whole);
  const similar = async (query: Query, payload: object) =>
    (await app.inject({ method: 'POST', url: pathOf('/similar', query), payload })).json() as Body;
  const vector = nearKind(2);
  const body = await similar({ ...mini, limit: 50 }, { vectors: { mini: vector } });
  assert.equal(body.related.length, 50);
  requireNearest(body.related, vector, floats);
  const packed = await similar(
    { ...mini, limit: 50 },
    { vectors: { mini: base64(vector) }, text: 'leaf water' },
  );
  assert.deepEqual(packed.related, body.related);
  const own = await similar({ ...mini, exact: true }, { url: named(1) });
  assert.deepEqual(own.related, (await ask('/related', { url: named(1), ...mini })).body.related);
  const refused = async (query: Query, payload: object) => (await similar(query, payload)).detail as string;
  assert.match(
    await refused(mini, { vectors: { mini: [1, 2] } }),
    /has 2 components, those of the index have 24/,
  );
  assert.match(await refused(mini, { vectors: { mini: vector.map(() => 0) } }), /all components are zero/);
  assert.match(await refused(mini, { text: 'leaf' }), /must hold a vector of the name mini/);
  assert.match(await refused({}, { vectors: { mini: vector } }), /vectors: has no effect with by=topic/);
});

test('POST /compare gives the cosine of each name that both have', async () => {
  const app = await fixtureApp(whole);
  const compare = async (a: object, b: object) =>
    (await app.inject({ method: 'POST', url: '/compare', payload: { a, b } })).json().meaning as Body;
  const [one, two] = [named(10), named(20)];
  const both = await compare({ url: one }, { url: two });
  assert.deepEqual(
    both.map(({ vector }: Body) => vector),
    ['mini', 'small'],
  );
  assert.ok(
    Math.abs(both[0].similarity - Math.max(0, cosine(floats.get(one)!, floats.get(two)!))) <= bound + 1e-5,
  );
  const sent = await compare({ url: one }, { vectors: { mini: floats.get(one)! } });
  assert.deepEqual(sent, [{ vector: 'mini', similarity: 1, measure: 'estimate' }]);
  assert.equal(await compare({ url: one }, { url: named(7) }), null);
});

test('the explorer offers the lists of each name', async () => {
  const app = await fixtureApp(whole, { extend: addExplorer });
  const shown = async (more: Query) =>
    (await app.inject(pathOf('/explore/page', { url: named(10), ...more }))).body;
  const page = await shown({ by: 'meaning', vector: 'small' });
  assert.match(page, /href="[^"]*by=meaning&amp;vector=mini"[^>]*>by meaning \(mini\)</);
  assert.match(page, /aria-current="[^"]*"[^>]*>by meaning \(small\)|by meaning \(small\)/);
  const [first] = (await ask('/related', { url: named(10), by: 'meaning', vector: 'small' })).body.related;
  assert.ok(page.includes(new URL(first.url).pathname), first.url);
  const { body: compared } = await app.inject(pathOf('/explore/compare', { a: named(10), b: first.url }));
  assert.ok(compared.includes(`by meaning (small) ${first.similarity.toFixed(2)}`));
  const none = await shown({ url: named(7), by: 'meaning' });
  assert.match(none, /This page has no vector of its owner\./);
});

test('GET /index says what the vectors cover, and the export has all lists', async () => {
  const { body } = await ask('/index');
  const [found, small] = body.vectors;
  const { name, dimensions, page_count, other_length_count, method, recall } = found;
  const said = { name, dimensions, page_count, other_length_count };
  assert.deepEqual([method, recall], ['exact', 1]);
  assert.deepEqual(said, { name: 'mini', dimensions: 24, page_count: floats.size, other_length_count: 0 });
  assert.ok(small.page_count > 20 && small.dimensions === 3);
  const app = await fixtureApp(whole);
  const rows = (await app.inject(pathOf('/export/related', { ...mini, limit: 3 }))).body.trim().split('\n');
  const [first] = rows.map((row) => JSON.parse(row));
  assert.equal(rows.length, 3 * floats.size);
  const { body: list } = await ask('/related', { url: first.url, ...mini, limit: 1 });
  assert.deepEqual([first.related_url, first.similarity], [list.related[0].url, list.related[0].similarity]);
});

/** What the index holds of vectors, by URL. */
function rowsOf(path: string): unknown {
  const reader = IndexReader.open(path);
  const urls = Array.from(reader.pages(), ({ url }) => url);
  const lists = [4, 5].map((relation) =>
    [...reader.allNeighbors(relation)].map(({ pageId, list }) => [
      urls[pageId],
      [...list.ids].map((id, i) => [urls[id], list.shared[i]]),
    ]),
  );
  const vectors = urls.map((url, id) => [url, reader.vectors.ofPage(id)]);
  const found = reader.card().parameters['vectors'];
  reader.close();
  return { lists, vectors, found };
}

longTest('additions come to what a build comes to, and a page without its vector has none', async () => {
  const start = PAGES.filter(({ vectors }) => vectors === undefined);
  const { target: late } = await built('late', start);
  const rest = PAGES.filter((page) => !start.includes(page));
  await indexes.add(late, 'second', rest);
  assert.deepEqual(rowsOf(late), rowsOf(whole));
  assert.deepEqual(checkIndex(late).faults, []);
  const { target } = await built('more', PAGES.slice(0, 100));
  const bare = { url: named(1), text: 'leaf 1 water 1 cup' };
  await indexes.add(target, 'second', [...PAGES.slice(100), bare]);
  assert.deepEqual(checkIndex(target).faults, []);
  const { target: without } = await built(
    'without',
    PAGES.map((page) => (page.url === bare.url ? bare : page)),
  );
  assert.deepEqual(rowsOf(target), rowsOf(without));
});

longTest('shards answer as the whole', async () => {
  const paths = await indexes.split(whole);
  for (const path of paths) assert.deepEqual(checkIndex(path).faults, []);
  const apart = asker(await fixtureApp('', { indexPath: paths }));
  const narrowed = { exclude: [`${HOST}0*`], limit: 100 };
  for (const i of [1, 10, 33, 100, 319]) {
    for (const more of [{}, narrowed]) {
      const question = { url: named(i), ...mini, ...more };
      const [one, other] = await Promise.all([ask('/related', question), apart('/related', question)]);
      assert.deepEqual(other.body.related, one.body.related);
    }
  }
});

test('pages that wait are in every list at once, as all pairs say', async () => {
  const live = { maxPending: 1000, maxPendingBytes: 2 ** 24, share: 2, waitMs: 1e9, run: async () => false };
  const target = join(folder, 'live.akin');
  copyFileSync(whole, target);
  const app = await fixtureApp(target, { live });
  const put = (url: string, payload: object) =>
    app.inject({ method: 'PUT', url: pathOf('/pages', { url }), payload });
  const now = new Map(floats);
  for (let i = 0; i < 40; i++) {
    const url = i % 2 === 0 ? `${HOST}new-${i}` : named(i * 3);
    const vector = i % 8 === 5 ? undefined : nearKind(i % 6);
    await put(url, { text: `leaf ${i} water`, ...(vector && { vectors: { mini: vector } }) });
    if (vector === undefined) now.delete(url);
    else now.set(url, vector);
  }
  await app.inject({ method: 'DELETE', url: pathOf('/pages', { url: named(2) }) });
  now.delete(named(2));
  const asked = asker(app);
  for (const [url, vector] of [...now].filter((_, i) => i % 9 === 0 || i > now.size - 20)) {
    const { body } = await asked('/related', { url, ...mini, limit: 40 });
    assert.equal(body.related.length, 40, url);
    requireNearest(body.related, vector, now, url);
  }
  const bad = await put(`${HOST}bad`, { text: 'leaf', vectors: { mini: [0, 0] } });
  assert.deepEqual([bad.statusCode, bad.json().detail], [400, 'vectors.mini: all components are zero']);
  const short = await put(`${HOST}short`, { text: 'leaf', vectors: { mini: [1, 2] } });
  assert.equal(short.statusCode, 400);
  assert.match(
    short.json().detail,
    /vectors\.mini: has 2 components, those of the index and of what waits for it have 24/,
  );
});

test('vectors of another length than most, zeros and unknown names are left out and counted', async () => {
  const bad = [
    { url: `${HOST}x`, text: 'leaf', vectors: { mini: [1, 2, 3] } },
    { url: `${HOST}y`, text: 'leaf', vectors: { mini: nearKind(0).map(() => 0), small: [1, 2, 3] } },
    { url: `${HOST}z`, vectors: { small: [1, 1, 1] } },
  ];
  const made = await built('bad', [...PAGES, ...bad]);
  assert.deepEqual(made.vectors!.leftOut, [{ name: 'mini', pageCount: 1, reason: 'length' }]);
  assert.equal(made.badVectors.recordCount, 1);
  assert.match(made.badVectors.first!, /y: vectors\.mini: all components are zero/);
  assert.equal(made.fetchedPageCount, COUNT + 3);
  const asked = await fileAsker(made.target);
  const { body } = await asked('/related', { url: `${HOST}z`, by: 'meaning', vector: 'small', limit: 1 });
  assert.equal(body.related.length, 1);
  assert.deepEqual(checkIndex(made.target).faults, []);
});

test('an index without vectors does not hold the relation', async () => {
  const { target } = await built(
    'plain',
    PAGES.slice(0, 20).map(({ url, text }) => ({ url, text })),
  );
  const { status, body } = await (await fileAsker(target))('/related', { url: named(1), by: 'meaning' });
  assert.deepEqual([status, body.code], [400, 'relation-not-in-index']);
});

longTest('the check finds figures, lists and vectors that are not right', () => {
  assert.deepEqual(checkIndex(whole).faults, []);
  const damaged = join(folder, 'damaged.akin');
  copyFileSync(whole, damaged);
  const db = new Database(damaged);
  db.prepare(
    'UPDATE vector_block SET vectors = zeroblob(length(vectors)) WHERE relation_id = 4 AND block_id = 1',
  ).run();
  db.prepare(
    'DELETE FROM neighbor WHERE relation_id = 5 AND page_id = (SELECT max(page_id) FROM neighbor WHERE relation_id = 5)',
  ).run();
  db.close();
  const faults = checkIndex(damaged).faults.join('\n');
  assert.match(faults, /meaning vectors mini: page \d+ has a vector of zeros/);
  assert.match(
    faults,
    /meaning neighbors mini: pages \d+ and \d+ are stored at \d+\/60000, but their vectors give \d+\/60000/,
  );
  assert.match(faults, /meaning neighbors small: page \d+ has 0 neighbors, and \d+ pages are near/);
});
