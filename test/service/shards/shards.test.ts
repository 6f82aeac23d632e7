import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { addExplorer } from '../../../src/explorer/explorer.ts';
import { readStoredOptions } from '../../../src/indexer/options/stored-options.ts';
import { splitIndex } from '../../../src/indexer/shards/split-index.ts';
import { parseSearch } from '../../../src/service/answers/search/parse-search.ts';
import { weighTerms } from '../../../src/service/answers/search/weigh-terms.ts';
import { buildApp } from '../../../src/service/app.ts';
import { openIndex } from '../../../src/service/reads/shards/open-shards.ts';
import { checkIndex } from '../../../src/store/check/check.ts';
import { IndexReader } from '../../../src/store/read/reader.ts';
import { FACETS } from '../../../src/store/read/search/search-reader.ts';
import { shardOf } from '../../../src/url/shard.ts';
import { asSweeps, build, input, noting } from '../../indexer/build.ts';
import { toJsonl } from '../../indexer/pages.ts';
import { longTest } from '../../long-test.ts';
import { asker, fixtureApp, fixtureIndex, pathOf, type Query } from '../fixture-app.ts';
import { BAKERY, GARDEN, TWIN, temporaryFolder } from '../fixture-index.ts';
import { answerTo, assertSame, questionsAbout } from './same-answers.ts';

const COUNT = 3;
const EXACT = { exactSearchUs: Number.POSITIVE_INFINITY };

async function split(source: string, name: string, shardCount = COUNT): Promise<string[]> {
  const folder = join(temporaryFolder({ after }), name);
  const options = { source, shardCount, folder, memoryBytes: 64 << 20, workerCount: 1 };
  const { shards } = await splitIndex(options, noting().listener);
  return shards.map(({ path }) => path);
}

/** Every seventh question, or another part: enough to see that every shard is asked. */
const someQuestions = (reader: IndexReader, seed: number, each = 7) =>
  [...questionsAbout(reader, 1, seed)].filter((_, i) => i % each === 0);

/** A server for each shard, and one before them all. */
async function served(paths: readonly string[]) {
  const shards = await Promise.all(paths.map((path) => fixtureApp(path, EXACT)));
  const urls = await Promise.all(shards.map((app) => app.listen({ port: 0, host: '127.0.0.1' })));
  const router = await fixtureApp('', { ...EXACT, indexPath: [], peers: { urls, timeLimitMs: 20_000 } });
  return { shards, urls, router };
}

const wholePath = await fixtureIndex();
const shardPaths = await split(wholePath, 'shards');
// In place: other tests prove that threads answer alike.
const whole = await fixtureApp(wholePath, EXACT);

const [alonePath] = await split(wholePath, 'alone', 1);
const alone = await fixtureApp(alonePath!, EXACT);

test('every page is in the shard of its URL, and each shard is a whole file', async () => {
  const reader = IndexReader.open(wholePath);
  const homes = new Map<string, number>();
  for (const [number, path] of shardPaths.entries()) {
    assert.deepEqual(checkIndex(path).faults, []);
    const shard = IndexReader.open(path);
    const { wholeIds } = shard.shardIds;
    for (const page of shard.pages()) {
      assert.equal(reader.page(wholeIds[page.id]!).url, page.url);
      if (page.id < shard.ownPageCount) homes.set(page.url, number);
    }
    shard.close();
  }
  const expected = Array.from(reader.pages(), ({ url }): [string, number] => [url, shardOf(url, COUNT)]);
  assert.deepEqual(homes, new Map(expected.sort((a, b) => a[1] - b[1])));
  reader.close();
});

test('one shard of one answers as the index does, by links too', async () => {
  const reader = IndexReader.open(wholePath);
  let count = 0;
  for (const question of someQuestions(reader, 4)) count += await assertSame(whole, alone, question);
  reader.close();
  assert.ok(count > 5);
  const { body } = await answerTo(alone, { method: 'GET', url: '/index' });
  assert.ok((body as { link_relations: string[] }).link_relations.length > 0);
});

