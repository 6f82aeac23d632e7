/** What is said while one of two shards is lost is true of the whole index, however little it is. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { buildIndex } from '../../../src/indexer/build-index.ts';
import { splitIndex } from '../../../src/indexer/shards/split-index.ts';
import { exportRows } from '../../../src/service/exports/export-row.ts';
import { EXPORTS } from '../../../src/service/exports/table.ts';
import { plainOf } from '../../../src/service/schemas/parameter.ts';
import { shardOf } from '../../../src/url/shard.ts';
import { DEFAULTS, input, noting } from '../../indexer/build.ts';
import { document, prose } from '../../indexer/pages.ts';
import { asker, type Body, fixtureApp, type Query } from '../fixture-app.ts';
import { temporaryFolder } from '../fixture-index.ts';
import { type Fault, faultyServer } from './faulty-server.ts';

const COUNT = 2;
const EXACT = { exactSearchUs: Number.POSITIVE_INFINITY };
const FINE: Fault = () => false;
const CUT: Fault = (_asked, response) => response.destroy() !== undefined;

/** A URL that is of a shard. */
function urlIn(shard: number, name: string): string {
  for (let i = 0; ; i++) {
    const url = `https://lost.example/${name}-${i}`;
    if (shardOf(url, COUNT) === shard) return url;
  }
}

/** Shard 1 is the one that is lost. */
const [KEPT, NEAR, LEADING, LINKED, HUB] = ['kept', 'near', 'leading', 'linked', 'hub'].map((name) =>
  urlIn(0, name),
) as [string, string, string, string, string];
const [FAR, PLACE, LOST_HUB] = ['far', 'place', 'hub'].map((name) => urlIn(1, name)) as [
  string,
  string,
  string,
];
const TEXT = prose(1, 400, 1);
const links = [HUB, LOST_HUB, LINKED].map((url) => `<a href="${url}">on</a>`).join(' ');
const record = (url: string, body: string, kind: string, out = links) => {
  return { url, html: document('A page', `<p>${body} ${out}</p>`), fields: { kind } };
};
const SWEEPS = [
  [
    record(KEPT, TEXT, 'a'),
    record(NEAR, `${TEXT} and one more`, 'a'),
    record(FAR, `${TEXT} and another one`, 'b'),
    record(LEADING, prose(2, 100, 2), 'a', ''),
    record(PLACE, prose(3, 100, 3), 'a', `<a href="${LINKED}">on</a>`),
    ...[HUB, LOST_HUB].map((url, i) => record(url, prose(6 + i, 100, 6 + i), 'a', '')),
  ],
  [{ url: LEADING, status: 301, location: PLACE, html: '' }],
];

const folder = temporaryFolder({ after });
const inputs = SWEEPS.map((records, i) => {
  const path = join(folder, `${i}.jsonl`);
  writeFileSync(path, records.map((one) => JSON.stringify(one)).join('\n'));
  return { ...input(path), sweep: `sweep-${i + 1}` };
});
const target = join(folder, 'whole.akin');
const parts = { content: 0.5, out: 0.5 };
const settings = { parts, lend: 0.2, minPageCount: 1, maxPageShare: 1 };
await buildIndex({ ...DEFAULTS, ...settings, target, inputs }, noting().listener);
const splitting = { source: target, shardCount: COUNT, folder: join(folder, 'shards') };
const { shards } = await splitIndex(
  { ...splitting, memoryBytes: 64 << 20, workerCount: 1 },
  noting().listener,
);

const whole = await fixtureApp(target, EXACT);
const servers = await Promise.all(
  shards.map(async ({ path }) => faultyServer(await fixtureApp(path, EXACT))),
);
const { fault } = servers[1]!;

/** A service of its own, that has found nothing yet. */
async function frontWithout(now: Fault) {
  fault.now = FINE;
  const peers = { urls: servers.map(({ url }) => url), timeLimitMs: 20_000 };
  const front = await fixtureApp('', { ...EXACT, indexPath: [], peers });
  fault.now = now;
  return front;
}

const lacking = await frontWithout(FINE);
// Links are read once, from all shards.
await asker(lacking)('/related', { url: KEPT, by: 'coupling' });
fault.now = CUT;
await lacking.holder.check();
after(() => {
  fault.now = FINE;
});

type Asked = Awaited<ReturnType<typeof posted>>;

async function posted(app: typeof whole, url: string, body: object) {
  const headers = { 'content-type': 'application/json' };
  const answer = await app.inject({ method: 'POST', url, payload: JSON.stringify(body), headers });
  return { status: answer.statusCode, body: answer.json() as Body, text: answer.body };
}

/** What the service without the shard says, and what one of the whole index does. */
async function both(ask: (app: typeof whole) => Promise<Asked>): Promise<{ lacks: Asked; all: Body }> {
  const [lacks, all] = [await ask(lacking), await ask(whole)];
  assert.equal(all.status, 200, all.text);
  assert.ok(!lacks.text.includes('.invalid'), lacks.text);
  return { lacks, all: all.body };
}
const got = (path: string, query: Query) => both((app) => asker(app)(path, query));
const sent = (path: string, body: object) => both((app) => posted(app, path, body));

