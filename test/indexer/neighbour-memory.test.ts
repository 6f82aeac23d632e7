/** The neighbours within a budget of memory: the same lists wherever the bags lie, a refusal where nothing helps. */
import assert from 'node:assert/strict';
import { readFileSync, truncateSync } from 'node:fs';
import { test } from 'node:test';
import { InputError } from '../../src/errors.ts';
import { writeArray } from '../../src/indexer/files/array-file.ts';
import { requireKernelRoom, requirePairKeys } from '../../src/indexer/files/memory-budget.ts';
import type { WorkFiles } from '../../src/indexer/files/work-folder.ts';
import { findNeighbours } from '../../src/indexer/relate/neighbours.ts';
import { findThresholdPairs } from '../../src/indexer/relate/threshold-pairs.ts';
import { EntriesOnDisk, entryFiles } from '../../src/indexer/weigh/entry-files.ts';
import { graphBytes, pairBytes } from '../../src/join/buckets/join-memory.ts';
import { Random } from '../../src/lib/random.ts';
import { matrixOf } from '../join/bags.ts';
import { folderOfBags } from './bag-folder.ts';
import { DEFAULTS } from './build.ts';

const PAGES = 14_000;
const WORDS = 16;

/** Bags of so common words that the graph is cheaper than the exact join; every tenth is one of the first hundred. */
const random = new Random(5);
const rows: Map<number, number>[] = [];
for (let page = 0; page < PAGES; page++) {
  const row = page % 10 === 9 ? rows[random.below(Math.min(page, 100))] : undefined;
  rows.push(
    row ??
      new Map(Array.from({ length: WORDS / 2 }, () => [random.below(WORDS), 1 + random.below(40)] as const)),
  );
}
const matrix = matrixOf(rows, WORDS);
const size = { pageCount: PAGES, entryCount: matrix.features.length, featureCount: WORDS, k: 8 };

const bytesOf = (folder: WorkFiles, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, readFileSync(folder.file(name))]));

test('neighbours are the same with bags in memory and on disk, for one thread and two', async (t) => {
  const folder = folderOfBags(t, matrix);
  const find = async (memoryBytes: number, workerCount: number) => {
    const found = await findNeighbours(folder, { ...DEFAULTS, memoryBytes, workerCount }, () => {});
    const { entryReadCount, ...report } = found;
    assert.equal(report.method, 'graph');
    const names = ['neighbour-counts', 'neighbour-ids', 'neighbour-shared', 'neighbour-total'];
    return { entryReadCount, lists: { report, ...bytesOf(folder, names) } };
  };
  const roomy = await find(2 ** 30, 2);
  assert.equal(roomy.entryReadCount, 0);
  assert.deepEqual(await find(2 ** 30, 1), roomy);
  for (const threadCount of [1, 2]) {
    const { fixedBytes, entryBytes } = graphBytes({ ...size, threadCount });
    const tight = await find(fixedBytes + entryBytes - 1, threadCount);
    assert.deepEqual(tight.lists, roomy.lists);
    assert.ok(tight.entryReadCount > PAGES, `${tight.entryReadCount} reads`);
  }
});

test('the recall asked for decides how long neighbours and pairs are looked for', async (t) => {
  const folder = folderOfBags(t, matrix);
  const find = async (targetRecall: number) => {
    const options = { ...DEFAULTS, memoryBytes: 2 ** 30, targetRecall };
    const { repetitions, rounds, recall } = await findNeighbours(folder, options, () => {});
    const pairs = await findThresholdPairs(folder, 0.7, options);
    return { graph: repetitions + 10 * rounds, recall, pairs };
  };
  const [some, most] = [await find(0.5), await find(0.99)];
  assert.ok(some.recall >= 0.5 && most.recall >= 0.99 && most.recall > some.recall);
  assert.ok(some.graph < most.graph, `${some.graph}, ${most.graph}`);
  assert.ok(some.pairs.recall! >= 0.5 && most.pairs.recall! >= 0.99);
  assert.ok(some.pairs.repetitions < most.pairs.repetitions);
  assert.ok(some.pairs.pairCount < most.pairs.pairCount);
  const all = await find(1);
  assert.deepEqual([all.graph, all.recall], [0, 1]);
  const { method, recall, repetitions, sampleCount } = all.pairs;
  assert.deepEqual([method, recall, repetitions, sampleCount], ['exact', 1, 0, 0]);
  assert.ok(most.pairs.pairCount < all.pairs.pairCount);
});

test('a budget that even bags on disk do not meet is refused, with one that does', async (t) => {
  const folder = folderOfBags(t, matrix);
  const { fixedBytes } = graphBytes({ ...size, threadCount: 1 });
  await assert.rejects(
    findNeighbours(folder, { ...DEFAULTS, memoryBytes: fixedBytes - 1 }, () => {}),
    (error) => {
      assert.ok(error instanceof InputError);
      assert.match(
        error.message,
        /the neighbours of 14000 pages need \d+ MiB of memory, but --memory allows \d+/,
      );
      const advised = Number(/--memory (\d+)M/.exec(error.hint!)![1]) * 2 ** 20;
      assert.ok(advised >= fixedBytes && advised < fixedBytes + 2 ** 20);
      return true;
    },
  );
});