test('what a server asks of a shard takes few requests, one after another', async () => {
  const url = await alone.listen({ port: 0, host: '127.0.0.1' });
  const router = await fixtureApp('', {
    ...EXACT,
    indexPath: [],
    peers: { urls: [url], timeLimitMs: 20_000 },
  });
  let count = 0;
  alone.server.on('request', ({ url }: IncomingMessage) => {
    if (url === '/shard/reads') count++;
  });
  const requestsFor = async (path: string, query: Query) => {
    count = 0;
    assert.equal((await router.inject(pathOf(path, query))).statusCode, 200);
    return count;
  };
  const bread = `${BAKERY}0`;
  assert.equal(await requestsFor('/related', { url: bread, by: 'copy' }), 3);
  // Of a page with copies, whose list is searched on twice.
  assert.equal(await requestsFor('/related', { url: bread, exclude_copies: true }), 6);
  assert.equal(await requestsFor('/moved', { url: TWIN }), 11);
  assert.equal(await requestsFor('/history', { url: TWIN }), 3);
  // Of all pages: of each its state, and what its captures are of.
  assert.equal(await requestsFor('/lost', {}), 1);
  assert.equal(await requestsFor('/changes', {}), 2);
});

test('the same index gives the same shards', async () => {
  const generations = (paths: readonly string[]) =>
    paths.map((path) => {
      const reader = IndexReader.open(path);
      reader.close();
      return reader.generation;
    });
  assert.deepEqual(generations(await split(wholePath, 'again')), generations(shardPaths));
});

longTest('a page that leads to one of another shard now is lost in the sweep that found so', async (t) => {
  const folder = temporaryFolder(t);
  const names = Array.from({ length: 12 }, (_, i) => `plot${String.fromCharCode(97 + i)}`);
  const html = (name: string) => `<title>${name}</title><p>${`${name} rose tulip `.repeat(30)}</p>`;
  const canonical = (name: string) => `<link rel="canonical" href="https://garden.example/${name}/">`;
  const sweeps = [(name: string) => html(name), (name: string) => canonical(name) + html(name)];
  const inputs = sweeps.map((page, sweep) => {
    const path = join(folder, `${sweep + 1}.jsonl`);
    const pages = names.map((name) => ({
      url: `https://garden.example/${name}/index.html`,
      html: page(name),
    }));
    writeFileSync(path, toJsonl(pages));
    return input(path);
  });
  const { target } = await build(t, { inputs: asSweeps(inputs) });
  const lost: [string, number][] = [];
  for (const path of await split(target, 'lost')) {
    assert.deepEqual(checkIndex(path).faults, []);
    const shard = IndexReader.open(path);
    for (const { id, url } of shard.pages()) if (shard.isGone(id)) lost.push([url, shard.lostIn(id)]);
    shard.close();
  }
  assert.deepEqual(
    lost.sort(([a], [b]) => (a < b ? -1 : 1)),
    names.map((name) => [`https://garden.example/${name}/index.html`, 2]),
  );
});

test('files of all shards answer what the whole index answers, on every route', async () => {
  const parts = await fixtureApp('', { ...EXACT, indexPath: shardPaths.toReversed() });
  const reader = IndexReader.open(wholePath);
  for (const question of questionsAbout(reader, 1, 1)) await assertSame(whole, parts, question);
  reader.close();
});

