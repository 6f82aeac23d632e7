import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Bag } from '../../../src/features/bag.ts';
import { explainOverlap, overlap, weightedJaccard } from '../../../src/join/exact/weighted-jaccard.ts';
import { bagOf, matrixOf } from '../bags.ts';

const entries = fc.array(fc.tuple(fc.nat(30), fc.integer({ min: 1, max: 9 })), { maxLength: 25 });
const bag = entries.map((list): Bag => bagOf(matrixOf([new Map(list)], 31), 0));

test('the overlap is the sum of the lesser weights, and symmetric', () => {
  fc.assert(
    fc.property(bag, bag, (a, b) => {
      let shared = 0;
      let union = 0;
      for (let feature = 0; feature <= 30; feature++) {
        const left = a.weights[a.features.indexOf(feature)] ?? 0;
        const right = b.weights[b.features.indexOf(feature)] ?? 0;
        shared += Math.min(left, right);
        union += Math.max(left, right);
      }
      assert.equal(overlap(a, b), shared);
      assert.equal(overlap(b, a), shared);
      assert.equal(weightedJaccard(a, b), union === 0 ? 0 : shared / union);
    }),
    { seed: 8, numRuns: 300 },
  );
});

test('a page is fully similar to itself', () => {
  const own = bagOf(
    matrixOf(
      [
        new Map([
          [2, 3],
          [9, 1],
        ]),
      ],
      10,
    ),
    0,
  );
  assert.equal(weightedJaccard(own, own), 1);
});

test('an explanation names the shared features, greatest share first, and adds up to the overlap', () => {
  const rows = [
    new Map([
      [1, 5],
      [2, 2],
      [4, 9],
      [7, 2],
    ]),
    new Map([
      [1, 1],
      [2, 6],
      [4, 7],
      [7, 2],
      [8, 9],
    ]),
  ];
  const matrix = matrixOf(rows, 9);
  const shared = explainOverlap(bagOf(matrix, 0), bagOf(matrix, 1));
  assert.deepEqual(Array.from(shared.features), [4, 2, 7, 1]);
  assert.deepEqual(Array.from(shared.weights), [7, 2, 2, 1]);
  assert.equal(shared.overlap, 12);
});
