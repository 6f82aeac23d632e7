import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sortFirst } from '../../src/lib/columns/sort-first.ts';
import { Random } from '../../src/lib/random.ts';

test('the first numbers are sorted, few or many, and those behind them stay', () => {
  const random = new Random(1);
  for (const Kind of [Uint32Array, Float64Array]) {
    for (let length = 0; length < 60; length++) {
      const numbers = new Kind(60).map(() => random.below(1000));
      const sorted = [...numbers.slice(0, length)].sort((a, b) => a - b);
      const behind = [...numbers.slice(length)];
      sortFirst(numbers, length);
      assert.deepEqual([...numbers], [...sorted, ...behind]);
    }
  }
});
