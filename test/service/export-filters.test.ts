/** What narrows an export: by what each page of it says of itself. */
import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import type { PageFields } from '../../src/page/fields/page-fields.ts';
import { akin } from '../cli/terminal.ts';
import { buildPages } from '../indexer/build.ts';
import { villagePages } from '../indexer/pages.ts';
import { asker, type Body, fixtureApp, pathOf, type Query } from './fixture-app.ts';

const pages = villagePages(20).map((page, i) => {
  return { ...page, fields: i % 10 === 0 ? {} : { tag: [`t${i % 3}`, 'all'], price: i / 2 } };
});
const FIELDS = new Map(pages.map(({ url, fields }) => [url, fields as PageFields]));
// biome-ignore lint/suspicious/noExplicitAny: the test's context stands in for that of the file
const { target, reader } = await buildPages({ after } as any as TestContext, pages, { copies: true });
reader.close();
const app = await fixtureApp(target);

async function rowsOf(what: string, query: Query): Promise<Body[]> {
  const { statusCode, body } = await app.inject(pathOf(`/export/${what}`, query));
  assert.equal(statusCode, 200, body);
  return body
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

const hasTag = (url: string, tag: string) => [FIELDS.get(url)!['tag'] ?? []].flat().includes(tag);

test('the lists of an export within a field are those of the pages that have it', async () => {
  const own = [...FIELDS.keys()].filter((url) => hasTag(url, 't1'));
  const rows = await rowsOf('related', { within: 'tag=t1', limit: 3 });
  assert.ok(rows.every((row) => hasTag(row.url, 't1') && hasTag(row.related_url, 't1')));
  assert.ok(own.length > 20);
  assert.deepEqual(new Set(rows.map(({ url }) => url)), new Set(own));
});

test('nothing is the same where no page is asked about, in whatever is exported', async () => {
  for (const what of ['pages', 'records', 'clusters']) {
    for (const query of [{ lang: 'same' }, { 'field.tag': 'same' }]) {
      const { status, body } = await asker(app)(`/export/${what}`, query);
      assert.deepEqual([status, body.code], [400, 'invalid-parameters'], `${what} ${JSON.stringify(query)}`);
      assert.match(body.detail, /no page is asked about/);
    }
  }
  assert.equal((await asker(app)('/export/changes', { lang: 'same' })).status, 400);
  for (const flags of [
    ['--lang', 'same'],
    ['--field', 'tag=same'],
  ]) {
    const { code, stderr } = await akin(['pairs', target, ...flags]);
    assert.equal(code, 2, stderr);
    assert.match(stderr, /no page is asked about/);
  }
  // Of lists each page is asked about.
  const [first] = await rowsOf('related', { 'field.tag': 'same', limit: 1 });
  assert.ok(first !== undefined);
});

test('a level and a clustering cannot both be asked for, in an export as in a list', async () => {
  const query = { by: 'copy', clustering: '0.5' };
  for (const path of ['/clusters', '/export/clusters']) {
    assert.equal((await app.inject(pathOf(path, query))).statusCode, 200, path);
    for (const level of [0, 1]) {
      const { statusCode, body } = await app.inject(pathOf(path, { ...query, level }));
      assert.deepEqual([statusCode, /level: cannot be combined/.test(body)], [400, true], path);
    }
  }
});

test('a table of lists has the fields that are asked for', async () => {
  const flags = ['--what', 'related', '--fields', 'price', '--limit', '1'];
  const { code, stdout, stderr } = await akin(['export', target, ...flags]);
  assert.equal(code, 0, stderr);
  const [head, ...rows] = stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'));
  const [url, fields] = ['related_url', 'fields'].map((name) => head!.indexOf(name));
  assert.ok(fields! >= 0, String(head));
  const priced = rows.filter((row) => FIELDS.get(row[url!]!)!['price'] !== undefined);
  assert.ok(priced.length > 50);
  for (const row of priced)
    assert.deepEqual(JSON.parse(row[fields!]!), { price: FIELDS.get(row[url!]!)!['price'] });
});
