/** Who may ask what, with which key; and what a hostile caller learns. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { pino } from 'pino';
import { KeyRing, newKey, readKeys, settingKey } from '../../src/service/keys/key-ring.ts';
import { type Body, fixtureApp, fixtureIndex, pathOf } from './fixture-app.ts';
import {
  BAKERY,
  buildFixture,
  fixturePages,
  GARDEN,
  HERBARIUM,
  TWIN,
  temporaryFolder,
} from './fixture-index.ts';

const made = {
  page: newKey({ name: 'page', scope: 'read' }),
  app: newKey({ name: 'app', scope: 'write' }),
  owner: newKey({ name: 'owner', scope: 'operate' }),
  old: newKey({ name: 'old', scope: 'operate', expires: '2020-01-01' }),
  garden: newKey({ name: 'garden', scope: 'read', site: 'garden.example' }),
  suffix: newKey({ name: 'suffix', scope: 'read', site: 'example' }),
};
const fileOf = (names: readonly (keyof typeof made)[]) =>
  ['# who asks', '', ...names.map((name) => made[name].line)].join('\n');
const ring = new KeyRing(readKeys(fileOf(['page', 'app', 'owner', 'old', 'garden', 'suffix']), 'keys'));
let logged = '';
const logger = pino(
  new Writable({
    write(chunk, _encoding, done) {
      logged += chunk;
      done();
    },
  }),
);
const indexPath = await fixtureIndex();
const app = await fixtureApp(indexPath, { keys: ring, logger, logRequests: true });
const open = await fixtureApp(indexPath, {
  keys: new KeyRing([settingKey('AKIN_WRITE_KEY', made.app.key, 'write')]),
});

type Name = keyof typeof made;
const bearer = (name: Name) => ({ authorization: `Bearer ${made[name].key}` });

async function asked(url: string, headers = {}, payload?: object, of = app) {
  const answer = await of.inject({ url, headers, ...(payload && { method: 'POST' as const, payload }) });
  const isJson = /^application.(problem.)?json/.test(String(answer.headers['content-type']));
  return {
    status: answer.statusCode,
    headers: answer.headers,
    body: (isJson ? answer.json() : null) as Body,
  };
}

const url = `${GARDEN}0`;
const IN_A_PAGE = [pathOf('/related', { url }), pathOf('/related.html', { url }), '/search?q=rose'];
const QUESTIONS = [
  pathOf('/page', { url }),
  pathOf('/moved', { url }),
  '/clusters',
  '/docs',
  '/openapi.json',
  '/',
];

test('a key that may stand in a page opens what a page shows, and no more', async () => {
  for (const path of IN_A_PAGE) assert.equal((await asked(path, bearer('page'))).status, 200, path);
  assert.equal((await asked('/related/batch', bearer('page'), { urls: [url] })).status, 200);
  for (const path of [...QUESTIONS, '/export/pages', '/metrics']) {
    const { status, body, headers } = await asked(path, bearer('page'));
    assert.deepEqual([status, body.code], [403, 'key-scope'], path);
    assert.match(String(headers['www-authenticate']), /error="insufficient_scope"/);
  }
  assert.equal((await asked('/similar', bearer('page'), { text: 'rose' })).status, 403);
  assert.equal((await asked('/akin/reads', bearer('app'), {})).status, 404);
});

test('each scope opens what those before it open', async () => {
  for (const path of [...IN_A_PAGE, ...QUESTIONS]) {
    assert.ok((await asked(path, bearer('app'))).status < 400, path);
    assert.ok((await asked(path, bearer('owner'))).status < 400, path);
  }
  assert.equal((await asked('/similar', bearer('app'), { text: 'rose' })).status, 200);
  for (const path of ['/export/pages', '/metrics']) {
    assert.equal((await asked(path, bearer('app'))).status, 403, path);
    assert.equal((await asked(path, bearer('owner'))).status, 200, path);
  }
});

test('a key that operates exports from anywhere', async () => {
  const from = { url: '/export/pages', remoteAddress: '10.1.2.3' };
  assert.equal((await app.inject({ ...from, headers: bearer('owner') })).statusCode, 200);
});

test('without a key, with a wrong one or one that has expired: 401, whatever was asked', async () => {
  const WRONG = [
    {},
    { authorization: '' },
    { authorization: made.page.key },
    { authorization: `Basic ${made.page.key}` },
    { authorization: 'Bearer' },
    { authorization: `Bearer ${made.page.key}x` },
    { authorization: `Bearer ${made.page.key.slice(0, -1)}` },
    { authorization: `Bearer ${made.page.key} ${made.app.key}` },
    { authorization: `Bearer ${JSON.parse(made.page.line).sha256}` },
    { authorization: `Bearer ${'x'.repeat(8000)}` },
    { 'x-akin-key': made.owner.key },
    bearer('old'),
  ];
  for (const headers of WRONG) {
    for (const path of [IN_A_PAGE[0]!, QUESTIONS[0]!, '/metrics', `${IN_A_PAGE[0]}&key=${made.page.key}`]) {
      const answer = await asked(path, headers);
      assert.deepEqual([answer.status, answer.body.code], [401, 'key-required'], path);
      assert.match(String(answer.headers['www-authenticate']), /^Bearer realm="akin"/);
      assert.equal(answer.headers['cache-control'], 'no-store');
      assert.ok(!JSON.stringify(answer.body).includes('akin_') || path.includes('akin_'));
    }
  }
  const unread = await app.inject({ method: 'POST', url: '/similar', payload: '{' });
  assert.equal(unread.statusCode, 401, 'before the body is looked at');
  const query = await app.inject({ method: 'QUERY' as 'GET', url: '/related', payload: `url=${url}` });
  assert.equal(query.statusCode, 401);
  assert.equal((await app.inject({ method: 'HEAD', url: IN_A_PAGE[0]! })).statusCode, 401);
});

test('probes, and the script that a page loads, need no key', async () => {
  for (const path of ['/livez', '/readyz', '/embed.js', '/embed.json']) {
    assert.equal((await asked(path)).status, 200, path);
    assert.equal((await asked(path, { authorization: 'Bearer nonsense' })).status, 200, path);
  }
  assert.match(String((await asked('/embed.js')).headers['cache-control']), /^public/);
  assert.equal((await asked('/nowhere')).status, 404);
});

test('a browser of any site asks whether it may send a key, and reads a refusal', async () => {
  const preflight = await app.inject({
    method: 'OPTIONS',
    url: '/related',
    headers: {
      origin: 'https://shop.example',
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'authorization',
    },
  });
  assert.equal(preflight.statusCode, 204);
  assert.match(String(preflight.headers['access-control-allow-headers']), /authorization/i);
  const { headers } = await asked(IN_A_PAGE[0]!, { origin: 'https://shop.example' });
  assert.equal(headers['access-control-allow-origin'], '*');
});

test('no shared cache may give an answer to a caller without a key', async () => {
  const { headers } = await asked(IN_A_PAGE[0]!, bearer('page'));
  assert.match(String(headers['cache-control']), /^private, max-age=60/);
  assert.match(String(headers['vary']), /Authorization/);
  const again = await asked(IN_A_PAGE[0]!, { ...bearer('page'), 'if-none-match': String(headers['etag']) });
  assert.equal(again.status, 304);
  assert.equal((await asked(IN_A_PAGE[0]!, { 'if-none-match': String(headers['etag']) })).status, 401);
});

test('a key of one site is answered with its pages alone', async () => {
  const { body } = await asked(pathOf('/related', { url, limit: 100, fetched: 'include' }), bearer('garden'));
  const all = await asked(pathOf('/related', { url, limit: 100 }), bearer('page'));
  assert.ok(all.body.related.some((page: Body) => page.url === HERBARIUM));
  assert.ok(body.related.length > 5);
  assert.ok(body.related.every((page: Body) => page.url.startsWith('https://garden.example/')));
  const { body: found } = await asked('/search?q=bread', bearer('garden'));
  assert.equal(found.total, 0);
  const { body: roses } = await asked('/search?q=rose+site:herbarium.example', bearer('garden'));
  assert.ok(roses.results.every((page: Body) => page.url.startsWith('https://garden.example/')));
  const batch = await asked('/related/batch', bearer('garden'), { urls: [url], limit: 100 });
  assert.deepEqual(
    batch.body.results[0].related.map((page: Body) => page.url),
    body.related.map((page: Body) => page.url),
  );
  const explained = await asked(pathOf('/related', { url, explain: true }), bearer('garden'));
  assert.equal(explained.body.related[0].why, undefined);
});

test('it asks about no page of another site, in whatever way', async () => {
  const key = bearer('garden');
  const other = [
    `${BAKERY}0`,
    HERBARIUM,
    TWIN,
    'https://garden.example.evil.example/',
    'HTTPS://BAKERY.example/x',
  ];
  for (const page of other) {
    assert.equal((await asked(pathOf('/related', { url: page }), key)).status, 403, page);
    assert.equal((await asked(pathOf('/related.html', { url: page }), key)).status, 403, page);
    assert.equal((await asked('/related/batch', key, { urls: [url, page] })).status, 403, page);
  }
  for (const path of [
    pathOf('/related', { url, site: 'bakery.example' }),
    pathOf('/related', { url, site: ['garden.example', 'bakery.example'] }),
    '/search?q=bread&site=bakery.example',
    '/search?q=bread&site=example',
    pathOf('/search', { q: 'bread', site: 'garden.example site:bakery.example' }),
    pathOf('/search', { q: 'bread', site: 'garden.example/ site:bakery.example' }),
    pathOf('/related', { url: [`${BAKERY}0`, url] }),
  ]) {
    assert.equal((await asked(path, key)).status, 403, path);
  }
  const query = (payload: string, address = '/related') =>
    app.inject({
      method: 'QUERY' as 'GET',
      url: address,
      headers: { ...key, 'content-type': 'application/x-www-form-urlencoded' },
      payload,
    });
  assert.equal((await query(`url=${encodeURIComponent(HERBARIUM)}`)).statusCode, 403);
  assert.equal((await query('', pathOf('/related', { url: HERBARIUM }))).statusCode, 403);
  assert.equal((await query(`url=${encodeURIComponent(url)}&site=bakery.example`)).statusCode, 403);
  assert.equal((await query(`url=${encodeURIComponent(url)}`)).statusCode, 200);
  assert.equal((await asked('/search?q=rose&site=garden.example', key)).status, 200);
});

test('a key of a host that sites end with is for none of these', async () => {
  const key = bearer('suffix');
  for (const path of ['/search?q=bread&site=bakery.example', pathOf('/related', { url: `${BAKERY}0` })])
    assert.equal((await asked(path, key)).status, 403, path);
  for (const path of ['/search?q=bread', '/search?q=bread&site=example'])
    assert.deepEqual((await asked(path, key)).body.results, [], path);
});

test('a log has the name of a key, never the key', async () => {
  logged = '';
  await asked(IN_A_PAGE[0]!, bearer('page'));
  await asked(IN_A_PAGE[0]!, { authorization: `Bearer ${made.app.key}x` });
  assert.match(logged, /"key":"page"/);
  assert.doesNotMatch(logged, /akin_/);
});

test('with keys for writers alone, anyone asks; a wrong key is no key for anyone', async () => {
  for (const path of [...IN_A_PAGE, QUESTIONS[0]!]) {
    const { status, headers } = await asked(path, {}, undefined, open);
    assert.equal(status, 200, path);
    assert.match(String(headers['cache-control']), /^public/);
  }
  assert.equal((await asked(IN_A_PAGE[0]!, { authorization: 'Bearer x' }, undefined, open)).status, 401);
  assert.equal((await asked(IN_A_PAGE[0]!, { authorization: 'Basic x' }, undefined, open)).status, 200);
});

test('a line that is none is refused by its number, and not repeated', () => {
  const line = JSON.parse(made.page.line);
  for (const bad of [
    'akin_secret',
    '[]x',
    'null',
    JSON.stringify({ ...line, scope: 'admin' }),
    JSON.stringify({ ...line, sha256: 'AB' }),
    JSON.stringify({ ...line, name: 'a b' }),
    JSON.stringify({ ...line, expires: 'soon' }),
    JSON.stringify({ ...line, expires: '2030-02-30' }),
    JSON.stringify({ ...line, site: 'https://x.example/' }),
    JSON.stringify({ ...line, site: 'www.x.example' }),
    JSON.stringify({ ...line, secret: 'akin_secret' }),
  ]) {
    assert.throws(
      () => readKeys(`${made.app.line}\n${bad}`, 'keys'),
      ({ code, message }: Body) =>
        code === 'AKIN_ERR_CONFIG' &&
        message.startsWith('keys, line 2: ') &&
        !message.includes('akin_secret'),
      bad,
    );
  }
  assert.throws(() => settingKey('AKIN_READ_KEY', 'short', 'read'), { code: 'AKIN_ERR_CONFIG' });
});

test('with a key of one site no word is named that only pages of other sites have', async () => {
  const corrected = async (name: Name, q: string) => {
    const { status, body } = await asked(pathOf('/search', { q }), bearer(name));
    return [status, body.corrected, body.total > 0];
  };
  const word = { word: 'sourdoufh', instead: 'sourdough' };
  assert.deepEqual(await corrected('page', 'sourdoufh '), [200, [word], true]);
  assert.deepEqual(await corrected('garden', 'sourdoufh '), [200, [], false]);
  assert.deepEqual(await corrected('garden', 'sourdoufh site:bakery.example'), [200, [], false]);
  const own = { word: 'trelliz', instead: 'trellis' };
  assert.deepEqual(await corrected('garden', 'trelliz '), [200, [own], true]);
  assert.equal((await asked('/search/suggest?q=sourd', bearer('garden'))).status, 403);
});

test('a key of one site deletes no URL of another that leads to its page', async (t) => {
  const target = join(temporaryFolder(t), 'led.akin');
  const html = `<link rel="canonical" href="${GARDEN}0"><p>When to prune a rose, and how far back.`;
  const leading = [`${GARDEN}also`, 'https://herbarium.example/also'].map((url) => ({ url, html }));
  await buildFixture(target, [...fixturePages(), ...leading]);
  const live = { maxPending: 9, maxPendingBytes: 2 ** 20, share: 2, waitMs: 1e9, run: async () => false };
  const gardener = newKey({ name: 'gardener', scope: 'write', site: 'garden.example' });
  const keys = new KeyRing(readKeys(gardener.line, 'keys'));
  const written = await fixtureApp(target, { live, keys });
  const headers = { authorization: `Bearer ${gardener.key}` };
  const deleted = await written.inject({ method: 'DELETE', url: pathOf('/pages', { url }), headers });
  assert.equal(deleted.json().state, 'deleted');
  const { headers: said } = await written.inject({ url: '/index', headers });
  assert.equal(said['akin-sequence'], '2', 'the page, and the URL of its site');
});
