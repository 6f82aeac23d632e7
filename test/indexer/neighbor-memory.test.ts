/** The neighbors within a budget of memory: the same lists wherever the bags lie, a refusal where nothing helps. */
import assert from 'node:assert/strict';
import { truncateSync } from 'node:fs';
import { test } from 'node:test';
import { InputError } from '../../src/errors.ts';
import { BAG_OFFSETS, BAG_SUMS } from '../../src/indexer/files/records/stage-files.ts';
import { requireKernelRoom, requirePairKeys } from '../../src/indexer/relate/crew/join-limits.ts';
import { findNeighbors } from '../../src/indexer/relate/lists/neighbors.ts';
import { findThresholdPairs } from '../../src/indexer/relate/threshold-pairs.ts';
import { EntriesOnDisk, entryFiles } from '../../src/indexer/weigh/entry-files.ts';
import { graphBytes, pairBytes } from '../../src/join/buckets/space/join-memory.ts';
import { Random } from '../../src/lib/random.ts';
import { folderOfBags } from './bag-folder.ts';
import { DEFAULTS } from './build.ts';
import { matrix, PAGES, pairMatrix, pairSize, size } from './neighbor-memory.ts';

const random = new Random(6);

test('a budget that even bags on disk do not meet is refused, with one that does', async (t) => {
  const folder = folderOfBags(t, matrix);
  const { fixedBytes } = graphBytes({ ...size, threadCount: 1 });
  await assert.rejects(
    findNeighbors(folder, DEFAULTS, { ...DEFAULTS, memoryBytes: fixedBytes - 1 }, () => {}),
    (error) => {
      assert.ok(error instanceof InputError);
      assert.match(
        error.message,
        /the neighbors of 18000 pages need \d+ MiB of memory, but --memory allows \d+/,
      );
      const advised = Number(/--memory (\d+)M/.exec(error.hint!)![1]) * 2 ** 20;
      assert.ok(advised >= fixedBytes && advised < fixedBytes + 2 ** 20);
      return true;
    },
  );
});

test('room is made for what the search will hold: bags in memory or on disk, or those of the exact way twice', async (t) => {
  const folder = folderOfBags(t, matrix);
  const { fixedBytes, entryBytes } = graphBytes({ ...size, threadCount: 1 });
  const asked = async (memoryBytes: number, targetRecall: number) => {
    let asked = 0;
    const makeRoom = async (bytes: number) => {
      asked = bytes;
      throw new Error('far enough');
    };
    const options = { ...DEFAULTS, memoryBytes, targetRecall, makeRoom };
    await assert.rejects(
      findNeighbors(folder, options, options, () => {}),
      /far enough/,
    );
    return asked;
  };
  assert.equal(await asked(2 ** 30, 0.9), fixedBytes + entryBytes);
  assert.equal(await asked(fixedBytes + entryBytes - 1, 0.9), fixedBytes);
  const exact = await asked(2 ** 30, 1);
  assert.ok(exact > 40 * PAGES + 1.8 * entryBytes && exact < 40 * PAGES + 2.5 * entryBytes, `${exact}`);
});

test('a budget too small for the pairs is refused in their name', async (t) => {
  const folder = folderOfBags(t, pairMatrix);
  const { fixedBytes } = pairBytes({ ...pairSize, threadCount: 1 });
  const resources = { ...DEFAULTS, memoryBytes: 2 * fixedBytes - 1 };
  await assert.rejects(findThresholdPairs(folder, 0.9, DEFAULTS, resources), (error) => {
    assert.ok(error instanceof InputError);
    assert.match(
      error.message,
      /^the similar pairs of 14000 pages need \d+ MiB of memory, but --memory allows/,
    );
    return true;
  });
});

test('more pages than a kernel has room for are refused in plain words', () => {
  requireKernelRoom('neighbors', 30_000_000, 4);
  assert.throws(() => requireKernelRoom('neighbors', 34_000_000, 4), {
    name: 'InputError',
    message: /^34000000 different pages are too many to find their neighbors/,
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
  BAG_OFFSETS.write(folder, matrix.offsets.slice(0, few + 1));
  BAG_SUMS.write(folder, matrix.sums.slice(0, few));
  const resources = { memoryBytes: 64 << 20, workerCount: 256 };
  const { method, recall } = await findThresholdPairs(folder, 0.9, DEFAULTS, resources);
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
