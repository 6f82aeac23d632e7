/** Lists over words that neighbors lend (--lend): from the build to the answers, against the formulas, written out. */
import assert from 'node:assert/strict';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { addExplorer } from '../../src/explorer/explorer.ts';
import { oneMachineOptions } from '../../src/indexer/options/build-options.ts';
import { requirePossible } from '../../src/indexer/options/possible.ts';
import { Random } from '../../src/lib/random.ts';
import { relatedAnswer } from '../../src/service/answers/lists/related.ts';
import { liveIndex } from '../../src/service/reads/live/live-index.ts';
import { openIndex } from '../../src/service/reads/shards/open-shards.ts';
import { ROW_US, TooMuchWork, Work } from '../../src/service/reads/work.ts';
import { plainOf } from '../../src/service/schemas/parameter.ts';
import { RELATED } from '../../src/service/schemas/parameters/list-parameters.ts';
import { checkIndex } from '../../src/store/check/check.ts';
import { IndexReader } from '../../src/store/read/reader.ts';
import { akin } from '../cli/terminal.ts';
import { DEFAULTS } from '../indexer/build.ts';
import { longTest } from '../long-test.ts';
import { asker, type Body, fixtureApp, pathOf, type Query } from './fixture-app.ts';
import { temporaryFolder } from './fixture-index.ts';
import { recordIndexes } from './record-indexes.ts';

const SHARE = 0.2;
const LIMIT = 16;

/** Each pair of synonyms: pages say one of them, some say both; no page that says one alone has a word of one that says the other. */
const SYNONYMS = [
  ['automobile', 'motorcar'],
  ['physician', 'doctor'],
  ['sofa', 'couch'],
  ['aubergine', 'eggplant'],
  ['film', 'movie'],
  ['autumn', 'fall'],
  ['infant', 'baby'],
  ['coriander', 'cilantro'],
  ['lorry', 'truck'],
  ['pavement', 'sidewalk'],
] as const;
const random = new Random(3);
const syllables = 'ba de fi go hu ka le mi no pu ra se ti vo zu'.split(' ');
const vocabulary = (start: string) =>
  syllables.flatMap((a) => syllables.slice(0, 3).map((b) => `${start}${a}${b}`));
const pick = (words: readonly string[], count: number) =>
  Array.from({ length: count }, () => words[random.below(words.length)]!).join(' ');

const PAGES = SYNONYMS.flatMap(([one, other], pair) => {
  const [first, second] = [vocabulary(`x${syllables[pair]}`), vocabulary(`y${syllables[pair]}`)];
  const page = (kind: string, i: number, text: string) => ({
    url: `https://${kind}.example/${one}/${i}`,
    text,
  });
  return [
    ...Array.from({ length: 5 }, (_, i) => page('first', i, `${one} ${one} ${pick(first, 8)}`)),
    ...Array.from({ length: 5 }, (_, i) => page('second', i, `${other} ${other} ${pick(second, 8)}`)),
    ...Array.from({ length: 4 }, (_, i) =>
      page('both', i, `${one} ${other} ${pick(first, 4)} ${pick(second, 4)}`),
    ),
  ];
});

const folder = temporaryFolder({ after });
const indexes = recordIndexes(folder);
const built = async (name: string, pages: readonly object[], lend: number) =>
  (await indexes.build(name, pages, { neighborLimit: LIMIT, lend })).target;

const whole = await built('whole', PAGES, SHARE);
const plain = await built('plain', PAGES, 0);
const ask = asker(await fixtureApp(whole));
const askPlain = asker(await fixtureApp(plain));

type Bag = Map<number, number>;

