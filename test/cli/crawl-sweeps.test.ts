/** The sweeps of a crawl folder in an index: all at once, and each as it ended. */
import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { archiveNames } from '../../src/crawl/folder/archive.ts';
import { Random } from '../../src/lib/random.ts';
import { checkIndex } from '../../src/store/check/check.ts';
import { IndexReader } from '../../src/store/read/reader.ts';
import { prose } from '../indexer/pages.ts';
import { differingTables } from '../indexer/sweeps.ts';
import { longTest } from '../long-test.ts';
import {
  BUILD,
  CRAWL,
  changingSite,
  drawnStates,
  knownStates,
  pageAt,
  run,
  type State,
} from './changing-site.ts';
import { akin } from './terminal.ts';

const texts: readonly State[] = Array.from({ length: 8 }, (_, i) => ({ text: prose(i + 1, 40, i) }));

test('an index of a crawl folder has each of its sweeps, as where each was added when it had ended', async (t) => {
  const { folder, crawl, sweep, urlOf } = await changingSite(t, 'grown.akin');
  const [grown, whole] = [join(folder, 'grown.akin'), join(folder, 'whole.akin')];
  await sweep(texts);
  await run('index', crawl, '--to', grown, ...BUILD);
  const second = texts.with(1, { text: prose(91, 40, 1) });
  await sweep([...second.slice(0, 2), { to: 8 }, 'gone', { hidden: 'no' }, ...second.slice(5), texts[2]!]);
  await run('add', crawl, '--to', grown);
  await sweep([
    ...second.slice(0, 2),
    { to: 8 },
    'gone',
    { hidden: 'no' },
    'gone',
    ...second.slice(6),
    texts[2]!,
  ]);
  await run('add', crawl, '--to', grown);
  await run('index', crawl, '--to', whole, ...BUILD);
  assert.deepEqual(differingTables(whole, grown), []);
  const reader = IndexReader.open(whole);
  t.after(() => reader.close());
  assert.deepEqual(
    reader.sweeps().map(({ name }) => name),
    ['sweep-1', 'sweep-2', 'sweep-3'],
  );
  assert.equal(reader.page(reader.alias(urlOf(2))!.pageId).url, urlOf(8), 'where it has moved');
  assert.deepEqual(
    [3, 5].map((i) => reader.isGone(reader.findPage(urlOf(i)))),
    [true, true],
  );
  assert.equal(reader.findPage(urlOf(4)), -1, 'it asks not to be indexed');
  const captures = reader.captures(reader.findPage(urlOf(1)));
  assert.deepEqual(
    captures.map(({ sweep }) => sweep),
    ['sweep-1', 'sweep-2', 'sweep-3'],
  );
});

longTest(
  'sweeps of a crawl that an index has are not read again, and --sweep names the last one',
  async (t) => {
    const { folder, crawl, sweep } = await changingSite(t, 'grown.akin');
    const target = join(folder, 'grown.akin');
    const namesIn = (path: string) => {
      const reader = IndexReader.open(path);
      const names = reader.sweeps().map(({ name }) => name);
      reader.close();
      return names;
    };
    await sweep(texts);
    const extra = join(folder, 'extra.jsonl');
    writeFileSync(extra, JSON.stringify({ url: 'http://127.0.0.1/extra', text: prose(50, 40) }));
    // What is no crawl is of the last sweep.
    await run('index', extra, crawl, '--to', target, ...BUILD);
    assert.deepEqual(namesIn(target), ['sweep-1']);
    const again = await akin(['add', crawl, '--to', target]);
    assert.equal(again.code, 2);
    assert.match(again.stderr, /has a sweep sweep-1 already/);
    assert.match(again.stderr, /give --sweep NAME/);
    await sweep(texts.with(3, 'gone'));
    await sweep(texts.with(3, 'gone').with(4, 'gone'));
    assert.match(await run('add', crawl, '--to', target, '--sweep', 'may'), /after sweep sweep-2, may,/);
    // Those of another crawl have the same numbers.
    const other = join(folder, 'other');
    mkdirSync(other);
    for (const name of archiveNames(crawl, 1)) copyFileSync(join(crawl, name), join(other, name));
    assert.equal((await akin(['add', other, '--to', target])).code, 2);
    await run('add', other, '--to', target, '--sweep', 'other');
    assert.deepEqual(namesIn(target), ['sweep-1', 'sweep-2', 'may', 'other']);
    // Archives one by one are of their sweeps, too, in whichever order; an index among the inputs has some of them.
    const all = join(folder, 'all.akin');
    const files = archiveNames(crawl).map((name) => join(crawl, name));
    await run('index', ...files.toReversed(), '--to', all, ...BUILD);
    assert.deepEqual(namesIn(all), ['sweep-1', 'sweep-2', 'sweep-3']);
    await run('index', target, crawl, '--to', all, ...BUILD);
    assert.deepEqual(namesIn(all), ['sweep-1', 'sweep-2', 'may', 'other', 'sweep-3']);
    await run('index', extra, crawl, '--sweep-per-input', '--to', all, '--whole-sweep', 'sweep-3', ...BUILD);
    assert.deepEqual(namesIn(all), ['extra', 'sweep-1', 'sweep-2', 'sweep-3']);
  },
);

