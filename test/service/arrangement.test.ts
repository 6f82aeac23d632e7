/** Fresh pages further up, pages that differ, and pages published before: by a slow twin over the bags and the dates. */
import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import { buildPages } from '../indexer/build.ts';
import { type TestPage, villagePages } from '../indexer/pages.ts';
import { asker, fixtureApp, pathOf, type Query } from './fixture-app.ts';

const DAY_MS = 86_400_000;
const ARRANGED = 32;
const now = Date.now();

/** Published 0, 5, 10 ... days ago; every seventh page does not say when. */
const PAGES: readonly TestPage[] = villagePages(40).map((page, i) => {
  const date = new Date(now - (i % 30) * 5 * DAY_MS).toISOString().slice(0, 10);
  const head = i % 7 === 0 ? '' : `<meta property="article:published_time" content="${date}">`;
  return { ...page, html: page.html!.replace('</head>', `${head}</head>`) };
});
// biome-ignore lint/suspicious/noExplicitAny: the test's context stands in for that of the file
const context = { after } as any as TestContext;
const { target, reader } = await buildPages(context, PAGES, { neighborLimit: 12 });
const app = await fixtureApp(target, { exactSearchUs: Number.POSITIVE_INFINITY });
const ask = asker(app);
const SUBJECTS = [3, 61, 120].map((i) => PAGES[i]!.url);

type Item = { url: string; similarity: number; score?: number };
const urlsOf = (items: readonly Item[]) => items.map(({ url }) => url);

async function listOf(url: string, query: Query): Promise<Item[]> {
  const { status, body } = await ask('/related', { url, limit: 100, ...query });
  assert.equal(status, 200, JSON.stringify(body));
  return body.related;
}

const publishedAt = (url: string) => reader.pageCards.get(reader.findPage(url))?.publishedAt ?? null;

function freshness(url: string, halfDays: number): number {
  const date = publishedAt(url);
  if (date === null) return 0.5;
  const days = (reader.card().builtAtMs - Date.parse(date)) / DAY_MS;
  return days <= halfDays / 10 ? 1 : 0.5 ** ((days - halfDays / 10) / (0.9 * halfDays));
}

const bags = new Map<string, ReadonlyMap<number, number>>();
function bagOf(url: string): ReadonlyMap<number, number> {
  const known = bags.get(url);
  if (known !== undefined) return known;
  const { features, weights } = reader.bag(1, reader.findPage(url));
  const bag = new Map([...features].map((feature, i) => [feature, weights[i]!]));
  bags.set(url, bag);
  return bag;
}

const known = new Map<string, number>();
function similarity(a: string, b: string): number {
  const pair = `${a} ${b}`;
  const value = known.get(pair) ?? weightedJaccard(bagOf(a), bagOf(b));
  known.set(pair, value);
  return value;
}

/** Feature by feature. */
function weightedJaccard(x: ReadonlyMap<number, number>, y: ReadonlyMap<number, number>): number {
  let [least, most] = [0, 0];
  for (const feature of new Set([...x.keys(), ...y.keys()])) {
    least += Math.min(x.get(feature) ?? 0, y.get(feature) ?? 0);
    most += Math.max(x.get(feature) ?? 0, y.get(feature) ?? 0);
  }
  return least / most;
}

test('fresh pages stand further up: by similarity times freshness, of the first 32 pages', async () => {
  for (const url of SUBJECTS) {
    const plain = await listOf(url, {});
    assert.ok(plain.length > ARRANGED, 'pages behind those that are arranged');
    const counted = plain.slice(0, ARRANGED).map((item, i) => {
      return { ...item, i, score: similarity(url, item.url) * freshness(item.url, 30) };
    });
    const expected = counted.toSorted((a, b) => b.score - a.score || a.i - b.i);
    const found = await listOf(url, { boost: 'fresh:30d' });
    assert.deepEqual(urlsOf(found), [...urlsOf(expected), ...urlsOf(plain.slice(ARRANGED))]);
    assert.notDeepEqual(urlsOf(found), urlsOf(plain));
    for (const [i, { score, similarity }] of expected.entries()) {
      assert.ok(Math.abs(found[i]!.score! - score) < 1e-6);
      assert.equal(found[i]!.similarity, similarity, 'similarity stays');
    }
    assert.equal(found[ARRANGED]!.score, undefined);
  }
});

