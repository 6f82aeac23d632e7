/** Large documents: made on threads, bounded, and out of the way of everyone else. */
import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startServer } from './child-server.ts';
import { fixtureApp, fixtureIndex, pathOf } from './fixture-app.ts';
import { GARDEN } from './fixture-index.ts';

const indexPath = await fixtureIndex();

/** Words that nobody used before, `byteCount` bytes of them. */
function distinctWords(byteCount: number, seed = ''): string {
  const words: string[] = [];
  for (let length = 0, n = 0; length < byteCount; n++) {
    const word = seed + n.toString(26).replace(/\d/g, (digit) => 'qrstuvwxyz'[Number(digit)]!);
    words.push(word);
    length += word.length + 1;
  }
  return words.join(' ').slice(0, byteCount);
}

const FOUR_MB = distinctWords(4_000_000);

test('while documents of 4 MB are answered, the event loop lags less than 50 ms', async (t) => {
  const server = await startServer(t, indexPath);
  const base = `http://127.0.0.1:${server.port}`;
  const post = async (path: string, payload: object) => {
    const body = JSON.stringify(payload);
    const answer = await fetch(base + path, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
  const lagSeconds = async () => {
    const text = await (await fetch(`${base}/metrics`)).text();
    return Number(/^nodejs_eventloop_lag_p99_seconds (\S+)/m.exec(text)![1]);
  };
  await post('/similar', { text: 'rose' });
  const half = FOUR_MB.slice(0, 950_000);
  const heavy: [path: string, payload: object][] = [
    ['/similar', { text: FOUR_MB.slice(0, 4_100_000) }],
    ['/similar?by=copy', { text: FOUR_MB }],
    ['/similar', { html: `<p>${FOUR_MB.replaceAll(' ', '<br>').slice(0, 4_000_000)}` }],
    ['/compare', { a: { text: half }, b: { text: `new ${half}` } }],
    ['/group', { results: [0, 1, 2, 3].map((i) => ({ url: `http://a.example/${i}`, text: half.slice(i) })) }],
  ];
  /** The p99 of the lag while a document is answered, in milliseconds. */
  const lagDuring = async (path: string, payload: object): Promise<number> => {
    await lagSeconds();
    let isDone = false;
    const answered = post(path, payload).finally(() => {
      isDone = true;
    });
    while (!isDone) await (await fetch(base + pathOf('/related', { url: `${GARDEN}1` }))).text();
    const lagMs = (await lagSeconds()) * 1000;
    const { status, body } = await answered;
    assert.equal(status, 200, JSON.stringify(body).slice(0, 300));
    return lagMs;
  };
  // Other programs of a busy machine make a loop lag too: what they do alone is measured first.
  await lagSeconds();
  for (const untilMs = performance.now() + 2000; performance.now() < untilMs; ) {
    await (await fetch(base + pathOf('/related', { url: `${GARDEN}1` }))).text();
  }
  const mostMs = Math.max(50, 3000 * (await lagSeconds()));
  for (const [path, payload] of heavy) {
    // A document that holds the loop does so each time.
    const lagsMs: number[] = [];
    while (lagsMs.length < 4 && !lagsMs.some((lagMs) => lagMs < mostMs))
      lagsMs.push(await lagDuring(path, payload));
    assert.ok(Math.min(...lagsMs) < mostMs, `${path}: p99 of the lag ${lagsMs.map(Math.round)} ms`);
    t.diagnostic(`${path}: p99 of the lag ${lagsMs.map(Math.round)} ms`);
  }
});

test('threads give the answers that are given in place', async () => {
  const [threaded, inPlace] = await Promise.all([
    fixtureApp(indexPath),
    fixtureApp(indexPath, { preload: false }),
  ]);
  const text = 'rose petal thorn cane pruning bud hip';
  const requests: [url: string, payload: object | string][] = [
    ['/similar?explain=true', { text, title: 'Roses' }],
    ['/similar?by=copy', { text }],
    ['/similar', { url: `${GARDEN}1` }],
    ['/similar?same_site=only&limit=3', { text, url: `${GARDEN}1` }],
    ['/compare?include_text=true', { a: { url: `${GARDEN}1` }, b: { text } }],
    ['/compare', { a: { url: 'http://nowhere.example/' }, b: { text } }],
    ['/group', { results: [`${GARDEN}1`, { url: 'x', text }] }],
    ['/group', { results: [1] }],
    ['/similar', text],
  ];
  for (const [url, payload] of requests) {
    const headers = { 'content-type': typeof payload === 'string' ? 'text/plain' : 'application/json' };
    const [a, b] = await Promise.all(
      [threaded, inPlace].map((app) => app.inject({ method: 'POST', url, payload, headers })),
    );
    assert.deepEqual([a!.statusCode, a!.json()], [b!.statusCode, b!.json()], url);
  }
});

test('more documents than may wait are refused with 503 and Retry-After, and the others answered', async () => {
  const app = await fixtureApp(indexPath, { documentLimits: { maxWaiting: 2 } });
  const large = { text: distinctWords(200_000) };
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => app.inject({ method: 'POST', url: '/similar', payload: large })),
  );
  const refused = answers.filter(({ statusCode }) => statusCode === 503);
  assert.equal(answers.filter(({ statusCode }) => statusCode === 200).length, 3, 'one at work, two waiting');
  assert.equal(refused.length, 5);
  assert.deepEqual([refused[0]!.json().code, refused[0]!.headers['retry-after']], ['overloaded', '2']);
  assert.equal((await app.inject({ method: 'POST', url: '/similar', payload: large })).statusCode, 200);
});

