/** Pins and blocks: kept beside the index, seen by all who ask for lists. */
import assert from 'node:assert/strict';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { openIndex } from '../../src/library/index-questions.ts';
import { KeyRing, settingKey } from '../../src/service/keys/key-ring.ts';
import { rulesPathOf } from '../../src/store/rules-file.ts';
import { akin } from '../cli/terminal.ts';
import { type Body, fixtureApp, fixtureIndex, pathOf, type Query } from './fixture-app.ts';
import { buildFixture, fixturePages, GARDEN, HERBARIUM, MOVED } from './fixture-index.ts';

const KEY = 'a key of thirty characters long';
const WRITE_KEY = KEY.replaceAll(' ', '-');
const indexPath = await fixtureIndex();
const rulesPath = rulesPathOf(indexPath);
const keys = new KeyRing([settingKey('AKIN_WRITE_KEY', WRITE_KEY, 'write')]);
const app = await fixtureApp(indexPath, { keys });
/** Without keys: the short way of GET /related is taken. */
const open = await fixtureApp(indexPath, { exports: 'anyone' });
const address = await open.listen({ port: 0, host: '127.0.0.1' });

const SUBJECT = `${GARDEN}0`;
const BREAD = fixturePages()
  .map(({ url }) => url)
  .filter((url) => url.includes('bread'));
const [loaf, crumb] = BREAD as [string, string];
const urlsOf = (body: Body): string[] => body.related.map(({ url }: { url: string }) => url);

async function rules(method: 'GET' | 'PUT' | 'DELETE', payload?: object) {
  const headers = { authorization: `Bearer ${WRITE_KEY}` };
  const answer = await app.inject({ method, url: '/rules', headers, ...(payload && { payload }) });
  await open.holder.check();
  return { status: answer.statusCode, body: answer.json() as Body };
}

async function get(path: string, query: Query = {}): Promise<Body> {
  const answer = await fetch(address + pathOf(path, query));
  return path.endsWith('.html') ? answer.text() : answer.json();
}

async function similar(body: object, query: Query = {}): Promise<Body> {
  const answer = await app.inject({ method: 'POST', url: pathOf('/similar', query), payload: body });
  return answer.json();
}

async function whole(query: Query): Promise<Body[]> {
  const items: Body[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const body: Body = await get('/related', {
      url: SUBJECT,
      ...query,
      ...(cursor === '' ? {} : { cursor }),
    });
    items.push(...body.related);
    cursor = body.next;
  }
  return items;
}

test('pinned pages come first in their order, marked, each once, on every page of the list', async () => {
  const before = await whole({ limit: 7 });
  const listed = before[3].url;
  const pin = [loaf, listed, 'https://nowhere.example/', SUBJECT];
  const { status, body } = await rules('PUT', { rules: [{ url: SUBJECT, pin }] });
  assert.equal(status, 200);
  assert.deepEqual(body.not_indexed, ['https://nowhere.example/']);
  assert.deepEqual((await rules('GET')).body, body);
  for (const query of [{ limit: 7 }, { limit: 2, rank: 'similarity' }, { limit: 3, diversity: 0.5 }]) {
    const items = await whole(query);
    const urls = items.map(({ url }) => url);
    assert.deepEqual(urls.slice(0, 2), [loaf, listed]);
    assert.equal(new Set(urls).size, urls.length);
    assert.deepEqual(items.map(({ pinned }) => pinned === true).lastIndexOf(true), 1);
    assert.equal(items.length, before.length + 1);
  }
  const table = await akin(['export', indexPath, '--what', 'related', '--limit', '3']);
  const [head, ...rows] = table.stdout.split('\n').map((line) => line.split('\t'));
  const column = (name: string) => head!.indexOf(name);
  const marked = rows.filter((row) => row[column('pinned')] === 'true');
  assert.deepEqual(
    marked.map((row) => [row[column('url')], row[column('related_url')]]),
    [loaf, listed].map((one) => [SUBJECT, one]),
  );
  // Its similarity is that of the list, and of the other a true one below its floor.
  const items = await whole({ limit: 7 });
  assert.equal(items[1].similarity, before[3].similarity);
  assert.ok(items[0].similarity < 0.03);
  const others = items.slice(2).map(({ url }) => url);
  assert.deepEqual(
    others,
    before.map(({ url }) => url).filter((url) => url !== listed),
  );
  // Other pages have no pins.
  const { related } = await get('/related', { url: `${GARDEN}2` });
  assert.ok(related.every(({ pinned }: Body) => pinned === undefined));
});

