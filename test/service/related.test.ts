import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { IndexReader } from '../../src/store/read/reader.ts';
import { slowNearness, slowVotes } from '../slow-votes.ts';
import { asker, fileAsker, fixtureApp, fixtureIndex, pathOf } from './fixture-app.ts';
import {
  BAKERY,
  buildFixture,
  fixturePages,
  GARDEN,
  HERBARIUM,
  MOVED,
  NEIGHBOR_LIMIT,
  ROSE_PAGES,
  TINY,
  temporaryFolder,
} from './fixture-index.ts';

const indexPath = await fixtureIndex();
const app = await fixtureApp(indexPath);
const ask = asker(app);
const reader = IndexReader.open(indexPath);
const relation = reader.relation('topic')!;

/** Every neighbor of a page at or above the floor, nearest first, the slow way. */
function slowNeighbors(url: string) {
  const own = reader.findPage(url);
  const bag = reader.bag(relation.id, own);
  return [...reader.pages()]
    .filter((page) => page.id !== own)
    .map((page) => ({ ...page, ...slowNearness(bag, reader.bag(relation.id, page.id)) }))
    .filter(({ similarity }) => similarity >= relation.floor)
    .sort((a, b) => b.similarity - a.similarity || a.id - b.id);
}

/** The same as they are listed: as many as are stored by votes, then the rest. */
function slowRelated(url: string) {
  const all = slowNeighbors(url);
  const stored = (id: number) => slowNeighbors(reader.page(id).url).slice(0, NEIGHBOR_LIMIT);
  const voted = slowVotes(all.slice(0, NEIGHBOR_LIMIT), reader.findPage(url), stored);
  return [...voted, ...all.slice(NEIGHBOR_LIMIT)];
}

const urlsOf = (body: { related: { url: string }[] }) => body.related.map(({ url }) => url);

test('a page is answered with its nearest pages in the order of votes, itself left out', async () => {
  for (const [url, ownSite] of [
    [`${GARDEN}3`, 'garden.example'],
    [HERBARIUM, 'herbarium.example'],
  ] as const) {
    const { status, body } = await ask('/related', { url, limit: 5 });
    assert.equal(status, 200);
    const expected = slowRelated(url).slice(0, 5);
    assert.deepEqual(
      urlsOf(body),
      expected.map((page) => page.url),
    );
    for (const [i, item] of body.related.entries()) {
      assert.ok(Math.abs(item.similarity - expected[i]!.similarity) <= 5e-7);
      assert.equal(item.measure, 'exact');
      assert.equal(item.same_site, expected[i]!.site === ownSite);
      assert.equal(item.title, reader.page(reader.findPage(item.url)).title);
    }
    assert.equal(body.empty_reason, null);
  }
});

test('where the site of the page is left out, which voted, the nearest page stands first', async () => {
  const others = async (more: object) => {
    const { body } = await ask('/related', { url: HERBARIUM, limit: NEIGHBOR_LIMIT, ...more });
    return urlsOf(body);
  };
  const bySimilarity = slowNeighbors(HERBARIUM).map(({ url }) => url);
  const byVotes = slowRelated(HERBARIUM).map(({ url }) => url);
  assert.notDeepEqual(byVotes.slice(0, NEIGHBOR_LIMIT), bySimilarity.slice(0, NEIGHBOR_LIMIT));
  assert.deepEqual(await others({}), byVotes.slice(0, NEIGHBOR_LIMIT));
  assert.deepEqual(await others({ same_site: 'exclude' }), bySimilarity.slice(0, NEIGHBOR_LIMIT));
  assert.deepEqual(await others({ same_site: 'exclude', rank: 'score' }), byVotes.slice(0, NEIGHBOR_LIMIT));
  const ofGarden = (urls: readonly string[]) => urls.filter((url) => url.startsWith(GARDEN));
  assert.deepEqual(await others({ site: 'garden.example' }), ofGarden(bySimilarity).slice(0, NEIGHBOR_LIMIT));
});

