import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BagMatrix } from '../../../src/features/bag.ts';
import { collapseEqualBags } from '../../../src/join/bags/collapse-equal-bags.ts';
import { EntriesInMemory } from '../../../src/join/bags/entry-source.ts';
import {
  areExactNeighborsCheaper,
  areExactPairsCheaper,
  countWork,
} from '../../../src/join/buckets/space/join-cost.ts';
import { generateBags } from '../../generated-bags.ts';
import { longTest } from '../../long-test.ts';
import { matrixOf } from '../bags.ts';

/** Neighbors and pairs, whether each is cheaper exactly. */
function areCheaper(matrix: BagMatrix): [neighbors: boolean, pairs: boolean] {
  const entries = new EntriesInMemory(matrix);
  const work = countWork(collapseEqualBags(matrix, entries).bags, entries);
  return [areExactNeighborsCheaper(work), areExactPairsCheaper(work)];
}

longTest('small collections are joined exactly, large ones and those of common words approximately', () => {
  assert.deepEqual(areCheaper(matrixOf([], 0)), [true, true]);
  assert.deepEqual(areCheaper(generateBags({ pageCount: 5000 })), [true, true]);
  assert.deepEqual(areCheaper(generateBags({ pageCount: 150_000, pageWords: 12 })), [false, false]);
  const common = Array.from(
    { length: 20_000 },
    (_, page) => new Map(Array.from({ length: 8 }, (_, word) => [word, 1 + ((page >> word) & 1)])),
  );
  common.push(...Array.from({ length: 20_000 }, (_, page) => new Map([[8 + page, 1], ...common[page]!])));
  assert.deepEqual(areCheaper(matrixOf(common, 20_008)), [false, false]);
});

test('work is counted over the bags of the groups', () => {
  const one = new Map([[0, 1]]);
  const both = new Map([...one, [1, 2]]);
  const matrix = matrixOf([one, both, one, both, new Map(), one], 2);
  const entries = new EntriesInMemory(matrix);
  const { bags } = collapseEqualBags(matrix, entries);
  // Both words are on one page in 24, so each has a column of 32 bytes and up to 16 to begin at.
  const work = { pageCount: 3, entryCount: 3, postingCount: 5, longest: 2, listBytes: 96 };
  assert.deepEqual(countWork(bags, entries), work);
});
