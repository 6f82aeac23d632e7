/** What fills a short list: by a small web whose order is known, read from a file, from shards and with pages that wait. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { splitIndex } from '../../src/indexer/shards/split-index.ts';
import { KeyRing, settingKey } from '../../src/service/keys/key-ring.ts';
import { akin } from '../cli/terminal.ts';
import { buildPages, noting } from '../indexer/build.ts';
import { document, type TestPage } from '../indexer/pages.ts';
import { type Body, fixtureApp, pathOf, type Query } from './fixture-app.ts';
import { temporaryFolder } from './fixture-index.ts';

const KEY = 'a-key-of-thirty-characters-long';
const SHOP = 'https://www.shop.example';
const SUBJECT = `${SHOP}/tea/sencha`;

/** A page of words that no other has: five of its name, each twelve times in the corpus of two pages at most. */
function page(url: string, more: Partial<TestPage> & { words?: string; published?: string } = {}): TestPage {
  const { words = '', published, ...rest } = more;
  const name = url.replace(/\W+/g, '').replace(/\d/g, (digit) => 'abcdefghij'[Number(digit)]!);
  const own = ['one', 'two', 'six', 'ten', 'all'].map((end) => `${name}${end}`).join(' ');
  const head =
    published === undefined ? '' : `<meta property="article:published_time" content="${published}">`;
  return { url, html: document(name, `<p>${own} ${words}</p>`, head), ...rest };
}

const GREEN = 'green leaves steamed rolled steeped morning cup water warm';
const LONG = Array.from(
  { length: 400 },
  (_, i) =>
    `copied${'abcdefghij'[i % 10]}${'klmnopqrst'[Math.floor(i / 10) % 10]}${'uvwx'[Math.floor(i / 100)]}`,
).join(' ');
const PAGES: readonly TestPage[] = [
  page(SUBJECT, { words: GREEN, fields: { kind: 'tea' } }),
  page(`${SHOP}/tea/gyokuro`, { words: `${GREEN} ship`, published: '2024-03-01', fields: { kind: 'tea' } }),
  page(`${SHOP}/tea/assam`, { published: '2026-05-01T10:00:00Z', fields: { kind: 'tea' } }),
  page(`${SHOP}/tea/senche`, { fields: { kind: 'tea' } }),
  page(`${SHOP}/ware/cup`, { published: '2025-01-01', fields: { kind: 'ware' } }),
  page(`${SHOP}/ware/pot`, { words: LONG, published: '2026-04-01' }),
  page(`${SHOP}/ware/pot-again`, { words: LONG }),
  page('https://blog.shop.example/news', { published: '2026-01-01' }),
  page('https://about.shop.example/', { words: '<a href="https://other.example/undated">elsewhere</a>' }),
  page('https://other.example/far', { published: '2026-06-01', words: 'ship' }),
  page('https://other.example/undated'),
  { url: `${SHOP}/tea/gone`, status: 410 },
];
/** By how many leading characters its URL shares with the subject's; then other hosts. */
const BY_URL = ['/tea/senche', '/tea/assam', '/ware/cup', '/ware/pot'].map((path) => SHOP + path);
const OTHER_HOSTS = ['https://about.shop.example/', 'https://blog.shop.example/news'];
/** By date; then those without one. */
const BY_AGE = [
  'https://other.example/far',
  `${SHOP}/tea/assam`,
  `${SHOP}/ware/pot`,
  'https://blog.shop.example/news',
  `${SHOP}/ware/cup`,
  'https://about.shop.example/',
  'https://other.example/undated',
  `${SHOP}/tea/senche`,
];
const RELATED = `${SHOP}/tea/gyokuro`;

