import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filteredBands, independentRecall, sharedRecall } from '../../../src/join/printed/s-curve.ts';
import { leastReaching } from '../../../src/lib/reaches-share.ts';

const SIMILARITIES = [0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5];
const printed = (recall: (similarity: number) => number) => SIMILARITIES.map((s) => recall(s).toFixed(3));

test('the usual formula promises .634 at a similarity of .2', () => {
  assert.deepEqual(
    printed((s) => independentRecall(s, 3, 125)),
    ['0.016', '0.118', '0.345', '0.634', '0.860', '0.967', '1.000', '1.000'],
  );
});

test('125 choices among the same 80 values find .559 of them', () => {
  assert.deepEqual(
    printed((s) => sharedRecall(s, { m: 80, k: 3, l: 125, leastAgreement: 0, valuesCompared: 80 })),
    ['0.015', '0.110', '0.309', '0.559', '0.776', '0.911', '0.994', '1.000'],
  );
});

test('the filter at 16 of 80 leaves .398', () => {
  const filtered = (s: number) => sharedRecall(s, filteredBands({ m: 80, k: 3, l: 125 }, 0.2));
  assert.deepEqual(printed(filtered), [
    '0.000',
    '0.003',
    '0.091',
    '0.398',
    '0.726',
    '0.904',
    '0.994',
    '1.000',
  ]);
  assert.equal(filtered(0.05).toExponential(0), '1e-6');
});

test('the filter asks for the fewest values that are the share in whole numbers', () => {
  for (let percent = 1; percent <= 100; percent++) {
    for (let total = 1; total <= 80; total++) {
      const least = leastReaching(Number(`${percent}e-2`), total);
      assert.ok(100 * least >= percent * total && 100 * (least - 1) < percent * total, `${percent} ${total}`);
    }
  }
});

test('a filter that looks at fewer values than there are keeps what it keeps by chance', () => {
  const bands = { m: 80, k: 3, l: 125, leastAgreement: 4, valuesCompared: 20 };
  const random = mulberry32(7);
  const TRIALS = 4000;
  for (const similarity of [0.15, 0.2, 0.3]) {
    let found = 0;
    for (let trial = 0; trial < TRIALS; trial++) {
      const agrees = Array.from({ length: bands.m }, () => random() < similarity);
      const kept = agrees.slice(0, bands.valuesCompared).filter(Boolean).length >= bands.leastAgreement;
      if (kept && Array.from({ length: bands.l }, () => allAgree(agrees, bands.k, random)).some(Boolean))
        found++;
    }
    const error = Math.abs(found / TRIALS - sharedRecall(similarity, bands));
    assert.ok(error < 0.03, `${similarity}: ${found / TRIALS} and ${sharedRecall(similarity, bands)}`);
  }
});

/** Whether k values drawn without return all agree. */
function allAgree(agrees: readonly boolean[], k: number, random: () => number): boolean {
  const drawn = new Set<number>();
  while (drawn.size < k) drawn.add(Math.floor(random() * agrees.length));
  return [...drawn].every((i) => agrees[i]);
}

function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

test('a filter at 9 of 80 and other choices follow the same sum', () => {
  assert.deepEqual(
    printed((s) => sharedRecall(s, { m: 80, k: 3, l: 125, leastAgreement: 9, valuesCompared: 80 })),
    ['0.003', '0.085', '0.301', '0.558', '0.776', '0.911', '0.994', '1.000'],
  );
  assert.deepEqual(
    printed((s) => sharedRecall(s, { m: 80, k: 2, l: 80, leastAgreement: 0, valuesCompared: 80 })),
    ['0.166', '0.493', '0.766', '0.916', '0.976', '0.995', '1.000', '1.000'],
  );
});

test('nothing is found without similarity and everything with all of it', () => {
  const bands = filteredBands({ m: 80, k: 3, l: 125 }, 0.2);
  assert.equal(sharedRecall(0, bands), 0);
  assert.equal(sharedRecall(1, bands), 1);
});