test('a search over shards gives each page the score that the whole index gives it', async () => {
  const [one, several] = await Promise.all([openIndex([wholePath]), openIndex(shardPaths)]);
  for (const query of [
    'dough',
    'rose garden',
    '"next garden page" thorn',
    'the',
    'gar',
    'gardne',
    'garden -bakery',
    'the -site:garden.example',
  ]) {
    const parsed = parseSearch(query);
    const [expected, found] = await Promise.all(
      [one, several].map(({ answer }) =>
        answer(async (reads) => {
          const { corrected, ...weighed } = await weighTerms(reads, parsed.terms);
          const unwanted = parsed.unwanted.map((term) => ({ ...term, instead: null }));
          const { hosts, unwantedHosts } = parsed;
          const filters = { site: null, hosts, unwantedHosts, lang: null, fields: [], facets: FACETS };
          return [corrected, await reads.search({ ...weighed, unwanted, limit: 100, ...filters })] as const;
        }),
      ),
    );
    assert.ok(expected!.value[1].total > 0, query);
    // Facets in any order.
    const inOrder = ([corrected, { facets, ...result }]: typeof expected.value) => {
      return { corrected, result, facets: FACETS.map((name) => facets[name]!.toSorted()) };
    };
    assert.deepEqual(inOrder(found!.value), inOrder(expected!.value), query);
  }
  one.close();
  several.close();
});

longTest('servers of all shards answer what the whole index answers, on every route', async () => {
  const { router } = await served(shardPaths);
  const reader = IndexReader.open(wholePath);
  for (const question of questionsAbout(reader, 1, 2)) await assertSame(whole, router, question);
  reader.close();
});

longTest(
  'servers of all shards do so, too; one that is lost is named, and its pages alone are missing',
  async () => {
    const { shards, urls, router } = await served(shardPaths);
    const reader = IndexReader.open(wholePath);
    for (const question of someQuestions(reader, 2, 4)) await assertSame(whole, router, question);

    const pages = Array.from(reader.pages()).filter(({ fetched }) => fetched);
    const lost = pages.find(({ url }) => shardOf(url, COUNT) === 1)!;
    const kept = pages.find(({ id, url }) => {
      const { ids } = reader.neighbors(1, id);
      return (
        shardOf(url, COUNT) === 0 && [...ids].some((other) => shardOf(reader.page(other).url, COUNT) === 1)
      );
    })!;
    await shards[1]!.close();
    await router.holder.check();
    const ask = asker(router);
    const refused = await ask('/related', { url: lost.url });
    assert.deepEqual([refused.status, refused.body.code], [503, 'shard-unavailable']);
    assert.equal(refused.headers['akin-lost-shards'], '1');
    // The list of a page stands whole in its shard.
    const question = { method: 'GET', url: pathOf('/related', { url: kept.url, limit: 5 }) } as const;
    const list = await answerTo(router, question);
    const listed = list.body as { related: unknown[] };
    const { body } = await answerTo(whole, question);
    assert.deepEqual(listed.related, (body as { related: unknown[] }).related);
    const found = await ask('/search', { q: 'the', group: 'none' });
    assert.deepEqual([found.status, found.body.partial, found.body.lost_shards], [200, true, [1]]);
    assert.equal(found.headers['cache-control'], 'no-store');
    const batch = await router.inject({
      method: 'POST',
      url: '/related/batch',
      payload: { urls: [kept.url, lost.url] },
    });
    const { partial, lost_shards } = batch.json();
    assert.deepEqual([partial, lost_shards, batch.headers['akin-lost-shards']], [true, [1], '1']);
    assert.equal(batch.headers['cache-control'], 'no-store');
    const [first, second] = batch.json().results;
    assert.equal(first.url, kept.url);
    assert.equal(second.error.code, 'shard-unavailable');

    const back = await fixtureApp(shardPaths[1]!, EXACT);
    await back.listen({ port: Number(new URL(urls[1]!).port), host: '127.0.0.1' });
    await router.holder.check();
    for (const question of someQuestions(reader, 3)) await assertSame(whole, router, question);
    reader.close();
  },
);

