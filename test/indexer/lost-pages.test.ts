/** Pages that sweeps find gone, moved, back, or not to be indexed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TOPIC } from '../../src/relations/topic.ts';
import { IndexReader } from '../../src/store/read/reader.ts';
import { longTest } from '../long-test.ts';
import { buildPages, pageOf } from './build.ts';
import { document, prose, type TestPage } from './pages.ts';
import {
  add,
  addSweeps,
  assertWhole,
  buildSweeps,
  differingTables,
  firstSweep,
  forget,
  GONE_URL,
  HIDDEN_URL,
  MOVED_URL,
  NEW_URL,
  secondSweep,
  thirdSweep,
} from './sweeps.ts';

test('a whole sweep takes what it lacks of its sites, and leaves other sites alone', async (t) => {
  const { target } = await buildSweeps(t, [firstSweep()]);
  const kept = firstSweep().filter(({ url }) => new URL(url).host === 'village0.example');
  const sweep = kept.filter(({ url }) => url !== MOVED_URL).map((page) => ({ ...page, day: 30 }));
  const { change, clusterCount } = await add(t, target, sweep, { isWhole: true });
  assert.equal(change.goneCount, 1);
  assertWhole(target);
  const reader = IndexReader.open(target);
  t.after(() => reader.close());
  // That of the page that is gone is in no list of clusters.
  const total = reader.clusters.total(TOPIC.id, { level: 0 });
  assert.deepEqual([clusterCount, reader.card().clusterCount], [total, total]);
  assert.ok(reader.isGone(pageOf(reader, MOVED_URL).id));
  const linked = [...reader.pages()].filter(({ fetched }) => !fetched);
  assert.ok(linked.every(({ url }) => new URL(url).host !== 'village0.example'));
  assert.ok(!reader.isGone(pageOf(reader, GONE_URL).id));

  await forget(target, HIDDEN_URL);
  const later = IndexReader.open(target);
  t.after(() => later.close());
  const back = [...later.pages()].filter(({ url, fetched }) => !fetched && url.includes('//village0.'));
  assert.deepEqual(back, [], 'a later build brings nothing of it back');
});

test('what a whole sweep has holds where an earlier sweep has a later time', async (t) => {
  const at = (name: string, day: number, title = name) => ({
    url: `http://blog.example/${name}`,
    html: document(title, `<p>${prose(title.length)}</p>`),
    day,
  });
  const sweeps = [
    [at('same', 30), at('changed', 30), at('lacking', 30)],
    [at('same', 10), at('changed', 10, 'changed again')],
  ];
  const { reports, target } = await addSweeps(t, sweeps, { isWhole: true });
  assert.deepEqual(reports[0]!.change, { unchangedCount: 1, changedCount: 1, newCount: 0, goneCount: 1 });
  const once = await buildSweeps(t, sweeps, { isWhole: true });
  for (const path of [target, once.target]) {
    const reader = IndexReader.open(path);
    t.after(() => reader.close());
    const gone = [...reader.pages()].filter(({ id }) => reader.isGone(id)).map(({ url }) => url);
    assert.deepEqual(gone, ['http://blog.example/lacking']);
    assert.equal(pageOf(reader, 'http://blog.example/changed').title, 'changed again');
  }
});

test('a whole sweep has the pages that it names by their canonical URL', async (t) => {
  const named = (name: string, at: number) => ({
    url: `http://blog.example/${name}/index.html`,
    html: document(name, `<p>${prose(at)}</p>`, `<link rel="canonical" href="http://blog.example/${name}/">`),
    day: 1,
  });
  const [first, second, third] = [named('first', 1), named('second', 2), named('third', 3)];
  const { target } = await buildPages(t, [first, second, third]);
  const sweep = [first, second].map((page) => ({ ...page, day: 30 }));
  const { change } = await add(t, target, sweep, { isWhole: true });
  assert.deepEqual(change, { unchangedCount: 2, changedCount: 0, newCount: 0, goneCount: 1 });
  assertWhole(target);
  const reader = IndexReader.open(target);
  t.after(() => reader.close());
  const there = [...reader.pages()].filter(({ id }) => !reader.isGone(id)).map(({ url }) => url);
  assert.deepEqual(there, ['http://blog.example/first/', 'http://blog.example/second/']);
});

longTest('sweeps of one build are whole, all or some of them, as if each had been added', async (t) => {
  const post = (at: number) => {
    return { url: `http://blog.example/post${at}/`, html: document(`post ${at}`, `<p>${prose(at)}</p>`) };
  };
  const blog = [1, 2, 3, 4].map(post);
  const at = (day: number, pages: readonly TestPage[]) => pages.map((page) => ({ ...page, day }));
  const moved = { url: blog[3]!.url, status: 301, location: 'http://blog.example/post1/' };
  const sweeps = [
    at(0, [...firstSweep(), ...blog]),
    // Of one village nothing, of another half, of the blog all but one: that is back later.
    at(30, [...firstSweep().filter((_, i) => i > 3 && i % 2 === 0), ...blog.slice(1)]),
    at(60, [...firstSweep().slice(0, 12), blog[0]!, blog[2]!, moved]),
    at(90, [...firstSweep().slice(8), { url: GONE_URL, status: 404 }, blog[0]!]),
  ];
  for (const names of [null, ['sweep-1', 'sweep-3']]) {
    const isWhole = (i: number) => names?.includes(`sweep-${i + 1}`) ?? true;
    const wholeSweeps = names === null ? {} : { wholeSweeps: names };
    const once = await buildSweeps(t, sweeps, { isWhole: true, ...wholeSweeps });
    const { target } = await buildSweeps(t, sweeps.slice(0, 1), { isWhole: isWhole(0) });
    for (let i = 1; i < sweeps.length; i++) await add(t, target, sweeps[i]!, { isWhole: isWhole(i) });
    assert.deepEqual(differingTables(target, once.target), [], String(names));
  }
});

test('a page that leads out of the index is no alias of itself', async (t) => {
  // No page links to it: else links would make a page of where it leads.
  const moved = { url: 'https://alone.example/', html: document('alone', `<p>${prose(1)}</p>`) };
  const pages = [...firstSweep(), moved];
  const away = { url: moved.url, status: 301, location: 'https://elsewhere.example/', day: 30 };
  const { target } = await addSweeps(t, [pages, [away]]);
  assertWhole(target);
  const reader = IndexReader.open(target);
  t.after(() => reader.close());
  const { id } = pageOf(reader, moved.url);
  assert.ok(reader.isGone(id));
  assert.deepEqual([...reader.aliases(id)], []);
});

test('a sweep of pages that are gone alone is a sweep', async (t) => {
  const { target } = await buildSweeps(t, [firstSweep()]);
  const { change } = await add(t, target, [{ url: GONE_URL, status: 404, day: 90 }]);
  assert.equal(change.goneCount, 1);
  assertWhole(target);
});

for (const kind of ['redirect', 'canonical'] as const) {
  test(`a page known by links alone may turn out to lead elsewhere by a ${kind}`, async (t) => {
    const { target, reader } = await buildSweeps(t, [firstSweep()]);
    const { url } = [...reader.pages()].find(({ fetched }) => !fetched)!;
    const link = `<link rel="canonical" href="${GONE_URL}">`;
    const html = document('found at last', `<p>${prose(31)}</p>`, link);
    const answer = kind === 'redirect' ? { status: 301, location: GONE_URL } : { html };
    const report = await add(t, target, [...firstSweep(), { url, ...answer, day: 9 }]);
    assert.equal(report.change.goneCount, 0, 'it was never a page that was read');
    assertWhole(target);
    const after = IndexReader.open(target);
    t.after(() => after.close());
    assert.deepEqual(after.alias(url), { pageId: after.findPage(GONE_URL), kind });
  });
}

test('what leads elsewhere is followed to where it ends, over several sweeps', async (t) => {
  const { target } = await buildSweeps(t, [firstSweep()]);
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

test('a page that is gone or moved keeps its history and is related to none', async (t) => {
  const { target } = await addSweeps(t, [firstSweep(), secondSweep(), thirdSweep()]);
  const reader = IndexReader.open(target);
  t.after(() => reader.close());
  for (const url of [GONE_URL, MOVED_URL]) {
    const { id } = pageOf(reader, url);
    assert.equal(reader.captures(id).length, 2);
    assert.ok(reader.isGone(id));
    assert.equal(reader.neighbors(1, id).ids.length, 0);
    for (const { list } of reader.allNeighbors(1)) assert.ok(!list.ids.includes(id));
    assert.ok(reader.versions.text(reader.versions.current(id)));
  }
  assert.deepEqual(reader.alias(MOVED_URL), {
    pageId: reader.findPage('https://village0.example/moved.html'),
    kind: 'redirect',
  });
});

test('a page that is back is related again', async (t) => {
  const { target } = await addSweeps(t, [firstSweep(), thirdSweep()]);
  await add(
    t,
    target,
    firstSweep().map((page) => ({ ...page, day: 90 })),
  );
  assertWhole(target);
  const reader = IndexReader.open(target);
  t.after(() => reader.close());
  assert.equal(reader.alias(MOVED_URL), null);
  for (const url of [GONE_URL, MOVED_URL, HIDDEN_URL]) {
    assert.ok(reader.neighbors(1, pageOf(reader, url).id).ids.length > 0, url);
    assert.equal(reader.isGone(pageOf(reader, url).id), false);
  }
});

test('a page that asks not to be indexed is forgotten, but for its URL and that it asks so', async (t) => {
  const { reader: before } = await buildSweeps(t, [firstSweep()]);
  const hidden = before.versions.get(before.versions.current(pageOf(before, HIDDEN_URL).id));
  const { target } = await addSweeps(t, [firstSweep(), thirdSweep()]);
  const reader = IndexReader.open(target);
  t.after(() => reader.close());
  assert.equal(reader.findPage(HIDDEN_URL), -1);
  assert.equal(reader.versions.find(hidden.textDigest), -1);
  const answers = [...reader.input.others(0, reader.input.otherCount)];
  const { kind, record } = answers.find(({ url }) => url === HIDDEN_URL)!;
  assert.deepEqual([kind, record.length], ['noindex', 0]);
});

test('a 404 from before a page was captured does not take it away', async (t) => {
  const { target } = await buildPages(
    t,
    firstSweep().map((page) => ({ ...page, day: 10 })),
  );
  const other = { url: NEW_URL, html: document('other', `<p>${prose(3)}</p>`), day: 20 };
  assert.equal((await add(t, target, [other, { url: GONE_URL, status: 404, day: 5 }])).change.goneCount, 0);
  assert.equal((await add(t, target, [other, { url: GONE_URL, status: 404, day: 15 }])).change.goneCount, 1);
});
