import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Bag } from '../../src/features/bag.ts';
import { combineBags } from '../../src/features/combine-bags.ts';
import { weightedJaccard } from '../../src/join/exact/weighted-jaccard.ts';
import { Random } from '../../src/lib/random.ts';

/** Feature, weight, feature, weight ... */
function bagOf(...pairs: number[]): Bag {
  const features = Uint32Array.from(pairs.filter((_, i) => i % 2 === 0));
  const weights = Uint8Array.from(pairs.filter((_, i) => i % 2 === 1));
  return { features, weights, sum: weights.reduce((all, weight) => all + weight, 0) };
}

const plain = ({ features, weights, sum }: Bag) => ({
  pairs: [...features].map((f, i) => [f, weights[i]]),
  sum,
});

test('one example is its own bag, and an empty one says nothing', () => {
  const bag = bagOf(3, 7, 4, 1, 9, 250);
  assert.deepEqual(combineBags([bag]), bag);
  assert.deepEqual(combineBags([bag, bagOf()], [bagOf()]), bag);
  assert.deepEqual(plain(combineBags([bagOf()])), { pairs: [], sum: 0 });
  assert.deepEqual(plain(combineBags([bag], [bag])), { pairs: [], sum: 0 });
});

test('examples count the same whatever their sums, and counter-examples take away', () => {
  // Shares 1/2, 1/2 and 1/2, 1/2: mean 1/4, 1/2, 1/4, scaled to the mean sum of 30.
  const mean = combineBags([bagOf(1, 10, 2, 10), bagOf(2, 20, 3, 20)]);
  const [one, two, three] = [1, 2, 3].map((f) => mean.weights[mean.features.indexOf(f)]!);
  assert.equal(two, 15);
  assert.ok([7, 8].includes(one!) && [7, 8].includes(three!));
  const rest = combineBags([bagOf(1, 10, 2, 10), bagOf(2, 20, 3, 20)], [bagOf(2, 5, 4, 5)]);
  // 2 is at 1/2 - 1/2, 4 below 0: what is left is 1 and 3, half each.
  assert.deepEqual(plain(rest), {
    pairs: [
      [1, 15],
      [3, 15],
    ],
    sum: 30,
  });
});

test('real weights are those of a slow twin, rounded by less than one', () => {
  const random = new Random(5);
  const draw = () =>
    bagOf(...Array.from({ length: 40 }, (_, i) => [5 * i + random.below(5), 1 + random.below(40)]).flat());
  for (let round = 0; round < 50; round++) {
    const [like, unlike] = [3, 2].map((count) => Array.from({ length: count }, draw));
    const share = (bag: Bag, feature: number) => (bag.weights[bag.features.indexOf(feature)] ?? 0) / bag.sum;
    const mean = (bags: Bag[], feature: number) =>
      bags.reduce((sum, bag) => sum + share(bag, feature), 0) / bags.length;
    const wanted = Array.from({ length: 200 }, (_, f) => Math.max(0, mean(like!, f) - mean(unlike!, f)));
    const total = wanted.reduce((sum, weight) => sum + weight, 0);
    const scale = like!.reduce((sum, bag) => sum + bag.sum, 0) / like!.length / total;
    const bag = combineBags(like!, unlike);
    for (const [feature, weight] of wanted.entries()) {
      const given = bag.weights[bag.features.indexOf(feature)] ?? 0;
      assert.ok(Math.abs(given - weight * scale) < 1, `${given} is ${weight * scale}`);
    }
    const without = combineBags(like!);
    for (const bad of unlike!) assert.ok(weightedJaccard(bag, bad) < weightedJaccard(without, bad));
  }
});
