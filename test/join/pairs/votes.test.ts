/** What stands first in a list whatever its votes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allOf } from '../../../src/join/pairs/neighbor-span.ts';
import { placesByScore } from '../../../src/join/pairs/votes.ts';

/** Pages 0, 1, ... with these similarities, in parts of a thousand. */
const listOf = (parts: readonly number[]) =>
  allOf({
    ids: Uint32Array.from(parts.keys()),
    shared: Uint16Array.from(parts),
    total: new Uint16Array(parts.length).fill(1000),
  });
/** The first place scores least. */
const rising = (length: number) => Float64Array.from({ length }, (_, place) => place);

test('nearly equal pages stand first by similarity, a clear winner does, wherever the list has them', () => {
  assert.deepEqual(placesByScore(listOf([100, 700, 90, 500]), rising(4)), [1, 3, 2, 0]);
  assert.deepEqual(placesByScore(listOf([100, 90, 119, 80]), rising(4)), [3, 2, 1, 0]);
  assert.deepEqual(placesByScore(listOf([100, 90, 120, 80]), rising(4)), [2, 3, 1, 0]);
  assert.deepEqual(placesByScore(listOf([]), rising(0)), []);
});

test('where no page shares a word with the owner, none is a clear winner by words', () => {
  assert.deepEqual(placesByScore(listOf([0, 0, 0]), rising(3)), [2, 1, 0]);
  assert.deepEqual(placesByScore(listOf([0]), rising(1)), [0]);
  assert.deepEqual(placesByScore(listOf([0, 30, 0]), rising(3)), [1, 2, 0]);
});

test('of the most similar pages those behind the tenth place come to the end of the first ten', () => {
  const parts = [99, 98, 97, ...Array.from({ length: 12 }, (_, i) => 50 - i)];
  const plain = [14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0];
  assert.deepEqual(placesByScore(listOf(parts), rising(15)), plain);
  const listing = { by: 'nearness', keptCount: 3 } as const;
  const kept = [14, 13, 12, 11, 10, 9, 8, 0, 1, 2, 7, 6, 5, 4, 3];
  assert.deepEqual(placesByScore(listOf(parts), rising(15), listing), kept);
  // One of them is among the ten already, and stays where it is.
  const scores = rising(15);
  scores[1] = 20;
  assert.deepEqual(
    placesByScore(listOf(parts), scores, listing),
    [1, 14, 13, 12, 11, 10, 9, 8, 0, 2, 7, 6, 5, 4, 3],
  );
  assert.deepEqual(placesByScore(listOf(parts.slice(0, 4)), rising(4), listing), [3, 2, 1, 0]);
});
