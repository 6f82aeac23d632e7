import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crawlTo, type Hit, links, logOf, serve, temporaryFolder } from '../loopback.ts';

const HOSTS = 60;
const PAGES = 4;
const DELAY_MS = 120;
/** Clocks of two sides, and timers that come a little early. */
const TOLERANCE_MS = 3;
/** No server takes a port below 1024 by chance. */
const CLOSED = 'http://127.0.0.1:2';
/** Where the robots.txt of hosts lead: to a host of the crawl, to one that is no part of it, and to each other. */
const LEADS: ReadonlyMap<string, string> = new Map([
  ...[1, 2, 3].map((i) => [`a${i}.example`, `http://hub.example/rules${i}`] as const),
  ['a4.example', 'http://a1.example/rules4'],
  ['p.example', 'http://q.example/robots.txt'],
  ['q.example', 'http://p.example/robots.txt'],
  ['hub.example', 'http://far.example/robots.txt'],
]);

function byHost(hits: readonly Hit[]): Map<string, Hit[]> {
  const map = new Map<string, Hit[]>();
  for (const hit of hits) map.set(hit.host, [...(map.get(hit.host) ?? []), hit]);
  return map;
}

test('with fifty slots every host is left alone for the delay, and asked for one thing at a time', async (t) => {
  const web = await serve(t, (request, response) => {
    response.setHeader('content-type', 'text/html');
    if (request.url === '/robots.txt') return response.writeHead(404).end();
    const host = Number(/\d+/.exec(request.headers.host!)![0]);
    const next = Array.from({ length: 3 }, (_, i) => `http://h${(host * 3 + i) % HOSTS}.example/0`);
    const own = Array.from({ length: PAGES }, (_, i) => `/${i}`);
    return setTimeout(() => response.end(links(...next, ...own)), host % 7);
  });
  const folder = temporaryFolder(t);
  const { state } = await crawlTo({
    folder,
    resolve: web.resolve,
    seeds: ['http://h0.example/0', 'http://h1.example/0', 'http://h2.example/0'],
    settings: { scope: 'any', slots: 50, delayMs: DELAY_MS },
  });
  assert.equal(state.counts.responses, HOSTS * PAGES);
  let together = 0;
  for (const [host, hits] of byHost(web.hits)) {
    assert.equal(hits.length, PAGES + 1, host);
    for (let i = 1; i < hits.length; i++) {
      const gap = hits[i]!.startedAtMs - hits[i - 1]!.endedAtMs;
      assert.ok(gap >= DELAY_MS - TOLERANCE_MS, `${host} was asked again after ${gap} ms`);
    }
  }
  for (const hit of web.hits) {
    const others = web.hits.filter(
      (one) => one.startedAtMs <= hit.startedAtMs && one.endedAtMs > hit.startedAtMs,
    );
    together = Math.max(together, others.length);
  }
  assert.ok(together >= 5, `hosts are asked side by side (${together})`);
});

test('between a robots.txt and the one it leads to a host is left alone too', async (t) => {
  const web = await serve(t, (request, response) => {
    if (request.url === '/robots.txt') return response.writeHead(301, { location: '/rules/1' }).end();
    if (request.url === '/rules/1') return response.writeHead(302, { location: '/rules/2' }).end();
    if (request.url === '/rules/2') return response.end('user-agent: *\ndisallow: /no');
    return response.setHeader('content-type', 'text/html').end(links('/no'));
  });
  await crawlTo({
    folder: temporaryFolder(t),
    resolve: web.resolve,
    seeds: ['http://a.example/'],
    settings: { delayMs: DELAY_MS },
  });
  assert.deepEqual(
    web.hits.map(({ path }) => path),
    ['/robots.txt', '/rules/1', '/rules/2', '/'],
  );
  for (const [i, hit] of web.hits.slice(1).entries()) {
    const gap = hit.startedAtMs - web.hits[i]!.endedAtMs;
    assert.ok(gap >= DELAY_MS - TOLERANCE_MS, `${hit.path} was asked for after ${gap} ms`);
    // Ten times a fetch, not the gaps between fetches.
    assert.ok(gap < 20 * DELAY_MS, `${hit.path} was asked for after ${gap} ms`);
  }
});

