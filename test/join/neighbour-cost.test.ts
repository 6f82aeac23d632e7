import assert from 'node:assert/strict';
import { test } from 'node:test';
import { generateBags } from '../../bench/generate.ts';
import type { BagMatrix } from '../../src/features/bag.ts';
import { cheapestRenewal, isExactCheaper } from '../../src/join/neighbour-cost.ts';
import { matrixOf } from './bags.ts';

const isCheaper = ({ sums, featureCount, features }: BagMatrix) =>
  isExactCheaper(sums.length, featureCount, [features.subarray(0, 99), features.subarray(99)]);

test('a few changes are an update; many are a search of all pages, by the graph only where pages may be missed', () => {
  const pages = generateBags({ pageCount: 5000 });
  const first = (count: number) => Array.from({ length: count }, (_, page) => page);
  assert.equal(cheapestRenewal(pages, first(50), first(500), true), 'update');
  assert.equal(cheapestRenewal(pages, first(4000), [], false), 'exact');
  const many = generateBags({ pageCount: 150_000, pageWords: 12 });
  assert.equal(cheapestRenewal(many, first(149_000), [], true), 'graph');
  assert.equal(cheapestRenewal(many, first(149_000), [], false), 'exact');
});

test('small collections are joined exactly, large ones and those of common words by the graph', () => {
  assert.equal(isCheaper(matrixOf([], 0)), true);
  assert.equal(isCheaper(generateBags({ pageCount: 5000 })), true);
  assert.equal(isCheaper(generateBags({ pageCount: 250_000, pageWords: 12 })), false);
  const common = Array.from(
    { length: 20_000 },
    () => new Map(Array.from({ length: 8 }, (_, word) => [word, 1])),
  );
  assert.equal(isCheaper(matrixOf(common, 8)), false);
});
