import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Peer, PeerBusyError } from '../../src/net/peer.ts';
import { longTest } from '../long-test.ts';

async function peerOf(
  t: TestContext,
  answer: RequestListener,
  path = '',
  timeLimitMs = 300,
  maxBytes = 1000,
): Promise<Peer> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const peer = new Peer(`http://127.0.0.1:${port}${path}`, { timeLimitMs, maxBytes });
  t.after(async () => {
    await peer.close();
    server.closeAllConnections();
    server.close();
  });
  return peer;
}

test('a body is posted, and connections are kept', async (t) => {
  const ports = new Set<number>();
  const peer = await peerOf(
    t,
    async (request, response) => {
      ports.add(request.socket.remotePort!);
      let text = '';
      for await (const chunk of request) text += chunk;
      response.writeHead(201).end(`${request.method} ${request.url} ${text}`);
    },
    '/base/',
  );
  assert.deepEqual(await peer.ask('/a', '{"b":1}'), { status: 201, text: 'POST /base/a {"b":1}' });
  assert.deepEqual(await peer.ask('/c', null), { status: 201, text: 'GET /base/c ' });
  for (let i = 0; i < 20; i++) await peer.ask('/d', null);
  assert.ok(ports.size <= 3, `${ports.size} connections for 22 questions`);
});

test('an answer that is too slow, too long or cut is none', async (t) => {
  const never = await peerOf(t, () => {});
  await assert.rejects(never.ask('/', null));
  const halfway = await peerOf(t, (_request, response) => void response.write('a'));
  await assert.rejects(halfway.ask('/', null));
  const long = await peerOf(t, (_request, response) => void response.end('a'.repeat(1001)));
  await assert.rejects(long.ask('/', null), /sends more than 1000 bytes/);
  const cut = await peerOf(t, (_request, response) => {
    response.writeHead(200, { 'content-length': 10 }).write('abc');
    response.destroy();
  });
  await assert.rejects(cut.ask('/', null));
  const absent = new Peer('http://127.0.0.1:9', { timeLimitMs: 300, maxBytes: 10 });
  await assert.rejects(absent.ask('/', null));
  await absent.close();
});

longTest('the memory of an answer that never ends is given back', async (t) => {
  const maxBytes = 2 ** 27;
  const chunk = Buffer.alloc(2 ** 16, 'a');
  const endless: RequestListener = (_request, response) => {
    const write = () => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on('drain', write).on('error', () => {});
    write();
  };
  const peer = await peerOf(t, endless, '', 30_000, maxBytes);
  const before = process.memoryUsage().arrayBuffers;
  await assert.rejects(peer.ask('/', null), /sends more than 134217728 bytes/);
  // What came piece by piece may wait for a collector.
  assert.ok(process.memoryUsage().arrayBuffers - before < maxBytes / 2);
});

test('the time of a request runs from its turn, and too many are refused', async (t) => {
  let underWay = 0;
  let most = 0;
  const peer = await peerOf(
    t,
    async (_request, response) => {
      most = Math.max(most, ++underWay);
      await sleep(1200);
      underWay--;
      response.end('a');
    },
    '',
    3000,
  );
  // Three turns take longer than one request may.
  const answers = await Promise.all(Array.from({ length: 150 }, () => peer.ask('/', null)));
  assert.ok(answers.every(({ text }) => text === 'a'));
  assert.equal(most, 64);
  const unwanted = await peer.ask('/', null, () => false);
  assert.equal(unwanted, null);
  const all = await Promise.allSettled(
    Array.from({ length: 1200 }, (_, i) => peer.ask('/', null, () => i < 0)),
  );
  const refused = all.filter((one) => one.status === 'rejected');
  assert.equal(refused.length, 1200 - 64 - 1024);
  assert.ok(refused.every(({ reason }) => reason instanceof PeerBusyError));
});
