import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import type { FastifyInstance } from 'fastify';
import { Random } from '../../src/lib/random.ts';
import { longTest } from '../long-test.ts';
import { asker, fixtureApp, fixtureIndex, pathOf, type Query } from './fixture-app.ts';
import { buildFixture, fixturePages, GARDEN, HERBARIUM, temporaryFolder } from './fixture-index.ts';

const indexPath = await fixtureIndex();
const app = await fixtureApp(indexPath);
const ask = asker(app);
const bread =
  'flour and yeast make the dough; sourdough proof, then oven steam for crust and crumb of the loaf';
const QUERIES = 4;
/** Pages of a list of which the quick way misses one now and then. */
const LIST = 30;
interface Item {
  readonly url: string;
}
const urlsOf = (body: { related: { url: string }[] }) => body.related.map(({ url }) => url);

async function post(payload: object | string | Buffer, query: Query = {}, type?: string) {
  const headers = type === undefined ? {} : { 'content-type': type };
  const answer = await app.inject({ method: 'POST', url: pathOf('/similar', query), payload, headers });
  return { status: answer.statusCode, body: answer.json(), headers: answer.headers };
}

test('a text finds the pages of its topic, with its terms and its cluster', async () => {
  const { status, body, headers } = await post({ text: bread });
  assert.equal(status, 200);
  assert.equal(headers['cache-control'], 'no-store');
  assert.ok(urlsOf(body).length === 10 && urlsOf(body).every((url) => url.includes('bread')));
  assert.ok(body.terms.some(({ term }: { term: string }) => term === 'dough'));
  const { body: ofNearest } = await ask('/cluster', { url: urlsOf(body)[0]!, limit: 1 });
  assert.deepEqual(body.cluster, body.related[0].similarity >= 0.2 ? ofNearest.cluster : null);
});

test('the same document gets the same answer, however it is sent', async () => {
  const html = `<title>Loaves</title><p>${bread}</p>`;
  const { body: json } = await post({ html });
  assert.deepEqual((await post({ html })).body, json);
  const { body: bare } = await post(html, {}, 'text/html; charset=utf-8');
  assert.deepEqual({ ...bare, next: '' }, { ...json, next: '' });
  const { body: utf16 } = await post(Buffer.from(`\ufeff${html}`, 'utf16le'), {}, 'text/html');
  assert.deepEqual(utf16, bare);
});

test('a page sent with its own URL does not find itself, and finds what is stored of it', async () => {
  const { url, html } = fixturePages().find((page) => page.url === HERBARIUM)!;
  const { body } = await post({ html, url });
  assert.ok(!urlsOf(body).includes(HERBARIUM));
  const { body: stored } = await ask('/related', { url });
  // No page links to it: so the posted page has all the parts that the stored one has.
  assert.deepEqual(body.related, stored.related);
  const { body: anonymous } = await post({ html });
  assert.equal(anonymous.related[0].url, HERBARIUM);
  assert.equal(anonymous.related[0].similarity, 1);
  const { body: bare } = await post(html, { url }, 'text/html');
  assert.deepEqual(bare.related, stored.related);
});

test('a URL alone is looked up, and never fetched', async () => {
  const { body } = await post({ url: `${GARDEN}2` }, { limit: 3 });
  const { body: related } = await ask('/related', { url: `${GARDEN}2`, limit: 3 });
  assert.deepEqual(body.related, related.related);
  const { status, body: problem } = await post({ url: 'https://nowhere.example/' });
  assert.deepEqual([status, problem.code], [404, 'page-not-indexed']);
  assert.match(problem.detail, /does not fetch/);
});

test('the exact search finds what is stored of a page, and what a small index answers anyway', async () => {
  const { body: stored } = await post({ url: `${GARDEN}2` });
  const { body: searched } = await post({ url: `${GARDEN}2` }, { exact: 'true' });
  assert.deepEqual({ ...searched, next: '' }, { ...stored, next: '' });
  const { body: plain } = await post({ text: bread }, { limit: 5 });
  const { body: exact } = await post({ text: bread }, { limit: 5, exact: 'true' });
  assert.deepEqual(exact.related, plain.related);
  const { status, body } = await post({ text: bread }, { cursor: plain.next, exact: 'true' });
  assert.deepEqual([status, body.code], [400, 'invalid-cursor']);
});