test('a host is left alone too where robots.txt of others, in a circle or one by one, lead to it', async (t) => {
  const web = await serve(t, (request, response) => {
    const host = request.headers.host!;
    response.setHeader('content-type', 'text/html');
    if (request.url !== '/robots.txt') {
      const rules = 'user-agent: *\ndisallow: /no';
      return setTimeout(
        () => response.end(request.url!.startsWith('/rules') ? rules : links('/no', '/1', '/2')),
        20,
      );
    }
    const to = LEADS.get(host);
    return response.writeHead(to === undefined ? 404 : 301, to === undefined ? {} : { location: to }).end();
  });
  const hosts = ['hub', 'p', 'q', 'a1', 'a2', 'a3', 'a4'].map((name) => `${name}.example`);
  // Slots for all at once, and one that those who wait must not keep.
  for (const slots of [20, 1]) {
    web.hits.length = 0;
    const folder = temporaryFolder(t);
    const { state } = await crawlTo({
      folder,
      resolve: web.resolve,
      seeds: hosts.map((host) => `http://${host}/`),
      settings: { delayMs: DELAY_MS, slots },
    });
    assert.equal(state.ending, 'complete');
    for (const [host, hits] of byHost(web.hits)) {
      const pages = hits.map(({ path }) => path).filter((path) => !/^\/r(obots.txt|ules)/.test(path));
      const closed = host[0] === 'a' ? [] : ['/no'];
      assert.deepEqual(pages, host === 'far.example' ? [] : ['/', ...closed, '/1', '/2'], host);
      for (let i = 1; i < hits.length; i++) {
        const gap = hits[i]!.startedAtMs - hits[i - 1]!.endedAtMs;
        assert.ok(gap >= DELAY_MS - TOLERANCE_MS, `${host}${hits[i]!.path} was asked for after ${gap} ms`);
      }
    }
    assert.equal(
      state.counts.robots,
      web.hits.filter(({ path }) => /^\/r(obots.txt|ules)/.test(path)).length,
    );
  }
});

test('a slow server is asked seldom, and one with a crawl delay as it wishes', async (t) => {
  const web = await serve(t, (request, response) => {
    const isSlow = request.headers.host === 'slow.example';
    response.setHeader('content-type', 'text/html');
    if (request.url === '/robots.txt') return response.end(isSlow ? '' : 'user-agent: *\ncrawl-delay: 0.25');
    return setTimeout(() => response.end(links('/1', '/2')), isSlow ? 30 : 0);
  });
  const seeds = ['http://slow.example/', 'http://asks.example/'];
  await crawlTo({ folder: temporaryFolder(t), resolve: web.resolve, seeds, settings: { delayMs: 10 } });
  for (const [host, hits] of byHost(web.hits)) {
    // How long robots.txt took says when the first page is asked for.
    for (let i = 2; i < hits.length; i++) {
      const gap = hits[i]!.startedAtMs - hits[i - 1]!.endedAtMs;
      assert.ok(gap >= (host === 'asks.example' ? 250 : 280) - TOLERANCE_MS, `${host}: ${gap} ms`);
    }
    assert.equal(hits.length, 4);
  }
});

test('a crawl delay holds from its robots.txt on, and so for a crawl that goes on', async (t) => {
  const web = await serve(t, (request, response) => {
    response.setHeader('content-type', 'text/html');
    if (request.url === '/robots.txt') return response.end('user-agent: *\ncrawl-delay: 0.5');
    if (request.url === '/') enough.abort();
    return response.end(links('/1'));
  });
  const enough = new AbortController();
  const options = { folder: temporaryFolder(t), resolve: web.resolve, settings: { delayMs: 10 } };
  await crawlTo({ ...options, seeds: ['http://a.example/'], signal: enough.signal });
  await crawlTo({ ...options, mode: 'resume' });
  assert.deepEqual(
    web.hits.map(({ path }) => path),
    ['/robots.txt', '/', '/robots.txt', '/1'],
  );
  for (const page of [1, 3]) {
    const gap = web.hits[page]!.startedAtMs - web.hits[page - 1]!.endedAtMs;
    assert.ok(gap >= 500 - TOLERANCE_MS, `${web.hits[page]!.path} was asked for after ${gap} ms`);
  }
});

