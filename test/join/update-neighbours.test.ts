import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Bag, BagMatrix } from '../../src/features/bag.ts';
import { buildPostings } from '../../src/join/exact/postings.ts';
import { weightedJaccard } from '../../src/join/exact/weighted-jaccard.ts';
import { type NearestList, updateNeighbours } from '../../src/join/update-neighbours.ts';

const FEATURE_COUNT = 12;
const EMPTY: NearestList = { ids: new Uint32Array(0), shared: new Uint16Array(0), total: new Uint16Array(0) };

const bag = fc
  .array(fc.nat({ max: 4 }), { minLength: FEATURE_COUNT, maxLength: FEATURE_COUNT })
  .map((weights): Bag => {
    const features = Uint32Array.from(weights.keys()).filter((feature) => weights[feature]! > 0);
    const kept = Uint8Array.from(features, (feature) => weights[feature]!);
    return { features, weights: kept, sum: kept.reduce((sum, weight) => sum + weight, 0) };
  });

function matrixOf(bags: readonly Bag[]): BagMatrix {
  const offsets = Float64Array.of(0, ...bags.map(() => 0));
  for (const [i, { features }] of bags.entries()) offsets[i + 1] = offsets[i]! + features.length;
  return {
    offsets,
    features: Uint32Array.from(bags.flatMap(({ features }) => [...features])),
    weights: Uint8Array.from(bags.flatMap(({ weights }) => [...weights])),
    sums: Uint16Array.from(bags, ({ sum }) => sum),
    featureCount: FEATURE_COUNT,
  };
}

/** Slow twin: every pair compared. */
function allLists(bags: readonly Bag[], k: number, floor: number): [id: number, similarity: number][][] {
  return bags.map((own, page) =>
    bags
      .map((other, id): [number, number] => [id, id === page ? 0 : weightedJaccard(own, other)])
      .filter(([, similarity]) => similarity > 0 && similarity >= floor)
      .sort((a, b) => b[1] - a[1] || a[0] - b[0])
      .slice(0, k),
  );
}

const pairsOf = (lists: readonly NearestList[]) =>
  lists.map(({ ids, shared, total }) => Array.from(ids, (id, i) => [id, shared[i]! / total[i]!]));

test('lists stay exact while bags change, come and are emptied, in one block or several', () => {
  const step = fc.record({
    changes: fc.array(fc.tuple(fc.nat(), fc.option(bag)), { maxLength: 4 }),
    added: fc.array(bag, { maxLength: 3 }),
  });
  fc.assert(
    fc.property(
      fc.array(bag, { minLength: 1, maxLength: 14 }),
      fc.array(step, { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 1, max: 5 }),
      fc.constantFrom(0, 0.1, 0.4),
      fc.constantFrom(4, 100),
      (bags, steps, k, floor, blockPages) => {
        const lists = bags.map(() => EMPTY);
        const update = (changed: Set<number>) => {
          const matrix = matrixOf(bags);
          const before = pairsOf(lists);
          const report = updateNeighbours(matrix, buildPostings(matrix, blockPages), lists, changed, {
            k,
            floor,
          });
          assert.deepEqual(pairsOf(lists), allLists(bags, k, floor));
          const other = pairsOf(lists).flatMap((list, page) =>
            JSON.stringify(list) === JSON.stringify(before[page]) ? [] : [page],
          );
          const told = new Set(report.touched);
          for (const page of other) assert.ok(told.has(page), `page ${page} has another list`);
        };
        update(new Set(bags.keys()));
        for (const { changes, added } of steps) {
          const changed = new Set<number>();
          for (const [at, next] of changes) {
            const page = at % bags.length;
            bags[page] = next ?? { features: new Uint32Array(0), weights: new Uint8Array(0), sum: 0 };
            changed.add(page);
          }
          for (const one of added) {
            changed.add(bags.push(one) - 1);
            lists.push(EMPTY);
          }
          update(changed);
        }
      },
    ),
    { seed: 11, numRuns: 300 },
  );
});

test('a list that still reaches above its old end is not searched anew', () => {
  const bags = [1, 2, 3, 4].map((weight): Bag => {
    return { features: Uint32Array.of(0), weights: Uint8Array.of(weight), sum: weight };
  });
  const lists = bags.map(() => EMPTY);
  const update = (changed: number[]) => {
    const matrix = matrixOf(bags);
    return updateNeighbours(matrix, buildPostings(matrix), lists, new Set(changed), { k: 2, floor: 0.01 });
  };
  update([0, 1, 2, 3]);
  bags[3] = { ...bags[3]!, weights: Uint8Array.of(3), sum: 3 };
  assert.equal(update([3]).searchedCount, 1);
  bags[3] = { features: new Uint32Array(0), weights: new Uint8Array(0), sum: 0 };
  assert.ok(update([3]).searchedCount > 1);
});
