/** Asks a whole index and its shards the same, over all routes, and compares what they say. */
import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import type { FastifyInstance } from 'fastify';
import { Random } from '../../../src/lib/random.ts';
import type { IndexReader } from '../../../src/store/read/reader.ts';
import { pathOf } from '../fixture-app.ts';

export interface Question {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly payload?: object | string;
  readonly headers?: Record<string, string>;
}

const get = (
  path: string,
  query: Record<string, string | number | boolean | readonly string[]>,
): Question => {
  return { method: 'GET', url: pathOf(path, query) };
};
const post = (
  path: string,
  payload: object,
  query: Record<string, string | number | boolean> = {},
): Question => {
  return {
    method: 'POST',
    url: pathOf(path, query),
    payload: JSON.stringify(payload),
    headers: { 'content-type': 'application/json' },
  };
};

/** `rounds` questions of every kind, about pages of the index taken at random; searches only where they are asked for. */
export function* questionsAbout(
  reader: IndexReader,
  rounds: number,
  seed: number,
): IterableIterator<Question> {
  const random = new Random(seed);
  const pick = <Item>(items: readonly Item[]): Item => items[random.below(items.length)]!;
  const anyPage = () => reader.page(random.below(reader.pageCount));
  const readPage = () => {
    for (;;) {
      const page = anyPage();
      if (page.fetched) return page;
    }
  };
  const aliases = [...reader.allAliases()];
  const clusters = [...reader.clusters.all()].filter(({ size }) => size > 1);
  const relations = reader.card().relations.map(({ name }) => name);
  const byLinks = ['cocitation', 'coupling', 'companion'];
  for (let round = 0; round < rounds; round++) {
    const { url } = anyPage();
    const page = readPage();
    const other = readPage();
    const version = reader.versions.current(page.id);
    const text = (version < 0 ? null : reader.versions.text(version)?.text) ?? page.title;
    yield get('/related', { url });
    yield get('/related', { url: `${url}-none` });
    yield get('/related', { url: page.url, limit: 20, explain: true });
    yield get('/related', { url: page.url, same_site: 'exclude', cards: true });
    yield get('/related', { url: page.url, limit: 60 });
    yield get('/related', { url: page.url, exclude_copies: true, max_per_site: 2 });
    yield get('/related', {
      url: page.url,
      lang: 'en',
      fetched: 'only',
      exclude: [other.url],
      rank: 'similarity',
    });
    yield get('/related', { url: page.url, exclude_linked: true, min_similarity: 0.1, lang: 'same' });
    yield get('/related', {
      url: page.url,
      min_similarity: 0.2,
      fallback: pick(['site', 'recent']),
      limit: 30,
    });
    yield get('/related', { url: `${url}-none`, missing: '200', fallback: pick(['site', 'recent']) });
    if (relations.includes('copy')) {
      yield get('/related', { url: page.url, by: 'copy' });
      yield post('/similar', { text }, { by: 'copy' });
      yield get('/cluster', { url: page.url, by: 'copy' });
      yield get('/clusters', { by: 'copy', limit: 10 });
      yield get('/moved', { url: page.url });
      yield get('/history', { url: page.url });
      yield post('/group', { results: Array.from({ length: 12 }, () => readPage().url) });
      yield post('/cover', { text: [text.slice(0, 600), other.title].join(' ') }, { min_share: 0.01 });
    }
    yield get('/related', { url: page.url, by: pick(byLinks), explain: true });
    yield get('/related.html', { url, cards: true });
    if (aliases.length > 0) yield get('/related', { url: pick(aliases).url });
    yield get('/page', { url });
    yield get('/sites', { limit: 3 });
    yield get('/pages', { site: other.site, limit: 7 });
    yield get('/pages', { site: page.site, lang: 'en', fetched: 'only' });
    yield get('/cluster', { url, limit: 5 });
    yield get('/clusters', { sort: pick(['size', 'label']), level: pick([0, 1]), limit: 20 });
    if (clusters.length > 0) yield get(`/clusters/${pick(clusters).key}`, { limit: 7 });
    yield post('/similar', { text }, { limit: 15, explain: true });
    yield post('/similar', { text: text.slice(0, 600), url: `${page.url}x` }, { same_site: 'only' });
    yield post('/similar', { url: page.url }, { exact: true });
    yield post('/compare', { a: { url: page.url }, b: { url: other.url } });
    yield post('/compare', { a: { url: page.url }, b: { text: text.slice(0, 400) } }, { include_text: true });
    yield post('/related/batch', { urls: [url, page.url, other.url, `${url}-none`], limit: 3 });
    yield get('/search', { q: pick(page.title.match(/[a-z]{4,}/gi) ?? ['page']), limit: 20 });
    yield get('/search/suggest', { q: /\p{L}{2}/u.exec(page.title)?.[0] ?? 'a' });
    yield get('/search', {
      q: (page.title.match(/[a-z]{3,}/gi) ?? ['a']).slice(0, 3).join(' '),
      group: 'none',
    });
  }
  yield get('/index', {});
  yield get('/changes', { limit: 20 });
  if (relations.includes('copy')) yield get('/lost', {});
}

