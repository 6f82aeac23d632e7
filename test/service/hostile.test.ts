/** Clients and files that mean no good, over real sockets: none may take the service away from the others. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, renameSync, rmSync } from 'node:fs';
import type { AddressInfo, Socket } from 'node:net';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import type { AppOptions } from '../../src/service/app.ts';
import { serve } from '../../src/service/serve.ts';
import { longTest } from '../long-test.ts';
import { startServer } from './child-server.ts';
import { fileAsker, fixtureApp, fixtureIndex, pathOf } from './fixture-app.ts';
import { GARDEN } from './fixture-index.ts';
import { exchange, parseAnswer } from './raw-client.ts';

const indexPath = await fixtureIndex();

async function listening(options: Partial<AppOptions> = {}) {
  const app = await fixtureApp(indexPath, options);
  await app.listen({ host: '127.0.0.1', port: 0 });
  return { app, port: (app.server.address() as AddressInfo).port };
}

function assertProblem(answer: Awaited<ReturnType<typeof exchange>>, status: number, code: string): void {
  assert.deepEqual([answer?.status, answer && JSON.parse(answer.body).code], [status, code]);
  assert.match(String(answer!.headers['content-type']), /^application\/problem\+json/);
}

const HEAD = 'POST /similar HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nConnection: close\r\n';

test('a body that comes byte by byte is refused early, and one that no one reads ends its connection', async () => {
  const { port } = await listening();
  /** Resolves with the answer, and how much of the body the server let come. */
  const send = (head: string) => {
    let sent = 0;
    const pieces = function* () {
      yield `${head} HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n`;
      for (; sent < 1_000_000; sent += 256) yield '1\r\na\r\n'.repeat(256);
    };
    return exchange(port, pieces(), 2).then((answer) => ({ answer, sent }));
  };
  const crumbs = await send('POST /similar');
  assertProblem(crumbs.answer, 400, 'malformed-request');
  assert.match(crumbs.answer!.body, /send 32 bytes or more at a time/);
  assert.ok(crumbs.sent < 50_000, `${crumbs.sent} chunks were taken`);
  for (const [head, status] of [
    ['POST /nothing', 404],
    ['POST /related', 405],
    ['GET /livez', 200],
  ] as const) {
    const { answer, sent } = await send(head);
    assert.deepEqual([answer?.status, answer?.headers['connection']], [status, 'close'], head);
    assert.ok(sent < 50_000, `${head}: ${sent} chunks were taken`);
  }
});

test('a body that drips is answered 408 when it is slower than the least rate', async () => {
  const limits = { checkMs: 50, bodyGraceMs: 200, leastBodyBytesPerSecond: 1000 };
  const { port } = await listening({ connectionLimits: limits });
  const startedMs = performance.now();
  const drip = function* () {
    yield `${HEAD}Content-Length: 100000\r\n\r\n`;
    for (let i = 0; i < 400; i++) yield 'a';
  };
  assertProblem(await exchange(port, drip(), 25), 408, 'request-timeout');
  assert.ok(performance.now() - startedMs < 5000);
});

test('a client that sends on after its 408 is let go all the same', async () => {
  const { app, port } = await listening({
    connectionLimits: { checkMs: 50, headersMs: 200, requestMs: 400 },
  });
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).resume();
  socket.on('error', () => {});
  const closed = new Promise((resolve) => app.server.once('connection', (it) => it.once('close', resolve)));
  socket.write('GET / HTTP/1.1\r\n');
  const dripping = setInterval(() => socket.write('X: y\r\n'), 20);
  const startedMs = performance.now();
  await closed;
  clearInterval(dripping);
  socket.destroy();
  assert.ok(performance.now() - startedMs < 5000);
});

test('a body that never ends is answered 408 after the time of a whole request', async () => {
  const limits = { checkMs: 50, headersMs: 200, requestMs: 500, bodyGraceMs: 60_000 };
  const { port } = await listening({ connectionLimits: limits });
  assertProblem(await exchange(port, [`${HEAD}Content-Length: 100000\r\n\r\nabc`]), 408, 'request-timeout');
});

