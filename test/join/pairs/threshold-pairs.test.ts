import assert from 'node:assert/strict';
import { test } from 'node:test';
import { streamExactPairs } from '../../../src/join/exact/stream-exact-pairs.ts';
import { weightedJaccard } from '../../../src/join/exact/weighted-jaccard.ts';
import type { PairColumns } from '../../../src/join/pairs/pair-columns.ts';
import { eachPair } from '../../../src/join/pairs/threshold-pairs.ts';
import { arrayStore } from '../array-store.ts';
import { randomMatrix } from '../bags.ts';

test('every pair at the threshold comes once, twins written out', async () => {
  const matrix = randomMatrix(80, 30, 7);
  // Pages 10 .. 19 become copies of pages 0 .. 9.
  const rowOf = (page: number) => (page >= 10 && page < 20 ? page - 10 : page);
  const bagOf = (page: number) => {
    const [from, to] = [matrix.offsets[rowOf(page)]!, matrix.offsets[rowOf(page) + 1]!];
    const weights = matrix.weights.slice(from, to);
    return { features: matrix.features.slice(from, to), weights, sum: weights.reduce((x, y) => x + y, 0) };
  };
  const bags = Array.from({ length: 80 }, (_, page) => bagOf(page));
  const copied = {
    offsets: Float64Array.from([
      0,
      ...bags.map(
        (
          (sum) => (bag) =>
            (sum += bag.features.length)
        )(0),
      ),
    ]),
    features: Uint32Array.from(bags.flatMap((bag) => [...bag.features])),
    weights: Uint8Array.from(bags.flatMap((bag) => [...bag.weights])),
    sums: Uint16Array.from(bags, (bag) => bag.sum),
    featureCount: 30,
  };
  const expected = new Map<string, string>();
  for (let a = 0; a < 80; a++) {
    for (let b = a + 1; b < 80; b++) {
      const similarity = bags[a]!.sum === 0 ? 0 : weightedJaccard(bags[a]!, bags[b]!);
      if (similarity >= 0.2) expected.set(`${a} ${b}`, similarity.toFixed(9));
    }
  }
  const blocks: PairColumns[] = [];
  const { representative } = await streamExactPairs(copied, { threshold: 0.2 }, (block) =>
    blocks.push(block),
  );
  const pairs = [...eachPair(blocks, representative, copied.sums, null)];
  const order = pairs.map(([a, b]) => a * 80 + b);
  assert.deepEqual(
    order,
    order.toSorted((x, y) => x - y),
  );
  const store = arrayStore(16);
  assert.deepEqual([...eachPair(blocks, representative, copied.sums, store)], pairs);
  assert.ok(store.written.size > 1, 'pairs waited in the store');
  const found = pairs.map(([a, b, s]) => [`${a} ${b}`, s.toFixed(9)] as const);
  assert.ok(expected.size > 50, `${expected.size} pairs to find`);
  assert.deepEqual(new Map(found), expected);
  assert.equal(found.length, expected.size);
});
