/** What is written is in every answer of a server from then on. */
import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { QUERY_TYPE } from '../../../src/service/http/query-method.ts';
import { type Body, fixtureApp, fixtureIndex, pathOf, type Query } from '../fixture-app.ts';
import { BAKERY, buildFixture, fixturePages, GARDEN, TWIN, temporaryFolder } from '../fixture-index.ts';

const indexPath = await fixtureIndex();
const live = { maxPending: 1000, maxPendingBytes: 2 ** 24, share: 2, waitMs: 1e9, run: async () => false };
const app = await fixtureApp(indexPath, { live });
await app.listen({ port: 0 });
const { port } = app.server.address() as AddressInfo;

const write = async (method: 'PUT' | 'DELETE', url: string, payload?: object) =>
  (await app.inject({ method, url: pathOf('/pages', { url }), ...(payload && { payload }) })).json() as Body;
const get = async (path: string, query: Query) => (await app.inject(pathOf(path, query))).json() as Body;
const post = async (path: string, payload: object) =>
  (await app.inject({ method: 'POST', url: path, payload })).json() as Body;
const urlsOf = (pages: Body[]) => pages.map(({ url }) => url);

const pages = fixturePages();
const garden = pages.find(({ url }) => url === `${GARDEN}0`)!;
const bread = pages.find(({ url }) => url === `${BAKERY}0`)!;
const NEW = 'https://new.example/rose';

test('a new page has its related pages, and stands in the lists of others', async () => {
  const before = await get('/related', { url: `${GARDEN}0` });
  await write('PUT', NEW, { html: garden.html.replace('</p>', ' trellis trellis aphid</p>') });
  const own = await get('/related', { url: NEW });
  assert.equal(own.related[0].url, `${GARDEN}0`);
  const after = await get('/related', { url: `${GARDEN}0` });
  assert.equal(after.related[0].url, NEW);
  assert.equal(after.related[0].same_site, false);
  assert.equal(after.related.length, before.related.length);
  assert.equal(after.generation, before.generation);
  const { body } = await app.inject({ method: 'POST', url: '/similar', payload: { text: garden.html } });
  assert.ok(urlsOf(JSON.parse(body).related).includes(NEW));
  const explained = await get('/related', { url: NEW, explain: true, cards: true });
  assert.ok(explained.related[0].why.terms.length > 0);
  const page = await get('/page', { url: NEW });
  assert.deepEqual([page.site, page.lang, page.sweeps[0].sweep], ['new.example', 'en', 'live']);
});

test('a page whose URL has a * is left out by %2A, and as an example, and no other with it', async () => {
  const [star, other, mash] = ['a*', 'ab', 'm*a*s*h'].map((name) => `https://star.example/${name}`);
  for (const url of [star!, other!, mash!]) await write('PUT', url, { html: garden.html });
  const left = async (exclude: string[]) => {
    const { related } = await get('/related', { url: `${GARDEN}0`, limit: 100, exclude });
    return urlsOf(related).filter((url) => url.startsWith('https://star.example/'));
  };
  const written = (url: string) => url.split('*').join('%2A');
  assert.deepEqual((await left([])).sort(), [star, other, mash]);
  assert.deepEqual(await left([written(star!), written(mash!)]), [other]);
  const { related } = await post('/similar?limit=100', { like: [{ url: star }] });
  assert.deepEqual(
    [star, other].map((url) => urlsOf(related).includes(url)),
    [false, true],
  );
  const batch = { urls: [`${GARDEN}0`, star, mash], exclude: [star, mash], limit: 100 };
  for (const { related } of (await post('/related/batch', batch))['results'])
    assert.deepEqual(
      [star, mash, other].map((url) => urlsOf(related).includes(url)),
      [false, false, true],
    );
  for (const url of [star!, other!, mash!]) await write('DELETE', url);
});

test('a field that no page of the index has is asked for once a page that waits has it', async () => {
  const [url, asked] = [
    'https://new.example/rosette',
    { url: `${GARDEN}1`, limit: 100, 'field.color': 'red' },
  ];
  assert.equal((await get('/related', asked)).code, 'invalid-parameters');
  await write('PUT', url, { html: garden.html, fields: { color: 'red' } });
  const { related } = await get('/related', { ...asked, fields: 'color' });
  assert.deepEqual([urlsOf(related), related[0].fields], [[url], { color: 'red' }]);
  await write('DELETE', url);
  assert.deepEqual((await get('/related', asked)).related, []);
});

test('a changed page answers by its new text', async () => {
  await write('PUT', `${BAKERY}5`, { html: garden.html });
  const { related, title } = await get('/related', { url: `${BAKERY}5` });
  assert.ok(related[0].url.startsWith(GARDEN) || related[0].url === NEW);
  assert.equal(title, 'Rose garden lesson "0" <b>');
  assert.ok(
    !urlsOf((await get('/related', { url: `${BAKERY}6`, limit: 100 })).related).includes(`${BAKERY}5`),
  );
});