// biome-ignore lint/suspicious/noExplicitAny: the test's context stands in for that of the file
const context = { after } as any as TestContext;
const { target } = await buildPages(context, PAGES, { fields: { kind: 'any' } });
const { target: liveTarget } = await buildPages(context, PAGES.slice(0, -1), { fields: { kind: 'any' } });
const folder = join(temporaryFolder({ after }), 'shards');
const order = { source: target, shardCount: 3, folder, memoryBytes: 64 << 20, workerCount: 1 };
const { shards } = await splitIndex(order, noting().listener);
const keys = new KeyRing([settingKey('AKIN_WRITE_KEY', KEY, 'write')]);
const live = { maxPending: 1000, maxPendingBytes: 2 ** 24, share: 2, waitMs: 1e9, run: async () => false };
const APPS = {
  'a file': await fixtureApp(target, { keys }),
  shards: await fixtureApp('', { indexPath: shards.map(({ path }) => path) }),
  'pages that wait': await fixtureApp(liveTarget, { keys, live }),
};
type App = (typeof APPS)['a file'];

async function send(
  app: App,
  method: 'PUT' | 'POST' | 'DELETE',
  url: string,
  payload?: object,
): Promise<Body> {
  const headers = { authorization: `Bearer ${KEY}` };
  const answer = await app.inject({ method, url, headers, ...(payload && { payload }) });
  assert.ok(answer.statusCode < 300, answer.body);
  return answer.json();
}

async function related(app: App, query: Query = {}): Promise<Body> {
  const answer = await app.inject(pathOf('/related', { url: SUBJECT, ...query }));
  assert.equal(answer.statusCode, 200, answer.body);
  return answer.json();
}

const urlsOf = (body: Body): string[] => body.related.map(({ url }: Body) => url);
const fillingOf = (body: Body, kind: string): string[] =>
  body.related.filter(({ fallback }: Body) => fallback === kind).map(({ url }: Body) => url);

// What waits: the page of a URL between two, one that is older than it was, and one that is gone.
const waiting = APPS['pages that wait'];
await send(
  waiting,
  'PUT',
  pathOf('/pages', { url: `${SHOP}/tea/sench` }),
  page(`${SHOP}/tea/sench`, { published: '2026-07-01' }),
);
await send(waiting, 'DELETE', pathOf('/pages', { url: `${SHOP}/tea/assam` }));

for (const [which, app] of Object.entries(APPS)) {
  const isWaiting = which === 'pages that wait';
  const there = (urls: readonly string[]) => urls.filter((url) => !isWaiting || !url.endsWith('/assam'));
  const bySite = [...(isWaiting ? [`${SHOP}/tea/sench`] : []), ...there(BY_URL), ...OTHER_HOSTS];
  const byAge = [...(isWaiting ? [`${SHOP}/tea/sench`] : []), ...there(BY_AGE)];

  test(`what is related comes first, then pages of the site or new ones, marked: ${which}`, async () => {
    const plain = await related(app);
    assert.deepEqual([urlsOf(plain), plain.next], [[RELATED], null]);
    const ofSite = await related(app, { fallback: 'site', limit: 20 });
    assert.deepEqual(urlsOf(ofSite), [RELATED, ...bySite]);
    const newest = await related(app, { fallback: 'recent', limit: 20 });
    assert.deepEqual(urlsOf(newest), [RELATED, ...byAge]);
    assert.deepEqual(newest.related[0], plain.related[0]);
    for (const [body, kind] of [
      [ofSite, 'site'],
      [newest, 'recent'],
    ] as const) {
      assert.deepEqual(fillingOf(body, kind), urlsOf(body).slice(1));
      assert.deepEqual([body.next, body.empty_reason], [null, null]);
      for (const item of body.related.slice(1)) assert.ok(item.similarity < 0.03 && item.measure === 'exact');
    }
    // Up to limit and no further, whatever is left.
    for (const limit of [1, 2, 4]) {
      const some = await related(app, { fallback: 'site', limit });
      assert.deepEqual([urlsOf(some), some.next], [[RELATED, ...bySite].slice(0, limit), null]);
    }
  });

  test(`filters hold for what fills a list: ${which}`, async () => {
    const ask = async (query: Query) =>
      fillingOf(await related(app, { fallback: 'recent', limit: 20, ...query }), 'recent');
    assert.deepEqual(
      await ask({ same_site: 'exclude' }),
      byAge.filter((url) => !url.includes('shop.example')),
    );
    assert.deepEqual(await ask({ field: ['kind=ware'] }), [`${SHOP}/ware/cup`]);
    assert.deepEqual(await ask({ field: ['kind=same'] }), there([`${SHOP}/tea/assam`, `${SHOP}/tea/senche`]));
    assert.deepEqual(await ask({ exclude: [`${SHOP}/*`, 'https://other.example/far'] }), [
      'https://blog.shop.example/news',
      'https://about.shop.example/',
      'https://other.example/undated',
    ]);
    assert.deepEqual(
      await ask({ published_after: '2026-01-01' }),
      byAge.filter((url) => /far|assam|pot|news|sench$/.test(url)),
    );
    // The related page is the first of its site.
    const newest = isWaiting ? [byAge[0]!, BY_AGE[0]!] : byAge.slice(0, 2);
    assert.deepEqual(await ask({ max_per_site: 2 }), [...newest, 'https://other.example/undated']);
    // Pages that are similar, but not similar enough to be asked for, may fill it.
    const least = await related(app, { fallback: 'site', min_similarity: 0.99, limit: 20 });
    assert.ok(fillingOf(least, 'site').includes(RELATED));
  });
}

