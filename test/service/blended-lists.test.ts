/** Lists by words and by vectors (--meaning-share): from the build to the answers, against the formulas, written out. */
import assert from 'node:assert/strict';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import Database from 'better-sqlite3';
import { addExplorer } from '../../src/explorer/explorer.ts';
import { oneMachineOptions } from '../../src/indexer/options/build-options.ts';
import { Random } from '../../src/lib/random.ts';
import { checkIndex } from '../../src/store/check/check.ts';
import { IndexReader } from '../../src/store/read/reader.ts';
import { DEFAULTS } from '../indexer/build.ts';
import { longTest } from '../long-test.ts';
import { asker, type Body, fileAsker, fixtureApp, pathOf, type Query } from './fixture-app.ts';
import { temporaryFolder } from './fixture-index.ts';
import { recordIndexes } from './record-indexes.ts';

const COUNT = 160;
const DIMENSIONS = 12;
const SHARE = 0.5;

const random = new Random(5);
const draw = () => random.below(20_001) / 10_000 - 1;
const pick = (words: string, count: number) => {
  const all = words.split(' ');
  return Array.from({ length: count }, () => all[random.below(all.length)]!).join(' ');
};
const kinds = Array.from({ length: 5 }, () => Array.from({ length: DIMENSIONS }, draw));
const nearKind = (kind: number) => kinds[kind]!.map((one) => one + 0.5 * draw());
const syllables = 'ba de fi go hu ka le mi no pu ra se ti vo zu'.split(' ');
const wordsFrom = (start: string) =>
  syllables.flatMap((a) => syllables.slice(0, 4).map((b) => `${start}${a}${b}`)).join(' ');
const [ENGLISH, OTHER] = [wordsFrom('tea'), wordsFrom('chi')] as const;
const named = (i: number) => `https://site${i % 3}.example/${String(i).padStart(3, '0')}`;

/** Kinds differ in what vectors say; half of the pages have words of their own that no page of the other half has. */
const PAGES = Array.from({ length: COUNT }, (_, i) => ({
  url: named(i),
  text: pick(i % 2 === 0 ? ENGLISH : OTHER, 3 + random.below(4)) + (i % 8 === 3 ? ' <a>' : ''),
  ...(i % 9 !== 0 && { vectors: { mini: nearKind(i % 5) } }),
}));

const folder = temporaryFolder({ after });
const indexes = recordIndexes(folder);
const built = (name: string, pages: readonly object[], more: Partial<typeof DEFAULTS> = {}) =>
  indexes.build(name, pages, { maxPageShare: 1, neighborLimit: 32, ...more });

const { target: whole, blend } = await built('whole', PAGES, { meaningShare: SHARE });
const ask = asker(await fixtureApp(whole));

interface Near {
  readonly url: string;
  readonly similarity: number;
  readonly words: number;
  /** Null where one of both has no vector. */
  readonly cosine: number | null;
  readonly s: number;
  readonly score: number;
}

