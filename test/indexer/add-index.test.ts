import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { checkIndex } from '../../src/store/check/check.ts';
import { IndexReader } from '../../src/store/reader.ts';
import { buildPages, pageOf } from './build.ts';
import { document, prose } from './pages.ts';
import {
  add,
  assertWhole,
  COPY_URL,
  copiesByUrl,
  firstSweep,
  GONE_URL,
  HIDDEN_URL,
  MOVED_URL,
  NEW_URL,
  secondSweep,
  thirdSweep,
} from './sweeps.ts';

test('a sweep of the same pages adds captures and nothing else', async (t) => {
  const { target, reader } = await buildPages(t, firstSweep());
  const lists = Array.from(reader.allNeighbours(1), ({ list }) => list);
  const report = await add(t, target, firstSweep());
  assert.equal(report.unchangedCount, 20);
  assert.deepEqual(
    [report.changedCount, report.newCount, report.linkedCount, report.goneCount],
    [0, 0, 0, 0],
  );
  assert.deepEqual([report.newVersionCount, report.touchedListCount, report.searchedCount], [0, 0, 0]);
  assertWhole(target);
  const after = IndexReader.open(target);
  t.after(() => after.close());
  assert.deepEqual(
    Array.from(after.allNeighbours(1), ({ list }) => list),
    lists,
  );
  assert.deepEqual(
    after.captures(pageOf(after, GONE_URL).id).map(({ sweep }) => sweep),
    ['test', 'sweep-2'],
  );
});

test('after each of three sweeps every list is exact and every invariant holds', async (t) => {
  const { target } = await buildPages(t, firstSweep());
  const second = await add(t, target, secondSweep());
  assert.deepEqual([second.unchangedCount, second.changedCount, second.newCount], [18, 2, 2]);
  assertWhole(target);
  const third = await add(t, target, thirdSweep());
  assert.deepEqual([third.goneCount, third.hiddenCount], [2, 1]);
  assertWhole(target);
});

for (const kind of ['redirect', 'canonical'] as const) {
  test(`a page known by links alone may turn out to lead elsewhere by a ${kind}`, async (t) => {
    const { target, reader } = await buildPages(t, firstSweep());
    const { url } = [...reader.pages()].find(({ fetched }) => !fetched)!;
    const link = `<link rel="canonical" href="${GONE_URL}">`;
    const html = document('found at last', `<p>${prose(31)}</p>`, link);
    const answer = kind === 'redirect' ? { status: 301, location: GONE_URL } : { html };
    const report = await add(t, target, [...firstSweep(), { url, ...answer, day: 9 }]);
    assert.equal(report.goneCount, 1);
    assertWhole(target);
    const after = IndexReader.open(target);
    t.after(() => after.close());
    assert.deepEqual(after.alias(url), { pageId: after.findPage(GONE_URL), kind });
  });
}

test('what leads elsewhere is followed to where it ends, over several sweeps', async (t) => {
  const { target } = await buildPages(t, firstSweep());
  const leads = (from: string, to: string, day: number) =>
    add(t, target, [
      { url: from, status: 301, location: to, day },
      { url: NEW_URL, html: prose(day), day },
    ]);
  await leads(HIDDEN_URL, MOVED_URL, 9);
  await leads(MOVED_URL, GONE_URL, 18);
  assertWhole(target);
  const reader = IndexReader.open(target);
  t.after(() => reader.close());
  const [first, second, last] = [HIDDEN_URL, MOVED_URL, GONE_URL].map((url) => pageOf(reader, url).id);
  assert.deepEqual(
    reader.successors(),
    new Map([
      [first, last],
      [second, last],
    ]),
  );
  assert.deepEqual(
    [first, second, last].map((id) => reader.successor(id!)),
    [last, last, last],
  );
});

test('copies of the current versions are those of a full build over the same pages', async (t) => {
  const { target } = await buildPages(t, firstSweep());
  await add(t, target, secondSweep());
  const whole = await buildPages(t, secondSweep());
  const found = copiesByUrl(target);
  assert.deepEqual(found, copiesByUrl(whole.target));
  assert.ok(found.clusters.some((cluster) => cluster.includes(COPY_URL)));
});

test('new pages stand behind the others, whatever their URL, and are found by it', async (t) => {
  const { target } = await buildPages(t, firstSweep());
  await add(t, target, secondSweep());
  const reader = IndexReader.open(target);
  t.after(() => reader.close());
  assert.ok(reader.findPage(NEW_URL) >= 20);
  const goal = pageOf(reader, GONE_URL);
  assert.ok(reader.links(reader.findPage(NEW_URL)).includes(goal.id));
});

