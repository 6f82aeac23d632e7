/** Pairs of own features against every pair compared in some twenty lines, and where lists are too long for all to meet. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { packFeatures } from '../../../src/features/own-features.ts';
import { relateSets } from '../../../src/join/own/feature-join.ts';
import { FeatureSetList, storedShare } from '../../../src/join/own/feature-sets.ts';
import { Random } from '../../../src/lib/random.ts';

type Weights = Record<string, number>;

/** Sum of the lesser weights by that of the greater ones. */
function resemblance(a: Weights, b: Weights): number {
  let [less, more] = [0, 0];
  for (const name of new Set([...Object.keys(a), ...Object.keys(b)])) {
    less += Math.min(a[name] ?? 0, b[name] ?? 0);
    more += Math.max(a[name] ?? 0, b[name] ?? 0);
  }
  return less / more;
}

function setsOf(all: readonly Weights[]) {
  const list = new FeatureSetList();
  for (const own of all) list.add(packFeatures({ own }));
  return list.sets();
}

test('all pairs from a threshold on are found, with their figures', () => {
  const random = new Random(7);
  const all = Array.from({ length: 250 }, (_, i): Weights => {
    const own: Weights = { [`only ${i}`]: 0.01 };
    const kind = random.below(40);
    for (let word = 0; word < 6; word++) {
      if (random.below(5) > 0) own[`${kind} ${word}`] = 1 + random.below(100) / 100;
    }
    if (random.below(2) > 0) own['on sale'] = 0.5;
    return own;
  });
  const like = all.flatMap((own, a) =>
    all.slice(a + 1).flatMap((other, i) => {
      const figure = resemblance(own, other);
      return figure < 0.3 ? [] : [{ a, b: a + 1 + i, figure }];
    }),
  );
  for (const threshold of [0.3, 0.5, 0.8]) {
    const { pairs, roots, crowdedCount } = relateSets(setsOf(all), threshold);
    const found = new Map<string, number>();
    for (const [i, a] of pairs.a.entries()) {
      found.set(`${a} ${pairs.b[i]}`, pairs.shared[i]! / (pairs.ofA[i]! + pairs.ofB[i]! - pairs.shared[i]!));
    }
    let wanted = 0;
    for (const { a, b, figure } of like) {
      if (figure < threshold) continue;
      wanted++;
      assert.ok(Math.abs(found.get(`${a} ${b}`)! - figure) < 1e-5, `${a} ${b} at ${threshold}`);
      assert.equal(roots[a], roots[b]);
    }
    assert.ok(wanted > 20, `${wanted} pairs at ${threshold}`);
    assert.deepEqual([found.size, crowdedCount], [wanted, 0]);
  }
});

test('in a crowd each meets a hundred, which is counted, and the family stays one component', () => {
  const family = Array.from({ length: 1500 }, (_, i): Weights => ({ family: 4, [`only ${i}`]: 1 }));
  const { pairs, roots, crowdedCount } = relateSets(setsOf(family), 0.5);
  assert.equal(pairs.a.length, (1000 * 999) / 2 + 500 * 100);
  assert.deepEqual([crowdedCount, new Set(roots).size], [1, 1]);
});

test('a resemblance is stored as a near fraction of whole numbers below 2^16', () => {
  assert.deepEqual(storedShare({ shared: 0.5, total: 0.9 }), { shared: 5, total: 9 });
  assert.deepEqual(storedShare({ shared: 0.1 + 0.2, total: 0.3 }), { shared: 1, total: 1 });
  assert.deepEqual(storedShare({ shared: 7, total: 21 }), { shared: 7, total: 21 });
  const random = new Random(5);
  for (let i = 0; i < 2000; i++) {
    const share = random.nextUint32() / 2 ** 32;
    const { shared, total } = storedShare({ shared: 3.3 * share, total: 3.3 });
    assert.ok(shared <= total && total > 0 && total < 65_536 && Number.isInteger(shared));
    assert.ok(Math.abs(shared / total - share) < 1e-5, `${share}`);
  }
});
