import assert from 'node:assert/strict';
import { copyFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { addExplorer } from '../../../src/explorer/explorer.ts';
import { splitIndex } from '../../../src/indexer/shards/split-index.ts';
import { buildApp } from '../../../src/service/app.ts';
import { FileReads } from '../../../src/service/reads/file/file-reads.ts';
import { readsAnswer } from '../../../src/service/reads/shards/answer-reads.ts';
import { ROW_US, TooMuchWork, Work } from '../../../src/service/reads/work.ts';
import { IndexReader } from '../../../src/store/read/reader.ts';
import { shardOf } from '../../../src/url/shard.ts';
import { noting } from '../../indexer/build.ts';
import { longTest } from '../../long-test.ts';
import { asker, type Body, fixtureApp, fixtureIndex } from '../fixture-app.ts';
import { buildFixture, fixturePages, temporaryFolder } from '../fixture-index.ts';
import { answering, type Fault, faultyServer } from './faulty-server.ts';

const COUNT = 3;
const EXACT = { exactSearchUs: Number.POSITIVE_INFINITY };
const TIME_LIMIT_MS = 20_000;
const MAX_WAITING = 4;

async function split(source: string, shardCount = COUNT): Promise<string[]> {
  const folder = temporaryFolder({ after });
  const options = { source, shardCount, folder, memoryBytes: 64 << 20, workerCount: 1 };
  const { shards } = await splitIndex(options, noting().listener);
  return shards.map(({ path }) => path);
}

const wholePath = await fixtureIndex();
const shardPaths = await split(wholePath);
const shards = await Promise.all(shardPaths.map((path) => fixtureApp(path, EXACT)));
/** Of each shard; the server of shard 1 can go wrong. */
const servers = await Promise.all(shards.map((app) => faultyServer(app)));
const { fault } = servers[1]!;
const front = await frontOf(servers.map(({ url }) => url));
const ask = asker(front);
const FINE: Fault = () => false;
const LOST: Fault = (_asked, response) => response.destroy() !== undefined;
const reader = IndexReader.open(wholePath);
after(() => reader.close());
/** Fetched pages, by shard. */
const urls: string[][] = Array.from({ length: COUNT }, () => []);
for (const { url, fetched } of reader.pages()) if (fetched) urls[shardOf(url, COUNT)]!.push(url);
const [kept, lost] = [urls[0]![0]!, urls[1]![0]!];
const TEXT = 'rose garden tulip thorn soil water spade '.repeat(8);

function frontOf(peerUrls: readonly string[], timeLimitMs = TIME_LIMIT_MS) {
  const peers = { urls: peerUrls, timeLimitMs };
  const documentLimits = { maxWaiting: MAX_WAITING };
  return fixtureApp('', { ...EXACT, indexPath: [], peers, documentLimits, extend: addExplorer });
}

async function post(app: typeof front, url: string, body: object | string, type = 'application/json') {
  const payload = typeof body === 'string' ? body : JSON.stringify(body);
  const answer = await app.inject({ method: 'POST', url, payload, headers: { 'content-type': type } });
  return { status: answer.statusCode, body: answer.json() as Body, headers: answer.headers };
}

/** While the server of shard 1 goes wrong in this way, and once it was looked at. */
async function whileFaulty(now: Fault, run: () => Promise<void>): Promise<void> {
  fault.now = now;
  try {
    await front.holder.check();
    await run();
  } finally {
    fault.now = FINE;
    await front.holder.check();
  }
  assert.equal((await ask('/related', { url: lost })).status, 200);
}

const described = (asked: { path: string; body: string }, generation: string, card: string) =>
  asked.path === '/readyz' ? `{"generation":"${generation}"}` : card;

longTest('a server that answers what it was not asked is lost, and nothing else happens', async () => {
  const nonsense: Fault[] = [
    answering(() => 'null'),
    answering(() => '<html>'),
    answering((asked) => described(asked, 'another', '[]')),
    answering((asked) => described(asked, 'another', '[null]')),
    answering((asked) => described(asked, 'another', '[{"card":{},"sweeps":[],"versionCount":1}]')),
  ];
  for (const now of nonsense) {
    await whileFaulty(now, async () => {
      assert.deepEqual((await ask('/readyz')).body.lost_shards, [1]);
      assert.equal((await ask('/related', { url: kept })).status, 200);
      assert.deepEqual((await ask('/search', { q: 'the' })).body.lost_shards, [1]);
    });
  }
});

test('reads that are answered with what no read is make the shard lost, not the request fail', async () => {
  for (const value of ['null', '{}', '[]', '7', '{"pageId":0,"page":{},"neighbors":null,"named":[]}']) {
    await whileFaulty(FINE, async () => {
      fault.now = ({ path, body }, response) => {
        if (path === '/readyz') return false;
        const { length } = JSON.parse(body).reads;
        return answering(() => `[${Array(length).fill(value).join(',')}]`)({ path, body }, response);
      };
      const refused = await ask('/related', { url: lost });
      assert.deepEqual([refused.status, refused.body.code], [503, 'shard-unavailable'], value);
      const { status, body } = await post(front, '/similar', { text: TEXT });
      assert.deepEqual([status, body.lost_shards], [200, [1]], value);
      assert.ok(body.related.length > 0);
    });
  }
});

longTest('a search that a shard does not answer in time leaves its look-ups alone', async () => {
  const hasty = await frontOf(
    servers.map(({ url }) => url),
    4000,
  );
  // Its threads are there.
  await post(hasty, '/similar', { text: TEXT });
  await hasty.holder.check();
  fault.now = ({ body }) => body.includes('"nearest"') || body.includes('"withShingle"');
  const { status, body } = await post(hasty, '/similar', { text: TEXT });
  assert.deepEqual([status, body.partial, body.lost_shards.includes(1)], [200, true, true]);
  const { status: found, body: list } = await asker(hasty)('/related', { url: lost });
  assert.deepEqual([found, list.url], [200, lost], list.detail);
  fault.now = FINE;
});

test('an answer of no shard is none', async () => {
  for (const server of servers) server.fault.now = LOST;
  const { status, body } = await post(front, '/similar', { text: TEXT });
  assert.deepEqual([status, body.code], [503, 'shard-unavailable']);
  assert.equal((await ask('/search', { q: 'the' })).status, 503);
  for (const server of servers) server.fault.now = FINE;
  await front.holder.check();
  assert.equal((await ask('/search', { q: 'the' })).headers['akin-lost-shards'], undefined);
});

test('a URL of a lost shard that is not what is asked about makes the answer partial', async () => {
  await whileFaulty(LOST, async () => {
    const links = urls.map(([url]) => `<a href="${url}">a page</a>`).join(' ');
    const html = `<title>roses</title><p>${TEXT}</p>${links}`;
    const answers = [
      await post(front, '/group', { results: [kept, lost] }),
      await post(front, '/similar', html, 'text/html'),
      await post(front, '/similar?same_site=exclude', { text: TEXT, url: lost }),
      await ask('/related', { url: kept, exclude: [lost] }),
    ];
    for (const { status, body } of answers) {
      assert.deepEqual([status, body.partial, body.lost_shards], [200, true, [1]], body.detail);
    }
    const other = await ask('/related', { url: `${kept}-none` });
    const home = shardOf(`${kept}-none`, COUNT);
    assert.deepEqual(other.body.code, home === 1 ? 'shard-unavailable' : 'page-not-indexed');
  });
});

test('a document with more links than rounds is answered', async () => {
  const links = Array.from({ length: 400 }, (_, i) => `<a href="https://links.example/${i}">a</a>`).join(' ');
  const { status, body } = await post(front, '/similar', `<p>${TEXT}</p>${links}`, 'text/html');
  assert.deepEqual([status, body.partial], [200, undefined]);
  assert.ok(body.related.length > 0);
});

longTest(
  'more documents than may wait are refused before the shards are asked, and no answer is empty',
  async () => {
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, i) => post(front, '/similar', { text: `${TEXT} ${i}` })),
    );
    const refused = answers.filter(({ status }) => status !== 200);
    assert.ok(refused.length > 0 && refused.length < 24, `${refused.length} refused`);
    for (const { status, body } of refused) assert.deepEqual([status, body.code], [503, 'overloaded']);
    for (const { status, body } of answers) if (status === 200) assert.ok(body.related.length > 0);
  },
);