const urlsOf = (items: readonly Body[]) => items.map(({ url }) => url);

test('no answer that lacks a shard says that it is complete', async () => {
  const answers = [
    await got('/related', { url: KEPT, by: 'copy' }),
    await got('/moved', { url: KEPT }),
    await sent('/similar?by=copy', { text: TEXT }),
    await sent('/cover', { text: TEXT }),
  ];
  for (const { lacks, all } of answers) {
    assert.deepEqual([all.complete, all.partial], [true, undefined]);
    assert.deepEqual([lacks.body.complete, lacks.body.partial], [false, true], lacks.text);
  }
  const { lacks, all } = await sent('/related/batch', { urls: [KEPT], by: 'copy' });
  assert.deepEqual([all.results[0].complete, lacks.body.results[0].complete], [true, false]);
});

test('no answer names a page that no shard at hand can name', async () => {
  const { lacks, all } = await got('/page', { url: KEPT });
  const outOf = ({ bags }: Body) => urlsOf(bags[0].terms.out);
  assert.deepEqual(outOf(all).sort(), [HUB, LOST_HUB].sort());
  assert.deepEqual(outOf(lacks.body), [HUB]);
  const why = await got('/related', { url: KEPT, explain: true });
  const near = ({ related }: Body) => related.find(({ url }: Body) => url === NEAR).why;
  assert.deepEqual([near(why.all).citation_count, near(why.lacks.body).citation_count], [2, 2]);
  assert.deepEqual(near(why.lacks.body).citations, [HUB]);
});

test('a URL that leads to a page of a lost shard is as one of that shard', async () => {
  const asked = [
    (app: typeof whole) => asker(app)('/related', { url: LEADING }),
    (app: typeof whole) => asker(app)('/related', { url: LEADING, missing: '200', within: 'kind=a' }),
    (app: typeof whole) => asker(app)('/cluster', { url: LEADING }),
    (app: typeof whole) => posted(app, '/similar', { url: LEADING }),
    (app: typeof whole) => posted(app, '/compare', { a: { url: LEADING }, b: { text: TEXT } }),
  ];
  for (const ask of asked) {
    const { lacks } = await both(ask as (app: typeof whole) => Promise<Asked>);
    assert.deepEqual([lacks.status, lacks.body.code], [503, 'shard-unavailable'], lacks.text);
  }
});

test('a URL that leads to a page of a shard that nothing is known of is as any of a lost one', async () => {
  fault.now = CUT;
  const peers = { urls: servers.map(({ url }) => url), timeLimitMs: 20_000 };
  const late = await fixtureApp('', { ...EXACT, indexPath: [], peers });
  const { status, body } = await asker(late)('/related', { url: LEADING });
  assert.deepEqual([status, body.code], [503, 'shard-unavailable']);
  assert.equal(body.detail, `${LEADING} belongs to a shard that cannot be asked now`);
});

test('a document whose URL is of a lost shard is answered by what the others have', async () => {
  for (const url of [FAR, LEADING, urlIn(1, 'unknown')]) {
    const { lacks } = await sent('/cover', { text: TEXT, url });
    assert.deepEqual([lacks.status, lacks.body.partial, urlsOf(lacks.body.pages)], [200, true, [KEPT]]);
  }
});

test('a text at the URL of a page without one is compared with the pages that have it', async () => {
  for (const url of [LINKED, LEADING, PLACE]) {
    const { lacks, all } = await sent('/similar?by=copy', { text: TEXT, url });
    assert.deepEqual(urlsOf(all.related), [KEPT, FAR, NEAR], url);
    assert.deepEqual(urlsOf(lacks.body.related), [KEPT, NEAR], url);
  }
});

test('of a page that cannot be looked at no figure is made', async () => {
  const copies = await got('/related', { url: KEPT, by: 'copy' });
  assert.deepEqual(urlsOf(copies.all.related), [FAR, NEAR]);
  assert.deepEqual(copies.lacks.body.related, [copies.all.related[1]]);

  const why = await got('/related', { url: KEPT, explain: true, boost: 'fresh:30d' });
  const listed = why.lacks.body.related.map((item: Body) => [item.url, item.similarity]);
  assert.deepEqual(
    listed,
    why.all.related.map((item: Body) => [item.url, item.similarity]),
  );
  const far = why.lacks.body.related.find(({ url }: Body) => url === FAR);
  assert.deepEqual([far.why, far.score], [undefined, undefined]);

  const facets = await got('/related', { url: KEPT, facets: ['kind'] });
  const counted = ({ facets: [kind] }: Body) => [kind.values, kind.without, kind.counted];
  assert.deepEqual(counted(facets.all)[2], facets.all.related.length);
  const atHand = facets.all.related.filter(({ url }: Body) => shardOf(url, COUNT) === 0).length;
  assert.deepEqual(counted(facets.lacks.body), [[{ value: 'a', pages: atHand }], 0, atHand]);

  const moved = await got('/moved', { url: LEADING });
  assert.deepEqual(urlsOf(moved.all.candidates), [PLACE]);
  assert.deepEqual([moved.lacks.body.partial, moved.lacks.body.candidates], [true, []]);
});