test('a small document does not wait behind large ones', async () => {
  const app = await fixtureApp(indexPath);
  const order: string[] = [];
  const post = async (name: string, text: string) => {
    const { statusCode } = await app.inject({ method: 'POST', url: '/similar', payload: { text } });
    assert.equal(statusCode, 200);
    order.push(name);
  };
  // Both threads are there.
  await Promise.all([post('first', 'rose'), post('first', 'petal')]);
  await Promise.all([
    post('large', FOUR_MB),
    post('large', distinctWords(1_000_000)),
    post('small', 'thorn'),
  ]);
  assert.deepEqual(order.slice(2), ['small', 'large', 'large']);
});

test('a document that takes its thread too long is refused, and the next one answered', async () => {
  const app = await fixtureApp(indexPath, { documentLimits: { maxMs: 400 } });
  const post = (text: string) => app.inject({ method: 'POST', url: '/similar', payload: { text } });
  assert.equal((await post('rose')).statusCode, 200);
  const late = await post(FOUR_MB);
  assert.deepEqual([late.statusCode, late.json().code], [503, 'overloaded']);
  assert.match(late.json().detail, /took longer than 0.4 seconds/);
  assert.equal((await post('rose')).statusCode, 200);
});

test('a document that takes its thread all its memory fails alone', async () => {
  const app = await fixtureApp(indexPath, { documentLimits: { maxHeapMegabytes: 40 } });
  const post = (text: string) => app.inject({ method: 'POST', url: '/similar', payload: { text } });
  assert.equal((await post('rose')).statusCode, 200);
  assert.equal((await post(FOUR_MB)).statusCode, 500);
  assert.equal((await post('rose')).statusCode, 200);
});

test('a lagging event loop refuses with 503 and Retry-After, and takes requests again when it is over', async () => {
  let blockMs = 0;
  const app = await fixtureApp(indexPath, {
    maxEventLoopDelayMs: 100,
    extend: (scope) => {
      scope.get('/blocks', async () => {
        for (const untilMs = performance.now() + blockMs; performance.now() < untilMs; );
        return {};
      });
    },
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const base = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  const status = async (path: string) => {
    const answer = await fetch(base + path);
    await answer.text();
    return [answer.status, answer.headers.get('retry-after')];
  };
  const path = pathOf('/related', { url: `${GARDEN}1` });
  const waitFor = async (wanted: number, meanwhile: () => Promise<unknown>) => {
    for (const untilMs = performance.now() + 20_000; performance.now() < untilMs; ) {
      await meanwhile();
      if ((await status(path))[0] === wanted) return;
    }
    assert.fail(`never ${wanted}`);
  };
  await waitFor(200, () => sleep(100));
  blockMs = 400;
  await waitFor(503, () => status('/blocks'));
  assert.deepEqual(await status(path), [503, '2']);
  assert.equal((await status('/livez'))[0], 200);
  blockMs = 0;
  await waitFor(200, () => sleep(100));
});

test('the OpenAPI document as YAML is made once', async () => {
  const app = await fixtureApp(indexPath);
  const first = await app.inject('/docs/yaml');
  assert.match(first.body, /^openapi: 3\.1\.0/m);
  const startedMs = performance.now();
  for (let i = 0; i < 100; i++) assert.equal((await app.inject('/docs/yaml')).body, first.body);
  assert.ok((performance.now() - startedMs) / 100 < 5, 'a made one takes 60 ms');
});
