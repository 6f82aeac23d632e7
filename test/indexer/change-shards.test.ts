/** An index in shards is changed as the whole one is: the shards become those of the changed whole, all in one step. */
import assert from 'node:assert/strict';
import fs, {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { basename, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { changeShards } from '../../src/indexer/change-shards.ts';
import { additionTo, readStoredOptions } from '../../src/indexer/options/stored-options.ts';
import { splitIndex } from '../../src/indexer/shards/split-index.ts';
import { openIndex } from '../../src/service/reads/shards/open-shards.ts';
import { publishShards } from '../../src/store/publish-shards.ts';
import { IndexReader } from '../../src/store/read/reader.ts';
import { inShardOrder, shardsIn } from '../../src/store/read/shard-files.ts';
import { shardOf } from '../../src/url/shard.ts';
import { longTest } from '../long-test.ts';
import { newFolder } from '../new-folder.ts';
import { proveStore } from '../store/open-store.ts';
import { build, input, noting, temporaryFolder } from './build.ts';
import { type TestPage, toJsonl } from './pages.ts';
import {
  addSweeps,
  buildSweeps,
  COPY_URL,
  differingTables,
  firstSweep,
  forget,
  GONE_URL,
  HIDDEN_URL,
  MOVED_URL,
  secondSweep,
  thirdSweep,
} from './sweeps.ts';

const RESOURCES = { memoryBytes: 64 << 20, workerCount: 1 };
const ALIAS = { url: 'https://village0.example/old.html', status: 301, location: '/p0.html' };
/** A page of the last of three shards that leads to one of the first since. */
const [TARGET, LEADING] = [0, 2].map((shard) =>
  firstSweep().findLast(
    ({ url }) => shardOf(url, 3) === shard && ![MOVED_URL, GONE_URL, HIDDEN_URL].includes(url),
  ),
);
const LEADS = { url: LEADING!.url, status: 301, location: TARGET!.url, day: 60 };
const SWEEPS = [
  [...firstSweep(), ALIAS],
  secondSweep(),
  [...thirdSweep().filter(({ url }) => url !== LEADS.url), LEADS],
];

/** Shards of indexes by their generations: each is split once, and copied. */
const splits = newFolder('splits');
process.once('exit', () => rmSync(splits, { recursive: true, force: true }));

/** The folder. */
async function split(t: TestContext, source: string, shardCount = 3): Promise<string> {
  const reader = IndexReader.open(source);
  const { generation } = reader;
  reader.close();
  const made = join(splits, `${generation}-${shardCount}`);
  if (!existsSync(made)) {
    await splitIndex({ source, shardCount, folder: made, ...RESOURCES }, noting().listener);
  }
  const folder = join(temporaryFolder(t), 'shards');
  cpSync(made, folder, { recursive: true });
  return folder;
}

longTest('shards of another number are not left beside new ones', async (t) => {
  const { target } = await buildSweeps(t, [firstSweep()]);
  const folder = await split(t, target);
  const before = readdirSync(folder);
  const again = splitIndex({ source: target, shardCount: 2, folder, ...RESOURCES }, noting().listener);
  await assert.rejects(again, { code: 'AKIN_ERR_OPTION', message: /shard-0000\d-of-00003\.akin$/ });
  assert.deepEqual(readdirSync(folder), before);
  await splitIndex({ source: target, shardCount: 3, folder, ...RESOURCES }, noting().listener);
  assert.deepEqual(readdirSync(folder), before);
});

test('a shard may have no page of its own, and name one that its URLs lead to', async (t) => {
  const [page] = firstSweep();
  const aliases = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((name) => `https://village0.example/${name}`);
  const redirects = aliases.map((url) => ({ url, status: 301, location: page!.url }));
  const { target } = await buildSweeps(t, [[page!, ...redirects]], { parts: { content: 1 } });
  const shards = shardsIn(await split(t, target, 2));
  const ownPageCounts = shards.map((path) => {
    proveStore(path);
    const reader = IndexReader.open(path);
    t.after(() => reader.close());
    return [reader.ownPageCount, reader.pageCount];
  });
  assert.deepEqual(ownPageCounts.sort(), [
    [0, 1],
    [1, 1],
  ]);
});

function addTo(t: TestContext, target: string, pages: readonly TestPage[], sweepName = '') {
  const path = join(temporaryFolder(t), 'sweep.jsonl');
  writeFileSync(path, toJsonl(pages));
  const change = { target, inputs: [input(path)], sweepName, ...RESOURCES };
  return changeShards(additionTo(change), noting().listener);
}

async function assertShardsOf(t: TestContext, folder: string, whole: string): Promise<void> {
  const [shards, expected] = [shardsIn(folder), shardsIn(await split(t, whole))];
  assert.equal(shards.length, expected.length);
  for (const [i, path] of shards.entries()) {
    assert.deepEqual(differingTables(path, expected[i]!), [], path);
    proveStore(path);
  }
}

/** Of the index that the shards in a folder are of. */
const indexOf = (folder: string) => {
  const names = shardsIn(folder).map((path) => {
    const reader = IndexReader.open(path);
    reader.close();
    return reader.shard!.index;
  });
  assert.equal(new Set(names).size, 1);
  return names[0]!;
};

longTest(
  'sweeps added to shards give the shards of the whole index that they were added to, under their names',
  async (t) => {
    const sweeps = [firstSweep(), secondSweep(), thirdSweep()];
    const { target: whole } = await buildSweeps(t, sweeps.slice(0, 1));
    const folder = await split(t, whole);
    for (const [i, path] of shardsIn(folder).entries()) renameSync(path, join(folder, `part-${9 - i}.akin`));
    const names = () => shardsIn(folder).map((path) => basename(path));
    const before = names();
    assert.deepEqual(before, ['part-9.akin', 'part-8.akin', 'part-7.akin']);
    assert.deepEqual(inShardOrder(shardsIn(folder).toReversed()), shardsIn(folder));
    const reports = [await addTwice(t, folder, sweeps[1]!), await addTo(t, folder, sweeps[2]!)];
    const added = await addSweeps(t, sweeps);
    for (const [i, report] of reports.entries()) {
      const expected = added.reports[i]!;
      assert.equal(report.generation, expected.generation);
      assert.deepEqual(
        [report.change, report.sweeps, report.pageCount, report.target],
        [expected.change, expected.sweeps, expected.pageCount, folder],
      );
    }
    assert.deepEqual(names(), before);
    assert.equal(readdirSync(folder).length, 3, 'nothing else is left');
    await assertShardsOf(t, folder, added.target);
    await assert.rejects(addTo(t, folder, secondSweep(), 'sweep-2'), {
      message: /has a sweep sweep-2 already/,
    });
  },
);

/** Adds a sweep, and again as after a kill when its shards were in place: it is not made twice. What the first one reports. */
async function addTwice(t: TestContext, folder: string, sweep: readonly TestPage[]) {
  const path = join(temporaryFolder(t), 'sweep.jsonl');
  writeFileSync(path, toJsonl(sweep));
  const again = () =>
    changeShards(additionTo({ target: folder, inputs: [input(path)], ...RESOURCES }), noting().listener);
  const work = join(folder, 'shards.work');
  let left = '';
  const real = fs.rmSync;
  // The first thing that goes once they are in place.
  const keepBefore: typeof real = (gone, how) => {
    if (String(gone).endsWith('shards.whole') && left === '') {
      left = join(temporaryFolder(t), 'left');
      cpSync(work, left, { recursive: true });
    }
    real(gone, how);
  };
  Object.assign(fs, { rmSync: keepBefore });
  syncBuiltinESMExports();
  const report = await again().finally(() => {
    Object.assign(fs, { rmSync: real });
    syncBuiltinESMExports();
  });
  assert.deepEqual([report.sweeps, report.isRepeated], [['sweep-2'], false]);
  cpSync(left, work, { recursive: true });
  const repeated = await again();
  assert.deepEqual([repeated.sweeps, repeated.isRepeated], [['sweep-2'], true]);
  assert.equal(repeated.indexBytes, report.indexBytes);
  assert.equal(readdirSync(folder).length, 3, 'nothing else is left');
  return report;
}

longTest('what is forgotten of shards is gone from all of them, as from the whole index', async (t) => {
  const { target: whole } = await buildSweeps(t, SWEEPS);
  const folder = await split(t, whole);
  const changed = firstSweep()[4]!.url;
  await assert.rejects(forget(folder, changed, 'https://nowhere.example/'), {
    code: 'AKIN_ERR_PAGE_NOT_INDEXED',
    message: `not in ${folder}: https://nowhere.example/`,
  });
  await assert.rejects(forget(shardsIn(folder)[1]!, changed), { code: 'AKIN_ERR_OPTION' });
  // A page with two texts, a copy of another page, one that is gone, one that leads elsewhere since, and an alias.
  const urls = [changed, COPY_URL, GONE_URL, LEADS.url, ALIAS.url];
  const { forgotten } = await forget(folder, ...urls);
  assert.deepEqual(forgotten, { pageCount: 4, aliasCount: 1, versionCount: 4, waitingCount: 0 });
  assert.deepEqual((await forget(whole, ...urls)).forgotten, forgotten);
  await assertShardsOf(t, folder, whole);
  assert.deepEqual(
    shardsIn(folder).filter((path) => readFileSync(path).includes(changed)),
    [],
  );
  const left = shardsIn(folder).flatMap(readUrls);
  await assert.rejects(forget(folder, ...left), { message: /these are all pages of the index/ });
});

function readUrls(path: string): string[] {
  const reader = IndexReader.open(path);
  const pages = [...reader.pages()].slice(0, reader.ownPageCount).filter(({ fetched }) => fetched);
  reader.close();
  return pages.map(({ url }) => url);
}

longTest('all shards as inputs are the whole index', async (t) => {
  const { target: whole } = await buildSweeps(t, SWEEPS);
  const folder = await split(t, whole);
  const joined = await build(t, {
    ...readStoredOptions(whole),
    inputs: shardsIn(folder).map((path) => input(path)),
  });
  assert.deepEqual(differingTables(joined.target, whole), []);
  const two = shardsIn(folder).slice(1);
  await assert.rejects(build(t, { inputs: two.map((path) => input(path)) }), {
    message: /shard 1 of 3 .* 2 are given/,
  });
});

test('a process that ends while shards are put in place leaves all old ones, or all new ones', async (t) => {
  const { target: whole } = await buildSweeps(t, [firstSweep()]);
  const old = await split(t, whole);
  const next = await split(t, (await addSweeps(t, [firstSweep(), secondSweep()])).target);
  const names = readdirSync(old);
  for (let movedCount = 0; movedCount <= names.length; movedCount++) {
    const folder = join(temporaryFolder(t), 'shards');
    const waiting = join(folder, 'shards.publishing');
    mkdirSync(waiting, { recursive: true });
    for (const [i, name] of names.entries()) {
      copyFileSync(join(i < movedCount ? next : old, name), join(folder, name));
      if (i >= movedCount) copyFileSync(join(next, name), join(waiting, name));
    }
    const index = await openIndex(names.map((name) => join(folder, name)));
    assert.equal(index.facts.sweeps.length, 2, `${movedCount} were moved`);
    index.close();
    assert.deepEqual([indexOf(folder), readdirSync(folder)], [indexOf(next), names]);
  }
  const made = join(old, 'made');
  mkdirSync(made);
  // Until all are made, those before are served.
  copyFileSync(join(next, names[0]!), join(made, names[0]!));
  assert.notEqual(indexOf(old), indexOf(next));
  for (const name of names) copyFileSync(join(next, name), join(made, name));
  publishShards(made, old);
  assert.equal(indexOf(old), indexOf(next));
});

test('a folder that does not have just the shards of one index is refused by what it has', async (t) => {
  const { target: whole } = await buildSweeps(t, [firstSweep()]);
  const folder = await split(t, whole);
  copyFileSync(whole, join(folder, 'whole.akin'));
  writeFileSync(join(folder, 'notes.akin'), 'no index');
  assert.equal(shardsIn(folder).length, 3, 'what is no shard is passed over');
  const [first] = shardsIn(folder) as [string];
  const refused = (message: RegExp) =>
    assert.throws(() => shardsIn(folder), { code: 'AKIN_ERR_OPTION', message });
  copyFileSync(first, join(folder, 'again.akin'));
  refused(/has a shard twice/);
  rmSync(join(folder, 'again.akin'));
  copyFileSync(join(await split(t, whole, 2), 'shard-00000-of-00002.akin'), join(folder, 'two.akin'));
  refused(/has shards of several indexes/);
  rmSync(join(folder, 'two.akin'));
  rmSync(first);
  refused(/has 2 of the 3 shards of an index/);
  for (const path of readdirSync(folder)) rmSync(join(folder, path));
  refused(/has no shard of an index/);
});