test('a cluster that a lost shard may have is not said to be none', async () => {
  const clusters = [...reader.clusters.all()].filter(({ size }) => size > 1);
  const shardsOf = (id: number, size: number) =>
    new Set(
      reader.clusters.members(id, size, 0).map(({ pageId }) => shardOf(reader.page(pageId).url, COUNT)),
    );
  const own = clusters.find(({ id, size }) => {
    const homes = shardsOf(id, size);
    return homes.size === 1 && homes.has(1);
  });
  const key = own?.key ?? 'none';
  await whileFaulty(LOST, async () => {
    const { status, body } = await ask(`/clusters/${key}`);
    assert.deepEqual([status, body.code], [503, 'shard-unavailable']);
  });
  assert.equal((await ask('/clusters/none')).body.code, 'cluster-not-found');
});

test('servers that are not each shard once are refused', async () => {
  const refusal = (peerUrls: string[]) =>
    buildApp({ indexPath: [], peers: { urls: peerUrls, timeLimitMs: TIME_LIMIT_MS }, pollMs: 0 }).then(
      (app) => app.close(),
      (error: Error) => error.message,
    );
  const [a, b, c] = servers.map(({ url }) => url) as [string, string, string];
  assert.match(String(await refusal([a, b, b])), /both serve shard 1/);
  assert.match(String(await refusal([a, c])), /the index has 3 shards; 2 servers are given/);
});

