import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keptIn, listIn, numberIn } from '../../src/lib/kept.ts';

test('a value is made once a key, and what was made is what is kept', () => {
  const kept = new Map<string, string[]>();
  let madeCount = 0;
  const make = (key: string) => [`${key} ${madeCount++}`];
  const first = keptIn(kept, 'a', make);
  assert.equal(keptIn(kept, 'a', make), first);
  assert.deepEqual(keptIn(kept, 'b', make), ['b 1']);
  assert.equal(kept.get('a'), first);
});

test('a value that cannot be made is asked for again', () => {
  const kept = new Map<string, number>();
  const fail = () => {
    throw new Error('not now');
  };
  assert.throws(() => keptIn(kept, 'a', fail));
  assert.equal(
    keptIn(kept, 'a', () => 7),
    7,
  );
});

test('lists of a key grow, and keys are numbered as they come', () => {
  const lists = new Map<number, string[]>();
  for (const [key, item] of [
    [3, 'a'],
    [1, 'b'],
    [3, 'c'],
  ] as const)
    listIn(lists, key).push(item);
  assert.deepEqual(
    [...lists],
    [
      [3, ['a', 'c']],
      [1, ['b']],
    ],
  );
  const numbers = new Map<string, number>();
  assert.deepEqual(
    ['x', 'y', 'x', 'z'].map((name) => numberIn(numbers, name)),
    [0, 1, 0, 2],
  );
});
