import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { componentsOf, UnionFind } from '../../src/lib/union-find.ts';

const SEED = 19970407;
const SIZE = 40;
const pairList = fc.array(fc.tuple(fc.nat(SIZE - 1), fc.nat(SIZE - 1)), { maxLength: 60 });

/** The slow twin: labels spread until nothing changes. */
function spread(pairs: readonly (readonly [number, number])[]): number[] {
  const labels = Array.from({ length: SIZE }, (_, i) => i);
  for (let changed = true; changed; ) {
    changed = false;
    for (const [a, b] of pairs) {
      const least = Math.min(labels[a]!, labels[b]!);
      changed ||= labels[a] !== least || labels[b] !== least;
      labels[a] = labels[b] = least;
    }
  }
  return labels;
}

test('components are those found by spreading labels, named by their smallest page, in any order of pairs', () => {
  fc.assert(
    fc.property(pairList, (pairs) => {
      const expected = spread(pairs);
      for (const order of [pairs, pairs.toReversed().map(([a, b]) => [b, a] as const)]) {
        const a = Uint32Array.from(order, ([left]) => left);
        const b = Uint32Array.from(order, ([, right]) => right);
        assert.deepEqual([...componentsOf(SIZE, a, b)], expected);
      }
    }),
    { seed: SEED, numRuns: 200 },
  );
});

test('a union says whether it joined anything', () => {
  const sets = new UnionFind(3);
  assert.equal(sets.union(2, 1), true);
  assert.equal(sets.union(1, 2), false);
  assert.equal(sets.find(2), 1);
  assert.equal(sets.find(0), 0);
});