longTest(
  'new generations are taken up although a shard is lost, and it is taken up when it comes',
  async () => {
    const folder = temporaryFolder({ after });
    const nextWhole = join(folder, 'next.akin');
    await buildFixture(nextWhole, fixturePages(1));
    const nextPaths = await split(nextWhole);
    const places = shardPaths.map((path, i) => {
      const place = join(folder, `${i}.akin`);
      copyFileSync(path, place);
      return place;
    });
    const apps = await Promise.all(places.map((path) => fixtureApp(path, EXACT)));
    const peers = await Promise.all(apps.map((app) => faultyServer(app)));
    const own = await frontOf(peers.map(({ url }) => url));
    const before = own.holder.current().id;
    peers[1]!.fault.now = LOST;
    const replace = async (i: number) => {
      renameSync(nextPaths[i]!, places[i]!);
      await apps[i]!.holder.check();
      await own.holder.check();
    };
    await replace(0);
    assert.equal(own.holder.current().id, before, 'two indexes are not one');
    await replace(2);
    assert.notEqual(own.holder.current().id, before, 'all that answer are of the new index');
    assert.deepEqual((await asker(own)('/readyz')).body.lost_shards, [1]);
    peers[1]!.fault.now = FINE;
    await own.holder.check();
    assert.deepEqual((await asker(own)('/readyz')).body.lost_shards, [1], 'it is of the old index yet');
    await replace(1);
    assert.equal((await asker(own)('/readyz')).body.lost_shards, undefined);
    for (const [i, app] of apps.entries()) {
      const found = await asker(own)('/page', { url: IndexReader.open(places[i]!).page(0).url });
      assert.equal(found.status, 200, app.holder.current().id);
    }
    const [a, b, c] = [servers[0]!.url, peers[1]!.url, servers[2]!.url];
    await assert.rejects(frontOf([a, b, c]), {
      message: `${b} serves a shard of another index than ${a}`,
    });
    await assert.rejects(fixtureApp('', { indexPath: [shardPaths[0]!, places[1]!] }), {
      message: `${places[1]} is a shard of another index than ${shardPaths[0]}`,
    });
  },
);

test('a shard that has gone on to another index is said to be lost', async () => {
  fault.now = ({ path }, response) => {
    if (path === '/readyz') return false;
    response.writeHead(410).end('{}');
    return true;
  };
  assert.equal((await ask('/related', { url: lost })).status, 503);
  assert.deepEqual((await ask('/readyz')).body.lost_shards, [1]);
  fault.now = FINE;
  await front.holder.check();
  assert.equal((await ask('/related', { url: lost })).status, 200);
});

test('a shard that has the last index again is asked by all threads', async () => {
  const lacks = async () => {
    const { status, body } = await ask('/search', { q: 'rose' });
    return [status, body.lost_shards];
  };
  assert.deepEqual(await lacks(), [200, undefined]);
  fault.now = ({ path }, response) => {
    if (path === '/readyz') return false;
    response.writeHead(410).end('{}');
    return true;
  };
  assert.deepEqual(await lacks(), [200, [1]]);
  fault.now = FINE;
  await front.holder.check();
  assert.deepEqual((await ask('/readyz')).body.lost_shards, undefined);
  assert.deepEqual(await lacks(), [200, undefined]);
});

test('figures of the index say which shards are not in them', async () => {
  servers[1]!.fault.now = LOST;
  const late = await frontOf(servers.map(({ url }) => url));
  const { body } = await asker(late)('/index');
  assert.deepEqual([body.partial, body.lost_shards], [true, [1]]);
  const known = [...reader.pages()].filter(({ url }) => shardOf(url, COUNT) !== 1);
  const counts = [known.length, known.filter(({ fetched }) => fetched).length];
  assert.deepEqual([body.page_count, body.fetched_page_count], counts);
  fault.now = FINE;
  await late.holder.check();
  assert.equal((await asker(late)('/index')).body.partial, undefined);
});

