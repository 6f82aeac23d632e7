/** Lists are as long as pages allow, whatever filters, pins and blocks leave of what is stored: by a look at all pages. */
import assert from 'node:assert/strict';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { splitIndex } from '../../src/indexer/shards/split-index.ts';
import { weightedJaccard } from '../../src/join/exact/weighted-jaccard.ts';
import { Random } from '../../src/lib/random.ts';
import { parseCondition, passes } from '../../src/page/fields/field-condition.ts';
import type { PageFields } from '../../src/page/fields/page-fields.ts';
import { KeyRing, settingKey } from '../../src/service/keys/key-ring.ts';
import { buildPages, noting } from '../indexer/build.ts';
import { type TestPage, villagePages } from '../indexer/pages.ts';
import { type Body, fixtureApp, pathOf, type Query } from './fixture-app.ts';
import { temporaryFolder } from './fixture-index.ts';

/** Questions by chance of each kind of index. */
const ROUNDS = 100;
const STORED = 32;
const PUT = 8;
const KEY = 'a-key-of-thirty-characters-long';

/** Twelve sites of unequal size, a third of the pages in German; links lead to pages that are known by them alone. */
const PAGES = villagePages(50).map((page, i) => ({
  url: page.url.replace('.example', `-${Math.floor(Math.sqrt(i % 9))}.example`),
  html: page.html!.replace('lang="en"', `lang="${langOf(i)}"`),
  fields: { tag: [`t${i % 3}`, `u${i % 7}`], price: i / 2, ...(i % 40 < 2 && { rare: true }) } as PageFields,
})) satisfies readonly TestPage[];
/** The others are put while the index is served; elsewhere pins of them wait for their pages. */
const INDEXED = PAGES.slice(0, -PUT);
const ROW = new Map(PAGES.map(({ url }, i) => [url, i]));
const siteOf = (url: string) => new URL(url).hostname;
function langOf(i: number): string {
  return i % 3 === 0 ? 'de' : 'en';
}

// biome-ignore lint/suspicious/noExplicitAny: the test's context stands in for that of the file
const context = { after } as any as TestContext;
const { target } = await buildPages(context, INDEXED, { neighborLimit: STORED, fields: { tag: 'any' } });
const liveTarget = join(temporaryFolder({ after }), 'live.akin');
copyFileSync(target, liveTarget);
const folder = join(temporaryFolder({ after }), 'shards');
const order = { source: target, shardCount: 3, folder, memoryBytes: 64 << 20, workerCount: 1 };
const { shards } = await splitIndex(order, noting().listener);
const options = {
  exactSearchUs: Number.POSITIVE_INFINITY,
  keys: new KeyRing([settingKey('AKIN_WRITE_KEY', KEY, 'write')]),
};
const live = { maxPending: 1000, maxPendingBytes: 2 ** 24, share: 2, waitMs: 1e9, run: async () => false };
type App = Awaited<ReturnType<typeof fixtureApp>>;
const APPS: Readonly<Record<string, App>> = {
  'a file': await fixtureApp(target, options),
  shards: await fixtureApp('', { ...options, indexPath: shards.map(({ path }) => path) }),
  'pages that wait': await fixtureApp(liveTarget, { ...options, live }),
};

async function send(app: App, method: 'PUT' | 'POST', url: string, payload: object): Promise<Body> {
  const answer = await app.inject({ method, url, payload, headers: { authorization: `Bearer ${KEY}` } });
  assert.ok(answer.statusCode < 300, answer.body);
  return answer.json();
}

for (const { url, ...page } of PAGES.slice(-PUT)) {
  await send(APPS['pages that wait']!, 'PUT', pathOf('/pages', { url }), page);
}

/** All pages by their similarity, to six places; 0 for what is below the floor. */
async function similarities(app: App, url: string): Promise<Map<string, number>> {
  const { value } = await app.holder.current().answer(async (reads) => {
    const { id, floor } = reads.facts.words!;
    const own = await reads.bag(id, await reads.idOf(url));
    const found = new Map<string, number>();
    for (let page = 0; page < reads.facts.pageCount; page++) {
      const similarity = weightedJaccard(own, await reads.bag(id, page));
      const isNear = similarity > 0 && similarity >= floor;
      found.set((await reads.page(page)).url, isNear ? Math.round(similarity * 1e6) / 1e6 : 0);
    }
    return found;
  });
  return value;
}

interface Asked {
  readonly url: string;
  readonly query: Query;
  readonly pin: readonly string[];
  readonly block: readonly string[];
}

