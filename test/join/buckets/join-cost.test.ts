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

/** Distinct bags, entries and postings of a bag, and what a page took exactly and by the graph, µs of one core. */
const MEASURED = [
  // Texts of a crawl, and three times as many; all parts of its pages, twice and three times as many.
  [10_063, 105, 68_909, 27, 180],
  [37_190, 105, 251_556, 68, 168],
  [105_288, 108, 742_604, 195, 176],
  [28_149, 64, 36_254, 25, 126],
  [109_928, 64, 139_758, 61, 123],
  [219_585, 64, 278_425, 109, 134],
  [329_242, 64, 417_092, 168, 136],
  // Manuals.
  [75_359, 118, 329_993, 86, 136],
  [149_687, 118, 657_856, 148, 151],
  [296_499, 119, 1_304_091, 259, 133],
  // Short synthetic bags, and such of few and common words.
  [100_000, 10, 841, 20, 201],
  [200_000, 10, 2214, 32, 202],
  [20_256, 9, 162_049, 29, 86],
] as const;

/** Neighbors and pairs, whether each is cheaper exactly. */
function areCheaper(matrix: BagMatrix): [neighbors: boolean, pairs: boolean] {
  const entries = new EntriesInMemory(matrix);
  const work = countWork(collapseEqualBags(matrix, entries).bags, entries);
  return [areExactNeighborsCheaper(work), areExactPairsCheaper(work)];
}

longTest('small collections are joined exactly, large ones and those of common words approximately', () => {
  assert.deepEqual(areCheaper(matrixOf([], 0)), [true, true]);
  assert.deepEqual(areCheaper(generateBags({ pageCount: 5000 })), [true, true]);
  assert.deepEqual(areCheaper(generateBags({ pageCount: 150_000, pageWords: 12 })), [true, false]);
  assert.deepEqual(areCheaper(generateBags({ pageCount: 800_000, pageWords: 12 })), [false, false]);
  const common = Array.from(
    { length: 16_000 },
    (_, page) => new Map(Array.from({ length: 60 }, (_, word) => [word, 1 + ((page >> (word % 14)) & 1)])),
  );
  assert.deepEqual(areCheaper(matrixOf(common, 60)), [false, false]);
});

test('neighbors are found in the way that took less where both were measured', () => {
  const NEITHER = { longest: 200, listBytes: 0 };
  for (const [pageCount, entries, postings, exactUs, graphUs] of MEASURED) {
    const [entryCount, postingCount] = [entries * pageCount, postings * pageCount];
    const isExact = areExactNeighborsCheaper({ pageCount, entryCount, postingCount, ...NEITHER });
    const [taken, other] = isExact ? [exactUs, graphUs] : [graphUs, exactUs];
    assert.ok(taken < 1.3 * other, `${pageCount} bags of ${entries}: ${taken} in place of ${other}`);
  }
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
