import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NONE } from '../../src/lib/columns/indexes.ts';
import { groupBy, membersOf } from '../../src/lib/groups.ts';
import { Random } from '../../src/lib/random.ts';

test('numbers by group ascend in each, and those of no group are left out', () => {
  const groups = groupBy(Uint32Array.of(2, 0, 2, NONE, 0), 3);
  assert.deepEqual([...groups.starts], [0, 2, 2, 4]);
  assert.deepEqual([...groups.members], [1, 4, 0, 2]);
  assert.deepEqual([...membersOf(groups, 1)], []);
  assert.deepEqual([...membersOf(groups, 2)], [0, 2]);
});

test('many numbers in many groups are those of a filter', () => {
  const random = new Random(5);
  const groupOf = Uint32Array.from({ length: 3000 }, () => (random.below(9) === 0 ? NONE : random.below(70)));
  const groups = groupBy(groupOf, 80);
  for (let group = 0; group < 80; group++) {
    const wanted = [...groupOf.keys()].filter((i) => groupOf[i] === group);
    assert.deepEqual([...membersOf(groups, group)], wanted);
  }
});

test('no numbers and no groups', () => {
  assert.deepEqual([...groupBy(new Uint32Array(0), 0).starts], [0]);
  assert.deepEqual([...groupBy(new Uint32Array(0), 2).starts], [0, 0, 0]);
});
