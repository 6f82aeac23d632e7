/** Pages that are handed over: kept when it is said, in the index after a fold, and none lost between. */
import assert from 'node:assert/strict';
import { request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { KeyRing, newKey, readKeys } from '../../../src/service/keys/key-ring.ts';
import { unknownFault } from '../../../src/sources/jsonl.ts';
import { PageJournal } from '../../../src/store/journal/page-journal.ts';
import { type Body, fixtureApp, fixtureIndex, pathOf } from '../fixture-app.ts';
import { BAKERY, GARDEN, MOVED } from '../fixture-index.ts';

import { LIMITS, lines, NDJSON, NEW, refused, writable } from './writable.ts';

test('a page is added, changed, unchanged or older, with a number that grows', async () => {
  const { put, ask } = await writable();
  const states: unknown[] = [];
  for (const record of [
    { text: 'one rose', fetched_at: '2026-03-01' },
    { text: 'one rose', fetched_at: '2026-03-01' },
    { text: 'one rose', fetched_at: '2026-03-02' },
    { text: 'one rose', links: [BAKERY], fetched_at: '2026-03-03' },
    { text: 'two roses', fetched_at: '2026-03-04' },
    { text: 'no rose', fetched_at: '2026-03-03' },
    { text: 'three roses' },
  ]) {
    const { status, body, headers } = await put(NEW, record);
    states.push([status, body.state, body.sequence]);
    assert.equal(headers['akin-sequence'], String(body.sequence));
  }
  assert.deepEqual(states, [
    [201, 'added', 1],
    [200, 'unchanged', 1],
    [200, 'unchanged', 2],
    [200, 'unchanged', 3],
    [200, 'changed', 4],
    [200, 'older', 4],
    [200, 'changed', 5],
  ]);
  const { body: pending } = await ask('GET', '/pages/pending');
  assert.deepEqual([pending.count, pending.sequence, pending.folding], [1, 5, null]);
});

test('rules hold for pages that wait, too, and are kept over a start; fields in a head are theirs', async () => {
  const { app, put, ask, indexPath } = await writable();
  await put(NEW, { text: 'flour and water', title: 'New' });
  await put(`${GARDEN}4`, { title: 'Rose', text: 'rose thorn petal cane pruning another rose' });
  const head = '<meta name="akin:kind" content="new"><title>Rose</title>';
  await put(`${GARDEN}5`, { html: `${head}<p>rose thorn petal cane` });
  const { body: said } = await ask('GET', pathOf('/page', { url: `${GARDEN}5` }));
  assert.deepEqual(said.fields, { kind: 'new' });
  const page = `${GARDEN}1`;
  const { status, body } = await ask('PUT', '/rules', {
    rules: [{ url: page, pin: [NEW] }, { block: [`${GARDEN}4`] }],
  });
  assert.deepEqual([status, body.not_indexed], [200, []]);
  const listed = async (of = app) => {
    const { related } = (await of.inject(pathOf('/related', { url: page, limit: 100 }))).json();
    const { related: ofThread } = (
      await of.inject({ method: 'POST', url: '/similar?limit=100', payload: { url: page } })
    ).json();
    assert.deepEqual(ofThread, related);
    return related as { url: string; pinned?: true }[];
  };
  const related = await listed();
  assert.deepEqual([related[0]!.url, related[0]!.pinned], [NEW, true]);
  assert.ok(!related.some(({ url }) => url === `${GARDEN}4`));
  // The next page changes the state; the rules stay.
  await put(`${GARDEN}new2`, { text: 'rose thorn petal', title: 'New' });
  assert.equal((await listed())[0]!.url, NEW);
  await app.close();
  const again = await fixtureApp(indexPath, { live: { ...LIMITS, run: refused } });
  assert.deepEqual((await listed(again))[0], related[0]);
});

test('the state is what the index says of a page that does not wait', async () => {
  const { put, ask } = await writable();
  assert.equal((await put(`${GARDEN}1`, { text: 'another text' })).body.state, 'changed');
  assert.equal((await put(`${GARDEN}2`, { text: 'x', fetched_at: '2025-01-01' })).body.state, 'older');
  const { body: kept } = await ask('POST', '/compare?include_text=true', {
    a: { url: `${GARDEN}3` },
    b: { url: `${GARDEN}3` },
  });
  const same = { title: 'Rose garden lesson "3" <b>', text: kept.a.text };
  assert.equal((await put(`${GARDEN}3`, same)).body.state, 'unchanged');
  // An alias becomes a page of its own.
  assert.equal((await put(MOVED, { text: 'it stands here' })).body.state, 'added');
  const html = await ask('PUT', pathOf('/pages', { url: NEW }), '<title>A</title><p>one rose', {
    'content-type': 'text/html',
  });
  assert.deepEqual([html.status, html.body.state], [201, 'added']);
});

test('what is deleted is deleted once, and may come again', async () => {
  const { ask, put } = await writable();
  const gone = (url: string) => ask('DELETE', pathOf('/pages', { url }));
  assert.deepEqual((await gone(`${GARDEN}4`)).body.state, 'deleted');
  const again = await gone(`${GARDEN}4`);
  assert.deepEqual([again.status, again.body.code], [404, 'page-not-indexed']);
  assert.equal((await put(`${GARDEN}4`, { text: 'back' })).status, 201);
  assert.equal((await gone(`${GARDEN}4`)).body.state, 'deleted');
  assert.equal((await gone(NEW)).status, 404);
});

test('If-None-Match and If-Match ask for the page as it is', async () => {
  const { put } = await writable();
  const first = await put(NEW, { text: 'one rose' }, { 'if-none-match': '*' });
  assert.equal(first.status, 201);
  const tag = String(first.headers['etag']);
  assert.equal((await put(NEW, { text: 'two' }, { 'if-none-match': '*' })).body.code, 'precondition-failed');
  assert.equal((await put(NEW, { text: 'two' }, { 'if-match': '"other"' })).status, 412);
  const second = await put(NEW, { text: 'two' }, { 'if-match': `"other", ${tag}` });
  assert.equal(second.status, 200);
  assert.equal((await put(NEW, { text: 'three' }, { 'if-match': tag })).status, 412);
  assert.equal((await put(NEW, { text: 'three' }, { 'if-match': '*' })).status, 200);
  assert.equal((await put(`${NEW}er`, { text: 'three' }, { 'if-match': '*' })).status, 412);
});

test('of lines only errors are listed; some: 207, all: 400', async () => {
  const { ask } = await writable();
  const some = await ask(
    'POST',
    '/pages',
    lines([
      { url: NEW, text: 'one rose' },
      '',
      'no JSON',
      { url: 'ftp://x/', text: 'x' },
      { url: NEW, html: '<p>two roses' },
      { url: `${GARDEN}5`, status: 410 },
      { url: `${GARDEN}none`, status: 410 },
      { url: `${GARDEN}6`, text: 'x', fetched_at: '2020-01-01' },
      { url: `${GARDEN}6`, status: 301, location: BAKERY },
      { text: 'x' },
    ]),
    NDJSON,
  );
  assert.equal(some.status, 207);
  const { errors, ...counts } = some.body;
  assert.deepEqual(counts, {
    received: 9,
    added: 1,
    changed: 1,
    unchanged: 0,
    older: 1,
    deleted: 1,
    failed: 5,
    stopped: null,
    sequence: 3,
  });
  assert.deepEqual(
    errors.map(({ line, code }: Body) => [line, code]),
    [
      [3, 'malformed-json'],
      [4, 'invalid-body'],
      [7, 'page-not-indexed'],
      [9, 'invalid-body'],
      [10, 'invalid-body'],
    ],
  );
  const none = await ask('POST', '/pages', lines(['x', '', '{}']), NDJSON);
  assert.deepEqual([none.status, none.body.code, none.body.errors.length], [400, 'invalid-body', 2]);
  const all = await ask('POST', '/pages', lines([{ url: NEW, text: 'three roses' }]), NDJSON);
  assert.equal(all.status, 200);
  assert.equal((await ask('POST', '/pages', '', NDJSON)).body.received, 0);
});

test('what cannot be a page is refused, and nothing is kept', async () => {
  const { ask, put } = await writable();
  const at = pathOf('/pages', { url: NEW });
  assert.equal((await put(NEW, { html: '<p>x', url: `${NEW}er` })).body.code, 'invalid-body');
  assert.equal((await put(NEW, { title: 'x' })).status, 400);
  assert.equal((await put(NEW, { text: 'x', status: 410 })).status, 400);
  assert.equal((await put(NEW, { text: 'x', features: { content: { a: 1 } } })).status, 400);
  const dated = await put(NEW, { text: 'x', published_at: 1_767_225_600 });
  assert.deepEqual([dated.status, dated.body.code], [400, 'invalid-body']);
  assert.match(dated.body.detail, /^published_at: expected an ISO date such as .*, got 1767225600$/);
  const large = await put(NEW, { text: 'x'.repeat(5 * 2 ** 20) });
  assert.deepEqual([large.status, large.body.code], [413, 'body-too-large']);
  assert.match(large.body.detail, /5242880 bytes of HTML or text; 1048576 are the most/);
  const unknown = await put(NEW, { text: 'x', field: { price: 1 } });
  assert.deepEqual([unknown.status, unknown.body.code], [400, 'invalid-body']);
  assert.match(unknown.body.detail, /^field: no member of a record; it has url, .*fields/);
  assert.equal((await ask('PUT', at, 'x', { 'content-type': 'image/png' })).status, 415);
  assert.equal((await ask('PUT', at)).status, 400);
  assert.equal((await ask('PUT', '/pages?url=nowhere', { text: 'x' })).status, 400);
  assert.equal((await ask('POST', '/pages', '{}', { 'content-type': 'application/json' })).status, 415);
  assert.equal((await ask('GET', '/pages/pending')).body.count, 0);
});

test('a byte order mark is no part of a line, and CR alone ends none', async () => {
  const { ask } = await writable();
  const marked = await ask('POST', '/pages', `\ufeff${lines([{ url: NEW, text: 'x' }])}`, NDJSON);
  assert.deepEqual([marked.status, marked.body.added], [200, 1]);
  const bare = lines([
    { url: NEW, text: 'y' },
    { url: `${NEW}er`, text: 'z' },
  ]).replaceAll('\n', '\r');
  const { body } = await ask('POST', '/pages', bare, NDJSON);
  assert.match(body.errors[0].detail, /not JSON.*lines end with LF.*CR in it/);
});

test('a DELETE may name a type of the body that it does not have', async () => {
  const { ask, put } = await writable();
  for (const type of ['application/json', 'text/html; charset=utf-8', 'image/png', 'none at all']) {
    await put(NEW, { text: 'roses' });
    const { status, body } = await ask('DELETE', pathOf('/pages', { url: NEW }), undefined, {
      'content-type': type,
    });
    assert.deepEqual([status, body.state], [200, 'deleted'], type);
  }
  const withBody = await ask('DELETE', pathOf('/pages', { url: NEW }), { text: 'x' });
  assert.deepEqual([withBody.status, withBody.body.code], [415, 'unsupported-media-type']);
});

test('of lines, too: bytes that are not UTF-8, unknown members, what is too large', async () => {
  const { ask } = await writable();
  const good = Buffer.from(`{"url":"${NEW}","text":"café"}\n`);
  const some = await ask(
    'POST',
    '/pages',
    Buffer.concat([
      Buffer.from(`{"url":"${NEW}1","text":"caf\xe9"}\n`, 'latin1'),
      Buffer.from(lines([{ url: `${NEW}2`, text: 'x', field: { price: 1 } }])),
      Buffer.from(lines([{ url: `${NEW}3`, text: 'x'.repeat(5 * 2 ** 20) }])),
      Buffer.from(lines([{ url: `${GARDEN}5`, status: 410, reason: 'old' }])),
      good,
    ]),
    NDJSON,
  );
  assert.equal(some.status, 207);
  assert.deepEqual(
    some.body.errors.map(({ line, code, detail }: Body) => [line, code, detail.split(/[:;]/)[0]]),
    [
      [1, 'malformed-json', 'the line is not valid UTF-8'],
      [2, 'invalid-body', 'field'],
      [3, 'body-too-large', 'the page has 5242880 bytes of HTML or text'],
      [4, 'invalid-body', 'reason'],
    ],
  );
  assert.equal(some.body.added, 1);
});

test('a record has the members of the schema, and no others', async () => {
  const { app } = await writable();
  const { paths } = (await app.inject('/openapi.json')).json();
  const schema = paths['/pages'].put.requestBody.content['application/json'].schema;
  const members = unknownFault('field').split('it has ')[1]!.split(', ');
  assert.deepEqual(Object.keys(schema.properties).sort(), members.sort());
  assert.equal(schema.additionalProperties, false);
});

test('beyond the bound pages wait, and those that wait already may change', async () => {
  const { put, ask } = await writable({ maxPending: 2 });
  await put(`${NEW}1`, { text: 'a' });
  await put(`${NEW}2`, { text: 'b' });
  const third = await put(`${NEW}3`, { text: 'c' });
  assert.deepEqual([third.status, third.body.code], [503, 'too-many-pending']);
  assert.ok(Number(third.headers['retry-after']) > 0);
  assert.equal((await put(`${NEW}2`, { text: 'c' })).status, 200);
  const batch = await ask('POST', '/pages', lines([{ url: `${NEW}4`, text: 'd' }]), NDJSON);
  assert.equal(batch.status, 503);
  assert.equal((await ask('GET', '/pages/pending')).body.count, 2);
  assert.equal((await ask('GET', pathOf('/related', { url: `${GARDEN}0` }))).status, 200);
  const { put: putBytes } = await writable({ maxPendingBytes: 1000 });
  assert.equal((await putBytes(NEW, { text: 'x'.repeat(2000) })).status, 503);
});

test('no browser writes without a key; with keys, only one of the scope write does', async () => {
  const { put } = await writable();
  for (const headers of [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'same-origin' },
  ]) {
    assert.equal((await put(NEW, { text: 'x' }, headers)).status, 401);
  }
  const made = {
    write: newKey({ name: 'cms', scope: 'write' }),
    site: newKey({ name: 'garden', scope: 'write', site: 'garden.example' }),
    read: newKey({ name: 'page', scope: 'read' }),
  };
  for (const names of [
    ['write', 'site'],
    ['write', 'site', 'read'],
  ] as const) {
    const keys = new KeyRing(readKeys(names.map((name) => made[name].line).join('\n'), 'keys'));
    const { put: putKeyed, ask } = await writable({}, { keys });
    const bearer = (name: keyof typeof made) => ({ authorization: `Bearer ${made[name].key}` });
    assert.equal((await putKeyed(NEW, { text: 'x' })).status, 401);
    assert.equal((await putKeyed(NEW, { text: 'x' }, { authorization: 'Bearer x' })).status, 401);
    assert.equal((await putKeyed(NEW, { text: 'x' }, bearer('write'))).status, 201);
    assert.equal((await putKeyed(`${NEW}er`, { text: 'x' }, bearer('site'))).status, 201);
    assert.equal((await putKeyed(`${BAKERY}0`, { text: 'x' }, bearer('site'))).status, 403);
    assert.equal(
      (await ask('DELETE', pathOf('/pages', { url: `${BAKERY}0` }), undefined, bearer('site'))).status,
      403,
    );
    assert.equal(
      (
        await ask('POST', '/pages', lines([{ url: `${BAKERY}0`, text: 'x' }]), {
          ...NDJSON,
          ...bearer('site'),
        })
      ).status,
      403,
    );
    if (names.length === 3) assert.equal((await putKeyed(NEW, { text: 'x' }, bearer('read'))).status, 403);
  }
});

