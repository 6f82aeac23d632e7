/** The service under a path of a host, behind a proxy that passes the path on and behind one that takes it off. */
import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { addExplorer } from '../../src/explorer/explorer.ts';
import type { AppOptions } from '../../src/service/app.ts';
import { asker, fixtureApp, fixtureIndex, pathOf } from './fixture-app.ts';
import { GARDEN, MOVED, TWIN } from './fixture-index.ts';
import { LIMITS, refused } from './routes/writable.ts';

const indexPath = await fixtureIndex();
const root = asker(await fixtureApp(indexPath));
const related = (query = {}) => pathOf('/related', { url: `${GARDEN}1`, ...query });

async function listening(options: Partial<AppOptions>): Promise<string> {
  const app = await fixtureApp(indexPath, options);
  return app.listen({ port: 0, host: '127.0.0.1' });
}

/** Takes `prefix` off, as `location /tools/ { proxy_pass http://service/; }` does. */
async function strippingProxy(target: string, prefix: string): Promise<string> {
  const proxy = createServer((request, response) => {
    const headers = { ...request.headers, 'x-forwarded-for': '192.0.2.7', 'x-forwarded-prefix': prefix };
    const path = request.url!.slice(prefix.length);
    const onward = send(`${target}${path}`, { method: request.method!, headers }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    request.pipe(onward);
  });
  after(() => proxy.close());
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}${prefix}`;
}

/** All that a browser needs of the documentation is where its page says. */
async function assertDocumentation(address: string, base: string): Promise<void> {
  const { origin } = new URL(address);
  const start = await fetch(`${address}/`, { redirect: 'manual' });
  assert.equal(start.headers.get('location'), `${base}/docs`);
  const page = await (await fetch(`${origin}${start.headers.get('location')}`)).text();
  const links = [...page.matchAll(/(?:href|src)="(?!data:|#)([^"]+)"/g)].map(([, path]) => path!);
  assert.ok(links.length > 30);
  for (const path of links.slice(0, 5)) {
    const answer = await fetch(`${origin}${path}`);
    assert.equal(answer.status, 200, path);
    assert.ok(path.startsWith(`${base}/`));
    assert.ok((await answer.text()).includes(base), path);
  }
  const document = (await (await fetch(`${address}/openapi.json`)).json()) as { servers: { url: string }[] };
  assert.deepEqual(document.servers, [{ url: base }]);
}

async function problemOf(url: string, init: RequestInit = {}) {
  const answer = await fetch(url, init);
  const { instance, detail } = (await answer.json()) as { instance: string; detail: string };
  return { status: answer.status, instance, detail };
}

test('everything is under the base path, and nothing beside it', async () => {
  const origin = await listening({ basePath: '/tools/akin' });
  const address = `${origin}/tools/akin`;
  for (const path of [related(), related({ limit: 3 }), '/index', '/readyz', pathOf('/page', { url: MOVED })])
    assert.equal((await fetch(`${address}${path}`)).status, 200, path);
  // The short way and the framework's.
  for (const headers of [{}, { 'if-none-match': '"none"' }]) {
    const answer = await fetch(`${address}${related()}`, { headers });
    assert.equal(await answer.text(), (await root(related())).text);
  }
  const post = {
    method: 'POST',
    body: JSON.stringify({ url: TWIN }),
    headers: { 'content-type': 'application/json' },
  };
  assert.equal((await fetch(`${address}/similar`, post)).status, 200);
  for (const path of [
    related(),
    '/',
    '/docs',
    `/tools/akinx${related()}`,
    '/tools',
    `/x/tools/akin${related()}`,
  ])
    assert.equal((await fetch(`${origin}${path}`)).status, 404, path);
  await assertDocumentation(address, '/tools/akin');
  assert.equal((await fetch(address, { redirect: 'manual' })).headers.get('location'), '/tools/akin/docs');
});

test('the pages for people and the components are under it too', async () => {
  const address = `${await listening({ basePath: '/akin', extend: addExplorer })}/akin`;
  const pages = [
    '/',
    pathOf('/explore/page', { url: `${GARDEN}1` }),
    '/explore/topics',
    '/explore/search?q=rose',
  ];
  for (const path of pages) {
    const answer = await fetch(`${address}${path}`);
    const html = await answer.text();
    assert.equal(answer.status, 200, path);
    const links = [...html.matchAll(/(?:href|src|action)="(\/[^"]*)"/g)].map(([, link]) => link!);
    assert.ok(links.length > 3 && links.every((link) => link.startsWith('/akin/')), `${path}: ${links}`);
    for (const link of links.filter((one) => /\.(css|js)$/.test(one)))
      assert.equal((await fetch(new URL(link, address))).status, 200, link);
  }
  assert.equal((await fetch(`${address}/embed.js`)).status, 200);
  for (const name of ['embed', 'akin-search']) {
    const { path } = (await (await fetch(`${address}/${name}.json`)).json()) as { path: string };
    assert.equal(
      (await fetch(new URL(path, address))).headers.get('content-type'),
      'text/javascript; charset=utf-8',
    );
  }
});

test('a target in absolute form is that of its path', async () => {
  for (const basePath of ['', '/akin']) {
    const { port } = new URL(await listening({ basePath }));
    const statusOf = async (path: string) => {
      const asked = send({ host: '127.0.0.1', port, path, headers: { host: 'other.example' } });
      const answer = new Promise<IncomingMessage>((resolve) => asked.on('response', resolve));
      asked.end();
      const { statusCode, headers } = (await answer).resume();
      return [statusCode, headers['location']];
    };
    for (const origin of ['http://127.0.0.1', 'HTTPS://a.example:80', `http://u@[::1]:${port}`]) {
      assert.deepEqual(await statusOf(`${origin}${basePath}${related()}`), [200, undefined], origin);
      assert.deepEqual(await statusOf(`${origin}${basePath}/`), [302, `${basePath}/docs`]);
      assert.deepEqual(await statusOf(`${origin}/nowhere`), [404, undefined]);
    }
  }
});

