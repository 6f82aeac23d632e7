import assert from 'node:assert/strict';
import { test } from 'node:test';
import { climb } from '../../src/evaluate/climb.ts';
import { meanInterval } from '../../src/lib/intervals/mean-interval.ts';
import { longTest } from '../long-test.ts';

/** A linear congruential generator, as in the C standard. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return (state >>> 8) / 2 ** 24;
  };
}

const QUERIES = 2000;
const all = Array.from({ length: QUERIES }, (_, query) => query);
const halves = {
  tuned: all.filter((query) => query % 2 === 0),
  heldOut: all.filter((query) => query % 2 === 1),
};
const options = { halves, mostSteps: 5, leastGain: 0.005 };

/** Scores with noise of each setting's own; the mean is the best at `top`. */
function hill(top: number, height: number) {
  return async (setting: number) => {
    const random = randomOf(1000 + setting);
    return Float64Array.from({ length: QUERIES }, () => height * -Math.abs(setting - top) + random() - 0.5);
  };
}

const neighbors = (setting: number) =>
  [setting - 1, setting + 1].map((next) => ({ name: `${setting} to ${next}`, setting: next }));

test('it climbs to the top by single changes and tells the gain of another half', async () => {
  const found = await climb(0, { ...options, changesOf: neighbors, scoresOf: hill(3, 0.2) });
  assert.deepEqual([found.best, found.steps, found.isBetter], [3, ['0 to 1', '1 to 2', '2 to 3'], true]);
  assert.ok(Math.abs(found.gain.heldOut.mean - 0.6) < found.gain.heldOut.margin * 1.5);
  assert.deepEqual([found.tunedCount, found.heldOutCount], [1000, 1000]);
  assert.ok(Math.abs(found.after.heldOut - found.before.heldOut - found.gain.heldOut.mean) < 1e-9);
});

longTest('where all settings are alike, what is the best by luck is not reported as better', async () => {
  let claimed = 0;
  for (let start = 0; start < 80; start++) {
    const many = () =>
      Array.from({ length: 15 }, (_, i) => ({ name: `${i}`, setting: 10_000 + start * 100 + i }));
    const found = await climb(start, { ...options, changesOf: many, scoresOf: hill(0, 0), mostSteps: 1 });
    if (found.isBetter) claimed++;
  }
  // Nearly each is tuned to something; one side of a 95 % interval is left by chance once in forty times.
  assert.ok(claimed <= 4, `${claimed} of 80`);
});

test('steps end where they may, and a gain that is too small changes nothing', async () => {
  const short = await climb(0, { ...options, changesOf: neighbors, scoresOf: hill(9, 0.2), mostSteps: 2 });
  assert.equal(short.steps.length, 2);
  const flat = async (setting: number) => new Float64Array(QUERIES).fill(setting === 1 ? 0.001 : 0);
  const small = await climb(0, { ...options, changesOf: neighbors, scoresOf: flat });
  assert.deepEqual([small.steps, small.isBetter], [['0 to 1'], false]);
});

test('the mean of differences has the interval of a textbook', () => {
  // Mean 3, standard deviation sqrt(2.5), of five values.
  const { mean, margin } = meanInterval([1, 2, 3, 4, 5]);
  assert.equal(mean, 3);
  // Student's t of four degrees of freedom.
  assert.ok(Math.abs(margin - 2.776445 * Math.sqrt(2.5 / 5)) < 1e-6);
  assert.equal(meanInterval([1]).margin, Number.POSITIVE_INFINITY);
});