test('by similarity alone the nearest page stands first', async () => {
  for (const limit of [3, 100]) {
    const { body } = await ask('/related', { url: `${GARDEN}3`, limit, rank: 'similarity' });
    const expected = slowNeighbors(`${GARDEN}3`).slice(0, limit);
    assert.deepEqual(
      urlsOf(body),
      expected.map(({ url }) => url),
    );
  }
});

test('an explanation tells the score that lists are ordered by, and who voted', async () => {
  const { body } = await ask('/related', { url: HERBARIUM, explain: true, limit: 100 });
  const own = new Set(
    slowNeighbors(HERBARIUM)
      .slice(0, NEIGHBOR_LIMIT)
      .map(({ url }) => url),
  );
  const scores = body.related.map(({ score }: { score?: number }) => score);
  const voted = scores.slice(1, NEIGHBOR_LIMIT);
  assert.ok(voted.length > 1);
  assert.deepEqual(
    voted,
    voted.toSorted((a: number, b: number) => b - a),
  );
  assert.ok(scores.slice(NEIGHBOR_LIMIT).every((score: unknown) => score === undefined));
  for (const { url, why } of body.related.slice(0, NEIGHBOR_LIMIT)) {
    const voters = slowNeighbors(url)
      .slice(0, NEIGHBOR_LIMIT)
      .map((near) => near.url)
      .filter((near) => own.has(near));
    assert.deepEqual(why.near, { count: voters.length, urls: voters.slice(0, 3) });
  }
});

test('an alias is answered as its page, which is not listed', async () => {
  const { body } = await ask('/related', { url: MOVED, limit: 100 });
  assert.equal(body.url, `${GARDEN}0`);
  assert.ok(!urlsOf(body).includes(`${GARDEN}0`));
});

test('the spelling of a URL does not matter', async () => {
  const { body } = await ask('/related', { url: 'HTTPS://Garden.Example:443/roses/./3#top' });
  assert.equal(body.url, `${GARDEN}3`);
});

test('a list longer than what is stored is complete', async () => {
  const { body } = await ask('/related', { url: `${GARDEN}3`, limit: 100 });
  assert.ok(body.related.length > NEIGHBOR_LIMIT);
  assert.deepEqual(
    urlsOf(body),
    slowRelated(`${GARDEN}3`).map(({ url }) => url),
  );
});

test('filters that the stored list cannot satisfy are answered all the same', async () => {
  const all = slowRelated(`${GARDEN}3`);
  const { body: others } = await ask('/related', { url: `${GARDEN}3`, same_site: 'exclude' });
  assert.deepEqual(
    urlsOf(others),
    all.filter(({ site }) => site !== 'garden.example').map(({ url }) => url),
  );
  assert.equal(others.related[0].url, HERBARIUM);
  const { body: german } = await ask('/related', { url: `${GARDEN}3`, lang: 'DE' });
  assert.deepEqual(urlsOf(german), [HERBARIUM]);
  const { body: own } = await ask('/related', { url: `${GARDEN}3`, same_site: 'only', limit: 100 });
  assert.deepEqual(
    urlsOf(own),
    all.filter(({ site }) => site === 'garden.example').map(({ url }) => url),
  );
});

test('a beginning of URLs stands for those that begin so, and no more', async () => {
  const site = new URL('/', GARDEN).href;
  const left = async (exclude: string) => {
    const { body } = await ask('/related', { url: `${GARDEN}3`, limit: 100, exclude });
    return urlsOf(body).filter((url) => url.startsWith(site)).length;
  };
  const all = await left('https://nowhere.example/*');
  assert.ok(all > 10);
  for (const none of [`${site}?*`, `${GARDEN}?page=*`, `${site}.*`, `${GARDEN}0/.*`])
    assert.equal(await left(none), all, none);
  for (const every of [
    `${site}*`,
    `${site.slice(0, -1)}*`,
    `${GARDEN.toUpperCase().replace('/ROSES/', '')}*`,
  ])
    assert.equal(await left(every), 0, every);
  assert.equal(await left(`${GARDEN}1*`), all - 11);
  for (const never of [`${site}#*`, `${site}?utm_*`])
    assert.equal((await ask('/related', { url: `${GARDEN}3`, exclude: never })).status, 400, never);
});

