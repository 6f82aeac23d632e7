import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Uint32List } from '../../src/lib/columns/uint32-list.ts';

test('a list keeps all items in order when it grows', () => {
  const list = new Uint32List();
  for (let i = 0; i < 5000; i++) list.push(i * 3);
  const items = list.toArray();
  assert.equal(items.length, 5000);
  assert.ok(items.every((item, i) => item === i * 3));
});
