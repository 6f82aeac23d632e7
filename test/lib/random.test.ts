import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../../src/lib/random.ts';

test('a seed gives the same numbers for ever', () => {
  const random = new Random(42);
  const drawn = [random.nextUint32(), random.nextUint32(), random.nextUint32()];
  assert.deepEqual(drawn, [489545419, 993374906, 3168714278]);
});

test('different seeds give different numbers', () => {
  assert.notEqual(new Random(1).nextUint32(), new Random(2).nextUint32());
});

test('numbers below a bound are spread evenly', () => {
  const random = new Random(7);
  const counts = new Uint32Array(10);
  for (let i = 0; i < 100_000; i++) counts[random.below(10)]!++;
  // Chi-square with 9 degrees of freedom stays below 21.7 in 99 % of all seeds.
  const chiSquare = counts.reduce((sum, count) => sum + (count - 10_000) ** 2 / 10_000, 0);
  assert.ok(chiSquare < 21.7, `chi-square ${chiSquare}`);
});