test('a shard alone does not say that a URL of another is in no index', async () => {
  const alone = asker(shards[0]!);
  const unknown = (home: number) => {
    for (let i = 0; ; i++) {
      const url = `https://unknown.example/${i}`;
      if (shardOf(url, COUNT) === home) return url;
    }
  };
  const { status, body } = await alone('/related', { url: unknown(2) });
  assert.equal(status, 404);
  assert.match(body.detail, /belongs to shard 2 of 3, not to this one/);
  assert.match((await alone('/related', { url: unknown(0) })).body.detail, /is not in the index/);
});

test('reads are refused before their answers fill the memory', async () => {
  const shard = new FileReads(shards[0]!.holder.current().file!).byWholeIds;
  const reads = Array.from({ length: 1000 }, () => ['describe'] as const);
  const once = (await readsAnswer(shard, reads.slice(0, 1))).length;
  await assert.rejects(readsAnswer(shard, reads, 3 * once), {
    code: 'invalid-body',
    message: /^\[3\]: /,
  });
  assert.equal((await readsAnswer(shard, reads.slice(0, 2), 3 * once)).length, 2 * once - 1);
});

test('reads that take too long for the event loop say so, for a thread to answer them', async () => {
  const shard = new FileReads(shards[0]!.holder.current().file!, new Work(ROW_US - 1)).byWholeIds;
  await assert.rejects(readsAnswer(shard, [['describe']]), TooMuchWork);
});

test('a page for people says that it lacks a shard, and is not kept', async () => {
  const page = async () => {
    const { headers, body } = await front.inject({ url: '/explore/search?q=the' });
    return [/\(shard 1\): this page lacks/.test(body), headers['cache-control']];
  };
  await whileFaulty(LOST, async () => assert.deepEqual(await page(), [true, 'no-store']));
  assert.deepEqual(await page(), [false, 'public, max-age=60']);
});

test('a table that would lack a shard is not given', async () => {
  const table = () => ask('/explore/list.csv', { list: 'search', q: 'rose' });
  await whileFaulty(LOST, async () => {
    const { status, body } = await table();
    assert.deepEqual([status, body.code], [503, 'shard-unavailable']);
  });
  assert.equal((await table()).status, 200);
});

test('a page of a lost shard that no other names is not in a list by links', async () => {
  const query = { limit: 100, explain: true };
  let found: { query: { url: string; by: string }; listed: string[] } | null = null;
  for (const { url } of reader.pages()) {
    if (found !== null || shardOf(url, COUNT) !== 0) continue;
    for (const by of ['cocitation', 'coupling', 'companion']) {
      const { body } = await ask('/related', { url, by, ...query });
      const listed = body.related.map((one: Body) => one.url);
      if (listed.some((one: string) => shardOf(one, COUNT) === 1)) found = { query: { url, by }, listed };
    }
  }
  assert.ok(found !== null, 'the fixture has such a list');
  // The others name no page.
  const nameless =
    (number: number): Fault =>
    ({ path, body }, response) => {
      if (path === '/readyz' || !body.includes('"named"')) return false;
      const { generation, reads } = JSON.parse(body);
      const asked = reads.map(([name, id]: [string, number]) => {
        return name === 'named' && reader.page(id) && shardOf(reader.page(id).url, COUNT) === 1 ? -1 : id;
      });
      const changed = reads.map(([name, ...args]: unknown[], i: number) =>
        asked[i] === -1 ? ['named', 2 ** 31] : [name, ...args],
      );
      const payload = JSON.stringify({ generation, reads: changed });
      const headers = { 'content-type': 'application/json' };
      shards[number]!.inject({ method: 'POST', url: path, payload, headers }).then(
        (answer) => response.end(answer.body),
        assert.ifError,
      );
      return true;
    };
  for (const number of [0, 2]) servers[number]!.fault.now = nameless(number);
  await whileFaulty(LOST, async () => {
    const { body, text } = await ask('/related', { ...found.query, ...query });
    const kept = found.listed.filter((one) => shardOf(one, COUNT) !== 1);
    assert.deepEqual([body.partial, body.related.map((one: Body) => one.url)], [true, kept]);
    assert.ok(!text.includes('.invalid'), text);
  });
  for (const number of [0, 2]) servers[number]!.fault.now = FINE;
});

test('a server that never answers does not keep the process before it from stopping', async () => {
  const app = await buildApp({
    indexPath: [],
    peers: { urls: servers.map(({ url }) => url), timeLimitMs: 60_000 },
    pollMs: 0,
  });
  fault.now = () => true;
  const look = app.holder.check();
  const startedMs = performance.now();
  await app.close();
  await look;
  assert.ok(performance.now() - startedMs < 30_000);
  fault.now = FINE;
});
