import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, type IncomingMessage, request as send } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { after, test } from 'node:test';
import type { AppOptions } from '../../../src/service/app.ts';
import { fixtureApp, fixtureIndex, pathOf } from '../fixture-app.ts';
import { GARDEN, MOVED } from '../fixture-index.ts';

const indexPath = await fixtureIndex();
const page = `${GARDEN}1`;
const plainPath = pathOf('/related', { url: page });
const agent = new Agent({ keepAlive: true });
after(() => agent.destroy());

interface Asked {
  readonly path: string;
  readonly method?: string;
  readonly headers?: Record<string, string>;
}

/** A listening app, and how many requests have come as far as its framework. */
async function listening(options: Partial<AppOptions> = {}) {
  let seen = 0;
  const app = await fixtureApp(indexPath, {
    ...options,
    extend: (scope) =>
      scope.addHook('onRequest', (_request, _reply, done) => {
        seen++;
        done();
      }),
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const ask = ({ path, method = 'GET', headers = {} }: Asked) =>
    new Promise<{ status: number; headers: object; body: Buffer }>((resolve, reject) => {
      const whole = async (answer: IncomingMessage) => {
        const chunks: Buffer[] = [];
        for await (const chunk of answer) chunks.push(chunk as Buffer);
        resolve({
          status: answer.statusCode!,
          headers: withoutTheConnection(answer.headers),
          body: Buffer.concat(chunks),
        });
      };
      send({ port, host: '127.0.0.1', path, method, headers, agent }, whole).on('error', reject).end();
    });
  return { app, ask, seenByFramework: () => seen };
}

/** What every answer says of itself anew; of a request id only whether it is there. */
function withoutTheConnection(headers: Record<string, unknown>): object {
  const { date, connection, 'keep-alive': keepAlive, ...rest } = headers;
  const id = rest['x-request-id'];
  return { ...rest, 'x-request-id': typeof id === 'string' && id.length === 36 ? 'random' : id };
}

const { app, ask, seenByFramework } = await listening();

const PLAIN: Asked[] = [
  { path: plainPath },
  { path: pathOf('/related', { url: `${GARDEN}2` }) },
  { path: `/related?url=${page}` },
  { path: pathOf('/related', { url: `${page}#here` }) },
  { path: pathOf('/related', { url: page.replace('https://', 'HTTPS://') }) },
  { path: plainPath, headers: { 'x-request-id': 'abc-1' } },
  { path: plainPath, headers: { 'x-request-id': 'a b' } },
  { path: plainPath, headers: { origin: 'https://shop.example', accept: 'text/html', cookie: 'a=b' } },
];

/** What the short way must leave alone. */
const UNUSUAL: Asked[] = [
  { path: plainPath, method: 'HEAD' },
  { path: plainPath, method: 'OPTIONS', headers: { origin: 'https://a.example' } },
  { path: plainPath, method: 'DELETE' },
  { path: plainPath, headers: { 'if-none-match': '*' } },
  { path: plainPath, headers: { 'if-none-match': 'W/"other"' } },
  { path: plainPath, headers: { 'content-encoding': 'gzip' } },
  { path: `${plainPath}&limit=2` },
  { path: `${plainPath}&url=b` },
  { path: `/related?limit=2&url=${page}` },
  { path: '/related?url=' },
  { path: '/related?url=%ff' },
  { path: '/related?url=%' },
  { path: '/related?url=ftp%3A%2F%2Fa.example%2F' },
  { path: '/related?url=https%3A%2F%2Fnowhere.example%2F' },
  { path: `/related?url=${page}+` },
  { path: pathOf('/related', { url: MOVED }) },
  { path: `/related?url=${'a'.repeat(5000)}` },
  { path: '/related' },
];

async function fromFramework({ path, method = 'GET', headers = {} }: Asked) {
  const answer = await app.inject({ method: method as 'GET', url: path, headers });
  return {
    status: answer.statusCode,
    headers: withoutTheConnection(answer.headers),
    body: answer.rawPayload,
  };
}

for (const [kind, requests] of [
  ['plain', PLAIN],
  ['unusual', UNUSUAL],
] as const) {
  test(`${kind} requests have the answers of the framework, byte for byte and header for header`, async () => {
    for (const asked of requests) {
      const expected = await fromFramework(asked);
      const seen = seenByFramework();
      assert.deepEqual(await ask(asked), expected, JSON.stringify(asked));
      if (kind === 'plain') {
        assert.equal(expected.status, 200);
        assert.equal(seenByFramework(), seen, `${JSON.stringify(asked)} needs no framework`);
      }
    }
  });
}

test('a request is counted once, whichever way it is answered', async () => {
  const count = async (status: string) => {
    const { body } = await ask({ path: '/metrics' });
    const line = `akin_http_request_duration_seconds_count{method="GET",route="/related",status="${status}"}`;
    return Number(body.toString().split(`${line} `)[1]?.split('\n', 1)[0] ?? 0);
  };
  const before = [await count('2xx'), await count('4xx')];
  await ask({ path: plainPath });
  await ask({ path: `${plainPath}&limit=3` });
  await ask({ path: '/related?url=https%3A%2F%2Fnowhere.example%2F' });
  assert.deepEqual([await count('2xx'), await count('4xx')], [before[0]! + 2, before[1]! + 1]);
});

test('where requests are limited or origins chosen, the framework answers all', async () => {
  for (const options of [
    { rateLimits: { getPerMinute: 100, postPerMinute: 1 } },
    { corsOrigins: ['https://own.example'] },
  ]) {
    const guarded = await listening(options);
    assert.equal((await guarded.ask({ path: plainPath })).status, 200);
    assert.equal(guarded.seenByFramework(), 1);
  }
});

test('a lagging service refuses plain requests too', async () => {
  const lagging = await listening({ maxEventLoopDelayMs: 1 });
  let status = 200;
  for (const endMs = performance.now() + 10_000; status === 200 && performance.now() < endMs; ) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
    ({ status } = await lagging.ask({ path: plainPath }));
  }
  assert.equal(status, 503);
});

test('a body that nothing announces is an empty body', async () => {
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  socket.write('POST /similar HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n\r\n');
  const [answer] = await once(socket, 'data', { signal: AbortSignal.timeout(5000) });
  socket.destroy();
  assert.match(String(answer), /^HTTP\/1.1 400 .*malformed-json/s);
});
