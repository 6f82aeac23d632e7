import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createSecureServer } from 'node:http2';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { AddressGuard, isRange } from '../../src/net/address-guard.ts';
import type { FetchRequest } from '../../src/net/collector.ts';
import type { Resolve } from '../../src/net/dns-cache.ts';
import { Fetcher } from '../../src/net/fetcher.ts';
import { selfSigned } from './certificate.ts';

type FetcherOptions = ConstructorParameters<typeof Fetcher>[0];

const REQUEST: FetchRequest = { headers: { 'user-agent': 'akin' }, maxBytes: 100_000, wantsBody: () => true };

function fetcherOf(t: TestContext, given: Partial<FetcherOptions> & { allowed?: string[] } = {}): Fetcher {
  const { allowed = ['127.0.0.1'], ...options } = given;
  const fetcher = new Fetcher({
    guard: new AddressGuard(allowed),
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    now: Date.now,
    timeLimitMs: 2000,
    requireTrust: true,
    ...options,
  });
  t.after(() => fetcher.close());
  return fetcher;
}

async function listen(t: TestContext, server: Server, host = '127.0.0.1', port = 0): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  server.listen(port, host);
  await once(server, 'listening');
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

const http = (t: TestContext, answer: RequestListener) => listen(t, createServer(answer));
const raw = (t: TestContext, answer: (socket: Socket) => void) =>
  listen(
    t,
    createTcpServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => answer(socket));
    }),
  );

test('the port of another protocol is refused by its number, and nothing reaches it', async (t) => {
  let connections = 0;
  const server = createTcpServer(() => connections++);
  await listen(t, server, '127.0.0.1', 6667);
  const fetcher = fetcherOf(t);
  for (const port of [25, 6667]) {
    const result = await fetcher.fetch(`http://127.0.0.1:${port}/`, REQUEST);
    assert.ok(result.kind === 'failure');
    assert.deepEqual(
      [result.reason, result.detail],
      ['port', `port ${port} is that of another protocol than HTTP`],
    );
  }
  assert.equal(connections, 0);
});

test('a response comes as it was sent: head in order, content coding kept, transfer coding undone', async (t) => {
  // Its bytes are no line end, as U+010D U+010A are by their last ones.
  const reason = Buffer.from('Well \u010d\u010a').toString('latin1');
  const port = await http(t, (request, response) => {
    response.writeHead(203, reason, { 'X-One': 'a', 'Content-Type': 'text/html', 'x-one': 'b' });
    response.write('<p>');
    response.end(request.headers['user-agent']);
  });
  const result = await fetcherOf(t).fetch(`http://127.0.0.1:${port}/a?b`, REQUEST);
  assert.ok(result.kind === 'response');
  assert.deepEqual([result.status, result.reason, String(result.body)], [203, reason, '<p>akin']);
  assert.deepEqual([result.cut, result.address], [null, '127.0.0.1']);
  assert.deepEqual(result.headers.slice(0, 2), [
    ['X-One', 'a'],
    ['Content-Type', 'text/html'],
  ]);
});

test('a body is cut at its limit, or not read where it is not wanted', async (t) => {
  const port = await http(t, (_request, response) => {
    response.writeHead(200, { 'content-type': 'video/mp4' });
    const timer = setInterval(() => response.write(Buffer.alloc(65_536)), 1);
    response.on('close', () => clearInterval(timer));
  });
  const fetcher = fetcherOf(t);
  const long = await fetcher.fetch(`http://127.0.0.1:${port}/`, REQUEST);
  assert.ok(long.kind === 'response');
  assert.deepEqual([long.cut, long.body.length], ['length', 100_000]);
  const wantsBody = (_status: number, type: string | null) => type !== 'video/mp4';
  const unwanted = await fetcher.fetch(`http://127.0.0.1:${port}/`, { ...REQUEST, wantsBody });
  assert.ok(unwanted.kind === 'response');
  assert.deepEqual([unwanted.cut, unwanted.body.length], ['unwanted', 0]);
});

