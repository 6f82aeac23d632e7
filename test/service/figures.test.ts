/**
 * Figures that a reader sees, against a few lines over the records: counts of searches, facets, suggestions and sites, shares
 * of texts, what is lost and what changed. One index, its shards, and both with a part of the pages waiting say the same.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { longTest } from '../long-test.ts';
import { type Body, fixtureApp, pathOf, type Query } from './fixture-app.ts';
import { temporaryFolder } from './fixture-index.ts';
import { recordIndexes } from './record-indexes.ts';
import { edited, prose } from './sweeps-index.ts';

interface Page {
  readonly url: string;
  readonly title: string;
  readonly text: string;
  readonly lang?: string;
  readonly fields: { readonly price: number; readonly tags: readonly string[] };
}

const HOSTS = ['a.example', 'b.example', 'c.example', 'sub.a.example'];
const day = (of: number) => `2026-0${of}-02T03:04:05Z`;
/** Texts of 40 seeds: each is on several hosts, and so in several shards. */
const page = (i: number, seed: number, more: Partial<Page> = {}): Page => ({
  url: `https://${HOSTS[i % 4]}/${i % 7}/${i}`,
  title: `Title ${i % 13} ${prose(seed, 2)}`,
  text: prose(seed, 60 + (seed % 5) * 30),
  ...(i % 3 > 0 && { lang: i % 3 === 1 ? 'de' : 'en' }),
  fields: { price: i % 9, tags: [`t${i % 4}`, `u${i % 3}`] },
  ...more,
});
const before = Array.from({ length: 120 }, (_, i) => page(i, i % 40));
const written = [
  ...Array.from({ length: 30 }, (_, i) => page(3 * i, i, { text: edited(prose(i, 100), 20 + i) })),
  ...Array.from({ length: 20 }, (_, i) => page(200 + i, 2 * i)),
  page(230, 90, { text: `${prose(90, 80)} newword wovenly` }),
];
const lost = Array.from({ length: 12 }, (_, i) => before[7 * i + 1]!.url);
const now = [...new Map([...before, ...written].map((one) => [one.url, one])).values()]
  .filter(({ url }) => !lost.includes(url))
  .sort((a, b) => (a.url < b.url ? -1 : 1));

const siteOf = ({ url }: Page) => new URL(url).hostname.split('.').slice(-2).join('.');
const wordsOf = ({ title, text }: Page) => new Set(`${title} ${text}`.toLowerCase().split(' '));
const shinglesOf = (text: string) => {
  const words = text.split(' ');
  return new Set(words.slice(9).map((_, i) => words.slice(i, i + 10).join(' ')));
};
function tally<Value>(pages: readonly Page[], valuesOf: (page: Page) => Iterable<Value>): [Value, number][] {
  const counts = new Map<Value, number>();
  for (const value of pages.flatMap((one) => [...valuesOf(one)]))
    counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort(([a], [b]) => (String(a) < String(b) ? -1 : 1));
}

const first = before.map((one) => ({ ...one, fetched_at: day(1) }));
const later = [
  ...written.map((one) => ({ ...one, fetched_at: day(2) })),
  ...lost.map((url) => ({ url, status: 410, fetched_at: day(3) })),
];
const HOW = { maxPageShare: 1, fields: { price: 'number', tags: 'any' } } as const;
const LIVE = { maxPending: 999, maxPendingBytes: 2 ** 24, share: 2, waitMs: 1e9, run: async () => false };

/** Of the first pages as one index, and of those with the later ones. */
async function filled(isAdded: boolean, isSplit: boolean): Promise<FastifyInstance> {
  const indexes = recordIndexes(temporaryFolder({ after }));
  const { target } = await indexes.build('pages', first, HOW);
  if (isAdded) await indexes.add(target, 'later', later);
  const indexPath = isSplit ? await indexes.split(target) : target;
  const app = await fixtureApp('', { indexPath, ...(!isAdded && { live: LIVE }) });
  if (isAdded) return app;
  const payload = later.map((one) => `${JSON.stringify(one)}\n`).join('');
  const headers = { 'content-type': 'application/x-ndjson' };
  const { statusCode, body } = await app.inject({ method: 'POST', url: '/pages', payload, headers });
  assert.equal(statusCode, 200, body);
  return app;
}