/** What lists are by the formulas, from the bags that an index holds. */
function oracle(path: string) {
  const reader = IndexReader.open(path);
  const urls = Array.from(reader.pages(), ({ url }) => url);
  const bags = urls.map((_, page): Bag => {
    const { features, weights } = reader.bag(1, page);
    return new Map(Array.from(features, (feature, i) => [feature, weights[i]!]));
  });
  reader.close();
  const total = (values: Iterable<number>) => [...values].reduce((sum, one) => sum + one, 0);
  const jaccard = (x: Bag, y: Bag) => {
    const shared = total([...x].map(([feature, weight]) => Math.min(weight, y.get(feature) ?? 0)));
    return shared / (total(x.values()) + total(y.values()) - shared);
  };
  const nearness = (x: Bag, y: Bag) => {
    const roots = total([...x].map(([feature, weight]) => Math.sqrt(weight * (y.get(feature) ?? 0))));
    const affinity = roots / Math.sqrt(total(x.values()) * total(y.values()));
    return Math.round((65_535 * (jaccard(x, y) + 0.6 * affinity)) / 2) / 65_535;
  };
  const nearest = (all: readonly Bag[], page: number, among: readonly number[], count: number) =>
    among
      .filter((id) => id !== page)
      .map((id) => ({ id, j: jaccard(all[page]!, all[id]!) }))
      .filter(({ j }) => j >= 0.03)
      .sort((a, b) => b.j - a.j || a.id - b.id)
      .slice(0, count);
  const everyone = urls.map((_, page) => page);
  const first = urls.map((_, page) => nearest(bags, page, everyone, LIMIT));
  const lent = urls.map((_, page): Map<number, number> => {
    const [own, lenders] = [bags[page]!, first[page]!.slice(0, 10)];
    const sums: Bag = new Map();
    for (const { id, j } of lenders)
      for (const [feature, weight] of bags[id]!) sums.set(feature, (sums.get(feature) ?? 0) + j * weight);
    const scale = (SHARE * total(own.values())) / total(sums.values());
    const mixed = [...new Set([...own.keys(), ...sums.keys()])].map(
      (feature) =>
        [feature, (1 - SHARE) * (own.get(feature) ?? 0) + scale * (sums.get(feature) ?? 0)] as const,
    );
    return lenders.length === 0 ? own : new Map(mixed);
  });
  return { urls, bags, first, lent, jaccard, nearness, nearest };
}

const truth = oracle(whole);
const at = (url: string) => truth.urls.indexOf(url);

test('lists hold those that lend and the nearest over lent words, as near as formulas say', () => {
  const reader = IndexReader.open(whole);
  let differing = 0;
  for (const { pageId, list } of reader.allNeighbors(1)) {
    const lenders = truth.first[pageId]!.slice(0, 10).map(({ id }) => id);
    assert.ok(lenders.every((id) => list.ids.includes(id)));
    const further = new Set(
      truth.first[pageId]!.flatMap(({ id }) => [id, ...truth.first[id]!.map((one) => one.id)]),
    );
    const near = truth
      .nearest(truth.lent, pageId, [...further], LIMIT)
      .filter(({ id }) => !lenders.includes(id));
    const wanted = [...lenders, ...near.map(({ id }) => id)].slice(0, LIMIT);
    for (const [i, id] of list.ids.entries()) {
      // Weights are rounded to whole ones, which moves what is near by little.
      const [x, y] = [truth.lent[pageId]!, truth.lent[id]!];
      assert.ok(Math.abs(list.nearness![i]! / 65_535 - truth.nearness(x, y)) < 0.03);
      const similarity = list.shared[i]! / list.total[i]!;
      assert.ok(Math.abs(similarity - truth.jaccard(truth.bags[pageId]!, truth.bags[id]!)) < 1e-9);
      if (!wanted.includes(id)) differing++;
    }
    assert.ok(Math.abs(list.ids.length - wanted.length) <= 3);
    const three = truth.first[pageId]!.slice(0, 3).map(({ id }) => id);
    assert.ok(three.every((id) => list.ids.subarray(0, 10).includes(id)));
  }
  reader.close();
  assert.ok(differing < 0.03 * LIMIT * PAGES.length, `${differing} differ`);
});

