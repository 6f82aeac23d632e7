/** What a hostile caller tries with keys: over sockets of its own, against a server that takes pages and rules. */
import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import { after, type TestContext, test } from 'node:test';
import { pino } from 'pino';
import { KeyRing, newKey, readKeys } from '../../src/service/keys/key-ring.ts';
import { buildPages } from '../indexer/build.ts';
import { type TestPage, villagePages } from '../indexer/pages.ts';
import { type Body, fixtureApp, pathOf } from './fixture-app.ts';
import { exchange } from './raw-client.ts';

const MARKER = 'zebrafinch';
const isOther = (i: number) => i % 2 === 1;
const PAGES: readonly TestPage[] = villagePages(20).map((page, i) => ({
  ...page,
  ...(isOther(i) && { url: page.url.replace(/\/([^/]*)$/, `/${MARKER}-$1`) }),
  fields: { tenant: isOther(i) ? 'zeta' : 'acme' },
}));
const [own, , next] = PAGES.map(({ url }) => url) as [string, string, string];
const other = PAGES[1]!.url;

const made = {
  page: newKey({ name: 'page', scope: 'read' }),
  app: newKey({ name: 'app', scope: 'write' }),
  owner: newKey({ name: 'owner', scope: 'operate' }),
  old: newKey({ name: 'old', scope: 'operate', expires: '2020-01-01' }),
  acme: newKey({ name: 'acme', scope: 'read', field: 'tenant=acme' }),
  zeta: newKey({ name: 'zeta', scope: 'read', field: 'tenant=zeta' }),
};
const keys = new KeyRing(
  readKeys(
    Object.values(made)
      .map(({ line }) => line)
      .join('\n'),
    'keys',
  ),
);
let logged = '';
const logger = pino(
  new Writable({
    write(chunk, _encoding, done) {
      logged += chunk;
      done();
    },
  }),
);
// biome-ignore lint/suspicious/noExplicitAny: the test's context stands in for that of the file
const { target } = await buildPages({ after } as any as TestContext, PAGES, { copies: true, search: true });
const live = { maxPending: 100, maxPendingBytes: 2 ** 22, share: 9, waitMs: 1e9, run: async () => false };
const app = await fixtureApp(target, { keys, live, logger, logRequests: true });
await app.listen({ port: 0, host: '127.0.0.1' });
const { port } = app.server.address() as AddressInfo;