test('pages of the site of a document are those of its URL, known or not', async () => {
  const sitesOf = (body: { related: { url: string }[] }) => urlsOf(body).map((url) => new URL(url).hostname);
  const url = new URL('/new', HERBARIUM).href;
  const { html } = fixturePages().find((page) => page.url === HERBARIUM)!;
  const { body: own } = await post({ html, url }, { same_site: 'only' });
  assert.ok(
    own.related.length > 0 && own.related.every(({ same_site: same }: { same_site: boolean }) => same),
  );
  assert.deepEqual([...new Set(sitesOf(own))], [new URL(HERBARIUM).hostname]);
  const { body: others } = await post({ html, url }, { same_site: 'exclude' });
  assert.ok(others.related.length > 0 && !sitesOf(others).includes(new URL(HERBARIUM).hostname));
  const { body: elsewhere } = await post({ html, url: 'https://nowhere.example/' }, { same_site: 'only' });
  assert.deepEqual([elsewhere.related, elsewhere.empty_reason], [[], 'excluded']);
});

test('the list is narrowed and paged as that of a page', async () => {
  const text = `rose thorn petal ${bread}`;
  const { body: all } = await post({ text }, { limit: 100 });
  const { body: lang } = await post({ text }, { lang: 'de' });
  assert.deepEqual(
    urlsOf(lang),
    [HERBARIUM].filter((url) => urlsOf(all).includes(url)),
  );
  const { body: same } = await post({ text, lang: 'de-AT' }, { lang: 'same' });
  assert.deepEqual(urlsOf(same), urlsOf(lang));
  const { body: unsaid } = await post({ text }, { limit: 100, lang: 'same' });
  assert.deepEqual(urlsOf(unsaid), urlsOf(all));
  const { body: capped } = await post({ text }, { max_per_site: 1 });
  assert.equal(new Set(urlsOf(capped).map((url) => new URL(url).host)).size, urlsOf(capped).length);
  const seen: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body } = await post({ text }, { limit: 7, ...(cursor === '' ? {} : { cursor }) });
    seen.push(...urlsOf(body));
    cursor = body.next;
  }
  assert.deepEqual(seen, urlsOf(all));
  const { body: first } = await post({ text }, { limit: 7 });
  const other = await post({ text: bread }, { cursor: first.next });
  assert.equal(other.body.code, 'invalid-cursor');
});

test('links of the document are left out on demand, relative ones from its base', async () => {
  const html = `<title>Rose</title><p>rose petal thorn cane pruning</p><a href="4">a</a> <a href="/roses/5">b</a>`;
  const query = { exclude_linked: true, limit: 100 };
  const { body } = await post({ html, base_url: GARDEN }, query);
  const { body: open } = await post({ html, base_url: GARDEN }, { limit: 100 });
  const gone = urlsOf(open).filter((url) => !urlsOf(body).includes(url));
  assert.deepEqual(gone.toSorted(), [`${GARDEN}4`, `${GARDEN}5`]);
});

test('a document of too few known words says so', async () => {
  for (const text of ['', 'of the and', 'zzyzx qwertz', 'zzyzx qwertz '.repeat(9)]) {
    const { status, body } = await post({ text });
    assert.deepEqual(
      [status, body.related, body.empty_reason, body.cluster],
      [200, [], 'too_little_text', null],
    );
  }
});

test('of a short document that is like pages, filters leave out what they do', async () => {
  for (const text of ['sourdough', 'sourdough crust']) {
    assert.notDeepEqual((await post({ text })).body.related, []);
    for (const [query, reason] of [
      [{ min_similarity: 1 }, 'below_threshold'],
      [{ lang: 'fr' }, 'excluded'],
      [{ site: 'nowhere.example' }, 'excluded'],
    ] as const) {
      const { body } = await post({ text }, query);
      assert.deepEqual([body.related, body.empty_reason], [[], reason]);
    }
  }
});

test('a document of words that no page has is not too short, only like nothing', async () => {
  const { body } = await post({ text: 'zzyzx qwertz brillig slithy toves gimble wabe' });
  assert.deepEqual([body.related, body.empty_reason], [[], 'no_known_words']);
});

test('nothing below the floor of the index is listed for a document either', async () => {
  const { relations } = (await ask('/index')).body;
  const { floor } = relations.find(({ by }: { by: string }) => by === 'topic');
  const { body } = await post(
    { text: `rose ${'dough crust '.repeat(40)} petal oven ${bread}` },
    { limit: 100 },
  );
  assert.ok(floor > 0 && body.related.length > 0);
  for (const { similarity } of body.related) assert.ok(similarity >= floor, `${similarity}`);
});

