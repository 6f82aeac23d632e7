/** Everything at once is what each answer says by itself. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { AddressInfo, Socket } from 'node:net';
import { connect } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { keptPage } from '../../src/service/answers/copies/keep.ts';
import { inChunks } from '../../src/service/exports/chunks.ts';
import { LINES, rowTexts } from '../../src/service/exports/row-format.ts';
import { EXPORTS } from '../../src/service/exports/table.ts';
import { plainOf, type Parameters as Rows } from '../../src/service/schemas/parameter.ts';
import { longTest } from '../long-test.ts';
import { asker, type Body, fixtureApp, fixtureIndex, pathOf, type Query } from './fixture-app.ts';
import { temporaryFolder } from './fixture-index.ts';
import { ESSAY, GONE, MIRROR, NEAR, NEW, OLD, writeSweepsIndex } from './sweeps-index.ts';

const indexPath = await fixtureIndex();
const app = await fixtureApp(indexPath);
const ask = asker(app);
const sweepsPath = join(temporaryFolder({ after }), 'sweeps.akin');
writeSweepsIndex(sweepsPath);
const sweeps = await fixtureApp(sweepsPath);

async function rowsOf(what: string, query: Query = {}, of = app): Promise<Body[]> {
  const { statusCode, headers, body } = await of.inject(pathOf(`/export/${what}`, query));
  assert.equal(statusCode, 200, body);
  assert.equal(headers['content-type'], 'application/x-ndjson; charset=utf-8');
  return body
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

const QUERIES: readonly Query[] = [
  {},
  { limit: 3, explain: true },
  { fetched: 'include', limit: 100 },
  { same_site: 'exclude', max_per_site: 1, cards: true },
  { by: 'copy', min_similarity: 0.6 },
  { by: 'companion' },
];

test('the lists of an export are those of GET /related, page by page in the order of URLs', async () => {
  for (const [at, query] of QUERIES.entries()) {
    const rows = await rowsOf('related', query);
    assert.ok(rows.length > 0, JSON.stringify(query));
    const urls = (await rowsOf('pages', { fetched: query['fetched'] ?? 'only' })).map(({ url }) => url);
    assert.deepEqual(urls, urls.toSorted());
    // All pages by the first query, one of four by each other one.
    const asked = at === 0 ? urls : urls.filter((_, i) => i % 4 === at % 4);
    const expected: Body[] = [];
    for (const url of asked) {
      const { body } = await ask('/related', { fetched: 'only', ...query, url });
      for (const [
        i,
        { url: related_url, title: related_title, containment, ...rest },
      ] of body.related.entries()) {
        const more = body.complete === undefined ? {} : { complete: body.complete };
        expected.push({
          url: body.url,
          rank: i + 1,
          related_url,
          related_title,
          ...rest,
          ...containment,
          ...more,
        });
      }
    }
    assert.deepEqual(
      rows.filter(({ url }) => asked.includes(url)),
      expected,
      JSON.stringify(query),
    );
  }
});

test('pages known by links alone are there only if asked for', async () => {
  const usual = await rowsOf('pages', {}, sweeps);
  const all = await rowsOf('pages', { fetched: 'include' }, sweeps);
  assert.ok(usual.every(({ fetched }) => fetched));
  assert.ok(all.some(({ fetched }) => !fetched));
  assert.deepEqual(
    all.filter(({ fetched }) => fetched),
    usual,
  );
  for (const row of await rowsOf('links')) assert.equal(row.target_fetched, true);
});

longTest('clusters and changes are those of the answers about one page', async () => {
  for (const row of await rowsOf('clusters', { fetched: 'include' })) {
    const { body } = await ask('/cluster', { url: row.url });
    const level = body.levels.find((one: Body) => one.level === row.level);
    assert.deepEqual([row.cluster, row.label, row.size], [level.id, level.label, level.size]);
    assert.equal(row.is_center, level.center.url === row.url);
  }
  const changes = await rowsOf('changes', {}, sweeps);
  const byUrl = Map.groupBy(changes, ({ url }) => url);
  assert.ok(byUrl.size > 5);
  for (const [url, rows] of byUrl) {
    const { body } = await asker(sweeps)('/history', { url, limit: 100 });
    assert.deepEqual(
      rows
        .filter(({ news }) => news !== 'lost')
        .map(({ sweep, changed, resemblance }) => [sweep, changed, resemblance]),
      body.captures.map(({ sweep, changed, resemblance }: Body) => [sweep, changed, resemblance]),
    );
  }
});

test('of each group of copies one stays, and replaces the others', async () => {
  // ESSAY and NEAR are edited copies of MIRROR, to which ESSAY's own address leads; it has the most words.
  const groups = async (keep: string) => {
    const rows = await rowsOf('copies', { keep }, sweeps);
    const byGroup = Map.groupBy(rows, ({ group }) => group);
    for (const some of byGroup.values()) {
      const [kept, ...others] = some.filter(({ stays }) => stays);
      assert.deepEqual([others, some.length], [[], kept.size]);
      for (const row of some) assert.equal(row.replaced_by, row === kept ? null : kept.url);
    }
    return Array.from(byGroup.values(), (some) => some.find(({ stays }) => stays).url);
  };
  assert.deepEqual(await groups('first'), [ESSAY, NEW]);
  assert.deepEqual(await groups('oldest'), [ESSAY, NEW], 'OLD is lost');
  assert.deepEqual(await groups('canonical'), [MIRROR, NEW]);
  const long = await groups('longest');
  assert.ok([ESSAY, MIRROR, NEAR].includes(long[0]!));
});

test('lost pages are those that a sweep missed or found gone, with the answer of GET /moved', async () => {
  const rows = await rowsOf('moved', {}, sweeps);
  assert.deepEqual(
    rows.map(({ url, moved_to, strength }) => [url, moved_to, strength]),
    [
      [GONE, null, undefined],
      [OLD, NEW, 'now_at'],
    ],
  );
  const { body } = await asker(sweeps)('/lost', {});
  assert.deepEqual(
    body.pages.map(({ url, candidate }: Body) => [url, candidate?.url ?? null]),
    rows.map(({ url, moved_to }) => [url, moved_to]),
  );
  const { body: first } = await asker(sweeps)('/lost', { limit: 1 });
  const { body: rest } = await asker(sweeps)('/lost', { limit: 1, cursor: first.next });
  assert.deepEqual([...first.pages, ...rest.pages], body.pages);
});

test('what a sweep brought is what the history of each page says of it', async () => {
  const askSweeps = asker(sweeps);
  const names = (await askSweeps('/index', {})).body.sweeps.map(({ name }: Body) => name) as string[];
  const lost = new Set((await askSweeps('/lost', {})).body.pages.map(({ url }: Body) => url));
  const kinds = new Set<string>();
  for (const [place, sweep] of names.entries()) {
    const expected: Body[] = [];
    for (const { url } of await rowsOf('pages', {}, sweeps)) {
      const { captures } = (await askSweeps('/history', { url })).body;
      const at = captures.findIndex((capture: Body) => capture.sweep === sweep);
      const isLast = place > 0 && captures.at(-1)?.sweep === names[place - 1];
      if (at < 0 && isLast && lost.has(url)) expected.push([url, 'lost', null]);
      if (at === 0 && place > 0) expected.push([url, 'new', null]);
      const { changed, resemblance } = captures[at] ?? {};
      if (/^(minor|major|rewritten)$/.test(changed)) expected.push([url, changed, resemblance]);
    }
    const pages: Body[] = [];
    for (let cursor = ''; cursor !== null; ) {
      const { body } = await askSweeps('/changes', { sweep, limit: 1, ...(cursor && { cursor }) });
      pages.push(...body.pages);
      cursor = body.next;
    }
    assert.deepEqual(
      pages.map(({ url, news, resemblance }) => [url, news, resemblance]),
      expected,
    );
    for (const { news } of pages) kinds.add(news);
    const { body: some } = await askSweeps('/changes', { sweep, news: ['lost'] });
    assert.deepEqual(
      some.pages,
      pages.filter(({ news }) => news === 'lost'),
    );
  }
  assert.ok(kinds.has('lost') && kinds.has('new'), String([...kinds]));
  assert.match(
    (await askSweeps('/changes', { sweep: 'x' })).body.detail,
    /is no sweep of this index; the last ones are sweep-1, sweep-2, sweep-3$/,
  );
});

/** Of an index with a rule that pins a page. */
const PINNING = { rules: { rules: [{ pin: [ESSAY] }] } } as never;

