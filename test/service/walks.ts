/** Lists that are walked by cursors: one list, whatever part of it is asked for, by whatever it goes; and one score of a page. */
import assert from 'node:assert/strict';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import type { BuildOptions } from '../../src/indexer/options/build-options.ts';
import { checkIndex } from '../../src/store/check/check.ts';
import { IndexReader } from '../../src/store/read/reader.ts';
import { openBm25 } from '../../src/store/read/stored/stored-kernel.ts';
import { shortTexts } from '../slow-bm25.ts';
import { type Body, fixtureApp, pathOf, type Query } from './fixture-app.ts';
import { temporaryFolder } from './fixture-index.ts';
import { recordIndexes } from './record-indexes.ts';

const COUNT = 120;
const LIMIT = 16;
const SITES = 5;
/** Pages whose lists may be walked, of three sites. */
const WALKED = [3, 25, 82];

const urlOf = (i: number) => `https://p${i % SITES}.example/${String(i).padStart(3, '0')}`;
const TEXTS = shortTexts(COUNT + 10, 5);
/** Points on circles, so that what is near by them is near by words one time in two. */
const vectorOf = (i: number) =>
  [1, 2, 3].flatMap((turns) => [
    Math.cos(turns * (i % 12)) + (i % 7) / 9,
    Math.sin(turns * (i % 12)) - (i % 5) / 9,
  ]);
const record = (i: number) => ({
  url: urlOf(i),
  text: TEXTS[i]!,
  ...(i % 9 !== 0 && { vectors: { mini: vectorOf(i) } }),
});
const RECORDS = Array.from({ length: COUNT }, (_, i) => record(i));

const folder = temporaryFolder({ after });
const indexes = recordIndexes(folder);
const KINDS = {
  words: {},
  bm25: { kernel: 'bm25', parts: { content: 1 } },
  'lent words': { lend: 0.3 },
  'words and vectors': { meaningShare: 0.4 },
} as const;
const apps: Record<string, FastifyInstance> = {};

/** Builds an index by lists of a kind, and serves it. */
async function serve(kind: string, more: Partial<BuildOptions>): Promise<string> {
  const how = { maxPageShare: 1, neighborLimit: LIMIT, ...more };
  const { target } = await indexes.build(kind.replaceAll(' ', '-'), RECORDS, how);
  apps[kind] = await fixtureApp(target);
  return target;
}

type List = (query: Query) => Promise<Body>;

const ofPage =
  (app: FastifyInstance, url: string): List =>
  async (query) =>
    (await app.inject(pathOf('/related', { url, ...query }))).json();
const ofText =
  (app: FastifyInstance, payload: object): List =>
  async (query) =>
    (await app.inject({ method: 'POST', url: pathOf('/similar', query), payload })).json();
const urlsOf = (body: Body): string[] => body.related.map(({ url }: Body) => url);

/** The first pages of a list by cursors; `most` are asked for at least, where there are so many. */
async function walk(list: List, query: Query, limit: number, most: number): Promise<string[]> {
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const body: Body = await list({ ...query, limit, ...(cursor !== null && { cursor }) });
    seen.push(...urlsOf(body));
    cursor = body.next;
  } while (cursor !== null && seen.length < most);
  return seen;
}

/** Walks a list in steps of several lengths, and asks for more and more of it at once. */
async function requireOneList(list: List, query: Query, where: string): Promise<void> {
  const whole = urlsOf(await list({ ...query, limit: 100 }));
  assert.equal(new Set(whole).size, whole.length, `${where}: a page stands twice`);
  for (const limit of [LIMIT + 1, 40])
    assert.deepEqual(
      urlsOf(await list({ ...query, limit })),
      whole.slice(0, limit),
      `${where}: limit=${limit}`,
    );
  for (const limit of [9, 30]) {
    const seen = await walk(list, query, limit, limit === 30 ? COUNT : 2 * LIMIT);
    assert.equal(new Set(seen).size, seen.length, `${where}: a page comes twice, ${limit} at a time`);
    const shared = Math.min(seen.length, whole.length);
    assert.deepEqual(seen.slice(0, shared), whole.slice(0, shared), `${where}: ${limit} at a time`);
    assert.ok(limit < 30 || seen.length >= whole.length, `${where}: the walk ends early`);
  }
}

/** A filter by sites lists first what it leaves of the stored list. */
async function requireKept(list: List, where: string): Promise<void> {
  const stored = urlsOf(await list({ limit: LIMIT }));
  const exclude = [1, 2, 3].map((site) => `https://p${site}.example/*`);
  const left = stored.filter((url) => !/^https:..p[123]\./.test(url));
  const filtered = urlsOf(await list({ limit: 100, exclude }));
  assert.deepEqual(filtered.slice(0, left.length), left, `${where}: a filter loses pages that pass it`);
  await requireOneList(list, { exclude }, `${where}, filtered`);
}

const QUERIES: readonly Query[] = [
  {},
  { rank: 'similarity' },
  { same_site: 'exclude' },
  { min_similarity: 0.2 },
  { max_per_site: 4 },
];

/** Walks lists of every kind: of each of them of every page by every query; or those of words, and of words and vectors, of one page by some. */
export async function testWalks(isWhole: boolean): Promise<void> {
  const kinds = Object.entries(KINDS).filter(([kind]) => isWhole || kind.startsWith('words'));
  const served: [kind: string, target: string][] = [];
  for (const [kind, more] of kinds) served.push([kind, await serve(kind, more)]);
  for (const [i, [kind, target]] of served.entries()) {
    if (isWhole) test(`${kind}: the index is whole`, () => assert.deepEqual(checkIndex(target).faults, []));
    testKind(
      kind,
      target,
      isWhole ? WALKED : [WALKED[i % WALKED.length]!],
      isWhole ? QUERIES : [QUERIES[0]!, QUERIES[1 + i]!],
    );
  }
  testEnded();
}