test('no figure of a document is exact that has links to a lost shard, or its URL', async () => {
  const html = `<p>${prose(2, 100, 2)} ${links}</p>`;
  const linked = { html };
  const known = { text: prose(2, 100, 2), url: LOST_HUB };
  const asked = [
    ['/similar', linked],
    ['/similar', known],
    ['/similar?by=coupling', linked],
    ['/similar', { like: [linked] }],
  ] as const;
  const measuresOf = ({ related }: Body) => new Set(related.map(({ measure }: Body) => measure));
  for (const [path, body] of asked) {
    const { lacks, all } = await sent(path, body);
    const measures = [measuresOf(all), measuresOf(lacks.body)];
    assert.deepEqual(measures, [new Set(['exact']), new Set(['estimate'])], `${path} ${lacks.text}`);
  }
  const compared = await sent('/compare', { a: { url: KEPT }, b: linked });
  assert.deepEqual([compared.all.topic.measure, compared.lacks.body.topic.measure], ['exact', 'estimate']);
  const { lacks } = await sent('/similar', { text: prose(2, 100, 2), url: `${urlIn(0, 'none')}` });
  assert.deepEqual(measuresOf(lacks.body), new Set(['exact']));
});

test('an export that lacks a shard ends with what is so', async () => {
  for (const kind of Object.values(EXPORTS)) {
    const query = plainOf(kind.query);
    const rowsOf = async (app: typeof whole) => {
      const { value, lost } = await app.holder.current().answer(async (reads) => {
        const texts: string[] = [];
        for await (const rows of exportRows(reads, kind, query)) {
          for (const row of rows) texts.push(JSON.stringify(row));
        }
        return texts;
      });
      return { rows: value, lost };
    };
    const expected = (await rowsOf(whole)).rows;
    assert.ok(expected.length > 0, kind.describes);
    const { rows, lost } = await rowsOf(lacking);
    assert.deepEqual(lost, [1]);
    assert.deepEqual(rows, expected.slice(0, rows.length), kind.describes);
  }
  // Nothing of it was sent yet.
  const { status, body } = await asker(lacking)('/export/pages', {});
  assert.deepEqual([status, body.code], [503, 'shard-unavailable']);
});

test('an answer that the lost shard has no part in is as any other', async () => {
  fault.now = FINE;
  const front = await frontWithout(FINE);
  await asker(front)('/related', { url: FAR, by: 'coupling' });
  servers[0]!.fault.now = CUT;
  await front.holder.check();
  const asked = [
    (app: typeof whole) => asker(app)('/page', { url: LOST_HUB }),
    (app: typeof whole) => asker(app)('/history', { url: FAR }),
    // Its pages are named by what another list has.
    (app: typeof whole) => asker(app)('/related', { url: PLACE, by: 'coupling' }),
    (app: typeof whole) => posted(app, '/compare', { a: { url: FAR }, b: { url: LOST_HUB } }),
    (app: typeof whole) => posted(app, '/compare', { a: { url: FAR }, b: { text: TEXT } }),
  ];
  for (const ask of asked) {
    const { generation: _one, ...said } = (await ask(front)).body;
    const { generation: _other, ...expected } = (await ask(whole)).body;
    assert.deepEqual(said, expected);
  }
  servers[0]!.fault.now = FINE;
  fault.now = CUT;
});

test('what is found while a shard is lost is not what is said once it is back', async () => {
  const front = await frontWithout(CUT);
  const asked = [
    (app: typeof whole) => asker(app)('/moved', { url: KEPT }),
    (app: typeof whole) => asker(app)('/related', { url: KEPT, max_per_site: 1, exclude_copies: true }),
    (app: typeof whole) => posted(app, '/similar?by=copy', { text: TEXT }),
    (app: typeof whole) => posted(app, '/similar?explain=true', { text: `${TEXT} ${prose(2, 100, 2)}` }),
  ];
  await front.holder.check();
  for (const ask of asked) assert.equal((await ask(front)).body.partial, true);
  fault.now = FINE;
  await front.holder.check();
  for (const ask of asked) {
    const { generation: _one, ...found } = (await ask(front)).body;
    const { generation: _other, ...expected } = (await ask(whole)).body;
    assert.deepEqual(found, expected);
  }
  fault.now = CUT;
});

test('an answer about a page whose shard is lost meanwhile is none', async () => {
  for (const path of ['/related', '/page', '/history', '/moved', '/cluster']) {
    // What is asked of its own page goes out behind the first look-up.
    const front = await frontWithout(({ body }, response) => {
      return !body.includes('"find"') && response.destroy() !== undefined;
    });
    const { status, body, text } = await asker(front)(path, {
      url: FAR,
      ...(path === '/related' && { by: 'copy' }),
    });
    assert.deepEqual([status, body.code], [503, 'shard-unavailable'], `${path}: ${text}`);
  }
  fault.now = CUT;
});