test('headers that do not come are answered 408, a silent connection too', async () => {
  const { port } = await listening({ connectionLimits: { checkMs: 50, headersMs: 300, requestMs: 600 } });
  for (const pieces of [['GET /related HTTP/1.1\r\nHost: a\r\nX-Slow: '], ['']]) {
    assertProblem(await exchange(port, pieces), 408, 'request-timeout');
  }
});

test('pipelined requests have one under way, in their order, and none once their client has gone', async () => {
  const begun: string[] = [];
  let underWay = 0;
  let mostUnderWay = 0;
  const { port } = await listening({
    extend: (app) => {
      app.get('/slow/:name', async ({ params }) => {
        begun.push((params as { name: string }).name);
        mostUnderWay = Math.max(mostUnderWay, ++underWay);
        await sleep(5);
        underWay--;
        return begun.at(-1);
      });
    },
  });
  const requests = (count: number) =>
    Array.from({ length: count }, (_, i) => `GET /slow/${i} HTTP/1.1\r\nHost: a\r\n\r\n`).join('');
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.setEncoding('latin1').on('data', (piece) => {
    text += piece;
  });
  socket.write(requests(20));
  while (text.split('HTTP/1.1 200').length <= 20) await sleep(5);
  socket.destroy();
  const inOrder = Array.from({ length: 20 }, (_, i) => String(i));
  assert.deepEqual([begun.splice(0), mostUnderWay], [inOrder, 1]);
  assert.deepEqual(text.match(/\d+(?=HTTP|$)/g), inOrder);

  const leaving = connect(port, '127.0.0.1');
  leaving.write(requests(100));
  while (begun.length < 2) await sleep(5);
  leaving.destroy();
  await sleep(100);
  assert.ok(begun.length < 50, String(begun.length));

  assert.equal(await exchange(port, [requests(400)]), null, 'too many of one connection');
});

