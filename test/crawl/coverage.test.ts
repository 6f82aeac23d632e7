/** What a crawl says at its end of the hosts that it left nothing out of, and what an index makes of it. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { archiveNames } from '../../src/crawl/folder/archive.ts';
import { readCrawl } from '../../src/crawl/folder/crawl-folder.ts';
import type { CrawlSettings } from '../../src/crawl/rules/options.ts';
import { buildIndex } from '../../src/indexer/build-index.ts';
import { additionTo } from '../../src/indexer/options/stored-options.ts';
import { openSource } from '../../src/sources/open-source.ts';
import { IndexReader } from '../../src/store/read/reader.ts';
import { asSweeps, build, input, noting } from '../indexer/build.ts';
import { longTest } from '../long-test.ts';
import { crawlTo, links, pages, serve, temporaryFolder } from './loopback.ts';

const SEED = 'http://one.test/';
const web = pages({
  [SEED]: links('/a', '/b', '/c'),
  'http://one.test/a': `${links('http://two.test/')} first words of a page`,
  'http://one.test/b': 'other words of a page',
  'http://one.test/c': 'and words of the third',
  'http://two.test/': links('/deep'),
  'http://two.test/deep': links('/deeper'),
  'http://two.test/deeper': 'the last words',
});

/** What the last archive of a folder says. */
async function coverageIn(folder: string, kinds: readonly string[] = ['capture']) {
  const source = await openSource(join(folder, archiveNames(folder).at(-1)!), {
    maxPageBytes: 2 ** 24,
    baseUrl: null,
    format: null,
  });
  for await (const { kind } of source.items()) assert.ok(kinds.includes(kind), kind);
  return source.covered.map(({ hosts, fileCount }) => ({ hosts, fileCount }));
}

test('a crawl names the hosts that it left nothing out of, and only where nothing was', async (t) => {
  const { resolve } = await serve(t, web);
  const coveredBy = async (settings: Partial<CrawlSettings>) => {
    const folder = temporaryFolder(t);
    await crawlTo({ folder, resolve, seeds: [SEED], settings: { scope: 'any', ...settings } });
    return coverageIn(folder);
  };
  assert.deepEqual(await coveredBy({}), [{ hosts: ['one.test', 'two.test'], fileCount: 1 }]);
  assert.deepEqual(await coveredBy({ perHost: 3 }), [{ hosts: ['two.test'], fileCount: 1 }]);
  assert.deepEqual(await coveredBy({ maxPages: 4 }), [], 'it did not come to an end');
  assert.deepEqual(await coveredBy({ maxDepth: 2 }), [], 'it is not known where deeper links lead');
});

test('a host of which a page could not be had, or has links that were not read, is not covered', async (t) => {
  let isDown = (_path: string): boolean => false;
  let forbidden = '';
  const { resolve } = await serve(t, (request, response) => {
    if (request.headers.host?.startsWith('one.test') && isDown(request.url!))
      return void request.socket.destroy();
    if (request.url === '/robots.txt') return void response.end(`User-agent: *\n${forbidden}`);
    web(request, response);
  });
  const coveredHosts = async (folder: string, settings: Partial<CrawlSettings> = {}) => {
    await crawlTo({ folder, resolve, seeds: [SEED], settings: { scope: 'any', ...settings } });
    return (await coverageIn(folder, ['capture', 'fault'])).flatMap(({ hosts }) => hosts);
  };
  const others = ['two.test'];
  isDown = (path) => path === '/b';
  assert.deepEqual(await coveredHosts(temporaryFolder(t)), others, 'one page fails each time');
  isDown = (path) => path === '/b' || path === '/c';
  assert.deepEqual(
    await coveredHosts(temporaryFolder(t)),
    others,
    'so many fail that the server is given up',
  );
  isDown = () => false;
  assert.deepEqual(
    await coveredHosts(temporaryFolder(t), { exclude: '/b$' }),
    others,
    'left out by the caller',
  );
  assert.deepEqual(await coveredHosts(temporaryFolder(t), { maxPageBytes: 40 }), others, 'a body was cut');

  // What robots.txt has always forbidden was never a page of the crawl; what it forbids from now on was.
  const folder = temporaryFolder(t);
  forbidden = 'Disallow: /b';
  assert.deepEqual(await coveredHosts(folder), ['one.test', ...others]);
  const known = temporaryFolder(t);
  forbidden = '';
  assert.deepEqual(await coveredHosts(known), ['one.test', ...others]);
  forbidden = 'Disallow: /b';
  await crawlTo({ folder: known, resolve, seeds: [SEED], settings: { scope: 'any' }, mode: 'recrawl' });
  assert.deepEqual(
    (await coverageIn(known, ['capture', 'fault'])).flatMap(({ hosts }) => hosts),
    others,
  );
});