test('one text is fully similar to itself, posted or of the index', async () => {
  const compare = async (a: object, b: object) => {
    const answer = await app.inject({ method: 'POST', url: '/compare?include_text=true', payload: { a, b } });
    return answer.json();
  };
  const page = { url: `${GARDEN}1` };
  const { a } = await compare(page, page);
  const posted = { title: a.title, text: a.text };
  for (const [left, right] of [
    [page, posted],
    [posted, page],
    [posted, posted],
    [page, page],
  ] as const) {
    const { equality, topic, resemblance } = await compare(left, right);
    assert.deepEqual([equality, topic.similarity, resemblance.value], ['identical', 1, 1]);
  }
});

test('a body that holds no document, or two, is refused', async () => {
  for (const payload of [
    {},
    { title: 'a' },
    { html: 'a', text: 'b' },
    { html: 1 },
    { url: 'nonsense' },
    { tekst: 'a' },
  ]) {
    const { status, body } = await post(payload);
    assert.equal(status, 400, JSON.stringify(payload));
    assert.match(body.code, /^invalid-/);
  }
  const binary = await post(Buffer.alloc(1000), {}, 'text/html');
  assert.deepEqual([binary.status, binary.body.code], [400, 'invalid-body']);
});

longTest(
  'a search above the limit is made in the quick way, near the exact answer, which is to be had',
  async () => {
    const random = new Random(3);
    // Two draws: the lower words are frequent, the higher ones rare, as in a language.
    const word = () => `w${(random.below(1 + random.below(2000)) + 36).toString(36)}q`;
    const text = (count: number) => Array.from({ length: count }, word).join(' ');
    const pages = Array.from({ length: 800 }, (_, i) => ({
      url: `https://site${i % 20}.example/${i}`,
      html: `<title>Page ${i}</title><p>${text(60)}</p>`,
    }));
    const path = join(temporaryFolder({ after }), 'words.akin');
    await buildFixture(path, pages);
    const exactly = await fixtureApp(path);
    const quickly = await fixtureApp(path, { exactSearchUs: 1 });
    const similar = async (to: FastifyInstance, payload: object, query: Query): Promise<Item[]> =>
      (await to.inject({ method: 'POST', url: pathOf('/similar', query), payload })).json().related;
    let foundCount = 0;
    let differentCount = 0;
    for (let i = 0; i < QUERIES; i++) {
      const payload = { text: text(300) };
      const quick = await similar(quickly, payload, { limit: LIST });
      assert.equal(quick.length, LIST);
      const all = await similar(exactly, payload, { limit: 100 });
      const exact = all.slice(0, LIST);
      for (const item of quick)
        assert.deepEqual(
          item,
          all.find(({ url }) => url === item.url),
        );
      foundCount += quick.filter(({ url }) => exact.some((item) => item.url === url)).length;
      if (!isDeepStrictEqual(quick, exact)) differentCount++;
      assert.deepEqual(await similar(quickly, payload, { exact: 'true', limit: LIST }), exact);
    }
    assert.ok(foundCount >= 0.95 * LIST * QUERIES, `${foundCount} of ${LIST * QUERIES}`);
    assert.ok(differentCount > 0, 'the quick way was taken: it misses a page now and then');
  },
);

test('a page of the index is answered alike by its URL and as a document, anchors included', async (t) => {
  const roses = fixturePages().slice(0, 3);
  const linkTo = ({ url }: { url: string }) =>
    `<p>prune the trellis in march <a href="${url}">roses by the wall</a> and mulch the soil</p>`;
  const hubs = Array.from({ length: 9 }, (_, i) => ({
    url: `https://hub.example/${i}`,
    html: `<title>Hub ${i}</title>${roses.map(linkTo).join('')}`,
  }));
  const path = join(temporaryFolder(t), 'linked.akin');
  await buildFixture(path, [...fixturePages(), ...hubs]);
  const linked = await fixtureApp(path);
  const answer = async (payload: object) =>
    (await linked.inject({ method: 'POST', url: '/similar?limit=5', payload })).json();
  for (const { url, html } of roses) {
    const named = await answer({ url });
    const sent = await answer({ url, html });
    assert.ok(
      named.terms.some(({ part }: { part: string }) => part === 'anchor'),
      'links speak of it',
    );
    assert.deepEqual(sent.terms, named.terms);
    assert.deepEqual(sent.related, named.related);
  }
});