/** What lists are by the formulas, from the bags and the vectors that an index holds. */
function oracle(path: string, share: number, scale = blend!.scale) {
  const reader = IndexReader.open(path);
  const urls = Array.from(reader.pages(), ({ url }) => url);
  const bags = urls.map((_, page) => {
    const { features, weights } = reader.bag(1, page);
    return new Map(Array.from(features, (feature, i) => [feature, weights[i]!]));
  });
  const vectors = urls.map((_, page) => [...reader.vectors.get(4, page)]);
  reader.close();
  const total = (values: Iterable<number>) => [...values].reduce((sum, one) => sum + one, 0);
  const dot = (a: number[], b: number[]) => total(a.map((one, i) => one * b[i]!));
  const compared = (a: number, b: number) => {
    const [x, y] = [bags[a]!, bags[b]!];
    const common = [...x.keys()].filter((feature) => y.has(feature));
    const shared = total(common.map((feature) => Math.min(x.get(feature)!, y.get(feature)!)));
    const [sumX, sumY] = [total(x.values()), total(y.values())];
    const similarity = shared === 0 ? 0 : shared / (sumX + sumY - shared);
    const hellinger =
      total(common.map((feature) => Math.sqrt(x.get(feature)! * y.get(feature)!))) /
      Math.sqrt(sumX * sumY || 1);
    const words = Math.round((65_535 * (similarity + 0.6 * hellinger)) / 2) / 65_535;
    const [v, w] = [vectors[a]!, vectors[b]!];
    const cosine =
      v.length === 0 || w.length === 0
        ? null
        : Math.max(0, Math.round((60_000 * dot(v, w)) / Math.sqrt(dot(v, v) * dot(w, w))) / 60_000);
    const s =
      cosine === null ? words : Math.round(65_535 * ((1 - share) * words + share * scale * cosine)) / 65_535;
    return { id: b, url: urls[b]!, similarity, words, cosine, s };
  };
  const all = urls.map((_, a) => urls.flatMap((_, b) => (a === b ? [] : [compared(a, b)])));
  type Pair = (typeof all)[number][number];
  const first = (list: Pair[], of: (one: Pair) => number, count = 32) =>
    list.toSorted((a, b) => of(b) - of(a) || a.id - b.id).slice(0, count);
  const candidates = all.map((list) => {
    const byWords = first(
      list.filter(({ similarity }) => similarity >= 0.03),
      ({ similarity }) => similarity,
    );
    const byVectors = first(
      list.filter(({ cosine }) => (cosine ?? 0) > 0),
      ({ cosine }) => cosine!,
    );
    return [...new Set([...byWords, ...byVectors])];
  });
  const known = candidates.map((list) => list.filter(({ cosine }) => cosine !== null));
  const tens = (of: (one: Pair) => number) => total(known.flatMap((list) => first(list, of, 10).map(of)));
  const kappa = tens(({ words }) => words) / tens(({ cosine }) => cosine!);
  const near = candidates.map((list) =>
    first(
      list.filter(({ s }) => s > 0),
      ({ s }) => s,
    ),
  );
  const lists = near.map((list, a): Near[] => {
    const at = new Map([...list.map(({ id, s }) => [id, s] as const), [a, 0.3]]);
    const scored = list.map((one) => {
      const voters = near[one.id]!.slice(0, 20);
      const votes =
        total(voters.map(({ id, s }) => s * (at.get(id) ?? 0))) / (total(voters.map(({ s }) => s)) || 1);
      return { ...one, score: one.s + votes };
    });
    const similar = scored.toSorted((x, y) => y.similarity - x.similarity);
    const equal = similar.filter(({ similarity }) => similarity >= 0.5);
    const isClear = similar.length > 0 && similar[0]!.similarity >= 1.2 * (similar[1]?.similarity ?? 0);
    const staying = equal.length > 0 ? equal : isClear ? [similar[0]!] : [];
    return [...staying, ...scored.filter((one) => !staying.includes(one)).sort((x, y) => y.score - x.score)];
  });
  return { urls, all, lists, kappa };
}

const truth = oracle(whole, SHARE);
const listOf = (url: string) => truth.lists[truth.urls.indexOf(url)]!;

/** The right pages in the right order, as far as figures differ. */
function requireList<One extends Omit<Near, 'score'>>(
  related: Body[],
  wanted: readonly One[],
  of: (one: One) => number,
) {
  assert.deepEqual(related.map(({ url }) => url).toSorted(), wanted.map(({ url }) => url).toSorted());
  const found = new Map(wanted.map((one) => [one.url, one]));
  for (const [i, { url, similarity, measure }] of related.entries()) {
    const one = found.get(url)!;
    assert.ok(Math.abs(of(one) - of(wanted[i]!)) < 1e-6, `place ${i}: ${url} for ${wanted[i]!.url}`);
    assert.ok(Math.abs(similarity - one.similarity) < 1e-6 && measure === 'exact');
  }
}

test('lists, scores and reasons are those of the formulas', async () => {
  assert.ok(Math.abs(blend!.scale - truth.kappa) < 1e-4, `${blend!.scale} ${truth.kappa}`);
  let byMeaningAlone = 0;
  for (const i of [0, 1, 2, 3, 9, 27, 50, 120, 159]) {
    const { body } = await ask('/related', { url: named(i), limit: 32, explain: true });
    const wanted = listOf(named(i));
    requireList(body.related, wanted, ({ score }) => score);
    for (const { url, score, why, similarity } of body.related) {
      const one = wanted.find((near) => near.url === url)!;
      assert.ok(Math.abs(score - one.score) < 2e-5, `${score} ${one.score}`);
      if (one.cosine === null) assert.equal(why.meaning, undefined);
      else assert.ok(why.meaning.vectors === 'mini' && Math.abs(why.meaning.similarity - one.cosine) < 2e-5);
      if (similarity > 0) continue;
      byMeaningAlone++;
      assert.deepEqual(why.terms, []);
      assert.ok(why.meaning.similarity > 0);
    }
  }
  assert.ok(byMeaningAlone > 50, `${byMeaningAlone} pages that share no word`);
});

