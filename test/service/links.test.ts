/** Relations by links over HTTP: an index of the indexer's own making whose links are known. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { rowOf } from '../../src/join/links/link-graph.ts';
import { loadLinks } from '../../src/service/reads/file/link-loading.ts';
import { IndexReader } from '../../src/store/read/reader.ts';
import { akin } from '../cli/terminal.ts';
import { longTest } from '../long-test.ts';
import { asker, fileAsker, fixtureApp, type Query } from './fixture-app.ts';
import { buildFixture, type FixturePage, temporaryFolder } from './fixture-index.ts';
import { prose } from './sweeps-index.ts';

const PORT = 'https://port.example/';
const REEF = 'https://reef.example/';
const GUIDES = 'https://guides.example/';
/** Cited: PORT a, b, c and REEF d. Citing: GUIDES 1 to 5. Nothing links to or from `lone`. */
const LINKS: Record<string, readonly string[]> = {
  [`${GUIDES}1`]: [`${PORT}a`, `${PORT}b`, `${REEF}d`],
  [`${GUIDES}2`]: [`${PORT}a`, `${PORT}b`],
  [`${GUIDES}3`]: [`${PORT}a`, `${PORT}b`, `${PORT}c`],
  [`${GUIDES}4`]: [`${PORT}a`, `${REEF}d`],
  [`${GUIDES}5`]: [`${PORT}c`],
  [`${PORT}lone`]: [],
};
const urls = [...new Set([...Object.keys(LINKS), ...Object.values(LINKS).flat()])];
const html = (links: readonly string[], seed: number) =>
  `<html lang="en"><title>Page ${seed}</title><p>${prose(seed, 40)}</p>${links.map((url) => `<a href="${url}">x</a>`).join(' ')}`;
const pages = urls.map((url, i): FixturePage => ({ url, html: html(LINKS[url] ?? [], 400 + i) }));

const indexPath = join(temporaryFolder({ after }), 'links.akin');
await buildFixture(indexPath, pages);
const app = await fixtureApp(indexPath);
const ask = asker(app);
const related = async (query: Query) => (await ask('/related', query)).body;
interface Item {
  readonly url: string;
  readonly similarity: number;
}
const pairs = (body: { related: Item[] }) =>
  body.related.map(({ url, similarity }) => `${url} ${similarity.toFixed(3)}`);

test('cocitation: Jaccard of who links to the pages, with the citers in common', async () => {
  const body = await related({ url: `${PORT}a`, by: 'cocitation', explain: true });
  assert.deepEqual(pairs(body), [`${PORT}b 0.750`, `${REEF}d 0.500`, `${PORT}c 0.200`]);
  const [b, d] = body.related;
  assert.deepEqual([b.measure, b.same_site, d.same_site, b.score], ['exact', true, false, undefined]);
  // Of the three those with the fewest links first.
  assert.deepEqual(b.why, { citations: [`${GUIDES}2`, `${GUIDES}1`, `${GUIDES}3`], citation_count: 3 });
  assert.deepEqual(d.why, { citations: [`${GUIDES}4`, `${GUIDES}1`], citation_count: 2 });
});

test('coupling: Jaccard of what the pages link to', async () => {
  const body = await related({ url: `${GUIDES}1`, by: 'coupling', explain: true });
  assert.deepEqual(pairs(body), [`${GUIDES}2 0.667`, `${GUIDES}4 0.667`, `${GUIDES}3 0.500`]);
  assert.deepEqual(body.related[0].why, { citations: [`${PORT}b`, `${PORT}a`], citation_count: 2 });
});

test('companion: scores, the greatest 1, and the hubs that gave them', async () => {
  const body = await related({ url: `${PORT}a`, by: 'companion', explain: true });
  assert.equal(body.related[0].similarity, 1);
  assert.ok(body.related.every(({ measure }: { measure: string }) => measure === 'score'));
  const listed = body.related.map(({ url }: Item) => url);
  assert.deepEqual(listed.toSorted(), [`${PORT}b`, `${PORT}c`, `${REEF}d`].toSorted());
  const why = body.related.find(({ url }: Item) => url === `${REEF}d`).why;
  assert.deepEqual([why.citations.toSorted(), why.citation_count], [[`${GUIDES}1`, `${GUIDES}4`], 2]);
});