longTest('pages for people and the script for other sites are those of one index', async () => {
  const options = { ...EXACT, extend: addExplorer };
  const one = await fixtureApp(wholePath, options);
  const parts = await fixtureApp('', { ...options, indexPath: shardPaths });
  const [url, other] = [GARDEN, BAKERY].map((start) => encodeURIComponent(`${start}1`));
  const paths = ['/embed.js', '/explore/topics', '/explore/search?q=dough', `/explore/page?url=${url}`];
  for (const path of [...paths, `/explore/map?url=${url}`, `/explore/compare?a=${url}&b=${other}`]) {
    const [expected, found] = await Promise.all(
      [one, parts].map(async (app) => {
        const { statusCode, body } = await app.inject({ url: path, headers: { accept: 'text/html' } });
        return { statusCode, body: body.replaceAll(app.holder.current().id, '') };
      }),
    );
    assert.deepEqual(found, expected, path);
    assert.equal(found!.statusCode, 200);
  }
});

longTest('a server that is not there at the start is missed, and taken up when it comes', async () => {
  const shards = await Promise.all(shardPaths.slice(1).map((path) => fixtureApp(path, EXACT)));
  const urls = await Promise.all(shards.map((app) => app.listen({ port: 0, host: '127.0.0.1' })));
  const late = await fixtureApp(shardPaths[0]!, EXACT);
  // A port that is free now, and taken later.
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = `http://127.0.0.1:${(probe.address() as AddressInfo).port}`;
  probe.close();
  await once(probe, 'close');
  const peers = { urls: [address, ...urls], timeLimitMs: 20_000 };
  const router = await fixtureApp('', { ...EXACT, indexPath: [], peers });
  const reader = IndexReader.open(wholePath);
  const own = Array.from(reader.pages()).find(({ url }) => shardOf(url, COUNT) === 0)!;
  const ask = asker(router);
  assert.deepEqual((await ask('/readyz')).body.lost_shards, [0]);
  assert.equal((await ask('/page', { url: own.url })).status, 503);
  assert.deepEqual((await ask('/clusters')).body.lost_shards, [0]);
  const { body } = await ask('/related', { url: own.url, by: 'coupling' });
  assert.equal(body.code, 'shard-unavailable');
  await late.listen({ port: Number(new URL(address).port), host: '127.0.0.1' });
  await router.holder.check();
  assert.equal((await ask('/readyz')).body.lost_shards, undefined);
  for (const question of someQuestions(reader, 8)) await assertSame(whole, router, question);
  reader.close();
});

test('one shard alone knows its own pages, and says where another is', async () => {
  const first = asker(await fixtureApp(shardPaths[0]!));
  const reader = IndexReader.open(shardPaths[0]!);
  const other = reader.page(reader.ownPageCount);
  const own = reader.page(0);
  reader.close();
  assert.equal((await first('/page', { url: own.url })).status, 200);
  const { status, body } = await first('/related', { url: other.url });
  assert.equal(status, 404);
  assert.match(
    body.detail,
    new RegExp(`is in shard ${shardOf(other.url, COUNT)} of ${COUNT}, not in this one`),
  );
});

test('a shard is not split, changed or added to, and a file is no folder', async () => {
  const [shard] = shardPaths as [string];
  await assert.rejects(split(shard, 'again'), { code: 'AKIN_ERR_OPTION', message: /is shard 0 of 3/ });
  assert.throws(() => readStoredOptions(shard), { code: 'AKIN_ERR_OPTION', message: /is shard 0 of 3/ });
  const options = {
    source: wholePath,
    shardCount: 2,
    folder: wholePath,
    memoryBytes: 64 << 20,
    workerCount: 1,
  };
  const refusal = { code: 'AKIN_ERR_OPTION', message: /cannot write in/ };
  await assert.rejects(splitIndex(options, noting().listener), refusal);
});

test('files that are not all shards of one index are refused', async () => {
  const refusal = (indexPath: string[]) =>
    buildApp({ indexPath, pollMs: 0 }).then(
      (app) => app.close(),
      (error: Error) => error.message,
    );
  assert.match(String(await refusal([wholePath, shardPaths[0]!])), /is a whole index, no shard/);
  assert.match(String(await refusal([shardPaths[0]!, shardPaths[0]!])), /is shard 0, which is given already/);
  assert.match(String(await refusal(shardPaths.slice(1))), /the index has 3 shards; 2 are given/);
});
