import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { IndexReader } from '../../src/store/read/reader.ts';
import { longTest } from '../long-test.ts';
import { buildPages } from './build.ts';
import { document, prose, villagePages } from './pages.ts';
import {
  add,
  addSweeps,
  assertWhole,
  buildSweeps,
  COPY_URL,
  copiesByUrl,
  differingTables,
  firstSweep,
  forget,
  GONE_URL,
  MOVED_URL,
  secondSweep,
  thirdSweep,
} from './sweeps.ts';

const SECRET_URL = 'https://village3.example/secret.html';
/** Known by a link of the page alone. */
const HINTED_URL = 'https://hinted.example/there';
const SECRET_TEXT = 'xylophone quetzal narwhal okapi zebra walrus dodo moa auk gnu lynx stoat ibis';
const SECRET = {
  url: SECRET_URL,
  html: document(
    'Wombat diary',
    `<p>${SECRET_TEXT} rope deck cabin mast keel</p><p>see the <a href="${HINTED_URL}">zanzibar</a>`,
  ),
};

test('of a forgotten page nothing is left in the file, words and anchor texts of its links included', async (t) => {
  const linking = {
    url: 'https://village3.example/p9.html',
    html: document('links', `<a href="${SECRET_URL}">rope</a>`),
  };
  const { target } = await buildPages(t, [...villagePages(5), SECRET, linking], { minPageCount: 1 });
  const traces = [
    SECRET_URL,
    'secret.html',
    'Wombat',
    'wombat',
    'narwhal',
    'quetzal',
    HINTED_URL,
    'zanzibar',
  ];
  const before = readFileSync(target);
  for (const trace of ['narwhal', 'wombat', HINTED_URL, 'zanzibar']) assert.ok(before.includes(trace), trace);
  const { forgotten } = await forget(target, SECRET_URL);
  assert.deepEqual(forgotten, { pageCount: 1, aliasCount: 0, versionCount: 1, waitingCount: 0 });
  const bytes = readFileSync(target);
  for (const trace of traces) assert.equal(bytes.includes(trace), false, trace);
  assertWhole(target);
  const reader = IndexReader.open(target);
  t.after(() => reader.close());
  assert.equal(reader.findPage(SECRET_URL), -1);
  assert.deepEqual(reader.card().sweeps[0]!.skipped, { forgotten: 1 });
});

for (const keepText of [true, false]) {
  const declare = keepText ? test : longTest;
  declare(
    `an index without a page is that of a build without it and the links to it, keepText ${keepText}`,
    async (t) => {
      const other = '<a href="https://village1.example/p1.html">the baker</a> of the harbour';
      const linking = (link: string) => ({
        url: 'https://village3.example/p9.html',
        html: document('links', `${prose(40)} ${link} rope ${prose(41)} ${other}`),
      });
      const secretLink = `<a href="${SECRET_URL}">to it</a>`;
      const { target } = await buildPages(t, [...villagePages(5), SECRET, linking(secretLink)], { keepText });
      await forget(target, SECRET_URL);
      const whole = await buildPages(t, [...villagePages(5), linking('to it')], { keepText });
      assert.deepEqual(differingTables(target, whole.target), ['capture', 'skip', 'sweep']);
    },
  );
}

test('a text that another page has too stays with that page', async (t) => {
  const { target } = await addSweeps(t, [firstSweep(), secondSweep()]);
  const before = copiesByUrl(target);
  const { forgotten } = await forget(target, COPY_URL);
  assert.equal(forgotten.versionCount, 0);
  assertWhole(target);
  assert.ok(before.pairs.some((pair) => pair.includes(COPY_URL)));
  assert.ok(!copiesByUrl(target).pairs.some((pair) => pair.includes(COPY_URL)));
});

test('every version of a page with a history goes', async (t) => {
  const { target } = await addSweeps(t, [firstSweep(), secondSweep()]);
  const url = firstSweep()[4]!.url;
  assert.equal((await forget(target, url)).forgotten.versionCount, 2);
  assertWhole(target);
});

test('of an alias the alias goes and the page stays', async (t) => {
  const alias = { url: 'https://village0.example/old.html', status: 301, location: '/p0.html' };
  const { target } = await buildPages(t, [...villagePages(5), alias]);
  const { forgotten } = await forget(target, alias.url);
  assert.deepEqual([forgotten.aliasCount, forgotten.pageCount], [1, 0]);
  assert.equal(readFileSync(target).includes(alias.url), false);
  assertWhole(target);
});

test('a forgotten page may come back with a later sweep', async (t) => {
  const { target } = await buildSweeps(t, [firstSweep()]);
  const url = firstSweep()[7]!.url;
  await forget(target, url);
  assert.equal((await add(t, target, firstSweep())).change.newCount, 1);
  assertWhole(target);
});

test('nothing changes where one of the URLs is unknown, or none would be left', async (t) => {
  const { target } = await buildSweeps(t, [firstSweep()]);
  const before = readFileSync(target);
  const all = firstSweep().map(({ url }) => url);
  await assert.rejects(forget(target, all[0]!, 'https://nowhere.example/'), {
    code: 'AKIN_ERR_PAGE_NOT_INDEXED',
  });
  await assert.rejects(forget(target, 'not a url'), { code: 'AKIN_ERR_URL' });
  await assert.rejects(forget(target, ...all), { code: 'AKIN_ERR_OPTION' });
  assert.ok(before.equals(readFileSync(target)));
});

test('the last page that is there is forgotten, too, and those that are gone stay', async (t) => {
  const [first, last] = firstSweep().slice(0, 2);
  const { target } = await addSweeps(t, [[first!, last!], [{ url: first!.url, status: 404, day: 30 }]]);
  await forget(target, last!.url);
  assertWhole(target);
  const reader = IndexReader.open(target);
  t.after(() => reader.close());
  assert.deepEqual(
    Array.from(reader.pages(), ({ id, url }) => [url, reader.isGone(id)]),
    [[first!.url, true]],
  );
  const { change } = await add(t, target, [{ ...last!, day: 60 }]);
  assert.equal(change.newCount, 1);
});

test('what is gone stays gone while ids close the gap of a forgotten page', async (t) => {
  const { target } = await addSweeps(t, [firstSweep(), thirdSweep()]);
  await forget(target, firstSweep()[0]!.url, MOVED_URL);
  assertWhole(target);
  const reader = IndexReader.open(target);
  t.after(() => reader.close());
  const gone = Array.from(reader.pages())
    .filter(({ id }) => reader.isGone(id))
    .map(({ url }) => url);
  assert.deepEqual(gone, [GONE_URL]);
});
