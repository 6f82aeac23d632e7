import assert from 'node:assert/strict';
import { appendFileSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { InputError } from '../../src/errors.ts';
import { archived, archivedUrls, crawlTo, links, logOf, pages, serve, temporaryFolder } from './loopback.ts';

test('every page that can be reached is archived once, with its bytes, and none beyond the site', async (t) => {
  const web = await serve(
    t,
    pages({
      'http://a.example/': links('/one', 'two#x', 'http://b.example/', 'https://a.example/'),
      'http://a.example/one': `<title>One</title>${links('/', '/two', '/deep/er', '/pic')}`,
      'http://a.example/two': links('one?utm_source=x', 'http://www.a.example/'),
      'http://a.example/deep/er': links('../one', './', '?q=1'),
      'http://a.example/pic': (response) => {
        response.writeHead(200, { 'content-type': 'image/png' });
        response.end(Buffer.alloc(100_000));
      },
      'http://www.a.example/': 'www',
    }),
  );
  const folder = temporaryFolder(t);
  const progress = await crawlTo({ folder, resolve: web.resolve, seeds: ['http://a.example/'] });
  assert.equal(progress.state.ending, 'complete');
  const expected = ['', 'deep/', 'deep/er', 'deep/er?q=1', 'one', 'pic', 'two'].map(
    (path) => `http://a.example/${path}`,
  );
  const items = await archived(folder);
  const urls = items.map(({ url }) => url).sort();
  // https is another server of the same host; it cannot be had here.
  assert.deepEqual(urls, [...expected, 'http://www.a.example/']);
  const one = items.find(({ url }) => url === 'http://a.example/one')!;
  assert.ok(one.kind === 'capture');
  assert.match(Buffer.from(one.body).toString(), /^<title>One<\/title><a href="\/">/);
  const hits = web.hits
    .filter(({ path }) => path !== '/robots.txt')
    .map(({ host, path }) => `http://${host}${path}`);
  assert.equal(new Set(hits).size, hits.length, 'no page is fetched twice');
});

test('redirects are records of their own, are followed from page to page, and end', async (t) => {
  const to = (location: string) => (response: import('node:http').ServerResponse) =>
    response.writeHead(302, { location }).end();
  const circle = Object.fromEntries(
    Array.from({ length: 30 }, (_, i) => [`http://a.example/r${i}`, to(`/r${i + 1}`)]),
  );
  const web = await serve(
    t,
    pages({
      'http://a.example/': to('http://www.b.example/start'),
      'http://www.b.example/start': links('/moved', '/loop', 'http://a.example/r0'),
      'http://www.b.example/moved': to('/new'),
      'http://www.b.example/new': 'new',
      'http://www.b.example/loop': to('/loop'),
      ...circle,
    }),
  );
  const folder = temporaryFolder(t);
  const progress = await crawlTo({ folder, resolve: web.resolve, seeds: ['http://a.example/'] });
  const items = await archived(folder);
  const moved = items.find(({ url }) => url === 'http://www.b.example/moved');
  assert.ok(moved?.kind === 'capture');
  assert.equal(moved.location, '/new');
  assert.ok(items.some(({ url }) => url === 'http://www.b.example/new'));
  assert.equal(items.filter(({ url }) => url?.startsWith('http://a.example/r')).length, 11);
  assert.equal(progress.state.counts.skipped.redirects, 1);
});

test('robots.txt is asked for first and obeyed; without one everything is allowed', async (t) => {
  const rules = (status: number, text: string) => (response: import('node:http').ServerResponse) =>
    response.writeHead(status, { 'content-type': 'text/plain' }).end(text);
  const web = await serve(
    t,
    pages({
      'http://a.example/robots.txt': rules(
        200,
        'user-agent: *\ndisallow: /\nuser-agent: AKIN/2.0\ndisallow: /no\nallow: /no/yes',
      ),
      'http://a.example/': links(
        '/no/x',
        '/no/yes',
        'http://b.example/',
        'http://c.example/',
        'http://d.example/',
      ),
      'http://a.example/no/yes': 'yes',
      'http://b.example/robots.txt': rules(503, ''),
      'http://b.example/': 'never',
      'http://c.example/robots.txt': rules(404, 'user-agent: *\ndisallow: /'),
      'http://c.example/': 'c',
      'http://d.example/robots.txt': (response) =>
        response.writeHead(301, { location: 'http://e.example/rules' }).end(),
      'http://e.example/rules': rules(200, 'user-agent: *\ndisallow: /x'),
      'http://d.example/': links('/x', '/y'),
      'http://d.example/y': 'y',
    }),
  );
  const folder = temporaryFolder(t);
  const { state } = await crawlTo({
    folder,
    resolve: web.resolve,
    seeds: ['http://a.example/'],
    settings: { scope: 'any', userAgent: 'akin/2.0' },
  });
  assert.deepEqual(
    await archivedUrls(folder),
    ['a.example/', 'a.example/no/yes', 'c.example/', 'd.example/', 'd.example/y'].map(
      (rest) => `http://${rest}`,
    ),
  );
  assert.deepEqual(state.counts.skipped, { robots: 2, unreachable: 1 });
  for (const host of ['a', 'c', 'd']) {
    assert.equal(web.hits.find((hit) => hit.host === `${host}.example`)?.path, '/robots.txt');
  }
});

test('nofollow is obeyed on links, pages and in heads; noindex pages are archived for the index to forget', async (t) => {
  const headed = (value: string, body: string) => (response: import('node:http').ServerResponse) =>
    response.writeHead(200, { 'content-type': 'text/html', 'x-robots-tag': value }).end(body);
  const web = await serve(
    t,
    pages({
      'http://a.example/': `<a rel="nofollow" href="/not">x</a>${links('/meta', '/head', '/other', '/noindex')}`,
      'http://a.example/meta': `<meta name="robots" content="nofollow">${links('/m')}`,
      'http://a.example/head': headed('noarchive, nofollow', links('/h')),
      'http://a.example/other': headed('otherbot: nofollow', links('/o')),
      'http://a.example/noindex': `<meta name="robots" content="noindex">${links('/n')}`,
      ...Object.fromEntries(['not', 'm', 'h', 'o', 'n'].map((path) => [`http://a.example/${path}`, path])),
    }),
  );
  const folder = temporaryFolder(t);
  await crawlTo({ folder, resolve: web.resolve, seeds: ['http://a.example/'] });
  assert.deepEqual(
    await archivedUrls(folder),
    ['', 'head', 'meta', 'n', 'noindex', 'o', 'other'].map((path) => `http://a.example/${path}`),
  );
});

test('include, exclude, depth, and numbers of pages bound a crawl', async (t) => {
  const chain = Object.fromEntries(
    Array.from({ length: 20 }, (_, i) => [
      `http://a.example/c${i}`,
      links(`/c${i + 1}`, `/x/c${i}`, 'http://b.example/'),
    ]),
  );
  const web = await serve(t, pages({ ...chain, 'http://b.example/': links('/1', '/2', '/3') }));
  const run = async (settings: Parameters<typeof crawlTo>[0]['settings']) => {
    const folder = temporaryFolder(t);
    await crawlTo({ folder, resolve: web.resolve, seeds: ['http://a.example/c0'], settings: settings! });
    return (await archivedUrls(folder)).map((url) => url.slice('http://'.length));
  };
  assert.deepEqual(
    await run({ include: '/c\\d+$', exclude: '/x/', maxDepth: 3 }),
    ['a', 'a', 'a', 'a'].map((a, i) => `${a}.example/c${i}`),
  );
  assert.deepEqual(await run({ maxDepth: 0 }), ['a.example/c0']);
  assert.equal((await run({ maxPages: 7 })).length, 7);
  const any = await run({ scope: 'any', perHost: 3, slots: 2 });
  assert.equal(any.filter((url) => url.startsWith('a.')).length, 3);
  assert.equal(any.filter((url) => url.startsWith('b.')).length, 3);
});

test('content that the host had already is a revisit record, and a sweep asks whether pages changed', async (t) => {
  let changing = 0;
  const web = await serve(t, (request, response) => {
    response.setHeader('content-type', 'text/html');
    if (request.url === '/robots.txt') return response.writeHead(404).end();
    if (request.url === '/') return response.end(links('/same1', '/same2', '/tagged', '/changing'));
    if (request.url === '/changing') return response.end(`now ${changing++}`);
    if (request.url === '/tagged') {
      response.setHeader('etag', '"v1"');
      return request.headers['if-none-match'] === '"v1"'
        ? response.writeHead(304).end()
        : response.end('tagged');
    }
    return response.end('the same');
  });
  const folder = temporaryFolder(t);
  // The selector draws the first class every time.
  const given = { folder, resolve: web.resolve, settings: { slots: 1 }, world: { random: () => 0 } };
  const first = await crawlTo({ ...given, seeds: ['http://a.example/'] });
  assert.equal(first.state.counts.revisits, 1);
  // Read back, the one page leads to the other.
  const led = (await archived(folder)).filter((item) => item.kind === 'capture' && item.location !== null);
  assert.deepEqual(
    led.map((item) => item.kind === 'capture' && [item.url, item.location]),
    [['http://a.example/same2', 'http://a.example/same1']],
  );
  for (let sweep = 2; sweep <= 4; sweep++) {
    const { state } = await crawlTo({ ...given, mode: 'recrawl' });
    assert.equal(state.sweep, sweep);
    assert.equal(state.counts.responses, 5);
    // All but the page that changes.
    assert.equal(state.counts.revisits, 4);
    assert.equal(state.counts.statuses['304'], 1);
  }
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.endsWith('.gz')),
    [1, 2, 3, 4].map((sweep) => `sweep-000${sweep}-00001.warc.gz`),
  );
  // What changed before is asked for first, what never did last.
  const last = web.hits.slice(-6).map(({ path }) => path);
  assert.deepEqual(last.slice(0, 2), ['/robots.txt', '/changing']);
  const faults = (await archived(folder)).filter(({ kind }) => kind === 'fault');
  assert.ok(faults.every((fault) => fault.kind === 'fault' && fault.reason === 'revisit'));
});

