/**
 * A minute of clients that mean no good, all at once, beside one that only asks: none of its requests fails, its answers
 * stay quick, connections are let go, and the second half takes no memory that the first did not.
 *
 * It is no flood of connections. Node accepts one each time round its loop: many in a short time fill the queue of
 * the system, and a client whose connection is dropped there waits for a server that does not know of it.
 */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startServer } from './child-server.ts';
import { fixtureIndex, pathOf } from './fixture-app.ts';
import { GARDEN } from './fixture-index.ts';
import { exchange } from './raw-client.ts';

const HALF_MS = 30_000;
const CLIENTS_A_KIND = 10;
/** Between two connections of one client. */
const LEAST_CONNECTION_MS = 500;
/** What is never let go, distinguished from what a busy machine lets go late. */
const MOST_OPEN_MS = 120_000;
/** Half of the honest answers take less, on a busy machine too. */
const MOST_MEDIAN_MS = 1500;
const POST = 'POST /similar HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n';

/** What a client of each kind sends, piece by piece; it never reads where it says so. */
const KINDS: Record<string, { pauseMs: number; reads: boolean; pieces: () => Iterable<string | Buffer> }> = {
  'headers that drip': {
    pauseMs: 100,
    reads: true,
    pieces: () => repeat('GET / HTTP/1.1\r\n', 'X: y\r\n', 500),
  },
  'a body that drips': {
    pauseMs: 100,
    reads: true,
    pieces: () => repeat(`${POST}Content-Length: 9999\r\n\r\n`, ' ', 500),
  },
  'chunks of one byte': {
    pauseMs: 50,
    reads: true,
    pieces: () => repeat(`${POST}Transfer-Encoding: chunked\r\n\r\n`, '1\r\n \r\n'.repeat(1000), 500),
  },
  'answers never read': {
    pauseMs: 5,
    reads: false,
    pieces: () => repeat('', 'GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n', 5000),
  },
  'nothing at all': { pauseMs: 0, reads: true, pieces: () => [] },
  noise: { pauseMs: 10, reads: true, pieces: () => repeat('', Buffer.from([0, 255, 13, 10, 0x80, 32]), 10) },
  'deep JSON': {
    pauseMs: 0,
    reads: true,
    pieces: () => [`${POST}Connection: close\r\nContent-Length: 200000\r\n\r\n${'['.repeat(200_000)}`],
  },
  'cut off': { pauseMs: 0, reads: true, pieces: () => [`${POST}Content-Length: 100\r\n\r\n{`, 'END'] },
};

function* repeat(first: string, next: string | Buffer, count: number): Iterable<string | Buffer> {
  if (first !== '') yield first;
  for (let i = 0; i < count; i++) yield next;
}

