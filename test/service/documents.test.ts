/** Large documents: made on threads, bounded, and out of the way of everyone else. */
import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openIndex } from '../../src/service/reads/shards/open-shards.ts';
import { longTest } from '../long-test.ts';
import { addressAsker } from './address-asker.ts';
import { distinctWords } from './event-loop-lag.ts';
import { fixtureApp, fixtureIndex, pathOf } from './fixture-app.ts';
import { GARDEN } from './fixture-index.ts';

const indexPath = await fixtureIndex();

const LARGE = distinctWords(2_000_000);

test('threads give the answers that are given in place', async () => {
  const app = await fixtureApp(indexPath);
  const index = await openIndex([indexPath], { preload: false });
  after(() => index.close());
  const inPlace = addressAsker(index);
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
    const threaded = await app.inject({ method: 'POST', url, payload, headers });
    const { status, text: own } = (await inPlace(url, payload))!;
    assert.deepEqual([threaded.statusCode, threaded.json()], [status, JSON.parse(own)], url);
  }
});

test('more documents than may wait are refused with 503 and Retry-After, and the others answered', async () => {
  const app = await fixtureApp(indexPath, { documentLimits: { maxWaiting: 2 } });
  const large = { text: distinctWords(100_000) };
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => app.inject({ method: 'POST', url: '/similar', payload: large })),
  );
  const refused = answers.filter(({ statusCode }) => statusCode === 503);
  assert.equal(answers.filter(({ statusCode }) => statusCode === 200).length, 3, 'one at work, two waiting');
  assert.equal(refused.length, 5);
  assert.deepEqual([refused[0]!.json().code, refused[0]!.headers['retry-after']], ['overloaded', '2']);
  assert.equal((await app.inject({ method: 'POST', url: '/similar', payload: large })).statusCode, 200);
});

longTest('a small document does not wait behind large ones', async () => {
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
    post('large', distinctWords(250_000)),
    post('large', distinctWords(120_000)),
    post('small', 'thorn'),
  ]);
  assert.deepEqual(order.slice(2), ['small', 'large', 'large']);
});

test('a document that takes its thread too long is refused, and the next one answered', async () => {
  const app = await fixtureApp(indexPath, { documentLimits: { maxMs: 400 } });
  const post = (text: string) => app.inject({ method: 'POST', url: '/similar', payload: { text } });
  assert.equal((await post('rose')).statusCode, 200);
  const late = await post(LARGE);
  assert.deepEqual([late.statusCode, late.json().code], [503, 'overloaded']);
  assert.match(late.json().detail, /took longer than 0.4 seconds/);
  assert.equal((await post('rose')).statusCode, 200);
});

test('a document that takes its thread all its memory fails alone', async () => {
  const app = await fixtureApp(indexPath, { documentLimits: { maxHeapMegabytes: 32 } });
  const post = (text: string) => app.inject({ method: 'POST', url: '/similar', payload: { text } });
  assert.equal((await post('rose')).statusCode, 200);
  assert.equal((await post(distinctWords(600_000))).statusCode, 500);
  assert.equal((await post('rose')).statusCode, 200);
});

test('a lagging event loop refuses with 503 and Retry-After, and takes requests again when it is over', async () => {
  let blockMs = 0;
  const app = await fixtureApp(indexPath, {
    maxEventLoopDelayMs: 100,
    extend: (scope) => {
      scope.get('/blocks', async () => {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, blockMs);
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
  // By the first look at it nothing is known but that it was held.
  blockMs = 1200;
  await status('/blocks');
  assert.equal((await status(path))[0], 200, 'what a start takes is no load');
  blockMs = 400;
  await waitFor(503, () => status('/blocks'));
  assert.deepEqual(await status(path), [503, '2']);
  assert.equal((await status('/livez'))[0], 200);
  blockMs = 0;
  await waitFor(200, () => sleep(100));
});