test('a page that waits is not shown again what it links to', async () => {
  const url = 'https://new.example/linking';
  const listed = async (query: Query) =>
    urlsOf((await get('/related', { url, limit: 100, ...query })).related).sort();
  const put = (targets: readonly string[]) =>
    write('PUT', url, {
      html: `${garden.html}${targets.map((target) => `<a href="${target}">more</a>`).join('')}`,
    });
  // Of what is not there nothing is left out.
  const unknown = 'https://elsewhere.example/';
  await put([`${GARDEN}1`, `${GARDEN}2`, unknown, url]);
  const all = await listed({});
  assert.ok([`${GARDEN}1`, `${GARDEN}2`, `${GARDEN}3`].every((target) => all.includes(target)));
  const without = (...targets: string[]) => all.filter((one) => !targets.includes(one));
  assert.deepEqual(await listed({ exclude_linked: true }), without(`${GARDEN}1`, `${GARDEN}2`));
  // With the next page of its garden, and without itself.
  assert.equal((await get('/page', { url })).out_link_count, 4);
  await put([`${GARDEN}3`]);
  assert.deepEqual(await listed({ exclude_linked: true }), without(`${GARDEN}3`));
  const { body } = await app.inject('/export/links');
  const links = body
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Body);
  assert.deepEqual(
    links.filter((row) => row['url'] === url).map((row) => row['target_url']),
    [`${GARDEN}3`],
  );
  await write('DELETE', url);
});

test('copies are known at once, by the page and by what was posted', async () => {
  const copy = 'https://new.example/bread';
  await write('PUT', copy, { html: bread.html });
  const copies = await get('/related', { url: copy, by: 'copy' });
  assert.ok(urlsOf(copies.related).includes(`${BAKERY}0`) && urlsOf(copies.related).includes(TWIN));
  assert.ok(urlsOf((await get('/related', { url: TWIN, by: 'copy' })).related).includes(copy));
  const compared = await post('/compare', { a: { url: copy }, b: { url: `${BAKERY}0` } });
  assert.deepEqual([compared.resemblance.value, compared.topic.similarity > 0.5], [1, true]);
  const groups = await post('/group', { results: [copy, `${BAKERY}0`, `${GARDEN}2`] });
  assert.deepEqual(
    groups.groups.map((group: Body) => group.members.length),
    [2, 1],
  );
  await write('DELETE', `${BAKERY}0`);
  const moved = await get('/moved', { url: `${BAKERY}0` });
  assert.equal(moved.gone, true);
  assert.ok(urlsOf(moved.candidates).includes(copy));
  assert.ok(!urlsOf((await get('/related', { url: copy, by: 'copy' })).related).includes(`${BAKERY}0`));
});

test('what is deleted is in no answer, and lists are filled up', async () => {
  for (const i of [1, 2, 3, 4, 5, 6]) await write('DELETE', `${GARDEN}${i}`);
  const gone = await get('/related', { url: `${GARDEN}3` });
  assert.deepEqual([gone.related, gone.empty_reason], [[], 'gone']);
  const isGone = (url: string) => /roses\/[1-6]$/.test(url);
  for (const query of [
    {},
    { rank: 'similarity' },
    { same_site: 'only' },
    { by: 'cocitation' },
    { by: 'coupling' },
  ]) {
    const { related } = await get('/related', { url: `${GARDEN}0`, limit: 100, ...query });
    assert.ok(!urlsOf(related).some(isGone), JSON.stringify(query));
  }
  // As many as are stored of a page.
  assert.ok((await get('/related', { url: `${GARDEN}0`, limit: 8 })).related.length === 8);
  assert.ok(!urlsOf((await get('/search', { q: 'rose', limit: 100 })).results).some(isGone));
  const sites = await get('/sites/pages', { site: 'garden.example', limit: 100 });
  if (sites.pages !== undefined) assert.ok(!urlsOf(sites.pages).some(isGone));
  const { related } = await post('/similar?limit=100', { text: garden.html });
  assert.ok(!urlsOf(related).some(isGone));
});

test('the short way to an answer gives what the long one does', async () => {
  for (const url of [NEW, `${BAKERY}5`, ...pages.map((page) => page.url)]) {
    const path = pathOf('/related', { url });
    const short = await fetch(`http://127.0.0.1:${port}${path}`);
    const long = await app.inject(path);
    assert.equal(await short.text(), long.body, url);
    assert.equal(short.headers.get('etag'), long.headers['etag']);
    assert.equal(short.headers.get('cache-control'), 'public, no-cache, stale-if-error=86400');
  }
});