test('every column of a table is one that rows have, and every member of a row is a column', async () => {
  const asked = { related: { explain: true, cards: true }, pages: {}, clusters: {}, links: {} };
  for (const [what, query] of Object.entries(asked)) {
    const rows = await rowsOf(what, { fetched: 'include', ...query });
    const kind = EXPORTS[what as keyof typeof asked];
    const columns = kind.columns({ ...plainOf<Rows>(kind.query), ...query } as never, PINNING);
    const members = new Set(rows.flatMap((row) => Object.keys(row)));
    assert.deepEqual(
      [...members].filter((name) => !columns.includes(name)),
      [],
      what,
    );
  }
});

test('a HEAD says what a GET would be of, and makes none of it', async () => {
  const { rowsOf: made } = EXPORTS.pages;
  let count = 0;
  const counted: typeof made = async (...asked) => {
    count++;
    return made(...asked);
  };
  Object.assign(EXPORTS.pages, { rowsOf: counted });
  const { statusCode, headers, body } = await app.inject({ method: 'HEAD', url: '/export/pages' });
  Object.assign(EXPORTS.pages, { rowsOf: made });
  assert.deepEqual([statusCode, body, count], [200, '', 0]);
  assert.equal(headers['content-type'], 'application/x-ndjson; charset=utf-8');
  assert.equal(headers['content-length'], undefined);
});