test('lists by links are narrowed and paged as any', async () => {
  const a = { url: `${PORT}a`, by: 'cocitation' };
  const urlsOf = async (more: Query) =>
    (await related({ ...a, ...more })).related.map(({ url }: Item) => url);
  assert.deepEqual(await urlsOf({ same_site: 'exclude' }), [`${REEF}d`]);
  assert.deepEqual(await urlsOf({ max_per_site: 1 }), [`${PORT}b`, `${REEF}d`]);
  assert.deepEqual(await urlsOf({ exclude: `${PORT}b`, limit: 1 }), [`${REEF}d`]);
  assert.deepEqual(await urlsOf({ min_similarity: 0.5 }), [`${PORT}b`, `${REEF}d`]);
  assert.deepEqual(await urlsOf({ lang: 'de' }), []);
  assert.deepEqual(await urlsOf({ rank: 'similarity', cards: true }), await urlsOf({}));
  const first = await related({ ...a, limit: 1 });
  const second = await related({ ...a, limit: 2, cursor: first.next });
  assert.deepEqual([...pairs(first), ...pairs(second)], pairs(await related(a)));
  const reason = async (query: Query) => {
    const body = await related(query);
    return [body.related.length, body.empty_reason];
  };
  assert.deepEqual(await reason({ ...a, min_similarity: 0.9 }), [0, 'below_threshold']);
  assert.deepEqual(await reason({ ...a, lang: 'de' }), [0, 'excluded']);
  for (const by of ['cocitation', 'coupling', 'companion']) {
    assert.deepEqual(await reason({ url: `${PORT}lone`, by }), [0, 'no_links'], by);
  }
  assert.deepEqual(await reason({ url: `${PORT}a`, by: 'coupling' }), [0, 'no_links'], 'it links to nothing');
});

test('batches and fragments give the same pages', async () => {
  const asked = { urls: [`${PORT}a`, `${PORT}c`, 'https://none.example/'], by: 'companion', explain: true };
  const { results } = (
    await app.inject({ method: 'POST', url: '/related/batch', payload: asked })
  ).json() as { results: { related: Item[]; error?: { code: string } }[] };
  for (const i of [0, 1]) {
    const alone = await related({ url: asked.urls[i]!, by: 'companion', explain: true });
    assert.deepEqual(results[i], alone);
  }
  assert.equal(results[2]!.error!.code, 'page-not-indexed');
  const { text } = await ask('/related.html', { url: `${PORT}a`, by: 'cocitation' });
  assert.deepEqual(
    [...text.matchAll(/href="([^"]*)"/g)].map(([, url]) => url),
    [`${PORT}b`, `${REEF}d`, `${PORT}c`],
  );
});

test('a document is asked by what it links to, and by nothing that links to it', async () => {
  const post = (query: string, payload: object) =>
    app.inject({ method: 'POST', url: `/similar?${query}`, payload });
  const document = { html: html([`${PORT}b`, '/a', `${REEF}unknown`], 1), base_url: `${PORT}new` };
  const body = (await post('by=coupling&explain=true', document)).json();
  assert.deepEqual(pairs(body), [
    `${GUIDES}2 1.000`,
    `${GUIDES}1 0.667`,
    `${GUIDES}3 0.667`,
    `${GUIDES}4 0.333`,
  ]);
  assert.deepEqual([body.related[0].why.citation_count, body.cluster], [2, null]);
  assert.ok(body.terms.length > 0);
  const known = { ...document, url: `${GUIDES}2` };
  assert.deepEqual(pairs((await post('by=coupling', known)).json())[0], `${GUIDES}1 0.667`, 'never itself');
  assert.equal((await post('by=coupling', { text: 'no links' })).json().empty_reason, 'no_links');
  const byUrl = await post('by=cocitation', { url: `${PORT}a` });
  assert.deepEqual(byUrl.json().related, (await related({ url: `${PORT}a`, by: 'cocitation' })).related);
  for (const by of ['cocitation', 'companion']) {
    const refused = await post(`by=${by}`, document);
    assert.deepEqual([refused.statusCode, refused.json().errors[0].parameter], [400, 'by']);
  }
  const exact = await post('by=coupling&exact=true', document);
  assert.deepEqual([exact.statusCode, exact.json().errors[0].parameter], [400, 'exact']);
});