test('a service that takes none says so', async () => {
  const app = await fixtureApp(await fixtureIndex());
  for (const [method, url] of [
    ['PUT', pathOf('/pages', { url: NEW })],
    ['GET', '/pages/pending'],
    ['POST', '/pages/fold'],
  ] as const) {
    const { statusCode, body } = await app.inject({
      method,
      url,
      ...(method === 'PUT' && { payload: { text: 'x' } }),
    });
    assert.deepEqual([statusCode, JSON.parse(body).code], [404, 'pages-off']);
  }
});

test('lines are kept as they come: a body that breaks off leaves what came before', async () => {
  const { app, ask } = await writable();
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const request = send({ port, method: 'POST', path: '/pages', headers: NDJSON }).on('error', () => {});
  const some = Array.from({ length: 130 }, (_, i) => ({ url: `${NEW}${i}`, text: `rose ${i}` }));
  request.write(lines(some));
  const count = async () => (await ask('GET', '/pages/pending')).body.count as number;
  while ((await count()) < 128) await new Promise((resolve) => setTimeout(resolve, 5));
  const closed = new Promise((resolve) => request.once('close', resolve));
  request.destroy();
  await closed;
  assert.equal(await count(), 128);
});

test('one process has a journal; what is no journal is left alone', async () => {
  const { indexPath } = await writable();
  assert.throws(() => PageJournal.open(`${indexPath}.pages`), { code: 'AKIN_ERR_INDEX_BUSY' });
  assert.throws(() => PageJournal.open(indexPath), { code: 'AKIN_ERR_OPTION' });
});