test('all ways to ask for a list are asked for the same one', async () => {
  const hot = await get('/related', { url: SUBJECT });
  const routed = await get('/related', { url: SUBJECT, limit: 10 });
  assert.deepEqual(routed, hot);
  assert.equal(hot.related[0].url, loaf);
  const batch = await fetch(`${address}/related/batch`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ urls: [SUBJECT] }),
  });
  const [ofBatch] = ((await batch.json()) as Body).results;
  assert.deepEqual(urlsOf(ofBatch), urlsOf(hot));
  assert.ok((await get('/related.html', { url: SUBJECT })).includes(loaf));
  const posted = await similar({ url: SUBJECT });
  assert.deepEqual(posted.related, hot.related);
  const { html } = fixturePages().find(({ url }) => url === SUBJECT)!;
  const document = await similar({ html, url: SUBJECT });
  assert.deepEqual([document.related[0].url, document.related[0].pinned], [loaf, true]);
  assert.equal((await similar({ html })).related[0].pinned, undefined);
  const exported = await (await fetch(`${address}/export/related?limit=10`)).text();
  const rows = exported
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter(({ url }) => url === SUBJECT);
  assert.deepEqual(
    rows.map((row) => row.related_url),
    urlsOf(hot),
  );
  assert.deepEqual([rows[0].pinned, rows[9].pinned], [true, undefined]);
  await using index = await openIndex(indexPath);
  assert.deepEqual(urlsOf(await index.related(SUBJECT)), urlsOf(hot));
  for await (const list of index.lists()) {
    if (list.url === SUBJECT) assert.deepEqual(urlsOf(list), urlsOf(hot));
  }
  const { stdout } = await akin(['related', indexPath, SUBJECT, '--json']);
  assert.deepEqual(urlsOf(JSON.parse(stdout)), urlsOf(hot));
});

test('a rule for a URL that leads to a page is for that page', async () => {
  const before = (await rules('GET')).body.rules;
  await rules('PUT', { rules: [{ url: MOVED, pin: [loaf], block: [`${GARDEN}4`] }] });
  const { html } = fixturePages().find(({ url }) => url === SUBJECT)!;
  for (const url of [SUBJECT, MOVED]) {
    const posted = await similar({ html, url }, { limit: 100 });
    for (const body of [await get('/related', { url }), await get('/related', { url, limit: 100 }), posted])
      assert.deepEqual([urlsOf(body)[0], urlsOf(body).includes(`${GARDEN}4`)], [loaf, false], url);
  }
  assert.notEqual(urlsOf(await get('/related', { url: `${GARDEN}2` }))[0], loaf);
  await rules('PUT', { rules: before });
});

test('the list of a page that is not in the index yet has the pins of its site', async () => {
  const before = (await rules('GET')).body.rules;
  await rules('PUT', { rules: [{ site: 'garden.example', pin: [loaf, crumb] }] });
  const asked = { url: `${GARDEN}not-yet`, missing: '200' };
  const list = await get('/related', asked);
  assert.deepEqual([urlsOf(list), list.empty_reason], [[loaf, crumb], null]);
  for (const { pinned, similarity } of list.related) assert.deepEqual([pinned, similarity], [true, 0]);
  const first = await get('/related', { ...asked, limit: 1 });
  const second = await get('/related', { ...asked, limit: 1, cursor: first.next });
  assert.deepEqual([urlsOf(first), urlsOf(second), second.next], [[loaf], [crumb], null]);
  assert.deepEqual(urlsOf(await get('/related', { ...asked, exclude: [loaf] })), [crumb]);
  const filled = await get('/related', { ...asked, fallback: 'site', limit: 3 });
  assert.deepEqual(
    filled.related.map(({ pinned, fallback }: Body) => [pinned, fallback]),
    [
      [true, undefined],
      [true, undefined],
      [undefined, 'site'],
    ],
  );
  assert.ok((await get('/related.html', { url: asked.url })).includes(loaf));
  assert.deepEqual((await get('/related', { ...asked, explain: true })).rules.pin, [loaf, crumb]);
  const elsewhere = await get('/related', { ...asked, url: 'https://nowhere.example/' });
  assert.deepEqual([elsewhere.related, elsewhere.empty_reason], [[], 'not_indexed']);
  await rules('PUT', { rules: before });
});