test('each way to fail has its name', async (t) => {
  const cases: [string, (socket: Socket) => void][] = [
    ['closed', (socket) => socket.destroy()],
    ['closed', (socket) => socket.write('HTTP/1.1 200 OK\r\nX: ', () => socket.destroy())],
    ['protocol', (socket) => socket.write('SSH-2.0-OpenSSH_9.0\r\n')],
    ['protocol', (socket) => socket.write(`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(100_000)}\r\n`)],
    ['timeout', () => {}],
    ['timeout', (socket) => socket.write('HTTP/1.1 200 OK\r\n')],
  ];
  await Promise.all(
    cases.map(async ([reason, answer]) => {
      const port = await raw(t, answer);
      const result = await fetcherOf(t, { timeLimitMs: 300 }).fetch(`http://127.0.0.1:${port}/`, REQUEST);
      assert.ok(result.kind === 'failure');
      assert.equal(result.reason, reason, result.detail);
    }),
  );
  const closed = await http(t, () => {});
  const lost: Resolve = async () => {
    throw Object.assign(new Error('no such host'), { code: 'ENOTFOUND' });
  };
  const fetch = (url: string, resolve?: Resolve) =>
    fetcherOf(t, resolve === undefined ? {} : { resolve }).fetch(url, REQUEST);
  const none = await fetch('http://127.0.0.1:2/');
  assert.ok(none.kind === 'failure' && none.reason === 'connect');
  const nowhere = await fetch(`http://nowhere.example:${closed}/`, lost);
  assert.ok(nowhere.kind === 'failure' && nowhere.reason === 'dns');
  const empty = await fetch(`http://nowhere.example:${closed}/`, async () => []);
  assert.ok(empty.kind === 'failure' && empty.reason === 'dns');
});

test('what came before a body broke off is given, with the reason', async (t) => {
  const head = 'HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n';
  const short = await raw(t, (socket) => socket.end(`${head}half`));
  const slow = await raw(t, (socket) => socket.write(`${head}half`));
  const fetcher = fetcherOf(t, { timeLimitMs: 300 });
  for (const [port, cut] of [[short, 'disconnect'] as const, [slow, 'time'] as const]) {
    const result = await fetcher.fetch(`http://127.0.0.1:${port}/`, REQUEST);
    assert.ok(result.kind === 'response');
    assert.deepEqual([result.cut, String(result.body)], [cut, 'half']);
  }
});

test('a connection is kept for the next fetch of the host, and there is one at a time', async (t) => {
  const sockets = new Set<unknown>();
  let open = 0;
  let most = 0;
  const port = await http(t, (request, response) => {
    sockets.add(request.socket);
    most = Math.max(most, ++open);
    setTimeout(() => {
      open--;
      response.end('x');
    }, 5);
  });
  const fetcher = fetcherOf(t);
  await Promise.all(Array.from({ length: 10 }, () => fetcher.fetch(`http://127.0.0.1:${port}/`, REQUEST)));
  assert.deepEqual([sockets.size, most], [1, 1]);
});

test('a certificate that no one vouches for is refused unless the operator says otherwise; a body that breaks off is not whole, though HTTP/2 is offered', async (t) => {
  const server = createSecureServer({ ...selfSigned('localhost'), allowHTTP1: true }, (request, response) => {
    response.setHeader('content-type', 'text/html');
    response.write(request.httpVersion);
    // As a proxy does whose own server dies.
    const breakOff = () => (response.stream ?? response.socket)?.destroy(new Error());
    if (request.url === '/') response.end();
    else setImmediate(breakOff);
  });
  const port = await listen(t, server as unknown as Server);
  const strict = await fetcherOf(t).fetch(`https://localhost:${port}/`, REQUEST);
  assert.ok(strict.kind === 'failure');
  assert.equal(strict.reason, 'tls', strict.detail);
  const fetcher = fetcherOf(t, { requireTrust: false });
  for (const [path, cut] of [
    ['/', null],
    ['/cut', 'disconnect'],
  ]) {
    const any = await fetcher.fetch(`https://localhost:${port}${path}`, REQUEST);
    assert.ok(any.kind === 'response');
    assert.deepEqual([String(any.body), any.status, any.cut], ['1.1', 200, cut]);
  }
});