test('pages that share no word are found by way of others, which are named, and without it they are not', async () => {
  for (const [one, other] of SYNONYMS) {
    const url = `https://first.example/${one}/0`;
    const { body } = await ask('/related', { url, limit: LIMIT, explain: true });
    const found = body.related.filter((near: Body) => near.url.startsWith('https://second.'));
    assert.ok(found.length > 0, one);
    for (const near of body.related)
      for (const { urls } of near.why.through ?? [])
        assert.ok(!urls.includes(near.url) && !urls.includes(url));
    for (const near of found) {
      assert.ok(near.url.startsWith(`https://second.example/${one}/`), near.url);
      assert.deepEqual([near.similarity, near.why.terms], [0, []]);
      assert.ok(near.why.through.length > 0 && near.score > 0);
      for (const { term, urls } of near.why.through) {
        assert.ok(urls.length > 0 && urls.length <= 3 && !urls.includes(near.url));
        // Who lends it says it.
        for (const lender of urls) {
          const text = PAGES.find((page) => page.url === lender)!.text;
          assert.ok(
            text.split(' ').some((word) => word.startsWith(term.slice(0, 4))),
            `${term} of ${lender}`,
          );
        }
      }
      const through = near.why.through.map(({ term }: Body) => term);
      const words = PAGES.find((page) => page.url === url)!.text.split(' ');
      const others = PAGES.find((page) => page.url === near.url)!.text.split(' ');
      assert.ok(
        words.includes(one) && others.includes(other) && words.every((word) => !others.includes(word)),
      );
      assert.ok(through.length <= 5);
    }
    const { body: bare } = await askPlain('/related', { url, limit: LIMIT, explain: true });
    assert.ok(bare.related.every((near: Body) => near.similarity > 0 && near.why.through === undefined));
    assert.ok(bare.related.every((near: Body) => !near.url.startsWith('https://second.')));
  }
});

test('an answer that is given up at whichever read leaves none behind that fails', async () => {
  const index = await openIndex([whole]);
  const query = {
    ...plainOf(RELATED),
    url: 'https://first.example/sofa/1',
    explain: true,
    exclude_copies: true,
  };
  const pageId = at(query.url);
  const tryWith = async (mostUs: number) => {
    try {
      await index.answer(
        (reads) => relatedAnswer({ reads, narrowing: query, offset: 0 }, pageId, ''),
        new Work(mostUs),
      );
      return true;
    } catch (error) {
      assert.ok(error instanceof TooMuchWork);
      // What fails unheard ends the process, and here the test.
      await setImmediate();
      return false;
    }
  };
  let mostUs = 0;
  while (!(await tryWith(mostUs))) mostUs += 7 * ROW_US;
  assert.ok(mostUs > 50 * ROW_US);
  index.close();
});

test('a document that is sent borrows as a page does', async () => {
  const app = await fixtureApp(whole);
  const similar = async (payload: object, query: Query = {}) =>
    (await app.inject({ method: 'POST', url: pathOf('/similar', query), payload })).json() as Body;
  const { url, text } = PAGES[0]!;
  const list = (await ask('/related', { url, limit: LIMIT })).body.related.map((one: Body) => one.url);
  const own = await similar({ url, text }, { limit: LIMIT, explain: true });
  const sent = own.related.map((one: Body) => one.url);
  assert.deepEqual(sent, list);
  const words = PAGES.slice(10, 14).flatMap((page) =>
    page.text.split(' ').filter((word) => word.startsWith('x')),
  );
  const fresh = await similar({ text: `automobile ${words.join(' ')}` }, { limit: LIMIT, explain: true });
  const synonyms = fresh.related.filter((one: Body) => one.similarity === 0);
  assert.ok(synonyms.length > 0 && synonyms.every((one: Body) => one.why.through.length > 0));
  const exact = await similar({ url }, { exact: true, limit: 5 });
  assert.deepEqual(exact.related.map((one: Body) => one.url).slice(0, 3), list.slice(0, 3));
});

