import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Arena, dropPieces } from '../../../src/service/snapshot/arena.ts';
import { longTest } from '../../long-test.ts';

test('arrays of an arena are apart, aligned, and few pieces hold them', () => {
  for (const isSmall of [true, false]) {
    const arena = new Arena(isSmall);
    const makers = [
      (length: number) => arena.bytes(length),
      (length: number) => arena.uint16(length),
      (length: number) => arena.uint32(length),
    ];
    const arrays = Array.from({ length: 300 }, (_, i) => makers[i % 3]!(i).fill(i % 251));
    assert.ok(arrays.every((array, i) => array.length === i && array.every((value) => value === i % 251)));
    assert.equal(arena.pieces.length, isSmall ? arrays.length : 1);
  }
});

longTest('pieces that are dropped are empty when that is done, large ones as small ones', async () => {
  for (const isSmall of [true, false]) {
    const arena = new Arena(isSmall);
    const arrays = [arena.bytes(1000), arena.uint32(2 ** 24), arena.uint16(10)];
    assert.deepEqual(
      arrays.map(({ length }) => length),
      [1000, 2 ** 24, 10],
    );
    await dropPieces(arena.pieces);
    assert.ok(arrays.every(({ length }) => length === 0));
    assert.ok(arena.pieces.every(({ byteLength }) => byteLength === 0));
  }
});