for (const end of ['changed', 'gone'] as const) {
  test(`where a page is ${end}, its twins are archived whole again`, async (t) => {
    let isEnded = false;
    const web = await serve(t, (request, response) => {
      const { url } = request;
      if (url === '/robots.txt' || (isEnded && end === 'gone' && url === '/first')) {
        return response.writeHead(404).end();
      }
      const text = isEnded && url === '/first' ? 'something else' : 'what all three say';
      response.setHeader('content-type', 'text/html').setHeader('etag', `"${text.length}"`);
      if (request.headers['if-none-match'] === response.getHeader('etag')) {
        return response.writeHead(304).end();
      }
      return response.end(url === '/' ? links('/first', '/second', '/third') : text);
    });
    const folder = temporaryFolder(t);
    const given = { folder, resolve: web.resolve, settings: { slots: 1 } };
    await crawlTo({ ...given, seeds: ['http://a.example/'], world: { random: () => 0 } });
    /** What the next sweep archives whole, or as content of another URL. */
    const sweep = async () => {
      const before = (await archived(folder)).length;
      await crawlTo({ ...given, mode: 'recrawl' });
      return (await archived(folder)).slice(before).flatMap((item): [string, string][] => {
        if (item.kind !== 'capture') return [];
        return [[new URL(item.url).pathname, item.location ?? Buffer.from(item.body).toString()]];
      });
    };
    assert.deepEqual(await sweep(), []);
    isEnded = true;
    // In whatever order pages come: in the sweep after at the latest.
    const found = new Map([...(await sweep()), ...(await sweep())]);
    const twins = ['/second', '/third'];
    const [whole] = twins.filter((path) => found.get(path) === 'what all three say');
    const [other] = twins.filter((path) => path !== whole);
    assert.deepEqual(
      [...found].sort(),
      [
        ...(end === 'changed' ? [['/first', 'something else']] : []),
        [whole!, 'what all three say'],
        [other!, `http://a.example${whole}`],
      ].sort(),
    );
    assert.deepEqual(await sweep(), []);
  });
}