const app = APPS['a file'];

test('blocks hold, pins come first, and explain tells what even these share', async () => {
  const rules = [{ url: SUBJECT, pin: [`${SHOP}/ware/cup`], block: [`${SHOP}/tea/assam`] }];
  await send(app, 'PUT', '/rules', { rules });
  const body = await related(app, { fallback: 'site', limit: 4, explain: true });
  assert.deepEqual(urlsOf(body), [`${SHOP}/ware/cup`, RELATED, `${SHOP}/tea/senche`, `${SHOP}/ware/pot`]);
  assert.deepEqual(
    body.related.map(({ pinned, fallback }: Body) => pinned ?? fallback),
    [true, undefined, 'site', 'site'],
  );
  assert.deepEqual(body.related[3].why.terms, []);
  await send(app, 'PUT', '/rules', { rules: [] });
});

test('each way to ask for a list takes it: a fragment, a batch, a document, the command line, rows', async () => {
  const html = (await app.inject(pathOf('/related.html', { url: SUBJECT, fallback: 'site', limit: 3 }))).body;
  const classes = [...html.matchAll(/<li class="(.*?)">/g)].map(([, name]) => name);
  assert.deepEqual(classes, ['akin-item', 'akin-item akin-fallback', 'akin-item akin-fallback']);
  const { results } = await send(app, 'POST', '/related/batch', {
    urls: [SUBJECT, `${SHOP}/ware/cup`],
    fallback: 'recent',
    limit: 2,
  });
  assert.deepEqual(results.map(urlsOf), [[RELATED, BY_AGE[0]], BY_AGE.slice(0, 2)]);
  const posted = {
    url: `${SHOP}/tea/matcha`,
    text: 'a powder that no page here tells of, bright and fine',
  };
  const similar = await send(app, 'POST', pathOf('/similar', { fallback: 'site', limit: 2 }), posted);
  assert.deepEqual(fillingOf(similar, 'site'), [`${SHOP}/tea/assam`, RELATED]);
  const { stdout } = await akin(['related', target, SUBJECT, '--fallback', 'site', '--limit', '2']);
  assert.match(stdout, /senche +site/);
  const { stdout: csv } = await akin([
    'export',
    target,
    '--what',
    'related',
    '--fallback',
    'recent',
    '--limit',
    '2',
    '--format',
    'csv',
  ]);
  assert.match(csv.split('\n')[0]!, /,fallback\r$/);
  assert.ok(csv.includes('recent'));
});

