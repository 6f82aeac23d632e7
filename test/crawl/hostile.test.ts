import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { HOSTILE, HOSTILE_ROBOTS, page } from './hostile.ts';
import { archived, crawlTo, links, logOf, pages, serve, temporaryFolder } from './loopback.ts';

const TIME_LIMIT_MS = 1000;
const MAX_PAGE_BYTES = 1_000_000;
const GOOD_PAGES = 30;

/** Answers each host by its name. */
async function serveHostile(t: TestContext): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    socket.on('data', (data) => {
      const text = data.toString('latin1');
      const path = /^GET (\S+)/.exec(text)?.[1] ?? '/';
      const name = /host: ([^.\r\n]*)/i.exec(text)?.[1] ?? '';
      const isRobots = path.startsWith('/robots.txt');
      if (isRobots && HOSTILE_ROBOTS[name] !== undefined) HOSTILE_ROBOTS[name](socket, path);
      else if (isRobots) socket.write('HTTP/1.1 404 None\r\nContent-Length: 0\r\n\r\n');
      else if (HOSTILE[name] !== undefined) HOSTILE[name](socket, path);
      else if (name === 'good') {
        const n = Number(path.slice(1)) || 0;
        socket.write(page(links(`/${Math.min(n + 1, GOOD_PAGES - 1)}`)));
      } else socket.write(page(`<p>${name}`));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

test('forty-eight ways to misbehave cost little time and memory, and no other host notices', async (t) => {
  const names = [...Object.keys(HOSTILE), ...Object.keys(HOSTILE_ROBOTS)];
  assert.equal(names.length, 48);
  const port = await serveHostile(t);
  const folder = temporaryFolder(t);
  globalThis.gc?.();
  const rssBefore = process.memoryUsage().rss;
  const startedMs = performance.now();
  const { state } = await crawlTo({
    folder,
    resolve: async () => [{ address: '127.0.0.1', family: 4, port }],
    seeds: ['good', ...names].map((name) => `http://${name}.example/`),
    settings: {
      slots: 16,
      timeLimitMs: TIME_LIMIT_MS,
      maxPageBytes: MAX_PAGE_BYTES,
      perHost: GOOD_PAGES,
      scope: 'host',
    },
  });
  const tookMs = performance.now() - startedMs;
  const log = logOf(folder);
  const items = await archived(folder);
  assert.equal(state.ending, 'complete');

  // Every host was asked, and each that had something to say is in the archive.
  const hostOf = (url: unknown) => /^http:\/\/([^.]*)/.exec(String(url))?.[1];
  const met = new Set(log.map(({ url }) => hostOf(url)));
  assert.deepEqual(
    names.filter((name) => !met.has(name)),
    [],
  );
  const good = items.filter(({ url }) => hostOf(url) === 'good');
  assert.equal(good.length, GOOD_PAGES);
  const stored = (name: string) => items.filter(({ url }) => hostOf(url) === name);
  for (const name of [
    'two-answers',
    'nonsense-charset',
    'many-cookies',
    'odd-status',
    'robots-endless',
    'robots-binary',
  ]) {
    assert.ok(stored(name).length > 0, name);
  }
  for (const name of ['robots-never-answers', 'robots-busy', 'robots-drips']) {
    assert.equal(stored(name).length, 0, `${name}: without rules nothing is fetched`);
  }
  // A fetch ends with the limit, a failing URL after three, and all that side by side.
  for (const { ms, url } of log) assert.ok(Number(ms ?? 0) < TIME_LIMIT_MS + 1500, `${url} took ${ms} ms`);
  assert.ok(tookMs < 30_000, `${Math.round(tookMs)} ms`);
  const grownMb = (process.memoryUsage().rss - rssBefore) / 2 ** 20;
  assert.ok(grownMb < 300, `${Math.round(grownMb)} MiB more`);
  for (const { bytes } of log) assert.ok(Number(bytes ?? 0) <= MAX_PAGE_BYTES);
});

/** Addresses that no page may lead to, as a URL can spell them. */
const PRIVATE = [
  ...['127.0.0.1', '127.1.2.3', '2130706433', '0x7f000001', '017700000001', '127.1', '0.0.0.0', '0'],
  ...[
    '10.0.0.1',
    '172.16.0.1',
    '192.168.0.1',
    '169.254.169.254',
    '0xa9fea9fe',
    '100.64.0.1',
    '100.100.100.200',
  ],
  ...[
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:a9fe:a9fe]',
    '[fc00::1]',
    '[fd00:ec2::254]',
    '[fe80::1]',
  ],
  ...['[64:ff9b::7f00:1]', '[2002:7f00:1::]', 'localhost', 'internal.example'],
];

test('no link, redirect or robots.txt leads to an address that is not public; each try is counted', async (t) => {
  const target = await serve(t, (_request, response) => response.end('secret'));
  const urls = PRIVATE.map((host) => `http://${host}:${target.port}/`);
  const robotsOf = Object.fromEntries(
    urls.map((location, i) => [
      `http://r${i}.example/robots.txt`,
      (response: import('node:http').ServerResponse) => response.writeHead(302, { location }).end(),
    ]),
  );
  const moved = Object.fromEntries(
    urls.map((location, i) => [
      `http://public.example/r${i}`,
      (response: import('node:http').ServerResponse) =>
        response.writeHead(302, { location: `${location}moved` }).end(),
    ]),
  );
  const robotHosts = urls.map((_, i) => `http://r${i}.example/`);
  const web = await serve(
    t,
    pages({
      'http://public.example/': links(...urls, ...urls.map((_, i) => `/r${i}`), ...robotHosts),
      ...robotsOf,
      ...moved,
    }),
    '127.77.0.1',
  );
  const folder = temporaryFolder(t);
  const { state } = await crawlTo({
    folder,
    // The servers are on loopback themselves: their own address is the one that is allowed.
    resolve: async (host) => {
      if (host === 'localhost') return [{ address: '::1', family: 6 }];
      if (host === 'internal.example')
        return [
          { address: '1.1.1.1', family: 4 },
          { address: '10.9.8.7', family: 4 },
        ];
      return [{ address: '127.77.0.1', family: 4, port: web.port }];
    },
    seeds: ['http://public.example/'],
    settings: { scope: 'any', allowedAddresses: ['127.77.0.1'], slots: 4 },
  });
  assert.equal(target.hits.length, 0);
  const links1 = new Set(urls.map((url) => URL.parse(url)!.href));
  const links2 = new Set(urls.map((url) => URL.parse(`${url}moved`)!.href));
  assert.equal(state.counts.skipped.address, links1.size + links2.size + robotHosts.length);
  assert.equal(state.counts.responses, 1 + urls.length);
});