test('filters hold for pins, but the least similarity does not', async () => {
  const first = async (query: Query) =>
    urlsOf(await get('/related', { url: SUBJECT, limit: 3, ...query }))[0];
  assert.equal(await first({ min_similarity: 0.99 }), loaf);
  assert.notEqual(await first({ exclude: [loaf] }), loaf);
  assert.notEqual(await first({ same_site: 'only' }), loaf);
  assert.notEqual(await first({ lang: 'de' }), loaf);
  // Of one site one page, the pinned one.
  const capped = await get('/related', { url: SUBJECT, max_per_site: 1, limit: 100 });
  const ofSite = urlsOf(capped).filter((url) => new URL(url).host === new URL(loaf).host);
  assert.deepEqual(ofSite, [loaf]);
});

test('rules are for a page, a site or all; those of the page come first; explain names them', async () => {
  const site = new URL(GARDEN).hostname;
  await rules('PUT', {
    rules: [
      { pin: [crumb], block: [HERBARIUM] },
      { site, pin: [BREAD[2]!] },
      { url: SUBJECT, pin: [loaf] },
    ],
  });
  const { related, rules: held } = await get('/related', { url: SUBJECT, explain: true });
  const pinned = related.filter((page: Body) => page.pinned);
  assert.deepEqual(
    pinned.map((page: Body) => [page.url, page.why.pinned_for]),
    [
      [loaf, 'page'],
      [BREAD[2]!, 'site'],
      [crumb, 'all'],
    ],
  );
  assert.deepEqual(held, { pin: [loaf, BREAD[2], crumb], block: [HERBARIUM] });
  assert.deepEqual(urlsOf(await get('/related', { url: `${GARDEN}2` })).slice(0, 2), [BREAD[2], crumb]);
  assert.deepEqual(urlsOf(await get('/related', { url: loaf })).slice(0, 1), [crumb]);
});

test('what is blocked is in no list: a page, what begins so, a site', async () => {
  const site = new URL(loaf).hostname;
  const blocks: [string, (url: string) => boolean][] = [
    [crumb, (url) => url === crumb],
    [`${GARDEN.slice(0, -1)}*`, (url) => url.startsWith(GARDEN.slice(0, -1))],
    [site, (url) => new URL(url).hostname.endsWith(site)],
  ];
  for (const [block, isBlocked] of blocks) {
    await rules('PUT', { rules: [{ pin: [crumb], block: [block] }] });
    for (const url of [SUBJECT, loaf]) {
      for (const query of [
        {},
        { by: 'copy' },
        { by: 'cocitation' },
        { limit: 100 },
        { min_similarity: 0.01 },
      ]) {
        const body = await get('/related', { url, ...query });
        assert.ok(!urlsOf(body).some(isBlocked), `${block} ${url} ${JSON.stringify(query)}`);
      }
      const { body } = { body: await similar({ like: [{ url }] }, { limit: 100 }) };
      assert.ok(!urlsOf(body).some(isBlocked));
    }
  }
  // Lists stay as long as pages are there.
  await rules('PUT', { rules: [{ block: [crumb] }] });
  assert.equal(urlsOf(await get('/related', { url: loaf })).length, 10);
  // An inventory is no list.
  assert.ok((await (await fetch(`${address}/export/pages`)).text()).includes(crumb));
});

