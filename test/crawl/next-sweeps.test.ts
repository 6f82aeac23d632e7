/** Sweeps behind the first one, of a site of which no page changes: what answers 304 leads nowhere. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { CrawlSettings } from '../../src/crawl/rules/options.ts';
import { archived, coveredBy, crawlTo, links, serve, temporaryFolder } from './loopback.ts';

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

test('seeds belong to each sweep, whatever its bounds, and what they lead to by the bounds that hold', async (t) => {
  const web = await unchangingSite(t, ['/a', 'http://a.example/b']);
  const folder = temporaryFolder(t);
  const given = { folder, resolve: web.resolve };
  const settings: Partial<CrawlSettings> = { scope: 'host', include: '/x' };
  await crawlTo({ ...given, seeds: ['http://www.a.example/'], settings });
  const sweep = async (changed: Partial<CrawlSettings>) =>
    (await crawlTo({ ...given, mode: 'recrawl', changed })).state.counts.responses;
  assert.equal(await sweep({}), 1);
  assert.equal(await sweep({ include: '' }), 2);
  assert.equal(await sweep({ scope: 'site' }), 3);
  assert.equal(await sweep({ scope: 'host' }), 2);
});

test('what a sweep knew of and could not have is asked for by the next one, though no page changes', async (t) => {
  let isEarly = true;
  const web = await serve(t, (request, response) => {
    const { url } = request;
    response.setHeader('content-type', 'text/html').setHeader('etag', '"v1"');
    if (url === '/robots.txt')
      return response.end(isEarly ? 'User-agent: *\nDisallow: /closed' : 'User-agent: *');
    if (url === '/old')
      return response.writeHead(301, { location: isEarly ? '/a' : '/only-by-redirect' }).end();
    if (isEarly && url === '/busy') return response.writeHead(503).end();
    if (isEarly && url === '/broken') return response.writeHead(500).end();
    if (isEarly && url === '/late') return response.writeHead(404).end();
    if (isEarly && url === '/cut') return void request.socket.destroy();
    if (request.headers['if-none-match'] === '"v1"') return response.writeHead(304).end();
    const paths = ['/a', '/busy', '/broken', '/late', '/cut', '/closed', '/old', '/image'];
    if (url === '/image') return response.setHeader('content-type', 'image/png').end('an image');
    return response.end(url === '/' ? links(...paths) : `the page ${url}`);
  });
  const folder = temporaryFolder(t);
  const given = { folder, resolve: web.resolve, settings: { slots: 1 }, world: { retryMs: 1 } };
  const sweep = async (mode: 'new' | 'recrawl') => {
    const before = web.hits.length;
    const { state } = await crawlTo({ ...given, mode, seeds: mode === 'new' ? ['http://a.example/'] : [] });
    assert.equal(state.ending, 'complete');
    return new Set(web.hits.slice(before).map(({ path }) => path));
  };
  const missed = ['/broken', '/busy', '/closed', '/cut', '/late', '/old'];
  await sweep('new');
  // Twice: what is missing in one more sweep is not forgotten then.
  assert.deepEqual([...(await sweep('recrawl'))].sort(), [
    '/',
    '/a',
    ...missed.filter((path) => path !== '/closed'),
    '/robots.txt',
  ]);
  assert.deepEqual(await coveredBy(folder), []);
  isEarly = false;
  const asked = ['/', '/a', ...missed, '/only-by-redirect', '/robots.txt'];
  assert.deepEqual([...(await sweep('recrawl'))].sort(), asked);
  assert.deepEqual(await coveredBy(folder), ['a.example']);
  assert.deepEqual([...(await sweep('recrawl'))].sort(), asked);
});

test('a page whose head says something else to robots than before is archived whole, whatever its bytes', async (t) => {
  let robots = '';
  let isTagged = true;
  const web = await serve(t, (request, response) => {
    if (request.url === '/robots.txt') return response.writeHead(404).end();
    response.setHeader('content-type', 'text/html');
    if (isTagged) response.setHeader('etag', '"v1"');
    if (robots !== '') response.setHeader('x-robots-tag', robots);
    if (isTagged && request.headers['if-none-match'] === '"v1"') return response.writeHead(304).end();
    return response.end('as ever');
  });
  const folder = temporaryFolder(t);
  const said = ['', 'noindex', 'noindex', '', ''];
  for (isTagged of [true, false]) {
    for (const [i, value] of said.entries()) {
      robots = value;
      const mode = isTagged && i === 0 ? 'new' : 'recrawl';
      await crawlTo({ folder, resolve: web.resolve, seeds: ['http://a.example/'], mode });
    }
  }
  const items = (await archived(folder)).map((item) =>
    item.kind === 'capture' ? `${item.body.length} ${item.robots.join()}`.trim() : item.reason,
  );
  const whole = ['7 noindex', 'revisit', '7', 'revisit'];
  assert.deepEqual(items, ['7', ...whole, 'revisit', ...whole]);
});

test('behind a sweep that was let fetch nothing comes the next one', async (t) => {
  const web = await unchangingSite(t, ['/a']);
  const folder = temporaryFolder(t);
  const given = { folder, seeds: ['http://a.example/'] };
  for (const [sweep, rules] of ['', 'Disallow: /', '', '503', ''].entries()) {
    const { resolve } =
      rules === ''
        ? web
        : await serve(t, (_request, response) => {
            if (rules === '503') response.writeHead(503, { 'retry-after': '3600' }).end();
            else response.end(`User-agent: *\n${rules}`);
          });
    const { state } = await crawlTo({ ...given, resolve, mode: sweep === 0 ? 'new' : 'recrawl' });
    const said = [state.ending, state.sweep, state.counts.responses];
    assert.deepEqual(said, ['complete', sweep + 1, rules === '' ? 2 : 0]);
  }
});

test('what a host was given up with is left to the next run, and to the next sweep', async (t) => {
  let wait: string | null = '3600';
  const web = await serve(t, (request, response) => {
    response.setHeader('content-type', 'text/html').setHeader('etag', '"v1"');
    if (request.url === '/robots.txt') return response.writeHead(404).end();
    if (wait !== null && request.url !== '/') return response.writeHead(503, { 'retry-after': wait }).end();
    if (request.headers['if-none-match'] === '"v1"') return response.writeHead(304).end();
    return response.end(request.url === '/' ? links('/1', '/2', '/3') : `the page ${request.url}`);
  });
  const seeds = ['http://a.example/'];
  const [resumed, again, shared] = [temporaryFolder(t), temporaryFolder(t), temporaryFolder(t)];
  for (const folder of [resumed, again]) {
    const { state, urls } = await crawlTo({ folder, resolve: web.resolve, seeds });
    assert.deepEqual([state.ending, state.counts.pages, urls], ['complete', 1, 3]);
    assert.deepEqual([state.counts.skipped, state.counts.retiredHosts], [{ unreachable: 3 }, 1]);
    assert.deepEqual(await coveredBy(folder), []);
  }
  wait = null;
  const { state, urls } = await crawlTo({ folder: resumed, resolve: web.resolve, mode: 'resume' });
  assert.deepEqual([state.ending, state.counts.pages, urls], ['complete', 4, 0]);
  assert.deepEqual([state.counts.skipped, state.counts.retiredHosts], [{}, 0]);
  assert.deepEqual(await coveredBy(resumed), ['a.example']);
  const next = await crawlTo({ folder: again, resolve: web.resolve, mode: 'recrawl' });
  assert.deepEqual(next.state.counts.statuses, { 200: 3, 304: 1, 404: 1 });

  // A share that ended has ended in a sweep of which no page has changed, too.
  const share = { folder: shared, resolve: web.resolve };
  await crawlTo({ ...share, seeds, settings: { perHost: 3 } });
  const second = await crawlTo({ ...share, mode: 'recrawl' });
  // Queues are drawn by chance, the first ones more often: the URL that is left for the next run may be a known one.
  const { 200: read = 0, 304: same = 0, 404: missing } = second.state.counts.statuses;
  assert.deepEqual([read + same, missing, second.urls], [3, 1, 1]);
  assert.deepEqual(await coveredBy(shared), []);
  const third = await crawlTo({ ...share, mode: 'resume', changed: { perHost: 4 } });
  assert.deepEqual([third.state.counts.statuses[200], third.state.counts.skipped], [1, {}]);
});

test('links that a page left out are left out of a sweep that finds it as it was', async (t) => {
  const web = await unchangingSite(t, ['/a', '/b?1&2']);
  const bounds: Partial<CrawlSettings>[] = [{ maxDepth: 0 }, { exclude: '/a$' }];
  for (const settings of bounds) {
    const folder = temporaryFolder(t);
    const given = { folder, resolve: web.resolve, seeds: ['http://a.example/'] };
    for (const mode of ['new', 'recrawl', 'recrawl'] as const) {
      await crawlTo({ ...given, settings, mode });
      assert.deepEqual(await coveredBy(folder), [], `${JSON.stringify(settings)}, ${mode}`);
    }
    await crawlTo({ ...given, mode: 'recrawl', changed: { maxDepth: 50, exclude: '' } });
    assert.deepEqual(await coveredBy(folder), ['a.example']);
  }
});

test('a page that fails in a sweep with other bounds is asked for whole by the next one', async (t) => {
  let isDown = false;
  const web = await serve(t, (request, response) => {
    response.setHeader('content-type', 'text/html').setHeader('etag', '"v1"');
    if (request.url === '/robots.txt') return response.writeHead(404).end();
    if (isDown && request.url === '/a') return response.writeHead(500).end();
    if (request.headers['if-none-match'] === '"v1"') return response.writeHead(304).end();
    const leads: Record<string, string> = { '/': links('/a'), '/a': links('/b') };
    return response.end(leads[request.url!] ?? 'the last page');
  });
  const folder = temporaryFolder(t);
  const given = { folder, resolve: web.resolve };
  await crawlTo({ ...given, seeds: ['http://a.example/'], settings: { exclude: '/b' } });
  isDown = true;
  await crawlTo({ ...given, mode: 'recrawl', changed: { exclude: '' } });
  isDown = false;
  const { state } = await crawlTo({ ...given, mode: 'recrawl' });
  assert.deepEqual(state.counts.statuses, { 200: 2, 304: 1, 404: 1 });
  const next = await crawlTo({ ...given, mode: 'recrawl' });
  assert.deepEqual(next.state.counts.statuses, { 304: 3, 404: 1 });
});

test('what waits for a busy server when a limit ends a sweep comes next, before what was missing', async (t) => {
  let isBusy = true;
  const web = await serve(t, (request, response) => {
    const { url } = request;
    response.setHeader('content-type', 'text/html').setHeader('etag', '"v1"');
    if (url === '/robots.txt' || url === '/none') return response.writeHead(404).end();
    if (isBusy && url === '/1') return response.writeHead(503, { 'retry-after': '300' }).end();
    if (request.headers['if-none-match'] === '"v1"') return response.writeHead(304).end();
    return response.end(url === '/' ? links('/none', '/1', '/2', '/3') : `the page ${url}`);
  });
  const folder = temporaryFolder(t);
  const given = { folder, resolve: web.resolve, settings: { slots: 1 }, world: { random: () => 0 } };
  const ended = new AbortController();
  const timer = setInterval(() => {
    if (web.hits.some(({ path }) => path === '/1')) ended.abort();
  }, 10);
  t.after(() => clearInterval(timer));
  const first = await crawlTo({ ...given, seeds: ['http://a.example/'], signal: ended.signal });
  assert.deepEqual([first.state.ending, first.urls], ['stopped', 3]);
  isBusy = false;
  const before = web.hits.length;
  const { urls } = await crawlTo({ ...given, mode: 'recrawl', changed: { maxPages: 4 } });
  const paths = web.hits.slice(before).map(({ path }) => path);
  assert.deepEqual([paths.slice(0, 2), urls], [['/robots.txt', '/'], 1]);
  assert.deepEqual(paths.slice(2).sort(), ['/1', '/2', '/3']);
});

test('a branch that was given up is tried again, and given up again, though no page changes', async (t) => {
  const text = Array.from({ length: 60 }, (_, i) => `w${i}`).join(' ');
  const web = await serve(t, (request, response) => {
    response.setHeader('content-type', 'text/html').setHeader('etag', '"v1"');
    if (request.url === '/robots.txt') return response.writeHead(404).end();
    if (request.headers['if-none-match'] === '"v1"') return response.writeHead(304).end();
    const days = Array.from({ length: 70 }, (_, i) => `/calendar/${i}`);
    return response.end(`${text} ${request.url === '/' ? links(...days) : request.url}`);
  });
  const folder = temporaryFolder(t);
  const given = { folder, resolve: web.resolve, settings: { stopsAtCopies: true, slots: 1 } };
  const seen: number[] = [];
  for (const mode of ['new', 'recrawl', 'recrawl'] as const) {
    const { state } = await crawlTo({ ...given, mode, seeds: ['http://a.example/'] });
    seen.push(state.counts.statuses[200] ?? 0);
    assert.deepEqual(await coveredBy(folder), []);
  }
  assert.ok(
    seen.every((count) => count >= 20 && count <= 23),
    String(seen),
  );
});