for (const { method, similarity, targetRecall, leastReads, leastRuns } of [
  { method: 'buckets', similarity: 0.7, targetRecall: 0.9, leastReads: PAGES, leastRuns: 0 },
  // Bags are read in order, much at a time; pairs are more than a thread may hold.
  { method: 'exact', similarity: 0.4, targetRecall: 1, leastReads: 1, leastRuns: 1 },
] as const) {
  test(`similar pairs are the same with bags and pairs in memory and on disk: ${method}`, async (t) => {
    const folder = folderOfBags(t, matrix);
    const find = async (memoryBytes: number, workerCount: number) => {
      const options = { ...DEFAULTS, memoryBytes, targetRecall, workerCount };
      const found = await findThresholdPairs(folder, similarity, options);
      const { entryReadCount, storedRunCount, ...report } = found;
      assert.equal(report.method, method);
      const names = [
        'exact-pair-a',
        'exact-pair-b',
        'exact-pair-shared',
        'exact-pair-total',
        'exact-pair-representative',
      ];
      return { entryReadCount, storedRunCount, pairs: { report, ...bytesOf(folder, names) } };
    };
    const roomy = await find(2 ** 30, 1);
    assert.ok(roomy.pairs.report.pairCount > 1000, `${roomy.pairs.report.pairCount} pairs`);
    assert.deepEqual([roomy.entryReadCount, roomy.storedRunCount], [0, 0]);
    for (const workerCount of [1, 2]) {
      const { fixedBytes, entryBytes } = pairBytes({ ...size, threadCount: workerCount });
      // Half of the budget is for pairs.
      const tight = await find(2 * (fixedBytes + entryBytes) - 1, workerCount);
      assert.deepEqual(tight.pairs, roomy.pairs);
      assert.ok(tight.entryReadCount >= leastReads, `${tight.entryReadCount} reads`);
      assert.ok(tight.storedRunCount >= leastRuns, `${tight.storedRunCount} runs`);
    }
  });
}

test('a budget too small for the pairs is refused in their name', async (t) => {
  const folder = folderOfBags(t, matrix);
  const { fixedBytes } = pairBytes({ ...size, threadCount: 1 });
  const options = { ...DEFAULTS, memoryBytes: 2 * fixedBytes - 1 };
  await assert.rejects(findThresholdPairs(folder, 0.9, options), (error) => {
    assert.ok(error instanceof InputError);
    assert.match(
      error.message,
      /^the similar pairs of 14000 pages need \d+ MiB of memory, but --memory allows/,
    );
    return true;
  });
});

test('more pages than a kernel has room for are refused in plain words', () => {
  requireKernelRoom('neighbours', 30_000_000, 4);
  assert.throws(() => requireKernelRoom('neighbours', 34_000_000, 4), {
    name: 'InputError',
    message: /^34000000 different pages are too many to find their neighbours/,
  });
  assert.throws(
    () => requireKernelRoom('similar pairs', 33_290_000, 256),
    /too many to find their similar pairs/,
  );
  assert.throws(() => requirePairKeys(34_000_000), InputError);
});

test('a few pages are joined exactly within the least budget, whatever the number of threads', async (t) => {
  const few = 300;
  const folder = folderOfBags(t, matrix);
  writeArray(folder.file('bag-offsets'), matrix.offsets.slice(0, few + 1));
  writeArray(folder.file('bag-sums'), matrix.sums.slice(0, few));
  const options = { ...DEFAULTS, memoryBytes: 64 << 20, workerCount: 256 };
  const { method, recall } = await findThresholdPairs(folder, 0.9, options);
  assert.deepEqual([method, recall], ['exact', 1]);
});

test('entries on disk are those of the array, in order and out of it', (t) => {
  const entries = new EntriesOnDisk(entryFiles(folderOfBags(t, matrix)));
  const { offsets } = matrix;
  const check = (page: number) => {
    const [from, to] = [offsets[page]!, offsets[page + 1]!];
    const at = entries.locate(from, to);
    const end = at + to - from;
    assert.deepEqual(entries.features.slice(at, end), matrix.features.slice(from, to), `page ${page}`);
    assert.deepEqual(entries.weights.slice(at, end), matrix.weights.slice(from, to));
  };
  for (let page = 0; page < PAGES; page++) check(page);
  for (let i = 0; i < 2000; i++) check(random.below(PAGES));
  for (let page = PAGES - 300; page < PAGES; page++) check(page);
  const all = entries.locate(0, offsets[PAGES]!);
  assert.deepEqual(entries.features.slice(all, all + offsets[PAGES]!), matrix.features);
  entries.close();
});

test('files that lack entries are no bags of zeros', (t) => {
  for (const column of ['features', 'weights'] as const) {
    const files = entryFiles(folderOfBags(t, matrix));
    const entries = new EntriesOnDisk(files);
    t.after(() => entries.close());
    truncateSync(files[column], 100);
    assert.throws(() => entries.locate(80, 120), /is shorter than its header says/);
  }
});