test('an answer says which writes it knows, and none is given that knows too few', async () => {
  const path = pathOf('/related', { url: `${GARDEN}0` });
  const { sequence } = await write('PUT', 'https://new.example/last', { text: 'thorn' });
  const short = await fetch(`http://127.0.0.1:${port}${path}`);
  const long = await app.inject(`${path}&min_sequence=${sequence}`);
  assert.deepEqual(
    [short.headers.get('akin-sequence'), long.headers['akin-sequence'], long.statusCode],
    [String(sequence), String(sequence), 200],
  );
  const behind = await app.inject(`${path}&min_sequence=${sequence + 1}`);
  assert.deepEqual(
    [behind.statusCode, behind.json().code, behind.headers['retry-after']],
    [503, 'behind', '1'],
  );
  assert.equal((await app.inject(`${path}&min_sequence=-1`)).json().code, 'invalid-parameters');
  // What is wrong with a question is said first: to come again would not help.
  assert.equal((await app.inject(`${path}&limit=x&min_sequence=${sequence + 1}`)).statusCode, 400);
  const [address, query] = path.split('?') as [string, string];
  const asked = { method: 'QUERY', url: address, headers: { 'content-type': QUERY_TYPE } } as never as object;
  for (const [least, status] of [
    [sequence, 200],
    [sequence + 1, 503],
  ]) {
    const payload = `${query}&min_sequence=${least}`;
    assert.equal((await app.inject({ ...asked, payload })).statusCode, status);
  }
  const plain = await fixtureApp(await fixtureIndex());
  const answer = await plain.inject(`${path}&min_sequence=0`);
  assert.deepEqual([answer.statusCode, answer.headers['akin-sequence']], [200, undefined]);
  assert.equal((await plain.inject(`${path}&min_sequence=1`)).statusCode, 503);
});

test('a cluster neither counts nor names a page that is gone', async () => {
  const alone = await fixtureApp(await fixtureIndex(), { live });
  const ask = async (path: string, query: Query) => (await alone.inject(pathOf(path, query))).json() as Body;
  const remove = (url: string) => alone.inject({ method: 'DELETE', url: pathOf('/pages', { url }) });
  const before = await ask('/clusters', {});
  const [largest] = before.clusters;
  const all = await ask(`/clusters/${largest.id}`, { limit: 100 });
  assert.equal(all.members.length, largest.size);
  await remove(largest.center.url);
  const after = await ask(`/clusters/${largest.id}`, { limit: 100 });
  assert.equal(after.size, largest.size - 1);
  assert.deepEqual(urlsOf(after.members), urlsOf(all.members.slice(1)));
  assert.equal(after.center.url, all.members[1].url);
  const own = await ask('/cluster', { url: all.members[1].url });
  assert.deepEqual([own.cluster.size, own.cluster.center.url], [after.size, after.center.url]);
  for (const { url } of all.members.slice(1)) await remove(url);
  assert.equal((await ask(`/clusters/${largest.id}`, {})).code, 'cluster-not-found');
  const listed = await ask('/clusters', {});
  assert.equal(listed.total, before.total - 1);
  assert.ok(!listed.clusters.some(({ id }: Body) => id === largest.id));
});

test('GET /changes tells what the last sweep of the index found, and by its name what waits', async () => {
  const sweep = (await get('/changes', {})).sweep;
  assert.equal(sweep, 'test');
  await write('PUT', 'https://new.example/changes', { text: 'thorn' });
  assert.equal((await get('/changes', {})).sweep, 'test');
  const waiting = await get('/changes', { sweep: 'live', limit: 100 });
  assert.ok(urlsOf(waiting.pages).includes('https://new.example/changes'));
});

test('a page that asks not to be indexed is written as one that is gone', async () => {
  const hidden = { html: `<meta name=robots content=noindex>${garden.html}` };
  const put = (url: string, payload: object, headers = {}) =>
    app.inject({ method: 'PUT', url: pathOf('/pages', { url }), payload, headers });
  const url = 'https://new.example/hidden';
  const first = await put(url, hidden);
  assert.deepEqual([first.statusCode, first.json().state, first.headers.etag], [200, 'unchanged', undefined]);
  assert.equal((await put(url, { html: garden.html }, { 'if-none-match': '*' })).statusCode, 201);
  const again = await put(url, hidden);
  assert.deepEqual([again.json().state, again.headers.etag], ['deleted', undefined]);
  assert.equal((await app.inject(pathOf('/related', { url }))).statusCode, 404);
});

test('no language that a page may say is an error', async () => {
  for (const lang of ['constructor', '__proto__', 'en_US', 'x-y', '']) {
    const { state } = await write('PUT', `https://new.example/${lang}`, { html: garden.html, lang });
    assert.equal(state, 'added', lang);
  }
  assert.equal((await get('/page', { url: 'https://new.example/en_US' })).lang, 'en');
});