test('excluded pages and linked pages are left out', async () => {
  const exclude = [`${GARDEN}5`, MOVED, 'https://nowhere.example/'];
  const { body } = await ask('/related', { url: `${GARDEN}3`, limit: 100, exclude });
  assert.ok(!urlsOf(body).includes(`${GARDEN}5`));
  assert.ok(!urlsOf(body).includes(`${GARDEN}0`), 'an alias excludes its page');
  const { body: unlinked } = await ask('/related', { url: `${GARDEN}3`, limit: 100, exclude_linked: true });
  const linked = Array.from(reader.links(reader.findPage(`${GARDEN}3`)), (id) => reader.page(id).url);
  assert.deepEqual(linked, [`${GARDEN}4`]);
  assert.deepEqual(
    urlsOf(unlinked),
    slowRelated(`${GARDEN}3`)
      .map(({ url }) => url)
      .filter((url) => url !== linked[0]),
  );
});

test('no site has more pages in the list than max_per_site', async () => {
  const { body } = await ask('/related', { url: HERBARIUM, max_per_site: 2, limit: 100 });
  const counts: Record<string, number> = {};
  const expected = slowRelated(HERBARIUM).filter(({ site }) => (counts[site] = (counts[site] ?? 0) + 1) <= 2);
  assert.deepEqual(
    urlsOf(body),
    expected.map(({ url }) => url),
  );
  assert.ok(new Set(expected.map(({ site }) => site)).size >= 2);
});

test('min_similarity cuts the list where it says', async () => {
  const all = slowRelated(`${GARDEN}3`);
  const least = slowNeighbors(`${GARDEN}3`)[2]!.similarity;
  const { body } = await ask('/related', { url: `${GARDEN}3`, min_similarity: least, limit: 100 });
  assert.deepEqual(
    urlsOf(body),
    all.filter(({ similarity }) => similarity >= least).map(({ url }) => url),
  );
});

test('a similarity that was printed can be asked for, and keeps its page', async () => {
  for (const url of [`${GARDEN}3`, `${BAKERY}1`, `${GARDEN}7`]) {
    const { body } = await ask('/related', { url, limit: 100 });
    for (const { similarity, url: wanted } of body.related) {
      const cut = await ask('/related', { url, min_similarity: similarity, limit: 100 });
      assert.ok(urlsOf(cut.body).includes(wanted), `${wanted} at ${similarity}`);
    }
  }
});

test('pages of a list follow each other without gap or repetition', async () => {
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const { body } = await ask('/related', {
      url: `${GARDEN}3`,
      limit: 3,
      ...(cursor === null ? {} : { cursor }),
    });
    seen.push(...urlsOf(body));
    cursor = body.next;
  } while (cursor !== null);
  assert.deepEqual(
    seen,
    slowRelated(`${GARDEN}3`).map(({ url }) => url),
  );
});

test('a cursor of other parameters, never made or of another generation is refused', async () => {
  const { body } = await ask('/related', { url: `${GARDEN}3`, limit: 3 });
  const other = await ask('/related', { url: `${GARDEN}4`, limit: 3, cursor: body.next });
  assert.deepEqual([other.status, other.body.code], [400, 'invalid-cursor']);
  const forged = await ask('/related', { url: `${GARDEN}3`, cursor: 'abc' });
  assert.deepEqual([forged.status, forged.body.code], [400, 'invalid-cursor']);
  const older = await ask('/related', {
    url: `${GARDEN}3`,
    cursor: `0000000000000000${body.next.slice(16)}`,
  });
  assert.deepEqual([older.status, older.body.code], [410, 'generation-changed']);
});