longTest(
  'a host that would not show a page that was there, or sent what cannot be read, is not covered',
  async (t) => {
    const answers = {
      'a server error': [500, {}],
      refused: [403, {}],
      'an unread coding': [200, { 'content-encoding': 'compress', 'content-type': 'text/html' }],
      missing: [404, {}],
      gone: [410, {}],
      'an image': [200, { 'content-type': 'image/png' }],
    } as const;
    let answer: (typeof answers)[keyof typeof answers] | null = null;
    const { resolve } = await serve(t, (request, response) => {
      if (answer === null || request.url !== '/b') return void web(request, response);
      return void response.writeHead(answer[0], answer[1]).end(`bytes of ${answer[0]}`);
    });
    const covered: Record<string, boolean> = {};
    for (const [name, given] of Object.entries(answers)) {
      const folder = temporaryFolder(t);
      answer = null;
      await crawlTo({ folder, resolve, seeds: [SEED] });
      answer = given;
      await crawlTo({ folder, resolve, seeds: [SEED], mode: 'recrawl' });
      covered[name] = (await coverageIn(folder, ['capture', 'fault'])).length > 0;
    }
    const [no, yes] = [false, true];
    assert.deepEqual(Object.values(covered), [no, no, no, yes, yes, yes], Object.keys(covered).join());

    const folder = temporaryFolder(t);
    answer = answers.refused;
    for (const [mode, hosts] of [
      ['new', []],
      ['recrawl', [{ hosts: ['one.test'], fileCount: 1 }]],
    ] as const) {
      await crawlTo({ folder, resolve, seeds: [SEED], mode });
      assert.deepEqual(await coverageIn(folder, ['capture', 'fault']), hosts, `always refused, ${mode}`);
    }
  },
);

longTest('a host of which a sitemap could not be read, or not to its end, is not covered', async (t) => {
  const loc = (path: string) => `<loc>http://one.test/${path}</loc>`;
  const lists = (path: string) => `<sitemapindex>${loc(path)}</sitemapindex>`;
  let sitemaps: Record<string, string | number> = {};
  const { resolve } = await serve(t, (request, response) => {
    const sitemap = sitemaps[request.url!];
    if (sitemap === undefined) return void web(request, response);
    return void response.writeHead(typeof sitemap === 'number' ? sitemap : 200).end(String(sitemap));
  });
  const isCovered = async (given: Record<string, string | number>) => {
    const folder = temporaryFolder(t);
    sitemaps = given;
    await crawlTo({ folder, resolve, seeds: [SEED, 'http://one.test/map.xml'] });
    return (await coverageIn(folder, ['capture', 'fault'])).length > 0;
  };
  const urls = (count: number) => Array(count).fill('http://one.test/a');
  assert.equal(await isCovered({ '/map.xml': `<urlset>${loc('a')}</urlset>` }), true);
  assert.equal(await isCovered({ '/map.xml': 404 }), true);
  assert.equal(await isCovered({ '/map.xml': 403 }), false);
  assert.equal(await isCovered({ '/map.xml': 500 }), false);
  assert.equal(await isCovered({ '/map.xml': '<title>We are back soon</title>' }), false);
  assert.equal(await isCovered({ '/map.xml': urls(50_000).join('\n') }), true);
  assert.equal(await isCovered({ '/map.xml': urls(50_001).join('\n') }), false);
  const repeated = (count: number) => `<urlset>${loc('a').repeat(count)}</urlset>`;
  assert.equal(await isCovered({ '/map.xml': repeated(50_000) }), true);
  assert.equal(await isCovered({ '/map.xml': repeated(50_001) }), false);
  const chain = Object.fromEntries(
    Array.from({ length: 20 }, (_, i) => [`/${i}.xml`, lists(`${i + 1}.xml`)]),
  );
  assert.equal(await isCovered({ '/map.xml': lists('0.xml'), ...chain }), false, 'lists of lists');
});

test('a crawl of another version is refused', async (t) => {
  const { resolve } = await serve(t, web);
  const folder = temporaryFolder(t);
  const given = { folder, resolve, seeds: [SEED], settings: { scope: 'any' } } as const;
  await crawlTo(given);
  const path = join(folder, 'frontier.db');
  const db = new Database(path);
  db.pragma('user_version = 2');
  db.close();
  await assert.rejects(crawlTo({ ...given, mode: 'recrawl' }), { code: 'AKIN_ERR_OPTION' });
  assert.throws(() => readCrawl(folder, 1), { code: 'AKIN_ERR_OPTION' });

  const foreign = temporaryFolder(t);
  const other = new Database(join(foreign, 'frontier.db'));
  other.exec('CREATE TABLE host (name TEXT); PRAGMA user_version = 1');
  other.close();
  await assert.rejects(crawlTo({ ...given, folder: foreign }), { code: 'AKIN_ERR_OPTION' });
});