test('what has no meaning for links is refused by name', async () => {
  const url = `${PORT}a`;
  for (const [path, query, parameter] of [
    ['/cluster', { url, by: 'cocitation' }, 'by'],
    ['/clusters', { by: 'companion' }, 'by'],
    ['/related', { url, by: 'coupling', clustering: '0.5' }, 'clustering'],
    ['/related', { url, by: 'companion', min_similarity: 0.1 }, 'min_similarity'],
  ] as const) {
    const { status, body } = await ask(path, query);
    assert.deepEqual([status, body.errors?.[0].parameter], [400, parameter], path);
  }
});

test('the command line gives the same', async () => {
  const run = async (...argv: string[]) => {
    const { code, stdout, stderr } = await akin(['related', indexPath, `${PORT}a`, ...argv]);
    return { code, stdout, stderr };
  };
  const { stdout } = await run('--by', 'cocitation', '--explain', '--json');
  assert.deepEqual(JSON.parse(stdout), await related({ url: `${PORT}a`, by: 'cocitation', explain: true }));
  const table = (await run('--by', 'cocitation', '--explain')).stdout;
  assert.match(table, /^Similarity +Title +URL +Citations$/m);
  assert.match(table, /0\.750 .* 3: https:\/\/guides\.example\/2 /);
  assert.match((await run('--by', 'companion')).stdout, /^ *Score +Title/m);
  const refused = await run('--by', 'companion', '--min-similarity', '0.2');
  assert.deepEqual(
    [refused.code === 0, /--min-similarity: by=companion has scores/.test(refused.stderr)],
    [false, true],
  );
});

test('an index without links says so', async () => {
  const path = join(temporaryFolder({ after }), 'unlinked.akin');
  await buildFixture(
    path,
    pages.map(({ url }, i) => ({ url, html: html([], 500 + i) })),
  );
  const askOther = asker(await fixtureApp(path));
  assert.deepEqual((await askOther('/index')).body.link_relations, []);
  assert.deepEqual((await ask('/index')).body.link_relations, ['cocitation', 'coupling', 'companion']);
  const { status, body } = await askOther('/related', { url: `${PORT}a`, by: 'coupling' });
  assert.deepEqual([status, body.code], [400, 'relation-not-in-index']);
  assert.match(body.detail, /"coupling", only topic, copy/);
});

longTest(
  'links are read alike here and on a thread, without preloading, and by requests at once',
  async () => {
    const reader = IndexReader.open(indexPath);
    try {
      const [here, aside] = [await loadLinks(reader), await loadLinks(reader, 0)];
      assert.deepEqual(aside, here);
      for (let page = 0; page < reader.pageCount; page++) {
        assert.deepEqual(rowOf(here.out, page), reader.links(page));
        assert.equal(rowOf(here.in, page).length, reader.page(page).inLinkCount);
      }
    } finally {
      reader.close();
    }
    const fresh = await fileAsker(indexPath);
    const answers = await Promise.all(
      ['cocitation', 'companion', 'cocitation'].map((by) => fresh('/related', { url: `${PORT}a`, by })),
    );
    assert.deepEqual(answers[0]!.body, answers[2]!.body);
    assert.deepEqual(answers[1]!.body, await related({ url: `${PORT}a`, by: 'companion' }));
  },
);

test('feedback on a list by links has the place of the page in it', async () => {
  const judged = await fixtureApp(indexPath, { feedback: { maxBytes: 2 ** 20, perMinute: 10 } });
  const payload = { url: `${PORT}a`, related_url: `${REEF}d`, judgement: 'worse', by: 'cocitation' };
  const answer = await judged.inject({ method: 'POST', url: '/feedback', payload });
  const { body: list } = await ask('/related', { url: `${PORT}a`, by: 'cocitation' });
  const place = list.related.findIndex(({ url }: Item) => url === `${REEF}d`) + 1;
  assert.deepEqual([answer.statusCode, answer.json().rank], [200, place]);
});
