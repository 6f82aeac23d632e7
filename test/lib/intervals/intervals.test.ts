import assert from 'node:assert/strict';
import { test } from 'node:test';
import { meanInterval } from '../../../src/lib/intervals/mean-interval.ts';
import { ratioInterval } from '../../../src/lib/intervals/ratio-interval.ts';
import { studentT } from '../../../src/lib/intervals/student-t.ts';
import { Random } from '../../../src/lib/random.ts';

/** Of 1 to 30, 40, 60, 100 and 1000 degrees of freedom: NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.2. */
const TABLE = [
  ...[12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228],
  ...[2.201, 2.179, 2.16, 2.145, 2.131, 2.12, 2.11, 2.101, 2.093, 2.086],
  ...[2.08, 2.074, 2.069, 2.064, 2.06, 2.056, 2.052, 2.048, 2.045, 2.042],
];

test('quantiles of Student t are those of the published table', () => {
  for (const [i, expected] of TABLE.entries())
    assert.equal(+studentT(i + 1).toFixed(3), expected, `${i + 1}`);
  const far = [40, 60, 100, 1000].map((degrees) => +studentT(degrees).toFixed(3));
  assert.deepEqual(far, [2.021, 2, 1.984, 1.962]);
  assert.equal(studentT(0), Number.POSITIVE_INFINITY);
});

test('the interval of a mean is that of a t test', () => {
  // scipy 1.x: ttest_1samp(values, 0).confidence_interval(.95).
  const { mean, margin } = meanInterval([0.12, -0.03, 0.2, 0.05, 0.11, 0, 0.07]);
  assert.ok(Math.abs(mean - margin - 0.002477106) < 1e-6, `${mean - margin}`);
  assert.ok(Math.abs(mean + margin - 0.146094323) < 1e-6, `${mean + margin}`);
  assert.deepEqual(meanInterval([1]), { mean: 1, margin: Number.POSITIVE_INFINITY });
  assert.deepEqual(meanInterval([]), { mean: Number.NaN, margin: Number.POSITIVE_INFINITY });
});

const ones = (length: number) => Array<number>(length).fill(1);
const of = (count: number, length: number) =>
  ratioInterval(
    ones(length).map((_, i) => Number(i < count)),
    ones(length),
  );

test('shares of independent units have the interval of Wilson, within 0 and 1', () => {
  // scipy: binomtest(k, n).proportion_ci(method='wilson'), which knows no degrees of freedom.
  for (const [k, low, high] of [
    [0, 0, 0.0038268],
    [3, 0.0010208, 0.008783],
    [500, 0.4690696, 0.5309304],
    [1000, 0.9961732, 1],
  ] as const) {
    const found = of(k, 1000);
    assert.ok(Math.abs(found.low - low) < 1e-4 && Math.abs(found.high - high) < 1e-4, JSON.stringify(found));
  }
  // The same with method='exact' (Clopper, Pearson): few values claim no more.
  for (const [k, n, low] of [
    [2, 2, 0.158114],
    [5, 5, 0.478176],
    [9, 10, 0.554984],
    [100, 100, 0.963783],
  ] as const) {
    const found = of(k, n);
    assert.ok(found.low <= low, `${k} of ${n}: ${found.low}`);
    assert.ok(found.high === 1 || k < n);
  }
  assert.deepEqual(of(1, 1), { ratio: 1, low: 0, high: 1 });
});

test('near 1, and of few pages, 92 of 100 intervals and more hold the share', () => {
  const random = new Random(3);
  // Pages of ten units: one page in so many misses half of them, others none.
  for (const [sampleCount, oneIn] of [
    [10, 4],
    [100, 25],
    [1000, 250],
  ] as const) {
    const truth = 1 - 0.5 / oneIn;
    const wholes = Array<number>(sampleCount).fill(10);
    let holds = 0;
    for (let trial = 0; trial < 2000; trial++) {
      const parts = wholes.map((whole) => {
        if (random.below(oneIn) > 0) return whole;
        return Array.from({ length: whole }, () => random.below(2)).reduce((sum, held) => sum + held, 0);
      });
      const { low, high } = ratioInterval(parts, wholes);
      if (low <= truth && truth <= high) holds++;
    }
    assert.ok(holds > 1840, `${holds} of 2000 with ${sampleCount} pages`);
  }
});