test('other rules are another state: cursors end, tags change; they survive a start and a new index', async () => {
  await rules('PUT', { rules: [{ url: SUBJECT, pin: [loaf] }] });
  const first = await get('/related', { url: SUBJECT, limit: 3 });
  const { headers } = await fetch(address + pathOf('/related', { url: SUBJECT }));
  const etag = headers.get('etag')!;
  assert.match(headers.get('cache-control')!, /^public, no-cache/);
  await rules('PUT', { rules: [{ url: SUBJECT, pin: [crumb] }] });
  const next = await get('/related', { url: SUBJECT, limit: 3, cursor: first.next });
  assert.equal(next.code, 'generation-changed');
  const again = await fetch(address + pathOf('/related', { url: SUBJECT }), {
    headers: { 'if-none-match': etag },
  });
  assert.deepEqual([again.status, urlsOf(await again.json())[0]], [200, crumb]);

  const started = await fixtureApp(indexPath);
  const answer = await started.inject(pathOf('/related', { url: SUBJECT }));
  assert.equal(urlsOf(answer.json())[0], crumb);
  rmSync(indexPath);
  await buildFixture(indexPath);
  await open.holder.check();
  assert.equal(urlsOf(await get('/related', { url: SUBJECT }))[0], crumb);

  const { body } = await rules('DELETE');
  assert.deepEqual([body.rules, existsSync(rulesPath)], [[], false]);
  assert.notEqual(urlsOf(await get('/related', { url: SUBJECT }))[0], crumb);
  const { headers: kept } = await fetch(address + pathOf('/related', { url: SUBJECT }));
  assert.match(kept.get('cache-control')!, /^public, max-age=60/);
});

test('a file that is written by hand holds within a look; one that is wrong changes nothing', async () => {
  writeFileSync(rulesPath, JSON.stringify({ rules: [{ pin: [loaf] }] }));
  await open.holder.check();
  assert.equal(urlsOf(await get('/related', { url: SUBJECT }))[0], loaf);
  writeFileSync(rulesPath, '{ "rules": [{ "pinn": [] }] }');
  await open.holder.check();
  assert.equal(urlsOf(await get('/related', { url: SUBJECT }))[0], loaf);
  await assert.rejects(openIndex(indexPath), /rules\.json: rules\[0\]: pinn: unknown/);
  // Nor does it keep a new index from being served.
  const { swapCount } = open.holder.status;
  rmSync(indexPath);
  await buildFixture(indexPath);
  await open.holder.check();
  assert.deepEqual([open.holder.status.swapCount, open.holder.status.fault], [swapCount + 1, null]);
  assert.equal(urlsOf(await get('/related', { url: SUBJECT }))[0], loaf);
  rmSync(rulesPath);
  await open.holder.check();
});

test('a caller who may not change them is refused, and what is wrong is named', async () => {
  const off = await open.inject({ method: 'PUT', url: '/rules', payload: { rules: [] } });
  assert.deepEqual([off.statusCode, off.json().code], [404, 'rules-off']);
  const keyless = await app.inject({ method: 'PUT', url: '/rules', payload: { rules: [] } });
  assert.equal(keyless.statusCode, 401);
  const detailOf = async (given: object) => {
    const { status, body } = await rules('PUT', given);
    return `${status} ${body.detail}`;
  };
  assert.match(await detailOf({}), /^400 rules: missing/);
  assert.match(await detailOf({ rules: [{ pin: ['x'] }] }), /^400 rules\[0\]: pin: must be an absolute/);
  assert.match(await detailOf({ rules: [{ block: ['..'] }] }), /^400 rules\[0\]: block: must be a URL/);
  assert.match(
    await detailOf({ rules: [{ block: ['https://shop.example/*/x'] }] }),
    /^400 rules\[0\]: block: must be .* a \* at its end alone/,
  );
  assert.match(
    await detailOf({ rules: [{ url: loaf, site: 'a.example', pin: [] }] }),
    /^400 rules\[0\]: site/,
  );
  assert.match(await detailOf({ rules: [{ url: loaf }] }), /^400 rules\[0\]: pin: /);
  assert.match(await detailOf({ rules: [{ pin: Array(21).fill(loaf) }] }), /^400 rules\[0\]: pin: .*20/);
  assert.equal(existsSync(rulesPath), false);
});
