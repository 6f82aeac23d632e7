import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chainEnd } from '../../src/lib/chain-end.ts';
import { NONE } from '../../src/lib/columns/indexes.ts';
import { longTest } from '../long-test.ts';

type Ends = NonNullable<Parameters<typeof chainEnd>[3]>;

function follower(next: ReadonlyMap<number, number>) {
  const known = new Map<number, number>();
  let steps = 0;
  const ends: Ends = { get: (item) => known.get(item) ?? NONE, set: (item, end) => known.set(item, end) };
  const step = (item: number) => {
    steps++;
    return next.get(item) ?? NONE;
  };
  const end = (item: number) => chainEnd(item, step, (circle) => Math.min(...circle), ends);
  return { end, steps: () => steps };
}

test('chains lead to their ends, however they are entered', () => {
  const { end } = follower(
    new Map([
      [3, 4],
      [1, 2],
      [2, 3],
      [9, 2],
    ]),
  );
  assert.deepEqual([3, 1, 2, 9, 4].map(end), [4, 4, 4, 4, 4]);
  assert.equal(end(77), 77);
});

test('of a circle one stands for all, and what leads into it goes there', () => {
  const next = new Map([
    [7, 5],
    [5, 6],
    [6, 5],
  ]);
  for (const order of [
    [7, 6, 5],
    [6, 5, 7],
  ]) {
    const { end } = follower(next);
    assert.deepEqual(order.map(end), [5, 5, 5]);
  }
});

longTest('many circles and a long chain are walked once', () => {
  const next = new Map<number, number>();
  for (let i = 0; i < 100_000; i += 2) next.set(i, i + 1).set(i + 1, i);
  for (let i = 200_000; i < 300_000; i++) next.set(i, i + 1);
  const { end, steps } = follower(next);
  for (const item of next.keys()) end(item);
  assert.equal(end(99_999), 99_998);
  assert.equal(end(200_000), 300_000);
  assert.equal(steps(), next.size + 1);
});