test('docs name the columns, all of them and in their order', () => {
  const text = readFileSync(new URL('../../docs/exporting.md', import.meta.url), 'utf8');
  const options = [
    ...[{}, { by: 'copy' }, { explain: true }, { boost: 'fresh:1y' }, { cards: true }],
    ...[{ fields: ['price'] }, { fallback: 'site' }],
  ];
  for (const [what, kind] of Object.entries(EXPORTS)) {
    const [, , columns = ''] = new RegExp(`^\\| \`${what}\` \\|(.*)\\|(.*)\\|$`, 'm').exec(text) ?? [];
    const named = [...columns.matchAll(/(?<!with )`(\w+)`/g)].map(([, name]) => name);
    const made = options.map((more) =>
      kind.columns({ ...plainOf<Rows>(kind.query), ...more } as never, PINNING),
    );
    assert.deepEqual(named.toSorted(), [...new Set(made.flat())].toSorted(), what);
    for (const one of made)
      assert.deepEqual(
        named.filter((name) => one.includes(name!)),
        one,
        what,
      );
  }
});

test('only the machine of the service may export, unless its operator says so', async () => {
  const from = (remoteAddress: string, headers = {}, of = app) =>
    of.inject({ url: '/export/pages', remoteAddress, headers });
  assert.equal((await from('::1')).statusCode, 200);
  assert.equal((await from('::ffff:127.0.0.1')).statusCode, 200);
  assert.equal((await from('127.0.0.1', { 'sec-fetch-site': 'same-origin' })).statusCode, 200);
  for (const refused of [
    await from('10.1.2.3'),
    await from('127.0.0.1', { 'x-forwarded-for': '10.1.2.3' }),
    // Pages of other sites in a browser of the machine.
    await from('127.0.0.1', { origin: 'https://other.example' }),
    await from('127.0.0.1', { 'sec-fetch-site': 'cross-site' }),
  ]) {
    assert.deepEqual([refused.statusCode, refused.json().code], [403, 'export-not-allowed']);
  }
  const open = await fixtureApp(indexPath, { exports: 'anyone' });
  assert.equal((await from('10.1.2.3', {}, open)).statusCode, 200);
  const off = await fixtureApp(indexPath, { exports: 'off' });
  assert.equal((await from('127.0.0.1', {}, off)).statusCode, 403);
});

test('what cannot be answered is a problem, not a stream', async () => {
  const { status, body } = await ask('/export/related', { limit: 101 });
  assert.deepEqual([status, body.code], [400, 'invalid-parameters']);
  const { body: scores } = await ask('/export/related', { by: 'companion', min_similarity: 0.5 });
  assert.equal(scores.code, 'invalid-parameters');
});