/** Some filters, pins and blocks. */
function ask(random: Random): Asked {
  const some = <Item>(items: readonly Item[]): Item => items[random.below(items.length)]!;
  const several = (most: number) => Array.from({ length: random.below(most + 1) }, () => some(PAGES).url);
  const { url } = some(INDEXED);
  const maybe = (times: number, make: () => Query): Query => (random.below(times) === 0 ? make() : {});
  const fields = ['tag=t1', 'tag=u2,u5', 'tag=same', 'price=20..110', 'price=..9', 'rare=true'];
  const excluded = () => [...several(4), ...(random.below(2) === 0 ? [siteOf(some(PAGES).url)] : [])];
  return {
    url,
    query: {
      limit: some([10, 31, 40, 100]),
      ...maybe(3, () => ({ field: [...new Set([some(fields), some(fields)])] })),
      ...maybe(8, () => ({ site: siteOf(some([url, some(PAGES).url])) })),
      ...maybe(4, () => ({ lang: some(['de', 'en']) })),
      ...maybe(3, () => ({ exclude: excluded() })),
      ...maybe(3, () => ({ max_per_site: 1 + random.below(12) })),
      ...maybe(3, () => ({ diversity: some([0.2, 0.7]) })),
      ...maybe(8, () => ({ min_similarity: some([0.05, 0.2]) })),
      ...maybe(3, () => ({ rank: some(['similarity', 'score']) })),
      ...maybe(8, () => ({ same_site: 'exclude' })),
    },
    pin: random.below(2) === 0 ? several(5) : [],
    block: random.below(2) === 0 ? [...excluded(), `${some(PAGES).url.slice(0, -6)}*`] : [],
  };
}

const isLeftOut = (url: string, entries: readonly string[]) =>
  entries.some(
    (one) => one === url || one === siteOf(url) || (one.endsWith('*') && url.startsWith(one.slice(0, -1))),
  );

/** Whether filters and blocks let a page through, all by itself. */
function isPassing(other: string, { url, query, block }: Asked): boolean {
  const { field = [], exclude = [], site, lang, same_site } = query as Body;
  const [own, of] = [url, other].map((one) => PAGES[ROW.get(one) ?? -1]?.fields ?? {}) as [
    PageFields,
    PageFields,
  ];
  const isOfFields = field.every((text: string) => {
    const { name, tests } = parseCondition(text)!;
    if (tests !== null) return passes(of, name, tests);
    return (own[name] as string[]).some((value) => (of[name] as string[] | undefined)?.includes(value));
  });
  return (
    other !== url &&
    isOfFields &&
    !isLeftOut(other, [...exclude, ...block]) &&
    (site === undefined || siteOf(other) === site) &&
    (lang === undefined || !ROW.has(other) || langOf(ROW.get(other)!) === lang) &&
    (same_site === undefined || siteOf(other) !== siteOf(url))
  );
}

async function pagesOfList(app: App, { url, query }: Asked): Promise<Body[][]> {
  const pages: Body[][] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const path: string = pathOf('/related', { url, ...query, ...(cursor !== '' && { cursor }) });
    const answer = await app.inject(path);
    assert.equal(answer.statusCode, 200, answer.body);
    const body: Body = answer.json();
    pages.push(body.related);
    cursor = body.next;
  }
  return pages;
}

for (const [which, app] of Object.entries(APPS)) {
  test(`no list starves: ${which}`, async () => {
    const random = new Random(12);
    let beyond = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const asked = ask(random);
      const { url, query, block } = asked;
      const label = `${which}, round ${round}: ${JSON.stringify(asked)}`;
      const rules = [{ url, pin: asked.pin, block }];
      await send(app, 'PUT', '/rules', { rules });
      const near = await similarities(app, url);
      const pins = [...new Set(asked.pin)].filter((one) => near.has(one) && isPassing(one, asked));
      const least = Math.max(Number(query['min_similarity'] ?? 0), 1e-6);
      const rest = [...near.keys()].filter(
        (one) => near.get(one)! >= least && !pins.includes(one) && isPassing(one, asked),
      );
      const most = Number(query['max_per_site'] ?? Number.POSITIVE_INFINITY);
      const ofSite = new Map<string, number>();
      for (const one of [...pins, ...rest]) ofSite.set(siteOf(one), (ofSite.get(siteOf(one)) ?? 0) + 1);
      const length = [...ofSite.values()].reduce((sum, count) => sum + Math.min(most, count), 0);

      const pages = await pagesOfList(app, asked);
      const limit = Number(query['limit']);
      const full = Array(Math.floor(length / limit)).fill(limit);
      const sizes = length % limit > 0 || length === 0 ? [...full, length % limit] : full;
      assert.deepEqual(
        pages.map((page) => page.length),
        sizes,
        label,
      );
      const items = pages.flat();
      const urls = items.map((item) => item.url);
      assert.equal(new Set(urls).size, length, `once each: ${label}`);
      const listedPins = items.filter(({ pinned }) => pinned).map((item) => item.url);
      assert.deepEqual(urls.slice(0, listedPins.length), listedPins, label);
      assert.ok(
        urls.every((one) => pins.includes(one) || rest.includes(one)),
        label,
      );
      if (most === Number.POSITIVE_INFINITY) assert.deepEqual(listedPins, pins, label);
      if (
        query['rank'] === 'similarity' &&
        query['diversity'] === undefined &&
        query['max_per_site'] === undefined
      ) {
        const expected = rest.map((one) => near.get(one)!).sort((a, b) => b - a);
        assert.deepEqual(
          items.slice(pins.length).map(({ similarity }) => similarity),
          expected,
          label,
        );
      }
      if (length > STORED) beyond++;
    }
    assert.ok(beyond > ROUNDS / 4, 'lists go beyond what is stored');
  });
}