test('parts take the hosts of the web between them, each URL goes to one, lists lead to the other', async (t) => {
  const hosts = Array.from({ length: 12 }, (_, i) => `h${i}.example`);
  const all = hosts.flatMap((host) => [`http://${host}/`, `http://${host}/page`]);
  const web = await serve(
    t,
    pages(
      Object.fromEntries(
        all.map((url, i) => [
          url,
          links(all[(i * 5 + 1) % all.length]!, all[(i * 7 + 3) % all.length]!, '/page'),
        ]),
      ),
    ),
  );
  const folders = [temporaryFolder(t), temporaryFolder(t)];
  const seeds = ['http://h0.example/', 'http://h1.example/', 'http://h2.example/', 'http://h3.example/'];
  const settings = (part: number) => ({ scope: 'any' as const, parts: 2, part });
  for (const [i, folder] of folders.entries()) {
    await crawlTo({ folder, resolve: web.resolve, seeds, settings: settings(i + 1) });
  }
  for (let round = 0; round < 6; round++) {
    for (const [i, folder] of folders.entries()) {
      const from = join(folders[1 - i]!, `for-part-${i + 1}.urls`);
      const lines = readFileSync(from, 'utf8').trim().split('\n');
      await crawlTo({
        folder,
        resolve: web.resolve,
        seeds: lines.map((line) => line.split('\t')[0]!),
        mode: 'resume',
      });
    }
  }
  const [one, two] = await Promise.all(folders.map(archivedUrls));
  const whole = temporaryFolder(t);
  await crawlTo({ folder: whole, resolve: web.resolve, seeds, settings: { scope: 'any' } });
  assert.deepEqual([...one!, ...two!].sort(), await archivedUrls(whole));
  assert.ok(one!.length > 4 && two!.length > 4);
});