export interface Answer {
  readonly status: number;
  /** Without what names the generation. */
  readonly body: unknown;
  readonly next: string | null;
  /** Of an answer that lacks shards. */
  readonly lost?: string;
}

export async function answerTo(
  app: FastifyInstance,
  { method, url, payload, headers }: Question,
): Promise<Answer> {
  const answer = await app.inject({ method, url, ...(payload && { payload }), ...(headers && { headers }) });
  const partial = answer.headers['akin-lost-shards'];
  const lost = partial === undefined ? {} : { lost: String(partial) };
  const isJson = String(answer.headers['content-type']).includes('json');
  if (!isJson) return { status: answer.statusCode, body: answer.body, next: null, ...lost };
  const body = JSON.parse(answer.body);
  return { status: answer.statusCode, body: plain(body), next: body.next ?? null, ...lost };
}

/** What was compared: answers, and of them those with another list, which both say that a bound cut. */
export interface Compared {
  readonly answers: number;
  readonly cut: number;
}

/** A question and, where the answer goes on, the next page of it; says how many answers were compared. */
export async function assertSame(
  whole: FastifyInstance,
  parts: FastifyInstance,
  question: Question,
): Promise<number> {
  const { answers, cut } = await compare(whole, parts, question);
  assert.equal(cut, 0, `${question.url}: another list`);
  return answers;
}

/** The same for collections so large that a bound cuts lists of candidates, in shards elsewhere than in one file. */
export async function compare(
  whole: FastifyInstance,
  parts: FastifyInstance,
  question: Question,
): Promise<Compared> {
  const [expected, found] = [await answerTo(whole, question), await answerTo(parts, question)];
  const cut = Number(assertLike(found, expected, question.url));
  assert.equal(found.next === null, expected.next === null, `${question.url}: more of the list`);
  if (expected.next === null) return { answers: 1, cut };
  const more = (cursor: string) => {
    const mark = question.url.includes('?') ? '&' : '?';
    return { ...question, url: `${question.url}${mark}cursor=${encodeURIComponent(cursor)}` };
  };
  const [second, secondFound] = [
    await answerTo(whole, more(expected.next)),
    await answerTo(parts, more(found.next!)),
  ];
  return { answers: 2, cut: cut + Number(assertLike(secondFound, second, `${question.url}, second page`)) };
}

/** Whether only the candidates differ, that both say are not all; what is said of one that both list is equal. */
function assertLike(found: Answer, expected: Answer, what: string): boolean {
  const [left, right] = [candidatesOf(found), candidatesOf(expected)];
  const isCut = left !== null && right !== null && !isDeepStrictEqual(left, right);
  if (isCut) {
    const known = new Map(left.map((one) => [one.url, one]));
    for (const one of right) assert.deepEqual(known.get(one.url) ?? one, one, `${what}: ${one.url}`);
  }
  const rest = (answer: Answer) =>
    isCut ? { ...answer, body: { ...(answer.body as object), candidates: null } } : answer;
  assert.deepEqual({ ...rest(found), next: null }, { ...rest(expected), next: null }, what);
  return isCut;
}

/** The candidates of an answer that says that they are not all; else null. */
function candidatesOf({ body }: Answer): readonly { readonly url: string }[] | null {
  const { complete, candidates } = (body ?? {}) as Record<string, unknown>;
  return complete === false && Array.isArray(candidates) ? candidates : null;
}

/** What differs between a whole index and its shards, and may: they can be of two runs over the same steps. */
const OWN = new Set([
  'generation',
  'next',
  'size_bytes',
  'instance',
  'shards',
  'shard',
  'built_at',
  'started_at',
]);

function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !OWN.has(name))
      .map(([name, member]) => [name, plain(member)]),
  );
}