test('a minute of hostile clients fails no request of an honest one', async (t) => {
  const limits = { headersMs: 2000, requestMs: 5000, silenceMs: 3000, bodyGraceMs: 1000, checkMs: 250 };
  // A busy machine would have any request refused; refusing has a test of its own.
  const options = { connectionLimits: limits, maxEventLoopDelayMs: 0 };
  // A small heap, so that garbage that is not collected yet is not taken for what is held.
  process.env['NODE_OPTIONS'] = '--max-old-space-size=96';
  const server = await startServer(t, await fixtureIndex(), options);
  const base = `http://127.0.0.1:${server.port}`;
  const get = async (path: string) => {
    const answer = await fetch(base + path);
    return { status: answer.status, text: await answer.text() };
  };
  const memory = async () => {
    const { text } = await get('/metrics');
    const megabytes = (name: string) => Number(new RegExp(`^${name}_bytes (\\S+)`, 'm').exec(text)![1]) / 1e6;
    const held = megabytes('nodejs_heap_size_used') + megabytes('nodejs_external_memory');
    return { held: Math.round(held), resident: Math.round(megabytes('process_resident_memory')) };
  };
  let untilMs = 0;

  const hostile = async (name: string) => {
    const { pauseMs, reads, pieces } = KINDS[name]!;
    while (performance.now() < untilMs) {
      const nextMs = performance.now() + LEAST_CONNECTION_MS;
      const socket = connect(server.port, '127.0.0.1');
      let isClosed = false;
      socket
        .on('error', () => {})
        .once('close', () => {
          isClosed = true;
        });
      if (reads) socket.resume();
      else socket.pause();
      for (const piece of pieces()) {
        if (isClosed || performance.now() > untilMs) break;
        if (piece === 'END') socket.destroy();
        else if (!socket.write(piece)) await sleep(20);
        await sleep(pauseMs);
      }
      const givenUpMs = performance.now() + MOST_OPEN_MS;
      while (!isClosed && reads && performance.now() < givenUpMs) await sleep(50);
      assert.ok(isClosed || !reads, `${name}: the server lets go`);
      socket.destroy();
      await sleep(Math.max(0, nextMs - performance.now()));
    }
  };

  const honest = { count: 0, failed: 0 };
  const answerMs: number[] = [];
  const ask = async () => {
    while (performance.now() < untilMs) {
      const startedMs = performance.now();
      const { status } = await get(pathOf('/related', { url: `${GARDEN}${honest.count % 20}` }));
      honest.count++;
      if (status !== 200) honest.failed++;
      answerMs.push(performance.now() - startedMs);
      await sleep(5);
    }
  };

  const half = async () => {
    untilMs = performance.now() + HALF_MS;
    const clients = Object.keys(KINDS).flatMap((name) =>
      Array.from({ length: CLIENTS_A_KIND }, () => hostile(name)),
    );
    await Promise.all([ask(), ...clients]);
    await sleep(5000);
    return memory();
  };
  const before = await memory();
  const first = await half();
  const second = await half();
  answerMs.sort((a, b) => a - b);
  const [medianMs, slowestMs] = [answerMs[honest.count >> 1]!, answerMs.at(-1)!];
  t.diagnostic(JSON.stringify({ honest, medianMs, slowestMs, before, first, second }));
  assert.equal(honest.failed, 0);
  assert.ok(honest.count > 50, `${honest.count} requests`);
  assert.ok(medianMs < MOST_MEDIAN_MS, `half of the answers took more than ${medianMs} ms`);
  assert.ok(second.held < before.held + 100, `${before.held} MB held before, ${second.held} MB after`);
  assert.ok(
    second.resident < first.resident + 100,
    `${first.resident} MB after one half, ${second.resident} MB after both`,
  );
  server.process.kill('SIGTERM');
  const { code, errors } = await server.ended;
  assert.equal(code, 0);
  assert.doesNotMatch(errors, /"level":50/, 'nothing that a client does is a fault of the service');
});

const CHUNKED_HEAD = 'POST /similar HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nConnection: close\r\n';

test('a body of small chunks takes a small multiple of its size', async (t) => {
  const BODY_BYTES = 4_000_000;
  const CHUNK = `20\r\n${' '.repeat(32)}\r\n`;
  const server = await startServer(t, await fixtureIndex());
  const residentBytes = async () => {
    const metrics = await (await fetch(`http://127.0.0.1:${server.port}/metrics`)).text();
    return Number(/^process_resident_memory_bytes (\d+)/m.exec(metrics)![1]);
  };
  // The thread and the pools of the first request are there.
  const post = (chunks: Iterable<string>) => exchange(server.port, chunks);
  const chunked = function* (byteCount: number) {
    yield `${CHUNKED_HEAD}Transfer-Encoding: chunked\r\n\r\n`;
    const PIECE = 1000;
    for (let sent = 0; sent < byteCount; sent += 32 * PIECE) yield CHUNK.repeat(PIECE);
    yield '0\r\n\r\n';
  };
  assert.equal((await post(chunked(100_000)))!.status, 200);
  const before = await residentBytes();
  let most = 0;
  let isDone = false;
  const watch = (async () => {
    while (!isDone) {
      most = Math.max(most, await residentBytes());
      await sleep(50);
    }
  })();
  const answer = await post(chunked(BODY_BYTES));
  isDone = true;
  await watch;
  assert.equal(answer!.status, 200);
  // Garbage that is not collected yet is in it. A list of the chunks would take some 250 MB.
  assert.ok(most - before < 150e6, `${(most - before) / 1e6} MB for a body of ${BODY_BYTES / 1e6} MB`);
});