function testKind(kind: string, target: string, walked: readonly number[], queries: readonly Query[]): void {
  const app = apps[kind]!;

  test(`${kind}: a list is one, in whatever pieces it is read`, async () => {
    for (const page of walked) {
      const list = ofPage(app, urlOf(page));
      for (const query of queries)
        await requireOneList(list, query, `${urlOf(page)} ${JSON.stringify(query)}`);
      await requireKept(list, urlOf(page));
    }
  });

  test(`${kind}: so is that of a document`, async () => {
    for (const i of [COUNT, 4].slice(0, walked.length)) {
      const { url, ...sent } = record(i);
      const { vectors: _vectors, ...words } = { vectors: null, ...sent };
      const payload = kind === 'words and vectors' ? sent : words;
      const list = ofText(app, i < COUNT ? { url, ...payload } : payload);
      await requireOneList(list, {}, `document ${i}`);
      await requireKept(list, `document ${i}`);
    }
  });

  testScores(kind, walked, app);

  // Over shards and with pages that wait other lists have tests of their own; walks.long.ts walks those, too.
  if (walked.length > 1) testElsewhere(kind, target, walked);
  else if (kind !== 'words') return;

  test(`${kind}: so it is with pages that wait`, async () => {
    const how = { maxPending: 1000, maxPendingBytes: 2 ** 24, share: 2, waitMs: 1e9 };
    const path = join(folder, 'live.akin');
    copyFileSync(target, path);
    const app = await fixtureApp(path, { live: { ...how, run: async () => false } });
    const [near, ...others] = WALKED.slice(0, walked.length + 1).map((page) => ofPage(app, urlOf(page)));
    // The second of a list, and pages behind those that are held in memory.
    const gone = [urlsOf(await near!({ limit: LIMIT }))[1]!];
    for (const list of others) gone.push(urlsOf(await list({ limit: LIMIT })).at(-1)!);
    for (const url of gone) await app.inject({ method: 'DELETE', url: pathOf('/pages', { url }) });
    for (const list of [near!, ...others]) await requireOneList(list, {}, 'without pages that are gone');
    for (const [i, text] of [COUNT + 2, COUNT + 3, 33].entries()) {
      const { url, ...payload } = record(text);
      const sent = { ...payload, text: TEXTS[COUNT + 4 + i] };
      await app.inject({ method: 'PUT', url: pathOf('/pages', { url }), payload: sent });
    }
    for (const list of [near!, ofPage(app, urlOf(COUNT + 2))])
      await requireOneList(list, {}, 'with new pages');
    await requireKept(near!, 'with new pages');
  });
}

function testElsewhere(kind: string, target: string, walked: readonly number[]): void {
  test(`${kind}: so it is where searches are quick, and over shards`, async () => {
    const quick = await fixtureApp(target, { exactSearchUs: 0 });
    const apart = await fixtureApp('', { indexPath: await indexes.split(target) });
    for (const page of walked) {
      for (const app of [quick, apart]) {
        const where = `${app === quick ? 'quick' : 'shards'}: ${urlOf(page)}`;
        await requireOneList(ofPage(app, urlOf(page)), {}, where);
        await requireKept(ofPage(app, urlOf(page)), where);
      }
    }
  });
}

function testScores(kind: string, walked: readonly number[], app: FastifyInstance): void {
  test(`${kind}: a page has one score, in whatever order the list is`, async () => {
    const text = { text: TEXTS[COUNT]!, vectors: { mini: vectorOf(COUNT) } };
    const lists = [
      ...walked.slice(0, 2).map((page) => ofPage(app, urlOf(page))),
      ofText(app, kind === 'words and vectors' ? text : { text: text.text }),
    ];
    for (const list of lists) {
      const scoresOf = async (query: Query) => {
        const body = await list({ explain: true, limit: 100, ...query });
        return new Map<string, number>(
          body.related.flatMap(({ url, score }: Body) => (score === undefined ? [] : [[url, score]])),
        );
      };
      const scores = await scoresOf({});
      assert.equal(scores.size, LIMIT);
      for (const query of [{ rank: 'similarity' }, { same_site: 'exclude' }, { min_similarity: 0.05 }]) {
        const others = await scoresOf(query);
        assert.ok(others.size > LIMIT / 3, `${others.size}`);
        for (const [url, score] of others)
          assert.equal(score, scores.get(url), `${JSON.stringify(query)}: ${url}`);
      }
    }
  });
}

function testEnded(): void {
  test('a search that a filter ends leaves nothing to the next one', async () => {
    const { target } = await indexes.build('ended', RECORDS, { maxPageShare: 1, ...KINDS.bm25 });
    const reader = IndexReader.open(target);
    const { queries, search } = openBm25(reader, 1);
    const nearest = (accept?: () => boolean) => {
      const { ids, scores } = search.nearest(queries.of(reader.bag(1, 3)), {
        k: 20,
        skip: 3,
        ...(accept && { accept }),
      });
      return { ids, scores };
    };
    const before = nearest();
    assert.throws(() => nearest(() => assert.fail('too long')));
    assert.deepEqual(nearest(), before);
    reader.close();
  });
}