test('by similarity, beyond what is stored and for other sites pages go by the words that they have', async () => {
  const url = PAGES[0]!.url;
  const page = at(url);
  const all = truth.urls
    .map((other, id) => ({ other, j: truth.jaccard(truth.bags[page]!, truth.bags[id]!) }))
    .filter(({ other, j }) => other !== url && j >= 0.03)
    .sort((a, b) => b.j - a.j);
  const { body } = await ask('/related', { url, rank: 'similarity', limit: 60 });
  assert.deepEqual(
    body.related.map((one: Body) => one.similarity),
    all.map(({ j }) => Number(j.toFixed(6))),
  );
  const { body: away } = await ask('/related', { url, same_site: 'exclude', limit: 60 });
  assert.ok(away.related.length > 0 && away.related.every((one: Body) => one.similarity >= 0.03));
  const { body: least } = await ask('/related', { url, min_similarity: 0.03, limit: 60 });
  assert.deepEqual(
    least.related.map((one: Body) => one.url).toSorted(),
    all.map(({ other }) => other).toSorted(),
  );
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const { body }: { body: Body } = await ask('/related', { url, limit: 9, ...(cursor && { cursor }) });
    seen.push(...body.related.map((one: Body) => one.url));
    cursor = body.next;
  } while (cursor !== null);
  assert.equal(new Set(seen).size, seen.length);
  assert.ok(all.every(({ other }) => seen.includes(other)));
});

function rowsOf(path: string): unknown {
  const reader = IndexReader.open(path);
  const lists = [...reader.allNeighbors(1)].map(({ pageId, list }) => [
    pageId,
    ...list.ids,
    ...list.shared,
    ...list.nearness!,
  ]);
  const { lend } = reader.card().parameters;
  reader.close();
  return { lists, lend };
}

longTest(
  'additions come to what a build comes to; shards answer as the whole; the check finds what is wrong',
  async () => {
    const target = await built('more', PAGES.slice(0, 90), SHARE);
    await indexes.add(target, 'second', PAGES.slice(90));
    assert.deepEqual(rowsOf(target), rowsOf(whole));
    assert.deepEqual(checkIndex(whole).faults, []);
    const paths = await indexes.split(whole);
    for (const path of paths) assert.deepEqual(checkIndex(path).faults, []);
    const apart = asker(await fixtureApp('', { indexPath: paths }));
    for (const more of [{}, { limit: 60 }, { same_site: 'exclude' }, { explain: true }]) {
      const question = { url: PAGES[33]!.url, ...more };
      const [one, other] = await Promise.all([ask('/related', question), apart('/related', question)]);
      assert.deepEqual(other.body.related, one.body.related);
    }
    const damaged = join(folder, 'damaged.akin');
    copyFileSync(whole, damaged);
    const db = new Database(damaged);
    db.prepare(`UPDATE parameter SET value = '0.4' WHERE name = 'lend'`).run();
    db.close();
    assert.match(checkIndex(damaged).faults.join('\n'), /is stored as near to \d+ as \d+, not \d+/);
  },
);