test('an explanation names shared terms whose shares sum to at most 1', async () => {
  const { body } = await ask('/related', { url: `${BAKERY}1`, explain: true, limit: 3 });
  for (const { why } of body.related) {
    assert.ok(why.terms.length > 0 && why.terms.length <= 10);
    const shares = why.terms.map(({ share }: { share: number }) => share);
    assert.ok(shares.every((share: number, i: number) => share > 0 && share <= (shares[i - 1] ?? 1)));
    const sum = shares.reduce((total: number, share: number) => total + share, why.remainder);
    assert.ok(why.remainder >= 0 && Math.abs(sum - 1) < 1e-9, `${sum}`);
    assert.ok(['content', 'title', 'anchor'].includes(why.terms[0].part));
  }
  const { body: plain } = await ask('/related', { url: `${BAKERY}1`, limit: 1 });
  assert.ok(!('why' in plain.related[0]));
});

test('an empty list says why it is empty', async () => {
  const reason = async (query: Record<string, string | number>) => {
    const { status, body } = await ask('/related', query);
    assert.deepEqual([status, body.related, body.next], [200, [], null]);
    return body.empty_reason;
  };
  assert.equal(await reason({ url: TINY }), 'too_little_text');
  assert.equal(await reason({ url: `${GARDEN}3`, min_similarity: 1 }), 'below_threshold');
  assert.equal(await reason({ url: `${GARDEN}3`, lang: 'fr' }), 'excluded');
});

test('different words are counted, and whether any other page has them', async () => {
  const indexPath = join(temporaryFolder({ after }), 'words.akin');
  const page = (name: string, text: string) => ({
    url: `https://words.example/${name}`,
    html: `<title>${text.split(' ', 1)}</title><p>${text}</p>`,
  });
  await buildFixture(indexPath, [
    ...fixturePages(),
    page('two', 'zzyzx qwertz '.repeat(9)),
    page('many', 'brillig slithy toves gimble wabe'),
    page('short', 'sourdough crust'),
  ]);
  const ofWords = asker(await fixtureApp(indexPath));
  const reason = async (name: string, query = {}) =>
    (await ofWords('/related', { url: `https://words.example/${name}`, ...query })).body.empty_reason;
  assert.deepEqual([await reason('two'), await reason('many')], ['too_little_text', 'no_known_words']);
  const ofShort = [{}, { min_similarity: 1 }, { lang: 'fr' }].map((query) => reason('short', query));
  assert.deepEqual(await Promise.all(ofShort), [null, 'below_threshold', 'excluded']);
});

test('a page that is not in the index points to POST /similar', async () => {
  const { status, body, headers } = await ask('/related', { url: 'https://garden.example/nowhere' });
  assert.deepEqual([status, body.code, headers['cache-control']], [404, 'page-not-indexed', 'no-store']);
  assert.match(body.detail, /POST \/similar/);
});

test('only relations that exist are offered', async () => {
  const { status, body } = await ask('/related', { url: `${GARDEN}3`, by: 'colour' });
  assert.deepEqual([status, body.code], [400, 'invalid-parameters']);
  assert.equal(
    body.detail,
    'by: must be one of topic, copy, own-features, meaning, cocitation, coupling, companion',
  );
});

test('a batch answers as single requests do, with a problem where there is one', async () => {
  const urls = [`${GARDEN}1`, 'no url', 'https://nowhere.example/', HERBARIUM];
  const answer = await app.inject({
    method: 'POST',
    url: '/related/batch',
    payload: { urls, limit: 2, explain: true },
  });
  const { results } = answer.json();
  assert.equal(answer.headers['cache-control'], 'no-store');
  assert.deepEqual(results[0], (await ask('/related', { url: urls[0]!, limit: 2, explain: true })).body);
  assert.deepEqual([results[1].url, results[1].error.code], ['no url', 'invalid-parameters']);
  assert.deepEqual([results[2].url, results[2].error.status], ['https://nowhere.example/', 404]);
  assert.equal(results[3].related.length, 2);
});