test('a sweep that has gone on since the index read it is read again, as is that of a later crawl', async (t) => {
  const { folder, crawl, urlOf } = await changingSite(t, 'grown.akin', texts);
  const target = join(folder, 'grown.akin');
  const namesIn = () => {
    const reader = IndexReader.open(target);
    t.after(() => reader.close());
    return { reader, names: reader.sweeps().map(({ name }) => name) };
  };
  await run('crawl', urlOf(0).replace(/0$/, ''), '--to', crawl, '--max-pages', '4', ...CRAWL);
  await run('index', crawl, '--to', target, ...BUILD);

  await run('crawl', '--resume', '--to', crawl, '--max-pages', '0');
  // All pages answer as before: the next sweep alone says nothing of those that the index lacks.
  await run('crawl', '--recrawl', target, '--to', crawl);
  await run('add', crawl, '--to', target);
  const { reader, names } = namesIn();
  assert.deepEqual(names, ['sweep-1', 'sweep-1-2', 'sweep-2']);
  for (const i of texts.keys()) assert.equal(reader.page(reader.findPage(urlOf(i))).fetched, true, `${i}`);
  assert.equal((await akin(['add', crawl, '--to', target])).code, 2, 'nothing has come since');
});

longTest('sweeps of other inputs that are called as those of a crawl do not stand for them', async (t) => {
  const { folder, crawl, sweep, urlOf } = await changingSite(t, 'grown.akin');
  const target = join(folder, 'grown.akin');
  const reads = () => {
    const reader = IndexReader.open(target);
    const names = reader.sweeps().map(({ name }) => name);
    const there = [0, 1, 2].map((i) => {
      const page = reader.findPage(urlOf(i));
      return page >= 0 && !reader.isGone(page);
    });
    reader.close();
    return { names, there };
  };
  await sweep(texts);
  await run('index', crawl, '--to', target, ...BUILD);
  // Those of the first are in the archives of the first alone: the second answers as before.
  await sweep(texts.with(1, 'gone'));
  const extra = join(folder, 'extra.jsonl');
  const dates = [undefined, '2001-01-01', new Date(Date.now() + 60_000).toISOString()];
  for (const fetched_at of dates) {
    writeFileSync(extra, JSON.stringify({ url: 'http://127.0.0.1/extra', text: prose(50, 40), fetched_at }));
    await run('index', extra, '--to', target, ...BUILD);
    assert.deepEqual(reads().names, ['sweep-1']);
    await run('add', crawl, '--to', target);
    assert.deepEqual(reads(), { names: ['sweep-1', 'sweep-1-2', 'sweep-2'], there: [true, false, true] });
    const again = await akin(['add', crawl, '--to', target]);
    assert.equal(again.code, 2);
    assert.match(again.stderr, /has a sweep sweep-2 already/);
  }
});

const randomly = (seed: number) =>
  `whatever pages become over the sweeps of a crawl, an index of all shows what they are, as one that grew (${seed})`;
for (const seed of [1, 2, 3, 4, 5, 6]) {
  const declare = seed === 1 ? test : longTest;
  declare(randomly(seed), async (t) => {
    const { folder, crawl, sweep, urlOf } = await changingSite(t, 'grown.akin');
    const [grown, whole] = [join(folder, 'grown.akin'), join(folder, 'whole.akin')];
    const random = new Random(seed);
    const said: (readonly State[])[] = [];
    let states: readonly State[] = Array.from({ length: 24 }, (_, i) => ({ text: prose(i, 30) }));
    let known = states;
    for (let count = 1; count <= 5; count++) {
      if (count > 1) states = drawnStates(random, states);
      known = knownStates(known, states);
      said.push(states);
      await sweep(states);
      await run(...(count === 1 ? ['index', crawl, ...BUILD] : ['add', crawl]), '--to', grown);
    }
    await run('index', crawl, '--to', whole, ...BUILD);
    assert.deepEqual(checkIndex(whole).faults, []);
    assert.deepEqual(differingTables(whole, grown), []);
    const reader = IndexReader.open(whole);
    t.after(() => reader.close());
    for (const [i, state] of known.entries()) {
      const led = reader.alias(urlOf(i))?.pageId ?? reader.findPage(urlOf(i));
      const found = led >= 0 && !reader.isGone(led) ? reader.page(led).url : null;
      const expected = pageAt(known, i);
      const history = `${i}: ${JSON.stringify(said.map((one) => one[i]))}`;
      assert.equal(found, expected === null ? null : urlOf(expected), history);
      if (typeof state === 'object' && state.hidden !== undefined) assert.equal(led, -1, history);
    }
  });
}
