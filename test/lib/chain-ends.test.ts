import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chainEnds } from '../../src/lib/chain-ends.ts';

test('chains lead to their ends, however they are entered', () => {
  const next = new Map([
    [3, 4],
    [1, 2],
    [2, 3],
    [9, 2],
  ]);
  assert.deepEqual(
    chainEnds(next),
    new Map([
      [3, 4],
      [1, 4],
      [2, 4],
      [9, 4],
    ]),
  );
});

test('of a circle one stands for all, and what leads into it goes there', () => {
  const ends = chainEnds(
    new Map([
      [7, 5],
      [5, 6],
      [6, 5],
    ]),
  );
  assert.equal(ends.size, 2);
  assert.ok(!ends.has(ends.get(7)!), 'the end leads nowhere');
  assert.equal(new Set(ends.values()).size, 1);
});

test('many circles and a long chain are walked once', () => {
  const next = new Map<number, number>();
  for (let i = 0; i < 100_000; i += 2) next.set(i, i + 1).set(i + 1, i);
  for (let i = 200_000; i < 300_000; i++) next.set(i, i + 1);
  const ends = chainEnds(next);
  assert.equal(ends.size, 50_000 + 100_000);
  assert.equal(ends.get(200_000), 300_000);
  assert.equal(ends.get(1), 0);
});