test('a page that is not in the index is a problem, or the empty list that is asked for', async () => {
  const url = 'https://nowhere.example/a%22b';
  const { status, body, headers } = await ask('/related', { url, missing: '200' });
  assert.equal(status, 200);
  const { generation } = (await ask('/related', { url: `${GARDEN}3` })).body;
  const empty = { related: [], empty_reason: 'not_indexed', next: null };
  assert.deepEqual(body, { url, title: '', by: 'topic', generation, ...empty });
  const condition = { 'if-none-match': String(headers['etag']) };
  for (const [missing, code] of [
    ['200', 304],
    ['404', 404],
  ] as const) {
    const path = pathOf('/related', { url, missing });
    assert.equal((await app.inject({ url: path, headers: condition })).statusCode, code);
  }
  const known = { url: `${GARDEN}3`, limit: 3 };
  const one = await ask('/related', { ...known, missing: '200' });
  assert.deepEqual(one.body, (await ask('/related', known)).body);
});

test('answers from the file and from memory are the same', async () => {
  const stored = await fileAsker(indexPath);
  const urls = Array.from(reader.pages(), ({ url }) => url).concat(MOVED, 'https://nowhere.example/');
  const queries = [{}, { limit: 3, explain: true }, { same_site: 'exclude', limit: 20 }];
  // Each page in one way, each way with every third page of a site.
  for (const [i, url] of urls.entries()) {
    const query = { url, ...queries[i % queries.length] };
    assert.equal((await stored('/related', query)).text, (await ask('/related', query)).text);
  }
  assert.ok(urls.length > ROSE_PAGES);
  for (const path of ['/clusters', '/index']) assert.equal((await stored(path)).text, (await ask(path)).text);
});

test('a URL that is no page is answered with the nearest that are', async () => {
  const nearest = async (url: string) => {
    const { status, body } = await ask('/related', { url });
    assert.deepEqual([status, body.code], [404, 'page-not-indexed']);
    for (const one of body.nearest) assert.ok(body.detail.includes(one));
    return body.nearest;
  };
  // Of those around it in the order of URLs the ones that begin alike.
  assert.deepEqual(await nearest(`${GARDEN}12x`), [`${GARDEN}12`, `${GARDEN}10`, `${GARDEN}11`]);
  assert.deepEqual((await nearest('http://www.garden.example/roses/7'))[0], `${GARDEN}7`);
  assert.deepEqual((await nearest(MOVED.replace('https', 'http')))[0], `${GARDEN}0`);
  assert.deepEqual(await nearest('https://nowhere.example/'), []);
  for (const host of ['1.2.3', '10.0.0.1:8080', '[::1]', 'www.10.0.0.1.example']) {
    assert.deepEqual(await nearest(`http://${host}/page`), [], host);
  }
  assert.deepEqual((await nearest('https://herbarium.example/')).slice(0, 1), [HERBARIUM]);
});

test('an answer beyond ASCII is as long as it says, asked for by GET or HEAD', async () => {
  const url = pathOf('/related', { url: `${GARDEN}0`, limit: 100 });
  const answer = await app.inject(url);
  assert.match(answer.body, /"title":"Rosa \u2014 \u8594\u8587"/);
  assert.equal(Number(answer.headers['content-length']), answer.rawPayload.length);
  assert.equal(answer.body, answer.rawPayload.toString());
  const head = await app.inject({ method: 'HEAD', url });
  assert.equal(head.headers['content-length'], answer.headers['content-length']);
  assert.equal(head.headers.etag, answer.headers.etag);
  assert.equal(head.rawPayload.length, 0);
});
