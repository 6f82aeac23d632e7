import assert from 'node:assert/strict';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { buildIndex } from '../../src/indexer/build-index.ts';
import type { BuildOptions } from '../../src/indexer/options/build-options.ts';
import { additionTo } from '../../src/indexer/options/stored-options.ts';
import { IndexReader } from '../../src/store/read/reader.ts';
import { longTest } from '../long-test.ts';
import { proveStore } from '../store/open-store.ts';
import { build, buildPages, input, noting, PRINTED, pageOf, temporaryFolder } from './build.ts';
import { document, prose, toJsonl, villagePages } from './pages.ts';
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
  NEW_URL,
  secondSweep,
  testAddition,
  thirdSweep,
} from './sweeps.ts';

// With short lists those of the index are what the search begins with.
testAddition({ neighborLimit: 3 });

test('options may change with an addition: the result is that of a build with them', async (t) => {
  const changed: Partial<BuildOptions> = {
    ...PRINTED,
    // No headings: the index has no part of them, so it does not keep them.
    parts: { content: 0.8, title: 0.05, anchor: 0.15 },
    windowWords: 3,
    shingleSize: 6,
    copyProfile: 'broder1997',
    templateFilter: false,
    stopWords: 'bread\nsalt',
    minPageCount: 1,
  };
  const { target } = await buildSweeps(t, [firstSweep()], { parts: { content: 1 } });
  await add(t, target, secondSweep(), changed);
  const whole = await buildSweeps(t, [firstSweep(), secondSweep()], changed);
  assert.deepEqual(differingTables(target, whole.target), []);
});

test('where texts are not kept, what asks for them is refused by name', async (t) => {
  const { target } = await buildSweeps(t, [firstSweep()], { keepText: false, stopWords: 'salt\nbread\n' });
  const before = readFileSync(target);
  await assert.rejects(add(t, target, secondSweep(), { windowWords: 3, shingleSize: 6 }), {
    code: 'AKIN_ERR_OPTION',
    message: /keeps no texts, so how copies are found and the words around a link cannot be changed/,
  });
  await assert.rejects(add(t, target, secondSweep(), { keepText: true }), {
    code: 'AKIN_ERR_OPTION',
    message: /keeps no texts, so no index of it can keep them/,
    hint: /--no-text/,
  });
  await assert.rejects(add(t, target, secondSweep(), { stopWords: 'salt' }), {
    message: /keeps no texts, so the stop words cannot be changed/,
  });
  assert.ok(before.equals(readFileSync(target)));
  // The same words in another order.
  await add(t, target, secondSweep(), { stopWords: 'Bread # and\r\nsalt' });
});

test('a page without a title is called what the links say now, where texts are not kept, too', async (t) => {
  const url = 'https://village0.example/untitled';
  const linking = (name: string, day: number) => ({
    url: 'https://village0.example/linking',
    html: document('linking', `<p>${prose(8, 40)} <a href="${url}">${name}</a></p>`),
    day,
  });
  const sweeps = [
    [...firstSweep(), { url, html: document('', `<p>${prose(6, 60)}</p>`), day: 0 }, linking('trellis', 0)],
    [linking('rope deck', 30)],
  ];
  for (const options of [{ keepText: false }, { copies: false }]) {
    const { target, reports } = await addSweeps(t, sweeps, options);
    assert.equal(reports.length, 1);
    const whole = await buildSweeps(t, sweeps, options);
    assert.deepEqual(differingTables(target, whole.target), []);
    assert.equal(pageOf(whole.reader, url).title, 'rope deck');
    await forget(target, 'https://village0.example/linking');
    const reader = IndexReader.open(target);
    t.after(() => reader.close());
    assert.equal(pageOf(reader, url).title, '');
  }
});

test('of several URLs of one page the same one spoke in an earlier sweep, whatever order they came in', async (t) => {
  const sweep = (more: string) =>
    ['b', 'a'].map((name) => ({
      url: `https://garden.example/page?view=${name}`,
      html: `<link rel="canonical" href="https://garden.example/page"><!--${name.repeat(name === 'a' ? 3 : 9)}--><p>${prose(7, 60)} ${more}</p>`,
    }));
  const { target } = await buildSweeps(t, [sweep('')]);
  await add(t, target, sweep('and one more word'));
  const whole = await buildSweeps(t, [sweep(''), sweep('and one more word')]);
  assert.deepEqual(
    differingTables(target, whole.target).filter((table) => table !== 'skip'),
    [],
  );
});