test('branches of copies are given up, others go on', async (t) => {
  const text = (seed: number) =>
    Array.from({ length: 60 }, (_, i) => `w${(seed * 31 + i * i) % 997}`).join(' ');
  const web = await serve(t, (request, response) => {
    response.setHeader('content-type', 'text/html');
    const calendar = /^\/calendar\?day=(\d+)$/.exec(request.url!);
    const path = /^\/news((?:\/\w+)*)\/$/.exec(request.url!);
    if (calendar !== null)
      return response.end(`<p>No events. ${text(1)}</p>${links(`/calendar?day=${Number(calendar[1]) + 1}`)}`);
    if (path !== null) return response.end(`<p>News. ${text(2)}</p>${links(`a${path[1]!.length}/`)}`);
    const page = /^\/docs\/(\d+)$/.exec(request.url!);
    if (page !== null && Number(page[1]) < 100)
      return response.end(`<p>${text(Number(page[1]) + 3)}</p>${links(`/docs/${Number(page[1]) + 1}`)}`);
    if (request.url === '/') return response.end(links('/calendar?day=1', '/news/', '/docs/0'));
    return response.writeHead(404).end();
  });
  const folder = temporaryFolder(t);
  const given = { folder, resolve: web.resolve, seeds: ['http://a.example/'] };
  const { state } = await crawlTo({ ...given, settings: { stopsAtCopies: true, maxDepth: 200 } });
  const urls = await archivedUrls(folder);
  const countOf = (part: string) => urls.filter((url) => url.includes(part)).length;
  assert.equal(countOf('/docs/'), 101);
  assert.ok(countOf('/calendar') >= 20 && countOf('/calendar') <= 25, `${countOf('/calendar')} days`);
  assert.ok(countOf('/news/') >= 20 && countOf('/news/') <= 26, `${countOf('/news/')} news`);
  assert.equal(state.counts.skipped.copies, 2);
  assert.deepEqual(
    logOf(folder)
      .flatMap(({ stopped }) => (stopped === undefined ? [] : [stopped]))
      .filter((branch) => branch === 'http://a.example/calendar?' || branch === 'http://a.example/news/')
      .length,
    2,
  );
});