test('a fold is asked for where its Location says', async () => {
  const live = { ...LIMITS, run: refused };
  const origin = await listening({ indexPath: await fixtureIndex(), basePath: '/akin', live });
  const begun = await fetch(`${origin}/akin/pages/fold`, { method: 'POST' });
  const location = String(begun.headers.get('location'));
  const { id } = (await begun.json()) as { id: string };
  assert.equal(((await (await fetch(new URL(location, origin))).json()) as { id: string }).id, id);
});

test('problems name the address that was asked', async () => {
  const origin = await listening({ basePath: '/akin' });
  const missing = await problemOf(`${origin}/akin/related`);
  assert.deepEqual([missing.status, missing.instance], [400, '/akin/related']);
  const unknown = await problemOf(`${origin}/akin/nowhere?a=b`);
  assert.deepEqual([unknown.status, unknown.instance], [404, '/akin/nowhere?a=b']);
  assert.match(unknown.detail, /^\/akin\/nowhere is not a path of this service; \/akin\/docs lists them$/);
  const beside = await problemOf(`${origin}/related`);
  assert.deepEqual([beside.status, beside.instance], [404, '/related']);
  const method = await problemOf(`${origin}/akin/related`, { method: 'DELETE' });
  assert.deepEqual([method.status, method.detail.split(' ')[0]], [405, '/akin/related']);
});

test('a prefix that a trusted proxy took off begins every link, that of anybody else none', async () => {
  const trusted = await strippingProxy(await listening({ trustProxy: '127.0.0.1' }), '/tools');
  await assertDocumentation(trusted, '/tools');
  assert.equal((await problemOf(`${trusted}/related`)).instance, '/tools/related');
  const nested = await strippingProxy(
    await listening({ trustProxy: '127.0.0.1', basePath: '/akin' }),
    '/tools',
  );
  await assertDocumentation(`${nested}/akin`, '/tools/akin');
  const distrusted = await strippingProxy(await listening({}), '/tools');
  const start = await fetch(`${distrusted}/`, { redirect: 'manual' });
  assert.equal(start.headers.get('location'), '/docs');
});

test('a forwarded prefix that is no path is as none', async () => {
  const origin = await listening({ trustProxy: true });
  for (const prefix of [
    '//evil.example',
    'https://evil.example',
    '/..',
    '/a b',
    '/"><script>',
    `/${'a'.repeat(300)}`,
  ]) {
    const headers = { 'x-forwarded-for': '192.0.2.7', 'x-forwarded-prefix': prefix };
    const answer = await fetch(`${origin}/`, { redirect: 'manual', headers });
    assert.equal(answer.headers.get('location'), '/docs', prefix);
  }
});