/** One request in the bytes that are given. */
async function sent(
  line: string,
  headers: readonly string[] = [],
  body = '',
): Promise<{ status: number; text: string }> {
  const length =
    body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`, 'Content-Type: application/json'];
  const head = [`${line} HTTP/1.1`, 'Host: akin.example', 'Connection: close', ...length, ...headers].join(
    '\r\n',
  );
  const answer = await exchange(port, [Buffer.from(`${head}\r\n\r\n${body}`, 'latin1')]);
  return { status: answer?.status ?? 0, text: answer?.body ?? '' };
}

const bearer = (name: keyof typeof made) => `Authorization: Bearer ${made[name].key}`;
const page = pathOf('/page', { url: own });

test('no other form of a key is the key', async () => {
  const { key, line } = made.owner;
  const flipped = key.replace(/[a-z]/g, (letter) => letter.toUpperCase());
  const forms = [
    ...[
      key.slice(1),
      key.slice(0, -1),
      `${key}=`,
      `${key}.`,
      `${key},`,
      `"${key}"`,
      `<${key}>`,
      key.repeat(2),
      key.slice(0, 20),
    ],
    ...[
      flipped,
      key.toLowerCase(),
      key.replace('_', '%5F'),
      encodeURIComponent(key).replace(/a/, '%61'),
      'akin_',
      'akin_*',
      '*',
      'null',
    ],
    ...[
      Buffer.from(key).toString('base64'),
      Buffer.from(key).toString('hex'),
      Buffer.from(`owner:${key}`).toString('base64'),
    ],
    ...[
      JSON.parse(line).sha256,
      JSON.parse(line).sha256.toUpperCase(),
      Buffer.from(JSON.parse(line).sha256, 'hex').toString('base64url'),
    ],
    ...[
      `${key}\t${made.app.key}`,
      `${made.app.key.slice(0, -4)}${key.slice(-4)}`,
      `${key}\u00a0`,
      `\u00ef\u00bb\u00bf${key}`,
      made.old.key,
      'owner',
      "' OR 1=1 --",
    ],
  ];
  for (const form of forms) {
    for (const path of [page, '/metrics', '/rules']) {
      const { status, text } = await sent(`GET ${path}`, [`Authorization: Bearer ${form}`]);
      assert.ok(status === 401 || status === 400, `${form}: ${status}`);
      assert.ok(!text.includes(key) && !text.includes(MARKER));
    }
  }
  for (const scheme of ['bearer', 'BEARER'])
    assert.equal((await sent(`GET ${page}`, [`Authorization: ${scheme} ${key}`])).status, 200);
  for (const scheme of ['Basic', 'Token', 'Bearer:', 'Bearer,', 'Negotiate Bearer', 'Digest']) {
    assert.equal((await sent(`GET ${page}`, [`Authorization: ${scheme} ${key}`])).status, 401, scheme);
  }
});

test('of several Authorization headers none counts, and no other place holds a key', async () => {
  const both = ['Authorization: Bearer x', bearer('owner')];
  for (const headers of [
    both,
    both.toReversed(),
    [bearer('owner'), bearer('owner')],
    [bearer('page'), 'authorization: Basic x', bearer('app')],
  ]) {
    assert.equal((await sent(`GET ${page}`, headers)).status, 401, headers.join());
  }
  const { key } = made.owner;
  for (const header of [
    'Proxy-Authorization: Bearer',
    'X-Authorization: Bearer',
    'X-Api-Key:',
    'Cookie: authorization=Bearer',
    'X-Forwarded-Authorization: Bearer',
  ]) {
    assert.equal((await sent(`GET ${page}`, [`${header} ${key}`])).status, 401, header);
  }
  logged = '';
  for (const name of ['key', 'access_token', 'authorization', 'api_key', 'token']) {
    assert.equal((await sent(`GET ${page}&${name}=${key}`)).status, 401, name);
    const { status } = await sent(`GET ${page}&${name}=${key}`, [bearer('app')]);
    assert.equal(status, 400, name);
  }
  assert.ok(logged.includes('/page') && !logged.includes(key), 'a key in an address is not logged');
});

test('no path but its own opens a route, and no method stands for another', async () => {
  const query = `?url=${encodeURIComponent(own)}`;
  const paths = [
    ...[
      '//page',
      '/./page',
      '/page/',
      '/page.',
      '/page%2e',
      '/%70age',
      '/PAGE',
      '/page;x=1',
      '/page%00',
      '/page%20',
      '/page/.',
      '/page/..;/page',
    ],
    ...[
      '/related/../page',
      '/related/%2e%2e/page',
      '/related%2f..%2fpage',
      '/livez/../page',
      '/embed.js/../page',
      '/..%2fpage',
      '/%2e/page',
      '\\page',
    ],
    ...[
      'http://akin.example/page',
      'http://akin.example//page',
      '/page?#',
      '/livez#/page',
      '*',
      '/explore/../page',
      '/docs/../page',
    ],
  ];
  for (const path of paths) {
    for (const headers of [
      [],
      [bearer('page')],
      ['X-Original-URL: /livez'],
      ['X-Rewrite-URL: /livez', 'X-Forwarded-Prefix: /livez'],
    ]) {
      const { status, text } = await sent(`GET ${path}${query}`, headers);
      assert.ok(
        status >= 400 || status === 301 || status === 302 || text === '',
        `${path} ${headers}: ${status}`,
      );
      assert.ok(!text.includes('"terms"'), path);
    }
  }
  const rule = JSON.stringify({ rules: [{ block: ['village0.example'] }] });
  const record = JSON.stringify({ text: 'put by a stranger' });
  const target = pathOf('/pages', { url: `${own}-new` });
  for (const override of ['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override', '_method']) {
    for (const [path, body, method] of [
      ['/rules', rule, 'PUT'],
      ['/rules', '', 'DELETE'],
      [target, record, 'PUT'],
    ] as const) {
      for (const line of [`GET ${path}`, `POST ${path}`]) {
        for (const headers of [[], [bearer('page')]])
          await sent(line, [`${override}: ${method}`, ...headers], body);
        assert.ok(
          (await sent(`${line}${path.includes('?') ? '&' : '?'}_method=${method}`, [bearer('page')], body))
            .status >= 400,
        );
      }
    }
  }
  for (const method of [
    'HEAD',
    'QUERY',
    'TRACE',
    'PATCH',
    'PROPFIND',
    'CONNECT',
    'put',
    'PUT',
    'DELETE',
    'POST',
  ]) {
    for (const path of ['/rules', target, '/pages/fold', '/page', '/metrics']) {
      const { status, text } = await sent(
        `${method} ${path}`,
        [bearer('page')],
        method === 'HEAD' ? '' : rule,
      );
      assert.ok(status >= 400 || status === 0, `${method} ${path}: ${status}`);
      assert.ok(!text.includes('"pages"'));
    }
  }
  const allowed = await sent('OPTIONS /rules', [
    'Origin: https://evil.example',
    'Access-Control-Request-Method: PUT',
  ]);
  assert.ok(allowed.text === '' && allowed.status < 300, 'asks whether it may ask');
  assert.deepEqual(JSON.parse((await sent('GET /rules', [bearer('owner')])).text).rules, []);
  assert.equal(JSON.parse((await sent('GET /pages/pending', [bearer('owner')])).text).count, 0);
});

test('a tenant stays within its pages, whatever the question, the body or the cursor says', async () => {
  const urlsOf = (text: string) => (JSON.parse(text) as Body).related.map(({ url }: Body) => url) as string[];
  const isOwn = (text: string) => urlsOf(text).every((url) => !url.includes(MARKER));
  const asked = (
    query: Record<string, string | number | readonly string[]>,
    name: keyof typeof made = 'acme',
  ) => sent(`GET ${pathOf('/related', { url: own, ...query })}`, [bearer(name)]);
  for (const within of [
    ['tenant=zeta'],
    ['tenant=acme', 'tenant=zeta'],
    ['tenant=acme,zeta'],
    [''],
    ['tenant=acme\\'],
    ['TENANT=zeta'],
    ['other=x'],
  ]) {
    assert.equal((await asked({ within })).status, 403, String(within));
  }
  for (const query of [
    { field: 'tenant=zeta' },
    { 'field.tenant': 'zeta' },
    { fallback: 'recent', limit: 100 },
    { fallback: 'site', limit: 100, by: 'cocitation' },
  ]) {
    const { status, text } = await asked(query);
    assert.ok(status === 200 && isOwn(text), JSON.stringify(query));
  }
  const unknown = await asked({ url: `${own}-none`, missing: '200', fallback: 'site', limit: 100 });
  assert.ok(urlsOf(unknown.text).length > 5 && isOwn(unknown.text));
  // A cursor belongs to the question, with what the key adds to it.
  const all = JSON.parse((await asked({ limit: 2 }, 'owner')).text).next as string;
  const theirs = JSON.parse(
    (await sent(`GET ${pathOf('/related', { url: other, limit: 2 })}`, [bearer('zeta')])).text,
  ).next as string;
  const mine = JSON.parse((await asked({ limit: 2 })).text).next as string;
  for (const cursor of [all, theirs, mine.slice(0, -1), mine.toUpperCase()]) {
    assert.equal((await asked({ limit: 2, cursor })).status, 400, cursor);
  }
  for (const cursor of [mine, `${mine}0`]) assert.ok(isOwn((await asked({ limit: 2, cursor })).text));
  const bodies = [
    `{"urls":["${own}"],"within":"tenant=zeta"}`,
    `{"urls":["${own}"],"within":"tenant=acme","within":"tenant=zeta"}`,
    `{"urls":["${own}"],"within":["tenant=acme","tenant=zeta"]}`,
    `{"urls":["${own}"],"__proto__":{"within":"tenant=zeta"},"limit":100}`,
    `{"urls":["${own}"],"constructor":{"prototype":{"within":"tenant=zeta"}}}`,
    `{"urls":["${own}"],"within":null,"limit":100}`,
    `{"urls":["${own}","${other}","${next}"],"limit":100,"field":["tenant=zeta"]}`,
    `{"urls":["${own}"],"limit":100,"fallback":"recent","exclude_copies":true}`,
    `[{"urls":["${own}"]}]`,
  ];
  for (const body of bodies) {
    const { status, text } = await sent('POST /related/batch', [bearer('acme')], body);
    const listed =
      status === 200 ? (JSON.parse(text) as Body).results.filter(({ related }: Body) => related) : [];
    assert.ok(status === 200 || status === 400 || status === 403, `${body}: ${status}`);
    for (const { related } of listed)
      assert.ok(
        related.every(({ url }: Body) => !url.includes(MARKER)),
        body,
      );
  }
});

test('what is measured and written down has no key', async () => {
  const { text } = await sent('GET /metrics', [bearer('owner')]);
  assert.ok(text.includes('akin_index_pages'));
  for (const said of [text, logged])
    for (const { key, line } of Object.values(made))
      assert.ok(!said.includes(key) && !said.includes(JSON.parse(line).sha256));
});
