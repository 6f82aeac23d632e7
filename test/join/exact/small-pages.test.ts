import assert from 'node:assert/strict';
import { test } from 'node:test';
import { smallPages } from '../../../src/join/exact/small-pages.ts';

function split(sums: number[]) {
  const block = {
    firstPage: 0,
    pageCount: sums.length,
    offsets: new Uint32Array(),
    entries: new Uint32Array(),
  };
  const small = smallPages(block, Uint16Array.from(sums));
  return { pages: Array.from(small.pages), below: small.below };
}

test('the pages with the smallest bags are set apart, one in twenty at most', () => {
  const sums = new Array<number>(40).fill(400);
  sums[7] = 3;
  sums[30] = 90;
  assert.deepEqual(split(sums), { pages: [7, 30], below: 400 });
  sums[31] = 90;
  assert.deepEqual(split(sums), { pages: [7], below: 90 });
});

test('with few pages or equal sums none is set apart', () => {
  assert.deepEqual(split([5, 400]), { pages: [], below: 5 });
  assert.deepEqual(split([]).pages, []);
  assert.deepEqual(split(new Array<number>(100).fill(65_535)), { pages: [], below: 65_535 });
});