test('pages that differ: the greatest of what they count less what they share with those before them', async () => {
  for (const url of SUBJECTS.slice(1, 2)) {
    for (const [diversity, boost] of [
      [0.5, undefined],
      [1, undefined],
      [0.3, 'fresh:2w'],
    ] as const) {
      const plain = await listOf(url, {});
      const left = plain.slice(0, ARRANGED).map(({ url: one }) => {
        return {
          url: one,
          count: similarity(url, one) * (boost === undefined ? 1 : freshness(one, 14)),
        };
      });
      const chosen: string[] = [];
      const worth = ({ url: one, count }: { url: string; count: number }) =>
        (1 - diversity) * count - diversity * Math.max(0, ...chosen.map((other) => similarity(one, other)));
      const found = await listOf(url, { diversity, ...(boost && { boost }) });
      for (const item of found.slice(0, ARRANGED)) {
        // Where two are equal, either may come.
        const best = Math.max(...left.map(worth));
        const at = left.findIndex((one) => one.url === item.url);
        assert.ok(at >= 0 && Math.abs(worth(left[at]!) - best) < 1e-9, `${item.url} is not the next one`);
        chosen.push(left.splice(at, 1)[0]!.url);
      }
      assert.deepEqual(urlsOf(found.slice(ARRANGED)), urlsOf(plain.slice(ARRANGED)));
      if (diversity === 1) continue;
      assert.equal(new Set(urlsOf(found)).size, plain.length);
    }
  }
});

test('a list is in one order, page by page and for a document that says the same', async () => {
  const url = SUBJECTS[1]!;
  for (const query of [
    { diversity: 0.4 },
    { boost: 'fresh:1y', diversity: 0.2 },
    { boost: 'fresh:30d', same_site: 'exclude' },
  ]) {
    const whole = await listOf(url, query);
    const pages: string[] = [];
    for (let cursor = ''; cursor !== null && pages.length < 45; ) {
      const { body } = await ask('/related', { url, limit: 15, ...query, ...(cursor && { cursor }) });
      pages.push(...urlsOf(body.related));
      cursor = body.next;
    }
    assert.deepEqual(pages, urlsOf(whole).slice(0, pages.length));
  }
  const posted = await app.inject({
    method: 'POST',
    url: pathOf('/similar', { diversity: 0.4, limit: 20 }),
    payload: { url },
  });
  assert.deepEqual(urlsOf(posted.json().related), urlsOf(await listOf(url, { diversity: 0.4 })).slice(0, 20));
});

test('pages published before the page, or before a date', async () => {
  for (const url of SUBJECTS) {
    const plain = urlsOf(await listOf(url, {}));
    const own = publishedAt(url);
    const before = (date: string) => plain.filter((one) => (publishedAt(one) ?? '9') < date);
    // The list of a hundred may be full before all that are expected are met in that of all pages.
    const own100 = urlsOf(await listOf(url, { published_before: 'page' }));
    const expected = own === null ? [] : before(own);
    assert.deepEqual(own100.slice(0, expected.length), expected);
    assert.ok(own100.every((one) => publishedAt(one)! < own!));
    const date = new Date(now - 60 * DAY_MS).toISOString().slice(0, 10);
    assert.ok(before(date).length > 3);
    const found = urlsOf(await listOf(url, { published_before: date }));
    assert.deepEqual(found.slice(0, before(date).length), before(date));
  }
  const undated = PAGES[7]!.url;
  const { body } = await ask('/related', { url: undated, published_before: 'page' });
  assert.deepEqual([body.related, body.empty_reason], [[], 'excluded']);
});

test('what has no effect, or no form, is refused', async () => {
  const url = SUBJECTS[0]!;
  const refused: [Query, string][] = [
    [{ boost: 'fresh:0d' }, 'boost'],
    [{ boost: 'stale:30d' }, 'boost'],
    [{ boost: 'fresh:30d', by: 'copy' }, 'boost'],
    [{ diversity: 0.5, by: 'coupling' }, 'diversity'],
    [{ diversity: 1.1 }, 'diversity'],
    [{ published_before: 'now' }, 'published_before'],
  ];
  for (const [query, parameter] of refused) {
    const { status, body } = await ask('/related', { url, ...query });
    assert.deepEqual([status, body.errors?.[0].parameter], [400, parameter], JSON.stringify(query));
  }
});
