/** Sites and their pages, as the pages that were indexed say. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { siteOf } from '../../src/url/site.ts';
import { buildPages } from '../indexer/build.ts';
import { type Body, fileAsker, fixtureIndex } from './fixture-app.ts';
import { buildFixture, fixturePages, GARDEN, temporaryFolder } from './fixture-index.ts';

const ask = await fileAsker(await fixtureIndex());
const garden = siteOf(GARDEN);
const read = fixturePages().map(({ url }) => url);

async function all(path: string, name: string, query: Record<string, string | number>): Promise<Body[]> {
  const found: Body[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { status, body } = await ask(path, { ...query, ...(cursor !== '' && { cursor }) });
    assert.equal(status, 200);
    found.push(...body[name]);
    cursor = body.next;
  }
  return found;
}

test('sites come with their numbers of pages, the largest first, and are found by a part of their names', async () => {
  const sites = await all('/sites', 'sites', { limit: 2 });
  const counts = Map.groupBy(read, siteOf);
  for (const { site, pages, fetched_pages } of sites) {
    assert.equal(fetched_pages, counts.get(site)?.length ?? 0, site);
    assert.ok(pages >= fetched_pages, site);
  }
  assert.ok([...counts.keys()].every((site) => sites.some((one) => one.site === site)));
  const sizes = sites.map(({ fetched_pages }) => fetched_pages);
  assert.deepEqual(
    sizes,
    sizes.toSorted((a, b) => b - a),
  );
  const { body } = await ask('/sites', { name: garden.slice(1, 6).toUpperCase() });
  assert.ok(body.sites.some(({ site }: Body) => site === garden));
  assert.deepEqual((await ask('/sites', { name: 'no such' })).body.sites, []);
});

test('the pages of a site come in the order of their URLs, each once, however they are paged', async () => {
  const wanted = read.filter((url) => siteOf(url) === garden).sort();
  for (const limit of [3, 100]) {
    const pages = await all('/pages', 'pages', { site: garden, fetched: 'only', limit });
    assert.deepEqual(
      pages.map(({ url }) => url),
      wanted,
    );
    assert.equal(typeof pages.find(({ url }) => url === `${GARDEN}0`)!.passage, 'string');
  }
  assert.deepEqual(await all('/pages', 'pages', { site: garden, lang: 'qq' }), []);
  assert.deepEqual(await all('/pages', 'pages', { site: 'none.example' }), []);
});

test('a site has one name, in whatever way it is written', async () => {
  for (const site of ['Garden.Example', 'garden.example.']) {
    const { status, body } = await ask('/pages', { site });
    assert.deepEqual([status, body.site, body.pages.length], [200, garden, 10], site);
  }
  for (const site of [`www.${garden}`, `https://${garden}/`, 'no site'])
    assert.equal((await ask('/pages', { site })).body.code, 'invalid-parameters', site);
});

test('a site with letters beyond ASCII is found by a part of its name as people write it', async (t) => {
  const { target, reader } = await buildPages(t, [
    { url: 'https://müller.example/', html: 'Brot', day: 1 },
    { url: 'https://other.example/', html: 'Ofen', day: 1 },
  ]);
  reader.close();
  const askThere = await fileAsker(target);
  for (const name of ['MÜLL', 'ller', 'xn--m', 'kva.ex']) {
    const { sites } = (await askThere('/sites', { name })).body;
    assert.deepEqual(
      sites.map(({ site }: Body) => site),
      ['xn--mller-kva.example'],
      name,
    );
  }
});

test('a site is asked for by the name that it is listed by, whatever its host is', async () => {
  const indexPath = join(temporaryFolder({ after }), 'hosts.akin');
  const hosts =
    '127.0.0.1:8080 127.0.0.1 [2001:db8::1]:3000 [2001:db8::1] localhost intranet bücher.example'.split(' ');
  const html = (i: number) => `<title>page ${i}</title><p>roses ${i}`;
  await buildFixture(indexPath, [
    ...fixturePages(),
    ...hosts.map((host, i) => ({ url: `http://${host}/`, html: html(i) })),
  ]);
  const asked = await fileAsker(indexPath);
  const { body } = await asked('/sites', { limit: 100 });
  const sites: string[] = body.sites.map(({ site }: Body) => site);
  for (const site of ['127.0.0.1', '[2001:db8::1]', 'localhost', 'intranet', 'xn--bcher-kva.example'])
    assert.ok(sites.includes(site), site);
  for (const { site, fetched_pages: count } of body.sites) {
    const query = { q: 'roses ', group: 'none' };
    const { total } = (await asked('/search', { ...query, site })).body;
    assert.equal((await asked('/search', { ...query, q: `roses site:${site}` })).body.total, total, site);
    assert.equal(
      (await asked('/pages', { site, fetched: 'only', limit: 100 })).body.pages.length,
      count,
      site,
    );
    if (!site.includes('garden') && hosts.some((host) => host.startsWith(site)))
      assert.equal(total, count, site);
    assert.equal((await asked('/related', { url: GARDEN + 1, site })).status, 200, site);
    assert.equal((await asked('/search/suggest', { q: 'ros', site })).status, 200, site);
  }
});
