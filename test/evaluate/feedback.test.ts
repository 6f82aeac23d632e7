import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeByFeedback } from '../../src/evaluate/feedback.ts';

test('the example of its head', () => {
  const feedback = new Map([
    [
      'a',
      new Map([
        ['c', true],
        ['e', true],
        ['b', false],
        ['x', false],
      ]),
    ],
  ]);
  const { at, order } = judgeByFeedback(() => ['b', 'c', 'd', 'e'], feedback, [1, 3, 10]);
  assert.deepEqual(
    at.map(({ shownCount, precision, better, worse }) => [
      shownCount,
      precision.ratio,
      better.ratio,
      worse.ratio,
    ]),
    [
      [1, 0, 0, 1 / 2],
      [2, 1 / 2, 1 / 2, 1 / 2],
      [3, 2 / 3, 1, 1 / 2],
    ],
  );
  assert.deepEqual([order.agreeing, order.opposed, order.tied, order.agreement.ratio], [2, 2, 0, 1 / 2]);
});

test('two pages that no list has are tied, and what was not judged has no figure', () => {
  const feedback = new Map([
    [
      'a',
      new Map([
        ['x', true],
        ['y', false],
      ]),
    ],
    ['b', new Map([['x', true]])],
  ]);
  const { at, order } = judgeByFeedback(() => [], feedback, [5]);
  assert.deepEqual([order.agreeing, order.opposed, order.tied], [0, 0, 1]);
  assert.ok(Number.isNaN(order.agreement.ratio) && Number.isNaN(at[0]!.precision.ratio));
  assert.deepEqual([at[0]!.better.ratio, at[0]!.shownCount], [0, 0]);
});

test('the interval holds what random judgements come from, in about 95 of 100 samples', () => {
  // Of its own: a linear congruential generator, as in the C standard.
  let state = 1;
  const random = () => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return (state >>> 8) / 2 ** 24;
  };
  const [share, rounds] = [0.7, 400];
  let held = 0;
  for (let round = 0; round < rounds; round++) {
    const pages = Array.from({ length: 60 }, (_, page) => {
      const judged = Array.from({ length: 1 + (page % 3) }, (_, i) => [i, random() < share] as const);
      return [page, new Map(judged)] as const;
    });
    const { low, high } = judgeByFeedback(() => [0, 1, 2], new Map(pages), [3]).at[0]!.precision;
    if (low <= share && share <= high) held++;
  }
  assert.ok(held / rounds > 0.91 && held / rounds < 0.99, `${held} of ${rounds}`);
});