test('a page that is gone or moved keeps its history and is related to none', async (t) => {
  const { target } = await buildPages(t, firstSweep());
  await add(t, target, secondSweep());
  await add(t, target, thirdSweep());
  const reader = IndexReader.open(target);
  t.after(() => reader.close());
  for (const url of [GONE_URL, MOVED_URL]) {
    const { id } = pageOf(reader, url);
    assert.equal(reader.captures(id).length, 2);
    assert.ok(reader.isGone(id));
    assert.equal(reader.neighbours(1, id).ids.length, 0);
    for (const { list } of reader.allNeighbours(1)) assert.ok(!list.ids.includes(id));
    assert.ok(reader.versions.text(reader.versions.current(id)));
  }
  assert.deepEqual(reader.alias(MOVED_URL), {
    pageId: reader.findPage('https://village0.example/moved.html'),
    kind: 'redirect',
  });
});

test('a page that is back is related again', async (t) => {
  const { target } = await buildPages(t, firstSweep());
  await add(t, target, thirdSweep());
  await add(t, target, firstSweep());
  assertWhole(target);
  const reader = IndexReader.open(target);
  t.after(() => reader.close());
  assert.equal(reader.alias(MOVED_URL), null);
  for (const url of [GONE_URL, MOVED_URL, HIDDEN_URL]) {
    assert.ok(reader.neighbours(1, pageOf(reader, url).id).ids.length > 0, url);
    assert.equal(reader.isGone(pageOf(reader, url).id), false);
  }
});

test('a page that asks not to be indexed is forgotten', async (t) => {
  const { target } = await buildPages(t, firstSweep());
  await add(t, target, thirdSweep());
  assert.equal(readFileSync(target).includes(HIDDEN_URL), false);
});

test('words that the full build did not know weigh nothing, and the index says how much came since', async (t) => {
  const { target } = await buildPages(t, firstSweep());
  await add(t, target, [{ url: NEW_URL, html: '<title>zebra</title><p>zebra quagga okapi zebra' }]);
  const reader = IndexReader.open(target);
  t.after(() => reader.close());
  assert.equal(reader.bag(1, reader.findPage(NEW_URL)).sum, 0);
  assert.deepEqual(reader.card().parameters['epoch'], {
    built_pages: reader.pageCount - 1,
    added_pages: 1,
    added_sweeps: 1,
    forgotten_pages: 0,
  });
  assertWhole(target);
});

test('an index without copies takes sweeps too', async (t) => {
  const { target } = await buildPages(t, firstSweep(), { copies: false });
  const report = await add(t, target, secondSweep());
  assert.deepEqual([report.changedCount, report.newCount, report.newVersionCount], [2, 2, 0]);
  assertWhole(target);
});

test('a sweep that cannot be added leaves the index as it is', async (t) => {
  const { target } = await buildPages(t, firstSweep());
  const before = readFileSync(target);
  await assert.rejects(add(t, target, firstSweep(), { sweepName: 'test' }), { code: 'AKIN_ERR_OPTION' });
  await assert.rejects(add(t, target, [{ url: NEW_URL, status: 404 }]), { code: 'AKIN_ERR_INPUT_EMPTY' });
  assert.ok(before.equals(readFileSync(target)));
  await add(t, target, secondSweep());
  assert.equal(existsSync(`${target}.work`), false);
});

test('an index whose similarities are estimates is refused, with what to do', async (t) => {
  const printed = { profile: 'haveliwala2000', neighbourLimit: 100, floor: 0.2 } as const;
  const { target } = await buildPages(t, firstSweep(), printed);
  await assert.rejects(add(t, target, secondSweep()), {
    code: 'AKIN_ERR_OPTION',
    hint: /build it again over all its input: akin index/,
  });
});

test('a sweep larger than what is read at once keeps every sketch', async (t) => {
  const { target } = await buildPages(t, firstSweep());
  const pages = Array.from({ length: 60 }, (_, i) => ({
    url: `https://long.example/${i}.html`,
    html: document(`long ${i}`, `<p>${prose(100 + i, 2500, i)}</p>`),
  }));
  assert.equal((await add(t, target, pages)).newVersionCount, 60);
  assert.deepEqual(checkIndex(target).faults, []);
});

test('a 404 from before a page was captured does not take it away', async (t) => {
  const { target } = await buildPages(
    t,
    firstSweep().map((page) => ({ ...page, day: 10 })),
  );
  const other = { url: NEW_URL, html: document('other', `<p>${prose(3)}</p>`), day: 20 };
  assert.equal((await add(t, target, [other, { url: GONE_URL, status: 404, day: 5 }])).goneCount, 0);
  assert.equal((await add(t, target, [other, { url: GONE_URL, status: 404, day: 15 }])).goneCount, 1);
});
