import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { type ForgetReport, forgetUrls } from '../../src/indexer/forget-index.ts';
import { IndexReader } from '../../src/store/reader.ts';
import { buildPages } from './build.ts';
import { document, villagePages } from './pages.ts';
import {
  add,
  assertWhole,
  COPY_URL,
  copiesByUrl,
  firstSweep,
  GONE_URL,
  MOVED_URL,
  secondSweep,
  thirdSweep,
} from './sweeps.ts';

const SECRET_URL = 'https://village3.example/secret.html';
const SECRET_TEXT = 'xylophone quetzal narwhal okapi zebra walrus dodo moa auk gnu lynx stoat ibis';
const SECRET = {
  url: SECRET_URL,
  html: document('Wombat diary', `<p>${SECRET_TEXT} rope deck cabin mast keel</p>`),
};

function forget(target: string, ...urls: string[]): Promise<ForgetReport> {
  return forgetUrls({ target, urls, memoryBytes: 64 << 20, workerCount: 1 });
}

test('of a forgotten page nothing is left in the file', async (t) => {
  const linking = {
    url: 'https://village3.example/p9.html',
    html: document('links', `<a href="${SECRET_URL}"></a>`),
  };
  const { target } = await buildPages(t, [...villagePages(5), SECRET, linking]);
  assert.ok(readFileSync(target).includes(SECRET_URL));
  const report = await forget(target, SECRET_URL);
  assert.deepEqual([report.forgottenPageCount, report.forgottenVersionCount], [1, 1]);
  const bytes = readFileSync(target);
  for (const trace of [SECRET_URL, 'secret.html', 'Wombat', 'narwhal'])
    assert.equal(bytes.includes(trace), false, trace);
  assertWhole(target);
  const reader = IndexReader.open(target);
  t.after(() => reader.close());
  assert.equal(reader.findPage(SECRET_URL), -1);
  assert.deepEqual(reader.card().sweeps[0]!.skipped, { forgotten: 1 });
});

test('lists that held a forgotten page are filled up, and the rest is as it was', async (t) => {
  const { target, reader } = await buildPages(t, villagePages(6), { neighbourLimit: 3 });
  const urls = Array.from(reader.pages(), ({ url }) => url);
  const bags = new Map(urls.map((url, id) => [url, reader.bag(1, id)]));
  for (const url of [urls[0]!, urls[11]!, urls.at(-1)!]) {
    await forget(target, url);
    assertWhole(target);
  }
  const after = IndexReader.open(target);
  t.after(() => after.close());
  assert.equal(after.pageCount, urls.length - 3);
  for (const { id, url } of after.pages()) assert.deepEqual(after.bag(1, id), bags.get(url));
});

test('a text that another page has too stays with that page', async (t) => {
  const { target } = await buildPages(t, firstSweep());
  await add(t, target, secondSweep());
  const before = copiesByUrl(target);
  const report = await forget(target, COPY_URL);
  assert.equal(report.forgottenVersionCount, 0);
  assertWhole(target);
  assert.ok(before.pairs.some((pair) => pair.includes(COPY_URL)));
  assert.ok(!copiesByUrl(target).pairs.some((pair) => pair.includes(COPY_URL)));
});

test('every version of a page with a history goes', async (t) => {
  const { target } = await buildPages(t, firstSweep());
  await add(t, target, secondSweep());
  const url = firstSweep()[4]!.url;
  assert.equal((await forget(target, url)).forgottenVersionCount, 2);
  assertWhole(target);
});

test('of an alias the alias goes and the page stays', async (t) => {
  const alias = { url: 'https://village0.example/old.html', status: 301, location: '/p0.html' };
  const { target } = await buildPages(t, [...villagePages(5), alias]);
  const report = await forget(target, alias.url);
  assert.deepEqual([report.forgottenAliasCount, report.forgottenPageCount], [1, 0]);
  assert.equal(readFileSync(target).includes(alias.url), false);
  assertWhole(target);
});

test('a forgotten page may come back with a later sweep', async (t) => {
  const { target } = await buildPages(t, firstSweep());
  const url = firstSweep()[7]!.url;
  await forget(target, url);
  assert.equal((await add(t, target, firstSweep())).newCount, 1);
  assertWhole(target);
});

test('nothing changes where one of the URLs is unknown, or none would be left', async (t) => {
  const { target } = await buildPages(t, firstSweep(), { bag: 'content' });
  const before = readFileSync(target);
  const all = firstSweep().map(({ url }) => url);
  await assert.rejects(forget(target, all[0]!, 'https://nowhere.example/'), {
    code: 'AKIN_ERR_PAGE_NOT_INDEXED',
  });
  await assert.rejects(forget(target, 'not a url'), { code: 'AKIN_ERR_URL' });
  await assert.rejects(forget(target, ...all), { code: 'AKIN_ERR_OPTION' });
  assert.ok(before.equals(readFileSync(target)));
});

test('what is gone stays gone while ids close the gap of a forgotten page', async (t) => {
  const { target } = await buildPages(t, firstSweep());
  await add(t, target, thirdSweep());
  await forget(target, firstSweep()[0]!.url, MOVED_URL);
  assertWhole(target);
  const reader = IndexReader.open(target);
  t.after(() => reader.close());
  const gone = Array.from(reader.pages())
    .filter(({ id }) => reader.isGone(id))
    .map(({ url }) => url);
  assert.deepEqual(gone, [GONE_URL]);
});