test('a server that is busy is left alone as long as it says, and asked again', async (t) => {
  let refusals = 0;
  const web = await serve(t, (request, response) => {
    response.setHeader('content-type', 'text/html');
    if (request.url === '/robots.txt') return response.writeHead(404).end();
    if (request.url === '/busy' && refusals++ === 0) {
      return response.writeHead(429, { 'retry-after': '1' }).end();
    }
    return response.end(links('/busy'));
  });
  const folder = temporaryFolder(t);
  const { state } = await crawlTo({ folder, resolve: web.resolve, seeds: ['http://a.example/'] });
  const busy = web.hits.filter(({ path }) => path === '/busy');
  assert.equal(busy.length, 2);
  assert.ok(busy[1]!.startedAtMs - busy[0]!.endedAtMs >= 1000 - TOLERANCE_MS);
  assert.deepEqual([state.counts.retries, state.counts.responses], [1, 2]);
  const tries = logOf(folder).filter(({ url }) => url === 'http://a.example/busy');
  assert.deepEqual(
    tries.map(({ status }) => status),
    [429, 200],
  );
});

test('a server that is busy when the robots.txt of another host leads to it is left alone, and asked again', async (t) => {
  let refusals = 0;
  const web = await serve(t, (request, response) => {
    response.setHeader('content-type', 'text/html');
    if (request.url === '/rules') {
      if (refusals++ === 0) return response.writeHead(503, { 'retry-after': '1' }).end();
      return response.end('user-agent: *\ndisallow: /no');
    }
    if (request.url !== '/robots.txt') return response.end(links('/no', '/1', '/2', '/3', '/4'));
    const leads = request.headers.host === 'a.example';
    return response.writeHead(leads ? 301 : 404, { location: 'http://b.example/rules' }).end();
  });
  const seeds = ['http://a.example/', 'http://b.example/'];
  const settings = { delayMs: 20 };
  const world = { retryMs: 1100 };
  const { state } = await crawlTo({
    folder: temporaryFolder(t),
    resolve: web.resolve,
    seeds,
    settings,
    world,
  });
  assert.equal(refusals, 2);
  assert.deepEqual([state.counts.pages, state.counts.skipped.robots], [5 + 6, 1]);
  const hits = web.hits.filter(({ host }) => host === 'b.example');
  const busy = hits.findIndex(({ path }) => path === '/rules');
  const gap = hits[busy + 1]!.startedAtMs - hits[busy]!.endedAtMs;
  assert.ok(gap >= 1000 - TOLERANCE_MS, `${hits[busy + 1]!.path} was asked for after ${gap} ms`);
});

test('the user agent says who crawls and where to complain', async (t) => {
  const web = await serve(t, (_request, response) => response.end());
  const settings = { userAgent: 'akin/1.0', contact: 'https://me.example/bot' };
  await crawlTo({ folder: temporaryFolder(t), resolve: web.resolve, seeds: ['http://a.example/'], settings });
  assert.equal(web.hits.length, 2);
  for (const { headers } of web.hits)
    assert.equal(headers['user-agent'], 'akin/1.0 (https://me.example/bot)');
});

test('an origin that cannot be had is left alone itself, and the rest of its host goes on', async (t) => {
  const web = await serve(t, (request, response) => {
    response.setHeader('content-type', 'text/html');
    if (request.url === '/robots.txt') return response.writeHead(404).end();
    const n = Number(request.url!.slice(1));
    if (n === 30) enough.abort();
    const next = n < 59 ? [`/${n + 1}`] : [];
    return response.end(links(`${CLOSED}/${n}`, `${CLOSED}/x${n}`, ...next));
  });
  const enough = new AbortController();
  const folder = temporaryFolder(t);
  const seeds = [`http://127.0.0.1:${web.port}/0`];
  const options = { folder, resolve: web.resolve, settings: { maxDepth: 1000 } };
  const first = await crawlTo({ ...options, seeds, signal: enough.signal, world: { retryMs: 600_000 } });
  assert.equal(first.state.ending, 'stopped');
  const tries = () => logOf(folder).filter(({ url }) => String(url).startsWith(CLOSED)).length;
  assert.equal(tries(), 1, 'thirty pages of the host come while its closed port waits ten minutes');
  assert.equal(first.urls, 2 * 31 + 1, 'what waits is still to be fetched');

  const { state } = await crawlTo({ ...options, mode: 'resume', world: { retryMs: 1 } });
  assert.equal(state.ending, 'complete');
  assert.equal(tries() - 1, 6, 'and is given up after six more failures');
  assert.equal(state.counts.skipped.unreachable, 2 * 60, 'with all that waited for it');
  assert.equal(state.counts.pages, 60);
});