test('a page that is not known, or gone, has a list of its own site or of new pages', async () => {
  const unknown = { url: `${SHOP}/tea/new`, missing: '200', limit: 2 };
  const empty = await related(app, unknown);
  assert.deepEqual([empty.related, empty.empty_reason], [[], 'not_indexed']);
  assert.deepEqual(fillingOf(await related(app, { ...unknown, fallback: 'site' }), 'site'), [
    `${SHOP}/tea/assam`,
    RELATED,
  ]);
  assert.deepEqual(
    fillingOf(await related(app, { ...unknown, fallback: 'recent' }), 'recent'),
    BY_AGE.slice(0, 2),
  );
  const elsewhere = await related(app, { ...unknown, url: 'https://nowhere.example/', fallback: 'site' });
  assert.deepEqual([elsewhere.related, elsewhere.empty_reason], [[], 'not_indexed']);
});

test('other relations are filled too, with their own figures; lists of copies are not', async () => {
  for (const by of ['cocitation', 'coupling', 'companion']) {
    const { related: items } = await related(app, { by, fallback: 'site', limit: 2 });
    assert.deepEqual(
      items.map(({ similarity, fallback }: Body) => [similarity, fallback]),
      [
        [0, 'site'],
        [0, 'site'],
      ],
    );
  }
  const answer = await app.inject(pathOf('/related', { url: SUBJECT, by: 'copy', fallback: 'site' }));
  assert.deepEqual([answer.statusCode, answer.json().errors[0].parameter], [400, 'fallback']);
});

test('by own features the figures are those of the features', async () => {
  const of = (name: string, features: object) => page(`${SHOP}/${name}`, { features: { maker: features } });
  const built = await buildPages(context, [
    of('a', { ume: 1 }),
    of('b', { ume: 1 }),
    of('c', { ume: 0.1, oka: 0.9 }),
  ]);
  const shop = await fixtureApp(built.target);
  const { related: items } = await related(shop, {
    url: `${SHOP}/a`,
    by: 'own-features',
    fallback: 'recent',
  });
  assert.deepEqual(
    items.map(({ url, similarity, fallback }: Body) => [url, similarity, fallback]),
    [
      [`${SHOP}/b`, 1, undefined],
      [`${SHOP}/c`, 0.052632, 'recent'],
    ],
  );
});

test('by vectors the figures are cosines', async () => {
  const of = (name: string, vector: readonly number[]) =>
    page(`${SHOP}/${name}`, { vectors: { mini: vector } });
  const built = await buildPages(context, [of('a', [1, 0]), of('b', [0.6, 0.8]), page(`${SHOP}/c`)]);
  const query = { url: `${SHOP}/a`, by: 'meaning', min_similarity: 0.9, fallback: 'site' };
  const { related: items } = await related(await fixtureApp(built.target), query);
  assert.deepEqual(
    items.map(({ url, similarity, fallback }: Body) => [url, similarity.toFixed(2), fallback]),
    [
      [`${SHOP}/b`, '0.60', 'site'],
      [`${SHOP}/c`, '0.00', 'site'],
    ],
  );
});

test('it counts for no facet', async () => {
  const { facets } = await related(app, { fallback: 'site', facets: 'kind' });
  assert.equal(facets[0].counted, 1);
});

test('it fills the last page of a list, with none that was on those before', async () => {
  const ask = (query: Query) => related(app, { url: RELATED, fallback: 'site', ...query });
  const [first, second] = urlsOf(await related(app, { url: RELATED }));
  const one = await ask({ limit: 1 });
  assert.deepEqual(urlsOf(one), [first]);
  const rest = await ask({ limit: 4, cursor: one.next });
  assert.deepEqual(urlsOf(rest), [second, `${SHOP}/tea/assam`, `${SHOP}/tea/senche`, `${SHOP}/ware/cup`]);
  assert.deepEqual([fillingOf(rest, 'site').length, rest.next], [3, null]);
});
