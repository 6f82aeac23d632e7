import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NumberColumn } from '../../src/lib/columns/number-column.ts';

test('a column keeps what is set and tells what is not', () => {
  const column = new NumberColumn(Uint32Array, 9);
  assert.equal(column.get(5_000_000), 9);
  column.set(3, 1);
  column.set(100_000, 2);
  assert.deepEqual([column.get(3), column.get(4), column.get(100_000), column.get(100_001)], [1, 9, 2, 9]);
  assert.deepEqual([...column.first(5)], [9, 9, 9, 1, 9]);
  const many = new NumberColumn(Float64Array, 0).first(3000);
  assert.ok(many.length === 3000 && many.every((number) => number === 0));
});