test('an export ends with its connection, and lets the next one in', async () => {
  const live = await fixtureApp(indexPath);
  await live.listen({ host: '127.0.0.1', port: 0 });
  const { port } = live.server.address() as AddressInfo;
  for (let i = 0; i < 4; i++) {
    const socket = connect(port, '127.0.0.1');
    socket.write('GET /export/related?limit=100&explain=true HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(socket, 'data');
    socket.destroy();
    await once(socket, 'close');
  }
  const again = await fetch(`http://127.0.0.1:${port}/export/links`);
  assert.equal(again.status, 200);
  assert.ok((await again.text()).endsWith('}\n'));
});

test('others have their turn while rows are made', async () => {
  let turns = 0;
  const count = () => {
    turns++;
    if (turns > 0) setImmediate(count).unref();
  };
  setImmediate(count).unref();
  async function* slowly() {
    for (let i = 0; i < 8; i++) {
      const untilMs = performance.now() + 6;
      while (performance.now() < untilMs);
      yield '';
    }
    yield 'end';
  }
  const chunks: string[] = [];
  for await (const chunk of inChunks(slowly())) chunks.push(chunk);
  assert.deepEqual(chunks, ['end']);
  assert.ok(turns >= 3, `${turns} turns in 48 ms`);
});

longTest('others have their turn while the page that stays is chosen of thousands', async () => {
  const generation = app.holder.current();
  const pageIds = new Array<number>(4000).fill(0);
  let turns = 0;
  const count = () => {
    turns++;
    setImmediate(count).unref();
  };
  setImmediate(count).unref();
  const { value } = await generation.answer((reads) => keptPage(reads, 'canonical', pageIds));
  assert.equal(value, 0);
  assert.ok(turns >= 10, `${turns} turns`);
});

test('rows are written in four forms', async () => {
  const rows = async function* () {
    yield [{ a: 'x\ty "z"', b: 1.5, c: ['p', 'q'] }];
    yield [];
    yield [{ a: null, b: false, c: { d: 'e,f' } }];
  };
  const text = async (format: 'tsv' | 'csv' | 'ndjson' | 'json') => {
    let all = '';
    for await (const piece of rowTexts(rows(), ['a', 'b', 'c'], LINES[format])) all += piece;
    return all;
  };
  assert.equal(await text('tsv'), 'a\tb\tc\nx y "z"\t1.5\tp,q\n\tfalse\t{"d":"e,f"}\n');
  assert.equal(await text('csv'), 'a,b,c\r\n"x\ty ""z""",1.5,"p,q"\r\n,false,"{""d"":""e,f""}"\r\n');
  const expected = [
    { a: 'x\ty "z"', b: 1.5, c: ['p', 'q'] },
    { a: null, b: false, c: { d: 'e,f' } },
  ];
  assert.deepEqual(JSON.parse(await text('json')), expected);
  assert.deepEqual(
    (await text('ndjson'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
    expected,
  );
  // Some readers of lines, such as node:readline, would end one there.
  assert.equal(LINES.ndjson.line({ a: 'x\u2028y\u2029' }, ['a'], true), '{"a":"x\\u2028y\\u2029"}\n');
});

longTest(
  'an export goes on where no row comes for longer than a connection may be silent, and ends where no row is taken',
  async (t) => {
    const connectionLimits = { silenceMs: 400, checkMs: 50 };
    const slow = await fixtureApp(indexPath, { connectionLimits });
    const address = await slow.listen({ port: 0, host: '127.0.0.1' });
    const urls = (await rowsOf('pages')).map(({ url }) => url as string);
    assert.ok(urls.length > 30);
    t.mock.method(
      EXPORTS.links,
      'rowsOf',
      async (...[, { url }]: Parameters<typeof EXPORTS.links.rowsOf>) => {
        await delay(30);
        return url === urls.at(-1) ? [{ url }] : [];
      },
    );
    const answer = await fetch(`${address}/export/links`);
    assert.deepEqual(JSON.parse(await answer.text()), { url: urls.at(-1) });

    t.mock.method(EXPORTS.links, 'rowsOf', async () => [{ url: 'x'.repeat(1_000_000) }]);
    const fromMs = performance.now();
    const idle = connect(Number(new URL(address).port), '127.0.0.1').pause();
    idle.on('error', () => {});
    const [ofIdle] = (await once(slow.server, 'connection')) as [Socket];
    idle.write('GET /export/links HTTP/1.1\r\nHost: a\r\n\r\n');
    await once(ofIdle, 'close', { signal: AbortSignal.timeout(10_000) });
    assert.ok(performance.now() - fromMs > 350, 'not before its time');
    idle.destroy();
  },
);