test('every address that is not public is refused before a connection is made', async (t) => {
  let connections = 0;
  const port = await listen(
    t,
    createTcpServer(() => connections++),
  );
  const addresses = [
    ...['127.0.0.1', '127.1.2.3', '0.0.0.0', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1'],
    ...['169.254.169.254', '169.254.0.1', '100.64.0.1', '100.100.100.200', '168.63.129.16', '192.0.0.192'],
    ...['198.18.0.1', '224.0.0.1', '255.255.255.255', '240.0.0.1', '192.0.2.1', '203.0.113.9'],
    ...[
      '::1',
      '::',
      '::ffff:127.0.0.1',
      '::ffff:7f00:1',
      '::ffff:169.254.169.254',
      'fc00::1',
      'fd00:ec2::254',
    ],
    ...['fe80::1', 'ff02::1', '64:ff9b::7f00:1', '2002:7f00:1::', '2001:db8::1', '2001::1', '::127.0.0.1'],
  ];
  const fetcher = (resolve: Resolve) => fetcherOf(t, { allowed: [], resolve });
  for (const address of addresses) {
    const family = address.includes(':') ? 6 : 4;
    const direct = URL.parse(`http://${family === 6 ? `[${address}]` : address}:${port}/`)!.href;
    const named = fetcher(async () => [{ address, family }]);
    for (const url of [direct, `http://name.example:${port}/`]) {
      const result = await named.fetch(url, REQUEST);
      assert.ok(result.kind === 'failure' && result.reason === 'address', `${url} at ${address}`);
    }
  }
  // Numbers that the URL parser reads as addresses.
  for (const host of [
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '127.1',
    '0x7f.1',
    '127.0.0.1.',
    '①②⑦.⓪.⓪.①',
  ]) {
    const url = URL.parse(`http://${host}:${port}/`)!.href;
    const result = await fetcher(async () => [{ address: '127.0.0.1', family: 4 }]).fetch(url, REQUEST);
    assert.ok(result.kind === 'failure' && result.reason === 'address', `${host} is ${url}`);
  }
  const mixed = fetcher(async () => [
    { address: '1.1.1.1', family: 4 },
    { address: '127.0.0.1', family: 4 },
  ]);
  const result = await mixed.fetch(`http://mixed.example:${port}/`, REQUEST);
  assert.ok(result.kind === 'failure' && result.reason === 'address');
  assert.equal(connections, 0);
});

test('an address is judged at every connect: a name that moves to another one is refused', async (t) => {
  const answer: RequestListener = (_request, response) => {
    response.setHeader('connection', 'close');
    response.end('public');
  };
  const port = await listen(t, createServer(answer), '127.0.0.2');
  let isReached = false;
  await listen(
    t,
    createTcpServer(() => (isReached = true)),
    '127.0.0.1',
    port,
  );
  let now = 1e12;
  let address = '127.0.0.2';
  const fetcher = fetcherOf(t, {
    allowed: ['127.0.0.2'],
    resolve: async () => [{ address, family: 4 }],
    now: () => now,
  });
  const first = await fetcher.fetch(`http://moving.example:${port}/`, REQUEST);
  assert.ok(first.kind === 'response' && String(first.body) === 'public');
  address = '127.0.0.1';
  now += 10 * 60_000;
  const second = await fetcher.fetch(`http://moving.example:${port}/`, REQUEST);
  assert.ok(second.kind === 'failure' && second.reason === 'address');
  assert.ok(!isReached);
});

test('public addresses are allowed, and private ones by name', () => {
  const guard = new AddressGuard(['10.1.0.0/16', 'fd00::/8', '127.0.0.1']);
  for (const address of ['1.1.1.1', '172.32.0.1', '100.128.0.1', '2606:4700::1', '2a00::1']) {
    assert.ok(guard.allows(address), address);
  }
  for (const address of ['10.1.2.3', 'fd12::1', '127.0.0.1']) assert.ok(guard.allows(address), address);
  for (const address of ['10.2.0.1', 'fc00::1', '127.0.0.2', 'fe80::1%eth0', 'localhost', '']) {
    assert.ok(!guard.allows(address), address);
  }
  assert.deepEqual(
    ['10.0.0.0/8', '::1', '10.0.0.0/33', 'fc00::/129', 'localhost', '10.0.0.0/', ''].map(isRange),
    [true, true, false, false, false, false, false],
  );
});
