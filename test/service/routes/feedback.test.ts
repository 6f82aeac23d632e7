import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { readFeedback } from '../../../src/store/feedback-log.ts';
import { asker, fixtureApp, fixtureIndex } from '../fixture-app.ts';
import { BAKERY, GARDEN, MOVED, TWIN } from '../fixture-index.ts';

const indexPath = await fixtureIndex();
const path = `${indexPath}.feedback.jsonl`;
const LIMITS = { maxBytes: 2 ** 20, perMinute: 1000 };
const app = await fixtureApp(indexPath, { feedback: LIMITS });
const ask = asker(app);
const page = `${GARDEN}0`;

async function judge(payload: unknown, to: FastifyInstance = app) {
  const answer = await to.inject({ method: 'POST', url: '/feedback', payload: payload as object });
  return { status: answer.statusCode, body: answer.json(), headers: answer.headers };
}

test('a judgement is kept with the generation and the place that the page had in the list', async () => {
  const { body: list } = await ask('/related', { url: page });
  const third = list.related[2].url;
  // By an alias of the page, and in another spelling.
  const { status, body, headers } = await judge({
    url: MOVED.replace('https://garden', 'HTTPS://Garden'),
    related_url: `${third}#top`,
    judgement: 'worse',
  });
  assert.equal(status, 200);
  assert.equal(headers['cache-control'], 'no-store');
  const { at, ...kept } = body;
  const { generation } = list;
  assert.deepEqual(kept, {
    generation,
    by: 'topic',
    url: page,
    related_url: third,
    judgement: 'worse',
    rank: 3,
  });
  assert.ok(Math.abs(Date.parse(at) - Date.now()) < 60_000);
  assert.deepEqual(readFeedback(path).entries.at(-1), body);
});

test('a page that the list does not have has no rank', async () => {
  const { body } = await judge({ url: page, related_url: `${BAKERY}3`, judgement: 'better' });
  assert.equal(body.rank, null);
});

test('a list of another relation is judged by its name', async () => {
  const { body } = await judge({ url: `${BAKERY}0`, related_url: TWIN, judgement: 'better', by: 'copy' });
  assert.deepEqual([body.by, body.rank], ['copy', 1]);
});

test('browsers on any site may send judgements, unless origins are named', async () => {
  const limited = await fixtureApp(indexPath, { feedback: LIMITS, corsOrigins: ['https://own.example'] });
  const allowed = async (to: FastifyInstance, origin: string) => {
    const { headers } = await to.inject({
      method: 'OPTIONS',
      url: '/feedback',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type',
      },
    });
    return headers['access-control-allow-origin'];
  };
  assert.equal(await allowed(app, 'https://stranger.example'), '*');
  assert.equal(await allowed(limited, 'https://own.example'), 'https://own.example');
  assert.notEqual(await allowed(limited, 'https://stranger.example'), 'https://stranger.example');
  // What a browser sends without asking first is no judgement.
  const payload = JSON.stringify({ url: page, related_url: `${GARDEN}1`, judgement: 'better' });
  for (const type of ['text/plain', 'application/x-www-form-urlencoded']) {
    const headers = { 'content-type': type, origin: 'https://stranger.example' };
    const { statusCode } = await limited.inject({ method: 'POST', url: '/feedback', headers, payload });
    assert.equal(statusCode, 415, type);
  }
});

test('what cannot be used is refused by name, and nothing is kept', async () => {
  const before = readFeedback(path).entries.length;
  const good = { url: page, related_url: `${GARDEN}1`, judgement: 'better' };
  for (const [change, status, code, parameter] of [
    [{ judgement: 'good' }, 400, 'invalid-body', 'judgement'],
    [{ judgement: undefined }, 400, 'invalid-body', 'judgement'],
    [{ rank: 3 }, 400, 'invalid-body', 'rank'],
    [{ related_url: 'ftp://a.example/' }, 400, 'invalid-body', 'related_url'],
    [{ related_url: 7 }, 400, 'invalid-body', 'related_url'],
    [{ related_url: MOVED }, 400, 'invalid-body', 'related_url'],
    [{ url: 'https://garden.example/none' }, 404, 'page-not-indexed', 'url'],
    [{ related_url: 'https://garden.example/none' }, 404, 'page-not-indexed', 'related_url'],
    [{ by: 'taste' }, 400, 'invalid-body', 'by'],
  ] as const) {
    const { status: given, body } = await judge({ ...good, ...change });
    assert.deepEqual(
      [given, body.code, body.errors[0].parameter],
      [status, code, parameter],
      JSON.stringify(change),
    );
  }
  const text = await app.inject({
    method: 'POST',
    url: '/feedback',
    payload: 'x',
    headers: { 'content-type': 'text/plain' },
  });
  assert.equal(text.statusCode, 415);
  assert.equal(readFeedback(path).entries.length, before);
});

test('a server without --feedback takes none', async () => {
  const closed = await fixtureApp(indexPath);
  const { status, body } = await judge({ url: page, related_url: `${GARDEN}1`, judgement: 'better' }, closed);
  assert.deepEqual([status, body.code], [404, 'feedback-off']);
});

test('a full file and too many judgements are refused; other requests are counted apart', async () => {
  const good = { url: page, related_url: `${GARDEN}1`, judgement: 'better' };
  const full = await fixtureApp(indexPath, { feedback: { maxBytes: 10, perMinute: 2 } });
  const answers = [await judge(good, full), await judge(good, full), await judge(good, full)];
  assert.deepEqual(
    answers.map(({ status, body }) => [status, body.code]),
    [
      [507, 'feedback-full'],
      [507, 'feedback-full'],
      [429, 'too-many-requests'],
    ],
  );
  const other = await full.inject({ method: 'POST', url: '/similar', payload: { text: 'rose thorn' } });
  assert.equal(other.statusCode, 200);
  const both = await fixtureApp(indexPath, {
    feedback: { maxBytes: 2 ** 20, perMinute: 2 },
    rateLimits: { getPerMinute: 9, postPerMinute: 1 },
  });
  const statuses = [await judge(good, both), await judge(good, both), await judge(good, both)];
  assert.deepEqual(
    statuses.map(({ status }) => status),
    [200, 200, 429],
  );
});
