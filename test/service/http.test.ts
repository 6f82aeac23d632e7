import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { InjectOptions, LightMyRequestResponse as Response } from 'fastify';
import { asker, fixtureApp, fixtureIndex, pathOf } from './fixture-app.ts';
import { GARDEN } from './fixture-index.ts';

const indexPath = await fixtureIndex();
const app = await fixtureApp(indexPath);
const ask = asker(app);
const page = `${GARDEN}1`;

test('a repeated request is answered 304 without a body', async () => {
  for (const path of ['/related', '/related.html', '/cluster', '/page', '/moved', '/history']) {
    const first = await ask(path, { url: page });
    const etag = String(first.headers['etag']);
    assert.match(etag, /^W\/"/);
    assert.match(String(first.headers['cache-control']), /max-age=60/);
    assert.ok(Date.parse(String(first.headers['last-modified'])) > 0);
    const conditional = (tag: string) =>
      app.inject({ url: pathOf(path, { url: page }), headers: { 'if-none-match': tag } });
    for (const tag of [etag, `"other", ${etag}`, etag.slice(2), '*']) {
      const again = await conditional(tag);
      assert.deepEqual([again.statusCode, again.body, again.headers.etag], [304, '', etag], `${path} ${tag}`);
    }
    assert.equal((await conditional('W/"other"')).statusCode, 200);
  }
});

test('requests that differ in meaning have different tags, spellings of one request the same', async () => {
  const tag = async (query: Record<string, string | number | boolean>) =>
    (await ask('/related', query)).headers['etag'];
  const plain = await tag({ url: page });
  assert.equal(await tag({ url: `${page}#here`, limit: 10, by: 'topic' }), plain);
  for (const more of [{ limit: 9 }, { explain: true }, { min_similarity: 0.1 }, { same_site: 'only' }]) {
    assert.notEqual(await tag({ url: page, ...more }), plain);
  }
});

test('HEAD is answered as GET, without the body', async () => {
  const get = await app.inject({ url: pathOf('/related', { url: page }) });
  const head = await app.inject({ method: 'HEAD', url: pathOf('/related', { url: page }) });
  assert.deepEqual([head.statusCode, head.body], [200, '']);
  for (const name of ['etag', 'content-type', 'content-length'])
    assert.equal(head.headers[name], get.headers[name]);
});

test('QUERY is answered as GET, its body taken for the query', async () => {
  const type = 'application/x-www-form-urlencoded';
  const query = (url: string, payload: string | Buffer, headers: Record<string, string> = {}) =>
    app.inject({ method: 'QUERY', url, payload, headers: { 'content-type': type, ...headers } });
  const { body: cluster } = await ask('/cluster', { url: page });
  for (const path of [
    pathOf('/related', { url: page, limit: 3, explain: true }),
    pathOf('/related.html', { url: page, heading: 'Ähnliches + mehr' }),
    pathOf('/search', { q: 'rose pruning' }),
    `/clusters/${cluster.cluster.id}?limit=2`,
    '/index?',
  ]) {
    const [route, text] = path.split('?') as [string, string];
    const get = await app.inject({ url: path });
    const answer = await query(route, text);
    assert.deepEqual(
      [answer.statusCode, answer.body, answer.headers.etag],
      [200, get.body, get.headers.etag],
      path,
    );
    assert.equal((await query(route, text, { 'if-none-match': String(get.headers.etag) })).statusCode, 304);
  }
  const [, text] = pathOf('/related', { url: page }).split('?') as [string, string];
  assert.equal((await query('/related?limit=2', text)).json().related.length, 2);
  assert.equal((await query('/related?limit=2', `${text}&limit=3`)).json().errors[0].parameter, 'limit');
  // More than any request line holds.
  const many = Array.from(
    { length: 100 },
    (_, i) => `exclude=${encodeURIComponent(`${GARDEN}${i}?${'x'.repeat(300)}`)}`,
  );
  assert.equal((await query('/related', [text, ...many].join('&'))).statusCode, 200);
  assert.equal((await query('/related', 'x'.repeat(70_000))).statusCode, 413);
  assert.equal((await query('/related', Buffer.from([0x75, 0xff]))).json().code, 'malformed-request');
  const other = await query('/related', '{}', { 'content-type': 'application/json' });
  assert.deepEqual([other.statusCode, other.headers['accept-query']], [415, type]);
  const bare = await app.inject({ method: 'QUERY', url: pathOf('/related', { url: page }) });
  assert.deepEqual([bare.statusCode, bare.json().code], [400, 'malformed-request']);
});

const FAULTS: [path: string, parameter: string, allowed: RegExp][] = [
  ['/related', 'url', /absolute http/],
  [`/related?url=${encodeURIComponent(page)}&limit=0`, 'limit', /1 to 100/],
  [`/related?url=${encodeURIComponent(page)}&limit=101`, 'limit', /1 to 100/],
  [`/related?url=${encodeURIComponent(page)}&limit=1.5`, 'limit', /integer/],
  [`/related?url=${encodeURIComponent(page)}&limit=`, 'limit', /integer/],
  [`/related?url=${encodeURIComponent(page)}&limit=1&limit=2`, 'limit', /integer/],
  [`/related?url=${encodeURIComponent(page)}&min_similarity=2`, 'min_similarity', /0 to 1/],
  [`/related?url=${encodeURIComponent(page)}&same_site=maybe`, 'same_site', /include, exclude, only/],
  [`/related?url=${encodeURIComponent(page)}&explain=1`, 'explain', /true or false/],
  [`/related?url=${encodeURIComponent(page)}&exclude=nonsense`, 'exclude', /absolute http/],
  [`/related?url=${encodeURIComponent(page)}&by=magic`, 'by', /topic/],
  [`/related?url=${encodeURIComponent(page)}&colour=red`, 'colour', /url,by,limit/],
  [`/related?url=${encodeURIComponent(page)}&__proto__=1`, '__proto__', /url,by,limit/],
  ['/related?url=ftp%3A%2F%2Fa.example%2F', 'url', /absolute http/],
  ['/related?url=', 'url', /absolute http/],
  ['/related?url=%ff', 'url', /%XX/],
  [`/related?url=${encodeURIComponent(page)}&site=`, 'site', /1 to 255 characters/],
  [`/related?url=${encodeURIComponent(page)}&exclude=`, 'exclude', /each a text of 1 to 4096 characters/],
  ['/search?q=', 'q', /1 to 500 characters/],
  [`/related?url=${encodeURIComponent(page)}&min_similarity=1e999`, 'min_similarity', /0 to 1/],
  ['/clusters?level=-1', 'level', /0 to 100/],
  ['/index?x=1', 'x', /^$/],
  ['/moved', 'url', /absolute http/],
  [`/moved?url=${encodeURIComponent(page)}&min_containment=2`, 'min_containment', /0 to 1/],
  [`/moved?url=${encodeURIComponent(page)}&by=copy`, 'by', /url,capture,min_containment/],
  [`/history?url=${encodeURIComponent(page)}&limit=0`, 'limit', /1 to 100/],
  ['/history?url=nonsense', 'url', /absolute http/],
];

test('a parameter that cannot be used is named, with what came and what is allowed', async () => {
  for (const [path, parameter, allowed] of FAULTS) {
    const { status, body, headers } = await ask(path);
    assert.equal(status, 400, path);
    assert.match(String(headers['content-type']), /^application\/problem\+json/);
    assert.equal(body.errors[0].parameter, parameter, path);
    assert.match(String(body.errors[0].allowed), allowed, path);
    assert.ok('received' in body.errors[0]);
    assert.deepEqual([body.status, body.type, body.instance], [400, `/problems/${body.code}`, path]);
  }
});

test('a number may be written in any way that JSON knows, or without the 0 before its point', async () => {
  for (const least of ['1.175494351e-38', '0.0', '0.00000000000000000000000000000000000001', '0', '.3']) {
    assert.equal((await ask('/related', { url: page, min_similarity: least })).status, 200, least);
  }
  const { body } = await ask('/related', { url: page, limit: '2E0' });
  assert.equal(body.related.length, 2);
});

test('several pages at once are pointed to the batch', async () => {
  const { body } = await ask('/related', { url: [page, `${GARDEN}2`] });
  assert.match(body.detail, /POST \/related\/batch/);
});

test('an unknown path is 404, a wrong method 405 with Allow', async () => {
  const unknown = await ask('/relatd');
  assert.deepEqual([unknown.status, unknown.body.code], [404, 'route-not-found']);
  for (const [method, url, allow] of [
    ['POST', '/related', 'GET, HEAD, OPTIONS, QUERY'],
    ['GET', '/similar', 'OPTIONS, POST'],
    ['DELETE', '/clusters/abc', 'GET, HEAD, OPTIONS, QUERY'],
    ['QUERY', '/livez', 'GET, HEAD, OPTIONS'],
    ['QUERY', '/similar', 'OPTIONS, POST'],
  ] as const) {
    const answer = await app.inject({ method, url });
    assert.deepEqual(
      [answer.statusCode, answer.json().code, answer.headers.allow],
      [405, 'method-not-allowed', allow],
    );
  }
});

test('bodies that cannot be read are refused by kind', async () => {
  const post = async (url: string, payload: string | Buffer, type?: string, more = {}) => {
    const headers = { ...(type === undefined ? {} : { 'content-type': type }), ...more };
    const answer = await app.inject({ method: 'POST', url, payload, headers });
    assert.match(String(answer.headers['content-type']), /^application\/problem\+json/);
    return [answer.statusCode, answer.json().code];
  };
  const json = 'application/json';
  assert.deepEqual(await post('/related/batch', '{"urls":', json), [400, 'malformed-json']);
  assert.deepEqual(await post('/related/batch', '', json), [400, 'malformed-json']);
  assert.deepEqual(await post('/related/batch', '[]', json), [400, 'invalid-body']);
  assert.deepEqual(await post('/related/batch', 'null', json), [400, 'invalid-body']);
  assert.deepEqual(await post('/related/batch', '{}', json), [400, 'invalid-body']);
  assert.deepEqual(await post('/related/batch', '{"urls":[1]}', json), [400, 'invalid-body']);
  assert.deepEqual(await post('/related/batch', `{"urls":[${'"a",'.repeat(100)}"a"]}`, json), [
    400,
    'invalid-body',
  ]);
  assert.deepEqual(await post('/related/batch', '{"urls":["a"],"cursor":"x"}', json), [400, 'invalid-body']);
  assert.deepEqual(await post('/related/batch', '{"__proto__":{"urls":["a"]}}', json), [400, 'invalid-body']);
  assert.deepEqual(await post('/compare', '{"a":{"__proto__":1,"text":"a"},"b":{"text":"b"}}', json), [
    400,
    'invalid-body',
  ]);
  assert.deepEqual(await post('/related/batch', '<p>', 'text/html'), [415, 'unsupported-media-type']);
  for (const type of ['text/html', 'text/xml']) {
    const url = '/related/batch';
    const refused = await app.inject({
      method: 'POST',
      url,
      payload: '<p>',
      headers: { 'content-type': type },
    });
    assert.match(refused.json().detail, /; this route takes application\/json$/, type);
  }
  assert.deepEqual(await post('/similar', '<p/>', 'text/xml'), [415, 'unsupported-media-type']);
  assert.deepEqual(await post('/similar', 'x', json, { 'content-encoding': 'gzip' }), [
    415,
    'unsupported-media-type',
  ]);
  assert.deepEqual(await post('/related/batch', ' '.repeat(600_000), json), [413, 'body-too-large']);
  assert.deepEqual(await post('/similar', Buffer.alloc(5_000_000, 97), 'text/plain'), [
    413,
    'body-too-large',
  ]);
});

test('a refused media type is answered with those that are taken', async () => {
  const answer = await app.inject({
    method: 'POST',
    url: '/similar',
    payload: 'x',
    headers: { 'content-type': 'image/png' },
  });
  assert.equal(answer.headers['accept-post'], 'application/json, text/html, text/plain');
});

test('pages of other origins may ask, and read the headers they need', async () => {
  const origin = 'https://shop.example';
  const get = await app.inject({ url: pathOf('/related', { url: page }), headers: { origin } });
  assert.equal(get.headers['access-control-allow-origin'], '*');
  for (const name of ['ETag', 'Retry-After', 'X-Request-Id', 'Akin-Sequence', 'Akin-Lost-Shards']) {
    assert.ok(String(get.headers['access-control-expose-headers']).includes(name));
  }
  const asked = {
    origin,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'content-type',
  };
  const preflight = await app.inject({ method: 'OPTIONS', url: '/similar', headers: asked });
  assert.equal(preflight.statusCode, 204);
  for (const [url, methods] of [
    ['/similar', 'POST'],
    ['/related', 'GET, HEAD, QUERY'],
    ['/clusters/abc', 'GET, HEAD, QUERY'],
  ] as const) {
    const answer = await app.inject({ method: 'OPTIONS', url: `${url}?limit=2`, headers: asked });
    assert.equal(answer.headers['access-control-allow-methods'], methods, url);
  }
  const strict = await fixtureApp(indexPath, { corsOrigins: ['https://own.example'] });
  const refused = await strict.inject({ url: pathOf('/related', { url: page }), headers: { origin } });
  assert.equal(refused.headers['access-control-allow-origin'], undefined);
});

test('too many requests are 429 with Retry-After, GET and POST counted apart, probes not at all', async () => {
  const limited = await fixtureApp(indexPath, { rateLimits: { getPerMinute: 3, postPerMinute: 1 } });
  const statuses = async (request: InjectOptions, count: number) => {
    const answers: Response[] = [];
    for (let i = 0; i < count; i++) answers.push(await limited.inject(request));
    return answers;
  };
  const gets = await statuses({ url: pathOf('/related', { url: page }) }, 4);
  assert.deepEqual(
    gets.map(({ statusCode }) => statusCode),
    [200, 200, 200, 429],
  );
  assert.equal(gets[3]!.json().code, 'too-many-requests');
  assert.ok(Number(gets[3]!.headers['retry-after']) > 0);
  const posts = await statuses({ method: 'POST', url: '/similar', payload: { text: 'a' } }, 2);
  assert.deepEqual(
    posts.map(({ statusCode }) => statusCode),
    [200, 429],
  );
  const probes = await statuses({ url: '/livez' }, 10);
  assert.ok(probes.every(({ statusCode }) => statusCode === 200));
});

test('addresses of one IPv6 network of 64 bits are counted as one, IPv4 addresses one by one', async () => {
  const limited = await fixtureApp(indexPath, { rateLimits: { getPerMinute: 2, postPerMinute: 1 } });
  const statusOf = async (remoteAddress: string) =>
    (await limited.inject({ url: pathOf('/related', { url: page }), remoteAddress })).statusCode;
  assert.equal(await statusOf('2001:db8:0:1::1'), 200);
  assert.equal(await statusOf('2001:db8:0:1:ffff:ffff:ffff:ffff'), 200);
  assert.equal(await statusOf('2001:db8:0:1:abcd::'), 429);
  assert.equal(await statusOf('2001:db8:0:2::1'), 200, 'the network beside it');
  assert.equal(await statusOf('192.0.2.1'), 200);
  assert.equal(await statusOf('::ffff:192.0.2.1'), 200, 'as a socket of both families names it');
  assert.equal(await statusOf('::ffff:192.0.2.1'), 429);
  assert.equal(await statusOf('::ffff:192.0.2.2'), 200);
});

test('a failure inside says nothing of its cause', async () => {
  const failing = await fixtureApp(indexPath, {
    extend: (scope) => {
      scope.get('/fails', () => {
        throw new Error(`secret at ${indexPath}`);
      });
    },
  });
  const answer = await failing.inject('/fails');
  assert.deepEqual([answer.statusCode, answer.json().code], [500, 'internal']);
  assert.ok(!answer.body.includes('secret') && !answer.body.includes(indexPath));
});

test('a request keeps the id it came with, if that is a sane one', async () => {
  const id = async (given: string) =>
    (await app.inject({ url: '/livez', headers: { 'x-request-id': given } })).headers['x-request-id'];
  assert.equal(await id('abc-1'), 'abc-1');
  assert.match(String(await id('a b')), /^[0-9a-f-]{36}$/);
});

test('probes, metrics and documentation are there', async () => {
  assert.deepEqual((await ask('/livez')).body, { status: 'alive' });
  const ready = await ask('/readyz');
  assert.deepEqual([ready.status, ready.body.status], [200, 'ready']);
  await ask('/related', { url: page });
  const metrics = (await ask('/metrics')).text;
  assert.match(
    metrics,
    /akin_http_request_duration_seconds_count\{method="GET",route="\/related",status="2xx"\} \d/,
  );
  assert.match(metrics, new RegExp(`akin_index_info\\{generation="${ready.body.generation}"`));
  assert.match(metrics, new RegExp(`akin_index_pages ${ready.body.page_count}`));
  const docs = await app.inject('/docs');
  assert.equal(docs.statusCode, 200);
  const policy = String(docs.headers['content-security-policy']);
  assert.match(policy, /default-src 'none'/);
  assert.doesNotMatch(policy, /upgrade-insecure-requests/, 'the page is shown over plain HTTP too');
  assert.doesNotMatch(docs.body, /favicon/);
});
