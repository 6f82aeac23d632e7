/** What a crawl says at its end of the hosts that it left nothing out of, and what an index makes of it. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { archiveNames } from '../../src/crawl/folder/archive.ts';
import type { CrawlSettings } from '../../src/crawl/rules/options.ts';
import { openSource } from '../../src/sources/open-source.ts';
import { IndexReader } from '../../src/store/read/reader.ts';
import { build } from '../indexer/build.ts';
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

test('a crawl names the hosts that it left nothing out of, and only where nothing was', async (t) => {
  const { resolve } = await serve(t, web);
  const coveredBy = async (settings: Partial<CrawlSettings>) => {
    const folder = temporaryFolder(t);
    await crawlTo({ folder, resolve, seeds: [SEED], settings: { scope: 'any', ...settings } });
    const names = archiveNames(folder);
    const source = await openSource(join(folder, names.at(-1)!), {
      maxPageBytes: 2 ** 24,
      baseUrl: null,
      format: null,
    });
    for await (const { kind } of source.items()) assert.equal(kind, 'capture');
    return source.covered;
  };
  assert.deepEqual(await coveredBy({}), [{ hosts: ['one.test', 'two.test'], fileCount: 1 }]);
  assert.deepEqual(await coveredBy({ perHost: 3 }), [{ hosts: ['two.test'], fileCount: 1 }]);
  assert.deepEqual(await coveredBy({ maxPages: 4 }), [], 'it did not come to an end');
  assert.deepEqual(await coveredBy({ maxDepth: 2 }), [], 'it is not known where deeper links lead');
});

test('an index keeps what a crawl covered where all files of its archive are there', async (t) => {
  const { resolve } = await serve(t, web);
  const folder = temporaryFolder(t);
  await crawlTo({ folder, resolve, seeds: [SEED], settings: { scope: 'any', archiveBytes: 400 } });
  const files = archiveNames(folder).map((name) => join(folder, name));
  assert.ok(files.length > 1);
  const hostsOf = async (paths: readonly string[], isSweepPerInput = false) => {
    const inputs = paths.map((path) => ({ path, baseUrl: null, format: null }));
    const { target } = await build(t, { inputs, isSweepPerInput });
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

test('a record of that name with anything else in it says nothing', async (t) => {
  const { warcRecord, pageRecord } = await import('../sources/archive-bytes.ts');
  const path = join(temporaryFolder(t), 'odd.warc');
  for (const block of [
    '',
    '{}',
    '{"hosts":[1],"fileCount":1}',
    '{"hosts":["a"],"fileCount":"1"}',
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