for (const [name, isAdded, isSplit, oneOf] of [
  ['one index', true, false, test],
  ['shards', true, true, longTest],
  ['an index and pages that wait', false, false, longTest],
  ['shards and pages that wait', false, true, test],
] as const) {
  oneOf(`what ${name} counts is what there is`, async () => {
    const app = await filled(isAdded, isSplit);
    const get = async (path: string, query: Query) => {
      const { statusCode, body } = await app.inject(pathOf(path, query));
      assert.equal(statusCode, 200, body);
      return JSON.parse(body) as Body;
    };
    /** A list to its end. */
    const all = async (path: string, member: string, query: Query): Promise<Body[]> => {
      const found: Body[] = [];
      for (let cursor = ''; cursor !== null; ) {
        const body = await get(path, { ...query, ...(cursor && { cursor }) });
        found.push(...body[member]);
        cursor = body.next;
      }
      return found;
    };
    const urlsOf = (pages: readonly Body[]) => pages.map(({ url }) => url).sort();

    for (const [word, filter, passes] of [
      ['anchor', {}, () => true],
      ['heron', { lang: 'de' }, ({ lang }: Page) => lang === 'de'],
      ['edited19', {}, () => true],
      ['title', { field: 'price=3..5' }, ({ fields }: Page) => fields.price >= 3 && fields.price <= 5],
      [
        'zephyr',
        { site: 'a.example', field: 'tags=t1' },
        (one: Page) => siteOf(one) === 'a.example' && one.fields.tags.includes('t1'),
      ],
      ['newword', { site: 'c.example' }, (one: Page) => siteOf(one) === 'c.example'],
    ] as const) {
      const found = now.filter((one) => wordsOf(one).has(word) && passes(one));
      const asked = { q: `"${word}"`, group: 'none', facets: ['site', 'lang', 'price', 'tags'], ...filter };
      const { total, facets } = await get('/search', asked);
      assert.equal(total, found.length, word);
      assert.deepEqual(urlsOf(await all('/search', 'results', { ...asked, limit: 7 })), urlsOf(found), word);
      const said = facets.map(({ values }: Body) =>
        values
          .map(({ value, pages }: Body) => [value, pages])
          .sort(([a]: [unknown], [b]: [unknown]) => (String(a) < String(b) ? -1 : 1)),
      );
      const counted = [
        tally(found, (one) => [siteOf(one)]),
        tally(found, ({ lang }) => [lang ?? null]),
        tally(found, ({ fields }) => [fields.price]),
        tally(found, ({ fields }) => fields.tags),
      ];
      assert.deepEqual(said, counted, word);
    }

    for (const [words, begun, site] of [
      [[], 'a', ''],
      [['anchor'], 'b', ''],
      [[], 'edited1', ''],
      [['newword'], 'w', ''],
      [[], 'm', 'b.example'],
    ] as const) {
      const having = now.filter((one) => words.every((word) => wordsOf(one).has(word)));
      const within = having.filter((one) => site === '' || siteOf(one) === site);
      const counts = new Map(tally(within, wordsOf).filter(([word]) => word.startsWith(begun)));
      const q = [...words, begun].join(' ');
      const { suggestions } = await get('/search/suggest', { q, limit: 5, ...(site !== '' && { site }) });
      const most = [...counts.values()].sort((a, b) => b - a).slice(0, 5);
      assert.deepEqual(
        suggestions.map(({ pages }: Body) => pages),
        most,
        q,
      );
      for (const { text, pages } of suggestions)
        assert.equal(pages, counts.get(text.split(' ').at(-1)), text);
    }

    const sites = tally(now, (one) => [siteOf(one)]);
    const said = await all('/sites', 'sites', { limit: 2 });
    assert.deepEqual(said.map(({ site, pages }) => [site, pages]).sort(), sites);
    assert.deepEqual(said.map(({ site, fetched_pages }) => [site, fetched_pages]).sort(), sites);
    for (const [site] of sites) {
      const own = now.filter((one) => siteOf(one) === site && one.lang === 'de');
      assert.deepEqual(urlsOf(await all('/pages', 'pages', { site, lang: 'de', limit: 5 })), urlsOf(own));
    }

    assert.deepEqual(urlsOf(await all('/lost', 'pages', { limit: 5 })), lost.toSorted());
    const news = await all('/changes', 'pages', { sweep: isAdded ? 'later' : 'live', limit: 7 });
    const changed = written.flatMap((one) => {
      const former = before.find(({ url }) => url === one.url);
      if (lost.includes(one.url)) return [];
      if (former === undefined) return [`${one.url} new`];
      const [a, b] = [shinglesOf(former.text), shinglesOf(one.text)];
      const likeness = a.intersection(b).size / a.union(b).size;
      if (likeness === 1) return [];
      return [`${one.url} ${likeness >= 0.9 ? 'minor' : likeness >= 0.5 ? 'major' : 'rewritten'}`];
    });
    const expected = [...changed, ...lost.map((url) => `${url} lost`)].sort();
    assert.deepEqual(news.map((one) => `${one.url} ${one.news}`).sort(), expected);

    for (const { url, text } of now.filter((_, i) => i % 16 === 0)) {
      const own = shinglesOf(text);
      const others = now
        .filter((one) => one.url !== url)
        .map((one) => [one.url, shinglesOf(one.text)] as const);
      // Of two that are on one site and less sure, words decide.
      const shares = others.flatMap(([other, theirs]) => {
        const both = own.intersection(theirs).size;
        const figures = [both / own.union(theirs).size, both / own.size, both / theirs.size] as const;
        return Math.max(figures[1], figures[2]) >= 0.5 ? [[other, ...figures] as const] : [];
      });
      const copies = await all('/related', 'related', { url, by: 'copy', limit: 3 });
      for (const [other, ...figures] of shares) {
        const found = copies.find((one) => one.url === other);
        const isDoubted = siteOf({ url } as Page) === siteOf({ url: other } as Page) && figures[0] < 0.8;
        assert.ok(found !== undefined || isDoubted, `${url}: ${other}`);
        if (found === undefined) continue;
        const { asked_in_result, result_in_asked } = found.containment;
        for (const [i, figure] of [found.similarity, asked_in_result, result_in_asked].entries())
          assert.ok(Math.abs(figure - figures[i]!) < 1e-6, `${url}: ${other}`);
      }
      const wanted = new Set(shares.map(([other]) => other));
      assert.deepEqual(
        copies.filter((one) => !wanted.has(one.url)),
        [],
        url,
      );

      const left = new Set(own);
      const taken: [string, number][] = [];
      for (;;) {
        const adding = others.map(([other, theirs]) => [other, theirs.intersection(left)] as const);
        const [best, adds] = adding.reduce((x, y) => (y[1].size > x[1].size ? y : x));
        if (adds.size === 0) break;
        taken.push([best, adds.size / own.size]);
        for (const shingle of adds) left.delete(shingle);
      }
      const answer = await app.inject({ method: 'POST', url: '/cover?min_share=0', payload: { url } });
      const { pages, remainder, complete, measure } = answer.json();
      assert.deepEqual([complete, measure], [true, 'exact']);
      assert.deepEqual(
        pages.map((one: Body) => one.url),
        taken.map(([other]) => other),
      );
      for (const [i, [, share]] of taken.entries()) assert.ok(Math.abs(pages[i].share - share) < 1e-6);
      assert.ok(Math.abs(remainder - left.size / own.size) < 1e-6);
    }
  });
}
