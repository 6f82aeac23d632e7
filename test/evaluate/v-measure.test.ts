import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { clusterQuality } from '../../src/evaluate/v-measure.ts';

type Assignment = Parameters<typeof clusterQuality>[0][number];

test('the labels themselves are perfect, one cluster of all is complete and homogeneous for nothing', () => {
  assert.deepEqual(clusterQuality([...'ppq'].map((label) => [label.toUpperCase(), label])), {
    homogeneity: 1,
    completeness: 1,
    vMeasure: 1,
  });
  assert.deepEqual(clusterQuality([...'pq'].map((label) => ['all', label])), {
    homogeneity: 0,
    completeness: 1,
    vMeasure: 0,
  });
});

test('a hand-computed case: two labels of two pages, one of them cut in two', () => {
  const pairs: Assignment[] = [
    [1, 'p'],
    [1, 'p'],
    [2, 'q'],
    [3, 'q'],
  ];
  // H(cluster) = 3/2 bits, H(label) = 1 bit, H(both) = 3/2 bits
  const { homogeneity, completeness, vMeasure } = clusterQuality(pairs);
  assert.equal(homogeneity, 1);
  assert.ok(Math.abs(completeness - 2 / 3) < 1e-12);
  assert.ok(Math.abs(vMeasure - 0.8) < 1e-12);
});

test('exchanging clusters and labels exchanges homogeneity and completeness; names do not matter', () => {
  const pairs = fc.array(fc.tuple(fc.constantFrom('x', 'y', 'z'), fc.constantFrom('p', 'q', 'r')), {
    minLength: 1,
    maxLength: 40,
  });
  fc.assert(
    fc.property(pairs, (list) => {
      const one = clusterQuality(list);
      const other = clusterQuality(list.map(([cluster, label]) => [`cluster ${label}`, `label ${cluster}`]));
      assert.ok(Math.abs(one.homogeneity - other.completeness) < 1e-9);
      assert.ok(Math.abs(one.completeness - other.homogeneity) < 1e-9);
      for (const value of Object.values(one)) assert.ok(value >= 0 && value <= 1);
    }),
    { seed: 4, numRuns: 100 },
  );
});