test('what an index says of words is taken over only where it is what was written', async (t) => {
  const { target, reader } = await buildSweeps(t, [firstSweep()]);
  reader.close();
  const db = new Database(target);
  const [{ postings }] = db.prepare('SELECT postings FROM search_posting').all() as [{ postings: Buffer }];
  postings.fill(0x55, 0, 200);
  db.prepare('UPDATE search_posting SET postings = ? WHERE id = 0').run(postings);
  db.close();
  await add(t, target, secondSweep());
  const whole = await buildSweeps(t, [firstSweep(), secondSweep()]);
  assert.deepEqual(differingTables(target, whole.target), []);
});

longTest('a block of texts that did not change is taken over as it was packed', async (t) => {
  const day = 1;
  const first = Array.from({ length: 24 }, (_, i) => ({
    url: `https://long.example/${10 + i}`,
    html: document(`page ${i}`, `<p>${prose(i, 3000, i)}</p>`),
    day,
  }));
  const second = [{ ...first[23]!, html: document('page 23', `<p>${prose(23, 2000)}</p>`), day: 30 }];
  const { target, reader } = await buildSweeps(t, [first]);
  reader.close();
  const blocks = () => {
    const db = new Database(target);
    const rows = db.prepare('SELECT texts FROM version_text ORDER BY first_version_id').pluck().all();
    return { db, rows: rows as Buffer[] };
  };
  const { db, rows } = blocks();
  assert.ok(rows.length >= 3);
  // The same texts, packed less.
  const level = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };
  const packed = zstdCompressSync(zstdDecompressSync(rows[0]!), level);
  db.prepare('UPDATE version_text SET texts = ? WHERE first_version_id = 0').run(packed);
  db.close();
  await add(t, target, second);
  const after = blocks();
  after.db.close();
  assert.deepEqual(after.rows[0], packed);
  const whole = await buildSweeps(t, [first, second]);
  assert.deepEqual(differingTables(target, whole.target), ['version_text']);
});

test('two indexes are inputs like any other', async (t) => {
  const { target } = await buildSweeps(t, [firstSweep()]);
  const other = await buildSweeps(t, [secondSweep()]);
  const joined = join(temporaryFolder(t), 'joined.akin');
  const { reader } = await build(t, { inputs: [input(target), input(other.target)], target: joined });
  assert.deepEqual(
    reader.sweeps().map(({ id }) => id),
    [1, 2],
  );
  const whole = await buildSweeps(t, [firstSweep(), secondSweep()]);
  assert.deepEqual(differingTables(joined, whole.target), ['sweep']);
});

test('a sweep of the same pages adds captures and nothing else', async (t) => {
  const { target, reader } = await buildSweeps(t, [firstSweep()]);
  const lists = Array.from(reader.allNeighbors(1), ({ list }) => list);
  const { change } = await add(t, target, firstSweep());
  assert.deepEqual(change, { unchangedCount: 20, changedCount: 0, newCount: 0, goneCount: 0 });
  assertWhole(target);
  const after = IndexReader.open(target);
  t.after(() => after.close());
  assert.deepEqual(
    Array.from(after.allNeighbors(1), ({ list }) => list),
    lists,
  );
  assert.deepEqual(
    after.captures(pageOf(after, GONE_URL).id).map(({ sweep }) => sweep),
    ['sweep-1', 'sweep-2'],
  );
});

test('after each of three sweeps every list is exact and every invariant holds', async (t) => {
  const sweeps = [firstSweep(), secondSweep(), thirdSweep()];
  assertWhole((await addSweeps(t, sweeps.slice(0, 2))).target);
  const { target, reports } = await addSweeps(t, sweeps);
  assertWhole(target);
  const [second, third] = reports;
  assert.deepEqual(second!.change, { unchangedCount: 18, changedCount: 2, newCount: 2, goneCount: 0 });
  assert.deepEqual([third!.change.goneCount, third!.skipped.noindex], [2, 1]);
});

test('copies of the current versions are those of a full build over the same pages', async (t) => {
  const { target } = await addSweeps(t, [firstSweep(), secondSweep()]);
  const whole = await buildSweeps(t, [secondSweep()]);
  const found = copiesByUrl(target);
  assert.deepEqual(found, copiesByUrl(whole.target));
  assert.ok(found.clusters.some((cluster) => cluster.includes(COPY_URL)));
});