longTest(
  'pages that wait borrow as others do, and enter lists of others by the words that they have',
  async () => {
    const live = {
      maxPending: 1000,
      maxPendingBytes: 2 ** 24,
      share: 2,
      waitMs: 1e9,
      run: async () => false,
    };
    const target = join(folder, 'live.akin');
    copyFileSync(whole, target);
    const app = await fixtureApp(target, { live });
    const now = asker(app);
    const put = (url: string, text: string) =>
      app.inject({ method: 'PUT', url: pathOf('/pages', { url }), payload: { text } });
    // Two that are near to each other, so that either asks for the other.
    const added = SYNONYMS.slice(0, 4).flatMap(([one], pair) =>
      [0, 1].map((i) => ({ url: `https://first.example/${one}/new${i}`, text: PAGES[14 * pair + i]!.text })),
    );
    for (const { url, text } of added) await put(url, text);
    const all = asker(await fixtureApp(await built('with', [...PAGES, ...added], SHARE)));
    const urlsOf = (body: Body): string[] => body.related.map((near: Body) => near.url);
    const isStranger = ({ similarity }: Body) => similarity === 0;
    let [common, total, strangers, strangersThere] = [0, 0, 0, 0];
    for (const { url, text } of added) {
      const question = { url, limit: LIMIT, explain: true };
      const { body } = await now('/related', question);
      const { body: rebuilt } = await all('/related', question);
      const there = urlsOf(rebuilt);
      strangersThere += rebuilt.related.filter(isStranger).length;
      common += urlsOf(body).filter((one) => there.includes(one)).length;
      total += there.length;
      for (const near of body.related.filter(isStranger)) {
        assert.ok(near.why.through.length > 0 && near.why.terms.length === 0);
        strangers++;
      }
      const sent = await app.inject({
        method: 'POST',
        url: `/similar?limit=${LIMIT}`,
        payload: { url, text },
      });
      // What voters had before pages waited orders the one, what they have now the other.
      assert.deepEqual(urlsOf(sent.json()).sort(), urlsOf(body).sort());
      const twin = PAGES.find((page) => page.text === text)!.url;
      const { body: back } = await now('/related', { url: twin, limit: LIMIT });
      assert.equal(back.related[0].url, url);
    }
    assert.ok(strangers > 0 && 2 * strangers > strangersThere, `${strangers} of ${strangersThere} strangers`);
    assert.ok(common > 0.85 * total, `${common} of ${total} are in both`);
    const far = await now('/related', { url: 'https://second.example/film/1', limit: LIMIT });
    assert.ok(urlsOf(far.body).every((one) => !one.includes('/new')));
  },
);

test('where all of a list lend, a new page enters the lists in which it is nearer than one of them', async () => {
  const few = await indexes.build('few', PAGES, { neighborLimit: 5, lend: SHARE });
  const index = liveIndex(await openIndex([few.target], { preload: false }));
  after(() => index.close());
  const reader = IndexReader.open(few.target);
  const page = at(PAGES[20]!.url);
  const { reached } = index.local!.reach(reader.relation('topic')!, reader.bag(1, page), page);
  const wanted = [...reader.allNeighbors(1)].flatMap(({ pageId, list }) => {
    const near = truth.jaccard(truth.bags[page]!, truth.bags[pageId]!);
    const least =
      list.ids.length < 5
        ? 0.03
        : Math.min(...Array.from(list.shared, (shared, i) => shared / list.total[i]!));
    return pageId !== page && near >= least ? [pageId] : [];
  });
  reader.close();
  assert.ok(wanted.length > 0);
  assert.deepEqual([...reached.ids], wanted);
});

test('it is said, named in the explorer, and refused where it has no effect', async () => {
  assert.equal((await ask('/index')).body.parameters.lend, SHARE);
  assert.equal((await askPlain('/index')).body.parameters.lend, undefined);
  assert.deepEqual(oneMachineOptions({ ...DEFAULTS, lend: 0.1 }), ['--lend']);
  assert.throws(
    () => requirePossible({ ...DEFAULTS, lend: 0.1, meaningShare: 0.15 }),
    /two ways to the same lists/,
  );
  const app = await fixtureApp(whole, { extend: addExplorer });
  const url = 'https://second.example/sofa/1';
  const { body } = await ask('/related', { url, limit: 10, explain: true });
  const { why } = body.related.find((one: Body) => one.similarity === 0);
  const page = (await app.inject(pathOf('/explore/page', { url }))).body;
  assert.match(page, /Near by way of <a[^>]*>/);
  const said = /by words, and by those that neighbors lend, with a share of 0\.2/;
  assert.match((await app.inject({ url: '/', headers: { accept: 'text/html' } })).body, said);
  assert.match((await akin(['show', whole])).stdout, said);
  assert.doesNotMatch((await akin(['show', plain])).stdout, /^lists/m);
  for (const lender of new Set<string>(why.through.flatMap(({ urls }: Body) => urls.slice(0, 1))))
    assert.ok(page.includes(encodeURIComponent(lender)), lender);
});