test('an index keeps what a crawl covered where all files of its archive are there', async (t) => {
  const { resolve } = await serve(t, web);
  const folder = temporaryFolder(t);
  await crawlTo({ folder, resolve, seeds: [SEED], settings: { scope: 'any', archiveBytes: 400 } });
  const files = archiveNames(folder).map((name) => join(folder, name));
  assert.ok(files.length > 1);
  const hostsOf = async (paths: readonly string[], isSweepEach = false) => {
    const inputs = paths.map((path) => input(path));
    const { target } = await build(t, { inputs: isSweepEach ? asSweeps(inputs) : inputs });
    const reader = IndexReader.open(target);
    const hosts = reader.sweeps().flatMap(({ covered }) => covered.hosts);
    reader.close();
    return hosts;
  };
  assert.deepEqual(await hostsOf(files), ['one.test', 'two.test']);
  assert.deepEqual(await hostsOf(files.slice(1)), []);
  assert.deepEqual(
    await hostsOf(files, true),
    [],
    'pages of the first file are not in the sweep of the last',
  );
});

test('of a crawl that goes on behind its end an index keeps what it covered at last', async (t) => {
  const { resolve } = await serve(t, (request, response) =>
    request.url === '/broken' ? void request.socket.destroy() : web(request, response),
  );
  const hostsOf = async (folder: string) => {
    const inputs = archiveNames(folder).map((name) => input(join(folder, name)));
    const { reader } = await build(t, { inputs });
    return reader.sweeps().flatMap(({ covered }) => covered.hosts);
  };
  for (const archiveBytes of [2 ** 30, 400]) {
    const folder = temporaryFolder(t);
    const settings = { scope: 'any', perHost: 3, archiveBytes } as const;
    await crawlTo({ folder, resolve, seeds: [SEED], settings });
    assert.deepEqual(await hostsOf(folder), ['two.test'], 'one.test has had its share');
    const goOn = (changed: Partial<CrawlSettings>, seeds: readonly string[] = []) =>
      crawlTo({ folder, resolve, seeds, mode: 'resume', changed });
    const { state } = await goOn({ perHost: 0, maxPages: 7 }, ['http://three.test/', 'http://four.test/']);
    assert.equal(state.ending, 'max_pages');
    assert.deepEqual(await hostsOf(folder), [], 'what is left to fetch may lead anywhere');
    await goOn({ maxPages: 0 });
    assert.deepEqual(await hostsOf(folder), ['four.test', 'one.test', 'three.test', 'two.test']);
    const files = archiveNames(folder);
    await goOn({});
    assert.deepEqual(archiveNames(folder), files, 'nothing has come, and nothing is said');
    await goOn({}, ['http://four.test/broken']);
    assert.deepEqual(await hostsOf(folder), ['one.test', 'three.test', 'two.test'], 'no answer came');
  }
});

test('a record of that name with anything else in it says nothing', async (t) => {
  const { warcRecord, pageRecord } = await import('../sources/archive-bytes.ts');
  const path = join(temporaryFolder(t), 'odd.warc');
  for (const block of [
    '',
    '{}',
    '{"hosts":[1],"fileCount":1}',
    '{"hosts":["a"],"fileCount":"1"}',
    '{"hosts":["a"],"fileCount":1,"crawl":1}',
    '[',
    'null',
  ]) {
    const record = warcRecord('metadata', 'urn:akin:coverage', block, { 'Content-Type': 'application/json' });
    writeFileSync(path, Buffer.concat([record, pageRecord(1)]));
    const source = await openSource(path, { maxPageBytes: 2 ** 24, baseUrl: null, format: null });
    let count = 0;
    for await (const _item of source.items()) count++;
    assert.deepEqual([count, source.covered], [1, []], block);
  }
});

test('pages that a sweep found as they were are met by it, and a sweep of these alone can be added', async (t) => {
  const { resolve } = await serve(t, web);
  const folder = temporaryFolder(t);
  const given = { folder, resolve, seeds: [SEED], settings: { scope: 'any' } } as const;
  const { state } = await crawlTo(given);
  const [first] = archiveNames(folder);
  const { target } = await build(t, { inputs: [input(join(folder, first!))] });
  const again = await crawlTo({ ...given, mode: 'recrawl' });
  assert.equal(again.state.counts.revisits, state.counts.pages, 'nothing has changed');
  const inputs = archiveNames(folder)
    .slice(1)
    .map((name) => input(join(folder, name)));
  const sweepName = 'again';
  await buildIndex(
    additionTo({ target, inputs, sweepName, memoryBytes: 64 << 20, workerCount: 1 }),
    noting().listener,
  );
  const reader = IndexReader.open(target);
  t.after(() => reader.close());
  assert.deepEqual(reader.sweeps()[1]!.covered.hosts, ['one.test', 'two.test']);
  for (const { url, id } of reader.pages()) {
    const sweeps = reader.captures(id).map(({ sweep }) => sweep);
    assert.equal(sweeps.at(-1), sweepName, url);
    assert.equal(sweeps.length, 2, url);
  }
});