test('new pages stand in URL order, and are linked', async (t) => {
  const { target } = await addSweeps(t, [firstSweep(), secondSweep()]);
  const reader = IndexReader.open(target);
  t.after(() => reader.close());
  assert.equal(reader.findPage(NEW_URL), 0);
  const goal = pageOf(reader, GONE_URL);
  assert.ok(reader.links(reader.findPage(NEW_URL)).includes(goal.id));
});

test('an older sweep that is added later is history', async (t) => {
  const { target } = await buildPages(
    t,
    firstSweep().map((page) => ({ ...page, day: 10 })),
  );
  const old = firstSweep().map((page, i) =>
    i === 4 ? { ...page, html: document('once', `<p>${prose(70, 120)}</p>`), day: 2 } : { ...page, day: 2 },
  );
  await add(t, target, old);
  assertWhole(target);
  const reader = IndexReader.open(target);
  t.after(() => reader.close());
  const page = pageOf(reader, firstSweep()[4]!.url);
  assert.notEqual(page.title, 'once');
  const [first, second] = reader.captures(page.id);
  assert.equal(reader.versions.current(page.id), first!.versionId);
  assert.equal(reader.versions.text(second!.versionId)!.title, 'once');
});

test('an addition that was asked for before another one ended does not take its name', async (t) => {
  const { target } = await buildSweeps(t, [firstSweep()]);
  const path = join(temporaryFolder(t), 'sweep.jsonl');
  writeFileSync(path, toJsonl(thirdSweep()));
  const order = { target, inputs: [input(path)], isWhole: false };
  const resources = { memoryBytes: 64 << 20, workerCount: 1 };
  const counted = additionTo({ ...order, ...resources, sweepName: '' });
  const named = additionTo({ ...order, ...resources, sweepName: 'sweep-2' });
  const added = await addSweeps(t, [firstSweep(), secondSweep()]);
  assert.deepEqual(added.reports[0]!.sweeps, ['sweep-2']);
  renameSync(added.target, target);
  await assert.rejects(buildIndex(named, noting().listener), {
    code: 'AKIN_ERR_OPTION',
    message: /has a sweep sweep-2 already/,
  });
  assert.deepEqual((await buildIndex(counted, noting().listener)).sweeps, ['sweep-3']);
});

test('a sweep that cannot be added leaves the index as it is', async (t) => {
  const { target } = await buildSweeps(t, [firstSweep()]);
  const before = readFileSync(target);
  await assert.rejects(add(t, target, firstSweep(), { sweepName: 'sweep-1' }), { code: 'AKIN_ERR_OPTION' });
  await assert.rejects(add(t, target, [{ url: NEW_URL, status: 500 }]), { code: 'AKIN_ERR_INPUT_EMPTY' });
  assert.ok(before.equals(readFileSync(target)));
  await add(t, target, [{ url: NEW_URL, html: document('new', `<p>${prose(5)}</p>`), day: 9 }]);
  assert.equal(existsSync(`${target}.work`), false);
});

longTest('a sweep larger than what is read at once keeps every sketch', async (t) => {
  const { target } = await buildSweeps(t, [firstSweep()]);
  const pages = Array.from({ length: 60 }, (_, i) => ({
    url: `https://long.example/${i}.html`,
    html: document(`long ${i}`, `<p>${prose(100 + i, 2500, i)}</p>`),
  }));
  assert.equal((await add(t, target, pages)).change.newCount, 60);
  proveStore(target);
});

longTest(
  'an index stays whole where a page names one canonical URL after the other, and then none',
  async (t) => {
    const others = villagePages(3);
    const moving = (name: string | null, day: number) => ({
      url: 'https://village0.example/moving.html',
      html: document(
        `on day ${day}`,
        `<p>${prose(40 + day, 60, day)}</p>`,
        name === null ? '' : `<link rel=canonical href=/${name}>`,
      ),
      day,
    });
    const { target } = await buildSweeps(t, [[...others, moving('first', 0)]]);
    await add(t, target, [moving('second', 10)]);
    await add(t, target, [moving(null, 20)]);
    proveStore(target);
    await add(t, target, [moving(null, 30)]);
    proveStore(target);
  },
);
