/** Sweeps behind the first one, of a site of which no page changes: what answers 304 leads nowhere. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { CrawlSettings } from '../../src/crawl/rules/options.ts';
import { crawlTo, links, serve, temporaryFolder } from './loopback.ts';

/** Its first page leads to those at `paths`. */
function unchangingSite(t: TestContext, paths: readonly string[]) {
  return serve(t, (request, response) => {
    if (request.url === '/robots.txt') return response.writeHead(404).end();
    response.setHeader('content-type', 'text/html').setHeader('etag', '"v1"');
    if (request.headers['if-none-match'] === '"v1"') return response.writeHead(304).end();
    return response.end(request.url === '/' ? links(...paths) : `the page ${request.url}`);
  });
}

test('what a sweep did not come to at a limit is fetched by the next ones, though no page changes', async (t) => {
  const names = ['/1', '/2', '/3', '/4', '/5', '/6'];
  const web = await unchangingSite(t, names);
  const folder = temporaryFolder(t);
  // The selector draws the first class every time.
  const world = { random: () => 0 };
  const given = { folder, resolve: web.resolve, seeds: ['http://a.example/'], world };
  const sweep = async (mode: 'new' | 'recrawl', maxPages: number) => {
    const before = web.hits.length;
    const { state } = await crawlTo({
      ...given,
      mode,
      settings: { slots: 1, maxPages },
      changed: { maxPages },
    });
    const paths = web.hits.slice(before).map(({ path }) => path);
    return { state, paths: paths.filter((path) => path !== '/robots.txt') };
  };
  assert.equal((await sweep('new', 3)).state.ending, 'max_pages');
  const known = web.hits.slice(1).map(({ path }) => path);
  // Pages that were fetched before come first; robots.txt is the 404.
  const next = await sweep('recrawl', 4);
  assert.deepEqual(next.paths.slice(0, 3).toSorted(), known.toSorted());
  assert.deepEqual(
    [next.state.ending, next.state.counts.statuses],
    ['max_pages', { 200: 1, 304: 3, 404: 1 }],
  );
  const last = await sweep('recrawl', 0);
  assert.deepEqual(last.paths.toSorted(), ['/', ...names]);
  assert.deepEqual([last.state.ending, last.state.counts.statuses], ['complete', { 200: 3, 304: 4, 404: 1 }]);
});

test('a sweep with other bounds follows links that the one before left out, though no page changes', async (t) => {
  const web = await unchangingSite(t, ['/a', '/b']);
  const folder = temporaryFolder(t);
  const given = { folder, resolve: web.resolve, seeds: ['http://a.example/'] };
  await crawlTo({ ...given, settings: { exclude: '/b' } });
  const sweep = async (changed: Partial<CrawlSettings>) => {
    const { state } = await crawlTo({ ...given, mode: 'recrawl', changed });
    assert.equal(state.ending, 'complete');
    return [state.counts.responses, state.counts.revisits, state.counts.statuses['304'] ?? 0];
  };
  assert.deepEqual(await sweep({}), [2, 2, 2]);
  // What was read whole and is the same is archived as such.
  assert.deepEqual(await sweep({ exclude: '' }), [3, 2, 0]);
  assert.deepEqual(await sweep({ exclude: '' }), [3, 3, 3]);
});
