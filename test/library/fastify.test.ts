/** The routes in a site's own server answer as the service does under the same path. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import Fastify, { type InjectOptions } from 'fastify';
import { akin } from '../../src/library/fastify.ts';
import { fixtureApp, fixtureIndex, pathOf } from '../service/fixture-app.ts';
import { GARDEN, MOVED } from '../service/fixture-index.ts';

const indexPath = await fixtureIndex();
const service = await fixtureApp(indexPath, { basePath: '/akin' });
const lines: string[] = [];
const site = Fastify({ logger: { level: 'error', stream: { write: (line) => lines.push(line) } } });
after(() => site.close());
let guarded = 0;
site.addHook('onRequest', async (request) => {
  guarded++;
  if (request.headers['x-key'] === 'wrong') throw Object.assign(new Error('no'), { statusCode: 401 });
});
site.get('/hello', async () => 'hello');
await site.register(akin, { prefix: '/akin', index: indexPath, pollMs: 0, maxEventLoopDelayMs: 0 });
await site.ready();

const page = `${GARDEN}1`;
const json = { 'content-type': 'application/json' };
const related = pathOf('/akin/related', { url: page });

/** What does not depend on the time or the request. */
async function answerOf(server: Pick<typeof service, 'inject'>, request: InjectOptions) {
  const { statusCode, headers, body } = await server.inject(request);
  const { date: _date, 'x-request-id': id, ...fixed } = headers;
  return {
    statusCode,
    headers: fixed,
    body: body.replaceAll(/"(uptime|loaded_at)":[^,}]+/g, ''),
    id: typeof id,
  };
}

const REQUESTS: Readonly<Record<string, InjectOptions>> = {
  'a list': { url: related },
  'a list by the framework': { url: pathOf('/akin/related', { url: page, limit: 2, explain: true }) },
  'an entity tag': { url: related, headers: { 'if-none-match': '*' } },
  HEAD: { method: 'HEAD', url: related },
  QUERY: {
    method: 'QUERY' as 'GET',
    url: '/akin/related',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ url: page }).toString(),
  },
  'a preflight': {
    method: 'OPTIONS',
    url: '/akin/similar',
    headers: { origin: 'https://a.example', 'access-control-request-method': 'POST' },
  },
  'a fragment': { url: pathOf('/akin/related.html', { url: page }) },
  'a document': { method: 'POST', url: '/akin/similar', headers: json, payload: { text: 'rose thorn cane' } },
  'a text': {
    method: 'POST',
    url: '/akin/similar',
    headers: { 'content-type': 'text/plain' },
    payload: 'rose',
  },
  'a batch': { method: 'POST', url: '/akin/related/batch', headers: json, payload: { urls: [page, MOVED] } },
  'bad JSON': { method: 'POST', url: '/akin/similar', headers: json, payload: '{' },
  'a type that is not taken': {
    method: 'POST',
    url: '/akin/similar',
    headers: { 'content-type': 'image/png' },
    payload: 'x',
  },
  'a body that is too large': {
    method: 'POST',
    url: '/akin/related/batch',
    headers: json,
    payload: JSON.stringify({ urls: ['x'.repeat(600_000)] }),
  },
  'a bad parameter': { url: '/akin/related?url=x&nonsense=%FF' },
  'a missing page': { url: pathOf('/akin/related', { url: 'https://garden.example/none' }) },
  'a wrong method': { method: 'DELETE', url: '/akin/related' },
  'a wrong path': { url: '/akin/nowhere?a=b' },
  'a wrong path for a person': { url: '/akin/nowhere', headers: { accept: 'text/html' } },
  'the start': { url: '/akin' },
  'the start with a slash': { url: '/akin/' },
  documentation: { url: '/akin/openapi.json' },
  'a page of the documentation': { url: '/akin/docs' },
  'the components': { url: '/akin/embed.js' },
  search: { url: '/akin/search?q=rose' },
  'a cluster': { url: pathOf('/akin/cluster', { url: page }) },
  history: { url: pathOf('/akin/history', { url: page }) },
  'where it is': { url: pathOf('/akin/moved', { url: MOVED }) },
  'the card': { url: '/akin/index' },
  life: { url: '/akin/livez' },
};

for (const [what, request] of Object.entries(REQUESTS)) {
  test(`${what} is answered as by the service`, async () => {
    assert.deepEqual(await answerOf(site, request), await answerOf(service, request));
  });
}

test('what is not under the prefix is of the site, and its hooks come first', async () => {
  assert.equal((await site.inject('/hello')).body, 'hello');
  assert.equal((await site.inject('/akinx/related')).statusCode, 404);
  const before = guarded;
  assert.equal((await site.inject({ url: related, headers: { 'x-key': 'wrong' } })).statusCode, 401);
  assert.equal(guarded, before + 1);
  assert.deepEqual(lines, []);
});

test('it answers over HTTP, a posted document too, and closes with the site', async () => {
  const own = Fastify();
  await own.register(akin, { prefix: '/a/b/', index: indexPath, pollMs: 0, maxEventLoopDelayMs: 0 });
  const address = await own.listen({ port: 0, host: '127.0.0.1' });
  const posted = { method: 'POST', headers: json, body: JSON.stringify({ text: 'rose '.repeat(20_000) }) };
  assert.equal((await fetch(`${address}/a/b/similar`, posted)).status, 200);
  assert.equal((await fetch(`${address}/a/b/readyz`)).status, 200);
  await own.close();
  await assert.rejects(fetch(`${address}/a/b/readyz`));
});

test('an index that is not there, or a prefix with parameters, is refused', async () => {
  const lost = Fastify();
  lost.register(akin, { prefix: '/akin', index: '/nowhere.akin' });
  await assert.rejects(async () => lost.ready(), { code: 'AKIN_ERR_INPUT_MISSING' });
  const odd = Fastify();
  odd.register(akin, { prefix: '/:user', index: indexPath });
  await assert.rejects(async () => odd.ready(), { code: 'AKIN_ERR_OPTION' });
});