test('a client that never reads its answers is let go', async () => {
  const { app, port } = await listening({ connectionLimits: { checkMs: 50, silenceMs: 400 } });
  const fromMs = performance.now();
  const socket = connect(port, '127.0.0.1').pause();
  socket.on('error', () => {});
  const [ofClient] = (await once(app.server, 'connection')) as [Socket];
  socket.write('GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(600));
  await once(ofClient, 'close', { signal: AbortSignal.timeout(10_000) });
  assert.ok(performance.now() - fromMs > 350, 'not before its time');
  socket.destroy();
});

test('JSON that is nested deep, or not UTF-8, is 400 at every route', async () => {
  const { app } = await listening();
  const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
  const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
  for (const url of ['/similar', '/compare', '/group', '/related/batch']) {
    const post = async (payload: string | Buffer) => {
      const answer = await app.inject({
        method: 'POST',
        url,
        payload,
        headers: { 'content-type': 'application/json' },
      });
      return [answer.statusCode, answer.json().code];
    };
    for (const payload of [
      deep(100_000),
      nested(50_000),
      `{"text":${deep(100_000)}}`,
      `{"urls":${nested(50_000)}}`,
    ]) {
      assert.deepEqual(await post(payload), [400, 'malformed-json'], url);
    }
    assert.deepEqual(await post(`{"text":"${'['.repeat(100)}","unknown":1}`), [400, 'invalid-body']);
    const latin1 = Buffer.from('{"text":"caf\xe9"}', 'latin1');
    assert.deepEqual(await post(latin1), [400, 'malformed-json']);
  }
  const marked = await app.inject({
    method: 'POST',
    url: '/similar',
    payload: '\ufeff{"text":"rose"}',
    headers: { 'content-type': 'application/json' },
  });
  assert.equal(marked.statusCode, 200);
});

test('what is not quite HTTP is refused with a problem', async () => {
  const { port } = await listening();
  const ask = (text: string) => exchange(port, [text]);
  assertProblem(await ask('GET /livez HTTP/1.1\r\n\r\n'), 400, 'malformed-request');
  const plain = pathOf('/related', { url: `${GARDEN}1` });
  assertProblem(await ask(`GET ${plain} HTTP/1.1\r\n\r\n`), 400, 'malformed-request');
  for (const path of ['/livez', plain])
    assertProblem(await ask(`GET ${path} HTTP/1.1\r\nHost: a\r\nHOST: b\r\n\r\n`), 400, 'malformed-request');
  const expecting = 'GET /livez HTTP/1.1\r\nHost: a\r\nExpect: a miracle\r\n\r\n';
  assertProblem(await ask(expecting), 417, 'expectation-failed');
  assertProblem(
    await ask(`GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`),
    431,
    'headers-too-large',
  );
  assertProblem(await ask('hello\r\n\r\n'), 400, 'malformed-request');
  const raw = await ask('GET /search?q=ä HTTP/1.1\r\nHost: a\r\n\r\n');
  assertProblem(raw, 400, 'malformed-request');
  assert.match(raw!.body, /percent-encoded/);
  for (const method of ['BREW', 'PROPFIND', 'CONNECT', 'TRACE', 'DELETE']) {
    const answer = await ask(`${method} /related?url=a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    assertProblem(answer, 405, 'method-not-allowed');
    assert.equal(answer!.headers['allow'], 'GET, HEAD, OPTIONS, QUERY', method);
  }
  assertProblem(await ask('CONNECT a.example:443 HTTP/1.1\r\nHost: a\r\n\r\n'), 400, 'malformed-request');
  const encoded = (name: string) => `${HEAD}Content-Encoding: ${name}\r\nContent-Length: 4\r\n\r\nrose`;
  assert.equal((await ask(encoded('Identity')))!.status, 200);
  assertProblem(await ask(encoded('GZip')), 415, 'unsupported-media-type');
});

test('a request line that fills a packet costs no more than its bytes, whatever its method', async () => {
  const { port } = await listening();
  const packetOf = (size: number, piece: string) =>
    `HELLO /${piece.repeat(size / piece.length)} x\r\nHost: a\r\n\r\n`;
  for (const piece of ['a', '/', '?', ' ', ' HTTP/1.1']) {
    for (const size of [8_000, 65_000]) {
      const before = process.cpuUsage();
      assertProblem(await exchange(port, [packetOf(size, piece)]), 400, 'malformed-request');
      const { user, system } = process.cpuUsage(before);
      assert.ok((user + system) / 1000 < 500, `${user + system} µs for ${size} characters of ${piece}`);
    }
  }
});

longTest(
  'a FIFO or a folder in place of the index is refused and named; the old index is served until SIGTERM, which loses no request',
  async (t) => {
    const path = join(dirname(indexPath), 'swapped.akin');
    copyFileSync(indexPath, path);
    t.after(() => rmSync(path, { force: true, recursive: true }));
    const server = await startServer(t, path, { pollMs: 20, closeTimeoutMs: 20_000 });
    const ask = async (where: string) =>
      (await fetch(`http://127.0.0.1:${server.port}${where}`, { signal: AbortSignal.timeout(5000) })).json();
    const replace = async (make: (path: string) => unknown) => {
      make(`${path}.new`);
      rmSync(path, { recursive: true });
      renameSync(`${path}.new`, path);
      await sleep(300);
      const { status, fault } = (await ask('/readyz')) as { status: string; fault: { code: string } | null };
      return [status, fault?.code];
    };
    for (const make of ['mkfifo', 'mkdir']) {
      const said = await replace((at) => execFileSync(make, [at]));
      assert.deepEqual(said, ['ready', 'AKIN_ERR_NOT_AN_INDEX'], make);
    }
    await replace((at) => copyFileSync(indexPath, at));
    await stopUnderRequests(server);
  },
);

test('a server is not started over a FIFO', async (t) => {
  const path = join(dirname(indexPath), 'fifo.akin');
  execFileSync('mkfifo', [path]);
  t.after(() => rmSync(path));
  const starting = serve({ indexPath: path, host: '127.0.0.1', port: 0, logLevel: 'silent' });
  await assert.rejects(starting, /fifo\.akin is a folder, a pipe or a device/);
});

test('an index with an address that is no web address, or a generation that is no name, is not served', async () => {
  const crafted: [sql: string, value: string, fault: RegExp][] = [
    ['UPDATE page SET url = ? WHERE id = 3', 'javascript:alert(1)', /"javascript:alert\(1\)"/],
    ['UPDATE page SET url = ? WHERE id = 3', 'https://a.example/","x":"', /AKIN_ERR_INDEX_CORRUPT/],
    ['UPDATE page SET url = ? WHERE id = 3', 'https://a.example/\n', /AKIN_ERR_INDEX_CORRUPT/],
    ['UPDATE generation SET id = ?', 'a\r\nSet-Cookie: b=c', /AKIN_ERR_INDEX_CORRUPT/],
  ];
  for (const [sql, value, fault] of crafted) {
    // A file of its own each time: the one before may still be open.
    const path = join(dirname(indexPath), `crafted-${fault.source.length}-${value.length}.akin`);
    copyFileSync(indexPath, path);
    const db = new Database(path);
    db.prepare(sql).run(value);
    db.close();
    await assert.rejects(fixtureApp(path), (error: Error & { code: string }) => {
      assert.match(`${error.code} ${error.message}`, fault);
      return true;
    });
    if (sql.includes('generation')) continue;
    // Where pages are read as they are asked for, the one page fails.
    const stored = await fileAsker(path);
    for (const where of ['/related', '/page']) {
      const answered = stored(where, { url: value });
      const { status, text } = await answered.catch(() => ({ status: 500, text: '' }));
      assert.ok(status >= 400 && !text.includes('"x":"'));
    }
  }
});

/** Clients with kept connections lose no request while the service stops, and idle ones do not hold it up. */
async function stopUnderRequests(server: Awaited<ReturnType<typeof startServer>>): Promise<void> {
  const idle = connect(server.port, '127.0.0.1');
  idle.write('GET /livez HTTP/1.1\r\nHost: a\r\n\r\n');
  await once(idle, 'data');
  const closed = once(idle.resume(), 'close');
  const request = `GET ${pathOf('/related', { url: `${GARDEN}1` })} HTTP/1.1\r\nHost: a\r\n\r\n`;
  const post =
    'POST /similar HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nContent-Length: 4\r\n\r\nrose';
  const figures = { lost: 0, closings: 0 };
  const answersOf = Array<number>(6).fill(0);
  const allAreKept = Promise.withResolvers<void>();
  let isOver = false;

  /** Asks again and again on one connection; resolves when it is over. Whether the server may still be there. */
  const connection = (text: string, client: number): Promise<boolean> =>
    new Promise((resolve) => {
      const socket = connect(server.port, '127.0.0.1');
      let received = '';
      let answers = 0;
      let isLast = false;
      const send = () => socket.write(text);
      socket.setEncoding('latin1').on('connect', send);
      socket.on('data', (piece) => {
        received += piece;
        const answer = parseAnswer(received);
        if (answer === null || answer.body.length < Number(answer.headers['content-length'])) return;
        received = '';
        answers++;
        answersOf[client]!++;
        if (answersOf.every((count) => count >= 4)) allAreKept.resolve();
        isLast = answer.headers['connection'] === 'close';
        if (isLast) figures.closings++;
        else if (isOver) socket.destroy();
        else send();
      });
      socket.on('error', () => {});
      socket.on('close', () => {
        // The first request of a connection may come after the end of listening.
        if (!isLast && !isOver && answers > 0) figures.lost++;
        resolve(isLast || answers > 0);
      });
    });

  const clients = answersOf.map(async (_, client) => {
    while (!isOver && (await connection(client === 0 ? post : request, client)));
  });
  await Promise.race([allAreKept.promise, server.ended]);
  const startedMs = performance.now();
  server.process.kill('SIGTERM');
  const { code, errors } = await server.ended;
  assert.ok(performance.now() - startedMs < 10_000);
  assert.deepEqual(await closed, [false], 'closed, not reset');
  isOver = true;
  await Promise.all(clients);
  assert.equal(code, 0, errors);
  assert.doesNotMatch(errors, /"request"/, 'requests are not logged unless that is asked for');
  assert.equal(figures.lost, 0, JSON.stringify(figures));
  assert.ok(figures.closings >= clients.length, JSON.stringify(figures));
}
