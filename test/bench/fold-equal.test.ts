import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foldEqual, unfold } from '../../bench/quality/fold-equal.ts';
import { componentsOf } from '../../src/lib/union-find.ts';

test('equal pages are folded before and come back after', () => {
  const folded = foldEqual(['x', 'y', 'x', '', 'z', '', 'y']);
  assert.deepEqual([...folded.representatives], [0, 1, 3, 4, 5]);
  assert.deepEqual([...folded.foldedId], [0, 1, 0, 2, 3, 4, 1]);
  // y and z turn out to be copies.
  const roots = componentsOf(5, Uint32Array.of(1), Uint32Array.of(3));
  assert.deepEqual([...unfold(folded, roots)], [0, 1, 0, 3, 1, 5, 1]);
});