test('servers and the archive get the same name, with the contact of the crawl', async (t) => {
  const web = await serve(t, pages({ 'http://a.example/': 'a' }));
  const folder = temporaryFolder(t);
  const settings = { userAgent: 'rosebot/1', contact: 'https://me.example/bot' };
  await crawlTo({ folder, resolve: web.resolve, seeds: ['http://a.example/'], settings });
  const names = new Set(web.hits.map(({ headers }) => headers['user-agent']));
  assert.deepEqual([...names], ['rosebot/1 (https://me.example/bot)']);
  const archive = gunzipSync(readFileSync(join(folder, 'sweep-0001-00001.warc.gz'))).toString();
  assert.match(archive, /^http-header-user-agent: rosebot\/1 \(https:\/\/me\.example\/bot\)\r$/m);
});

test('a folder with a crawl is not begun anew, and one without is not gone on with', async (t) => {
  const web = await serve(t, pages({ 'http://a.example/': 'a' }));
  const folder = temporaryFolder(t);
  const given = { folder, resolve: web.resolve };
  await assert.rejects(crawlTo({ ...given, mode: 'resume' }), InputError);
  await crawlTo({ ...given, seeds: ['http://a.example/'] });
  await assert.rejects(crawlTo({ ...given, seeds: ['http://a.example/'] }), { code: 'AKIN_ERR_OPTION' });
});

test('what was written behind the last commit is cut off, and a file that lost bytes is not gone on with', async (t) => {
  const web = await serve(t, pages({ 'http://a.example/': 'a' }));
  const folder = temporaryFolder(t);
  const given = { folder, resolve: web.resolve };
  await crawlTo({ ...given, seeds: ['http://a.example/'] });
  const files = ['log.jsonl', 'sweep-0001-00001.warc.gz'].map((name) => join(folder, name));
  const before = files.map((file) => readFileSync(file));
  for (const file of files) appendFileSync(file, 'half a reco');
  writeFileSync(join(folder, 'sweep-0001-00002.warc.gz'), 'begun');
  await crawlTo({ ...given, mode: 'resume' });
  assert.deepEqual(
    files.map((file) => readFileSync(file)),
    before,
  );
  assert.deepEqual(await archivedUrls(folder), ['http://a.example/']);
  truncateSync(files[1]!, 100);
  await assert.rejects(crawlTo({ ...given, mode: 'resume' }), { code: 'AKIN_ERR_INDEX_CORRUPT' });
});

test('a clock that is set back by a year while hosts wait for their next turn holds up none', async (t) => {
  const hosts = Array.from('abcdef', (name) => `http://${name}.example`);
  const urls = hosts.flatMap((host) => ['/', '/1', '/2'].map((path) => `${host}${path}`));
  const web = await serve(t, pages(Object.fromEntries(urls.map((url) => [url, links('/1', '/2')]))));
  const yearMs = 365 * 86_400_000;
  const { state } = await crawlTo({
    folder: temporaryFolder(t),
    resolve: web.resolve,
    seeds: hosts.map((host) => `${host}/`),
    settings: { delayMs: 50 },
    world: { now: () => Date.now() - (web.hits.length > 15 ? yearMs : 0) },
  });
  assert.deepEqual([state.ending, state.counts.responses], ['complete', urls.length]);
});