test('without votes they are by how near pages are, and by similarity when that is asked for', async () => {
  const url = named(4);
  const page = truth.urls.indexOf(url);
  const away = (one: { url: string }) => new URL(one.url).host !== new URL(url).host;
  const { body } = await ask('/related', { url, same_site: 'exclude', limit: 10 });
  requireList(
    body.related,
    listOf(url)
      .filter(away)
      .toSorted((a, b) => b.s - a.s)
      .slice(0, 10),
    ({ s }) => s,
  );
  const { body: similar } = await ask('/related', { url, rank: 'similarity', limit: 60 });
  const all = truth.all[page]!.filter(({ similarity }) => similarity >= 0.03).sort(
    (a, b) => b.similarity - a.similarity,
  );
  requireList(similar.related, all.slice(0, 60), ({ similarity }) => similarity);
  const least = all[Math.floor(all.length / 2)]!.similarity;
  const { body: most } = await ask('/related', { url, min_similarity: Number(least.toFixed(6)), limit: 100 });
  const wanted = all.filter(({ similarity }) => similarity >= least - 1e-6);
  assert.deepEqual(most.related.map((one: Body) => one.url).sort(), wanted.map((one) => one.url).sort());
});

test('a list goes on beyond what is stored, by both, and no page comes twice', async () => {
  const url = named(7);
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const { body }: { body: Body } = await ask('/related', { url, limit: 30, ...(cursor && { cursor }) });
    seen.push(...body.related.map((one: Body) => one.url));
    cursor = body.next;
  } while (cursor !== null);
  assert.equal(new Set(seen).size, seen.length);
  const near = truth.all[truth.urls.indexOf(url)]!.filter(
    ({ similarity, cosine, s }) => s > 0 && (similarity >= 0.03 || (cosine ?? 0) > 0),
  );
  assert.deepEqual(seen.toSorted(), near.map((one) => one.url).toSorted());
  assert.deepEqual(
    seen.slice(0, 32).toSorted(),
    listOf(url)
      .map((one) => one.url)
      .toSorted(),
  );
  const { body } = await ask('/related', { url, site: 'site2.example', limit: 100 });
  const ofSite = near.filter((one) => one.url.includes('site2.')).map((one) => one.url);
  assert.deepEqual(body.related.map((one: Body) => one.url).toSorted(), ofSite.toSorted());
});

test('POST /similar goes by a text and a vector together, and by words where there is none', async () => {
  const app = await fixtureApp(whole);
  const similar = async (payload: object, query: Query = {}) =>
    (await app.inject({ method: 'POST', url: pathOf('/similar', query), payload })).json() as Body;
  const { url, text, vectors } = PAGES[10]!;
  const own = await similar({ url, text, vectors }, { limit: 32, explain: true });
  requireList(own.related, listOf(url), ({ score }) => score);
  assert.ok(own.related.some((one: Body) => one.similarity === 0 && one.why.meaning.similarity > 0));
  const known = await similar({ url, text }, { limit: 32 });
  assert.deepEqual(
    known.related.map((one: Body) => one.url),
    own.related.map((one: Body) => one.url),
  );
  const bare = await similar({ text }, { limit: 32, explain: true });
  assert.ok(bare.related.every((one: Body) => one.similarity >= 0.03 && one.why.meaning === undefined));
  const exact = await similar({ url }, { exact: true, limit: 32 });
  requireList(exact.related, listOf(url), ({ score }) => score);
  const short = await similar({ text, vectors: { mini: [1, 2] } });
  assert.match(short.detail, /has 2 components, those of the index have 12/);
  const examples = await similar({ like: [{ url: named(10) }, { url: named(20) }] }, { limit: 5 });
  assert.equal(examples.related.length, 5);
});

function rowsOf(path: string): unknown {
  const reader = IndexReader.open(path);
  const lists = [...reader.allNeighbors(1)].map(({ pageId, list }) => [
    pageId,
    ...list.ids,
    ...list.shared,
    ...list.nearness!,
  ]);
  const { parameters } = reader.card();
  reader.close();
  return { lists, blend: parameters['blend'] };
}

longTest(
  'additions come to what a build comes to; shards answer as the whole; the check finds what is wrong',
  async () => {
    const { target } = await built('more', PAGES.slice(0, 100), { meaningShare: SHARE });
    const added = await indexes.add(target, 'second', PAGES.slice(100));
    assert.deepEqual(rowsOf(added.target), rowsOf(whole));
    assert.deepEqual(checkIndex(whole).faults, []);
    const paths = await indexes.split(whole);
    for (const path of paths) assert.deepEqual(checkIndex(path).faults, []);
    const apart = asker(await fixtureApp('', { indexPath: paths }));
    for (const more of [{}, { limit: 60 }, { same_site: 'exclude' }, { explain: true }]) {
      const question = { url: named(33), ...more };
      const [one, other] = await Promise.all([ask('/related', question), apart('/related', question)]);
      assert.deepEqual(other.body.related, one.body.related);
    }
    const damaged = join(folder, 'damaged.akin');
    copyFileSync(whole, damaged);
    const db = new Database(damaged);
    db.prepare(`UPDATE parameter SET value = json_set(value, '$.scale', 0.9) WHERE name = 'blend'`).run();
    db.close();
    assert.match(checkIndex(damaged).faults.join('\n'), /is stored as near to \d+ as \d+, not \d+/);
  },
);

