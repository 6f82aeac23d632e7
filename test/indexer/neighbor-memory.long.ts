/** The joins of many bags on one thread and two, and how long they look for a recall. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findNeighbors } from '../../src/indexer/relate/lists/neighbors.ts';
import { findThresholdPairs } from '../../src/indexer/relate/threshold-pairs.ts';
import { folderOfBags } from './bag-folder.ts';
import { DEFAULTS } from './build.ts';
import { matrix, pairMatrix, testNeighbors, testPairs } from './neighbor-memory.ts';

testNeighbors([1, 2]);
testPairs('buckets', [1, 2]);
testPairs('exact', [1, 2]);

test('the recall asked for decides how long neighbors and pairs are looked for', async (t) => {
  const folder = folderOfBags(t, matrix);
  const pairFolder = folderOfBags(t, pairMatrix);
  const find = async (targetRecall: number) => {
    const options = { ...DEFAULTS, memoryBytes: 2 ** 30, targetRecall };
    const { repetitions, rounds, recall } = await findNeighbors(folder, options, options, () => {});
    const pairs = await findThresholdPairs(pairFolder, 0.7, options, options);
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