test('a site counts its pages, and those that were read, as they are with what waits', async (t) => {
  const path = join(temporaryFolder(t), 'index.akin');
  const html = `${garden.html}<a href="/unread">more about roses</a>`;
  await buildFixture(path, [...pages.slice(0, 3), { url: 'https://garden.example/hub', html }]);
  const small = await fixtureApp(path, { live });
  const send = (method: 'PUT' | 'DELETE', payload?: object) =>
    small.inject({
      method,
      url: pathOf('/pages', { url: 'https://garden.example/unread' }),
      ...(payload && { payload }),
    });
  const counts = async () => {
    const { sites } = (await small.inject(pathOf('/sites', {}))).json() as Body;
    const { pages, fetched_pages } = sites.find(({ site }: Body) => site === 'garden.example');
    return [pages - fetched_pages, fetched_pages];
  };
  const [unread, read] = (await counts()) as [number, number];
  assert.ok(unread > 0);
  await send('PUT', { html: garden.html });
  assert.deepEqual(await counts(), [unread - 1, read + 1]);
  await send('DELETE');
  assert.deepEqual(await counts(), [unread - 1, read]);
});

test('a list of URLs has those of the index in their order, then those that were not there before', async (t) => {
  const path = join(temporaryFolder(t), 'index.akin');
  await buildFixture(path, pages.slice(0, 12));
  const small = await fixtureApp(path, { live });
  const stored = pages.slice(0, 12).flatMap(({ url }) => (url.startsWith(GARDEN) ? [url] : []));
  const added = [`${GARDEN}!early`, `${GARDEN}-b`];
  for (const url of [...added, stored[1]!])
    await small.inject({
      method: 'PUT',
      url: pathOf('/pages', { url }),
      payload: { text: 'thorn of a rose' },
    });
  const walk = async (path: string, query: Query) => {
    const found: string[] = [];
    for (let cursor: string | null = null; ; ) {
      const asked = { ...query, limit: 1, ...(cursor !== null && { cursor }) };
      const body = (await small.inject(pathOf(path, asked))).json() as Body;
      found.push(...urlsOf(body.pages));
      cursor = body.next;
      if (cursor === null) return found;
    }
  };
  const site = new URL(GARDEN).hostname;
  assert.deepEqual(await walk('/pages', { site, fetched: 'only' }), [...stored.toSorted(), ...added]);
  assert.deepEqual(await walk('/changes', { sweep: 'live' }), [stored[1]!, ...added]);
});

test('tags and cursors are those of a state', async () => {
  const path = pathOf('/related', { url: `${GARDEN}0`, limit: 3 });
  const first = await app.inject(path);
  const condition = { 'if-none-match': String(first.headers['etag']) };
  assert.equal((await app.inject({ url: path, headers: condition })).statusCode, 304);
  const { next } = first.json();
  assert.equal((await get('/related', { url: `${GARDEN}0`, limit: 3, cursor: next })).related.length, 3);
  await write('PUT', NEW, { text: 'rose' });
  assert.equal((await app.inject({ url: path, headers: condition })).statusCode, 200);
  assert.equal(
    (await get('/related', { url: `${GARDEN}0`, limit: 3, cursor: next })).code,
    'generation-changed',
  );
});

test('exports have a page that waits as gone where answers have it', async () => {
  const url = `${BAKERY}7`;
  await write('DELETE', url);
  const rows = async (what: string) =>
    (await app.inject(`/export/${what}`)).body
      .split('\n')
      .slice(0, -1)
      .map((line): Body => JSON.parse(line));
  const { pages: lost } = await get('/lost', { limit: 100 });
  assert.ok(urlsOf(lost).includes(url));
  const moved = await rows('moved');
  assert.deepEqual(
    moved.map((row) => [row.url, row.moved_to]),
    lost.map((page: Body) => [page.url, page.candidate?.url ?? null]),
  );
  const { pages: changed } = await get('/changes', { sweep: 'live', limit: 100 });
  const said = (one: Body) => `${one.url} ${one.news}`;
  assert.deepEqual(
    (await rows('changes'))
      .filter(({ sweep, news }) => sweep === 'live' && news)
      .map(said)
      .sort(),
    changed.map(said).sort(),
  );
  assert.equal((await rows('pages')).find((row) => row.url === url)?.state, 'gone');
});

test('a server that starts again has what waited', async () => {
  const wanted = await get('/related', { url: `${GARDEN}7`, limit: 8 });
  await app.close();
  const again = await fixtureApp(indexPath, { live });
  const answer = (await again.inject(pathOf('/related', { url: `${GARDEN}7`, limit: 8 }))).json() as Body;
  assert.deepEqual(answer.related, wanted.related);
});