longTest('pages that wait are found by both at once', async () => {
  const live = { maxPending: 1000, maxPendingBytes: 2 ** 24, share: 2, waitMs: 1e9, run: async () => false };
  const target = join(folder, 'live.akin');
  copyFileSync(whole, target);
  const app = await fixtureApp(target, { live });
  const now = asker(app);
  const put = (page: { url: string; text: string; vectors?: object }) =>
    app.inject({
      method: 'PUT',
      url: pathOf('/pages', { url: page.url }),
      payload: { ...page, url: undefined },
    });
  const given = { url: 'https://site0.example/new', text: pick(OTHER, 6), vectors: { mini: kinds[0]! } };
  await put(given);
  await put({ ...PAGES[20]!, vectors: { mini: kinds[1]! } });
  const own = (await now('/related', { url: given.url, limit: 32, explain: true })).body.related as Body[];
  assert.ok(own.some((one) => one.similarity === 0 && one.why.meaning.similarity > 0.5));
  assert.ok(own.some((one) => one.similarity > 0.2));
  const ofKind = PAGES.filter(({ url }, i) => i % 10 === 0 && i % 9 !== 0 && url !== named(20)).map(
    ({ url }) => url,
  );
  let listed = 0;
  for (const url of ofKind) {
    const { body } = await now('/related', { url, limit: 32, explain: true });
    const found = body.related.find((one: Body) => one.url === given.url);
    if (found === undefined) continue;
    assert.ok(found.similarity === 0 && found.why.meaning.similarity > 0.5);
    listed++;
  }
  // Vectors of one kind point the same way; the words of these pages are of the other half.
  assert.ok(listed > ofKind.length / 2, `${listed} of ${ofKind.length}`);
  await app.inject({ method: 'DELETE', url: pathOf('/pages', { url: named(30) }) });
  const { body } = await now('/related', { url: named(40), limit: 32 });
  assert.ok(body.related.length === 32 && body.related.every((one: Body) => one.url !== named(30)));
});

test('it is said everywhere, and off unless it is asked for', async () => {
  const { body } = await ask('/index');
  const withVectors = PAGES.filter(({ vectors }) => vectors !== undefined).length;
  assert.deepEqual(body.blend, {
    vectors: 'mini',
    share: SHARE,
    scale: blend!.scale,
    page_count: withVectors,
  });
  assert.equal(body.parameters.meaning_share, SHARE);
  const plain = await built('plain', PAGES);
  const asked = await fileAsker(plain.target);
  assert.equal((await asked('/index')).body.blend, null);
  const { body: list } = await asked('/related', { url: named(3), limit: 32, explain: true });
  assert.ok(list.related.every((one: Body) => one.similarity >= 0.03 && one.why.meaning === undefined));
  await assert.rejects(
    built(
      'none',
      PAGES.slice(0, 9).map(({ url, text }) => ({ url, text })),
      { meaningShare: 0.15 },
    ),
    /--meaning-share is 0.15, but no page has a vector/,
  );
  await assert.rejects(
    built('other', PAGES.slice(0, 9), { meaningShare: 0.15, meaningVectors: 'maxi' }),
    /no page has a vector of the name maxi/,
  );
  // Spark keeps no vectors.
  assert.deepEqual(oneMachineOptions({ ...DEFAULTS, meaningShare: 0.15 }), ['--meaning-share']);
  const app = await fixtureApp(whole, { extend: addExplorer });
  const [url, near] = truth.urls
    .map(
      (one) =>
        [
          one,
          listOf(one)
            .slice(0, 5)
            .find(({ similarity }) => similarity === 0),
        ] as const,
    )
    .find(([, one]) => one !== undefined)!;
  const page = (await app.inject(pathOf('/explore/page', { url }))).body;
  assert.ok(page.includes(new URL(near!.url).pathname));
  assert.ok(page.includes(`Near by meaning (mini) ${near!.cosine!.toFixed(2)}`));
  assert.match(page, /; by meaning \(mini\) 0\.\d\d/);
});
