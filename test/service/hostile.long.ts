/**
 * A minute of clients that mean no good, all at once, beside one that only asks: none of its requests fails, its answers
 * stay quick, and memory and connections are back where they were when the others are gone.
 */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startServer } from './child-server.ts';
import { fixtureIndex, pathOf } from './fixture-app.ts';
import { GARDEN } from './fixture-index.ts';

const DURATION_MS = 60_000;
const CLIENTS_A_KIND = 10;
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
  const server = await startServer(t, await fixtureIndex(), { connectionLimits: limits });
  const base = `http://127.0.0.1:${server.port}`;
  const get = async (path: string) => {
    const answer = await fetch(base + path);
    return { status: answer.status, text: await answer.text() };
  };
  const residentMegabytes = async () =>
    Number(/^process_resident_memory_bytes (\d+)/m.exec((await get('/metrics')).text)![1]) / 1e6;
  const untilMs = performance.now() + DURATION_MS;

  const hostile = async (name: string) => {
    const { pauseMs, reads, pieces } = KINDS[name]!;
    while (performance.now() < untilMs) {
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
      const givenUpMs = performance.now() + 30_000;
      while (!isClosed && reads && performance.now() < givenUpMs) await sleep(50);
      assert.ok(isClosed || !reads, `${name}: the server lets go`);
      socket.destroy();
    }
  };

  const honest = { count: 0, failed: 0, slowestMs: 0 };
  const ask = async () => {
    while (performance.now() < untilMs) {
      const startedMs = performance.now();
      const { status } = await get(pathOf('/related', { url: `${GARDEN}${honest.count % 20}` }));
      honest.count++;
      if (status !== 200) honest.failed++;
      honest.slowestMs = Math.max(honest.slowestMs, performance.now() - startedMs);
      await sleep(5);
    }
  };

  const before = await residentMegabytes();
  const clients = Object.keys(KINDS).flatMap((name) =>
    Array.from({ length: CLIENTS_A_KIND }, () => hostile(name)),
  );
  await Promise.all([ask(), ...clients]);
  await sleep(5000);
  const after = await residentMegabytes();
  t.diagnostic(`${JSON.stringify(honest)}, ${before.toFixed(0)} MB before, ${after.toFixed(0)} MB after`);
  assert.equal(honest.failed, 0);
  assert.ok(honest.count > 500, `${honest.count} requests`);
  assert.ok(after < before + 150, `${before} MB before, ${after} MB after`);
  server.process.kill('SIGTERM');
  const { code, errors } = await server.ended;
  assert.equal(code, 0);
  assert.doesNotMatch(errors, /"level":50/, 'nothing that a client does is a fault of the service');
});
