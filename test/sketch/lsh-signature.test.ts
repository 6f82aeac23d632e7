import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../../src/lib/random.ts';
import { chooseBands, lshSignatures, sameBand } from '../../src/sketch/lsh-signature.ts';

test('every sweep takes k distinct values, and all values are taken', () => {
  const choice = chooseBands(80, 3, 125, 6);
  for (let band = 0; band < 125; band++) {
    const columns = choice.columns.subarray(3 * band, 3 * band + 3);
    assert.equal(new Set(columns).size, 3);
    assert.ok(columns.every((column) => column < 80));
  }
  assert.ok(new Set(choice.columns).size > 75);
});

test('k = m takes every value', () => {
  assert.deepEqual(Array.from(chooseBands(4, 4, 1, 0).columns).sort(), [0, 1, 2, 3]);
});

test('LSH-signatures are equal just where the chosen values are', () => {
  const random = new Random(3);
  const choice = chooseBands(6, 2, 10, 1);
  const signatures = Uint32Array.from({ length: 50 * 6 }, () => random.below(4));
  const pages = Uint32Array.from({ length: 50 }, (_, page) => page);
  const keys = new Uint32Array(50);
  let equal = 0;
  for (let band = 0; band < 10; band++) {
    lshSignatures(signatures, choice, band, pages, keys);
    const [first, second] = choice.columns.subarray(2 * band, 2 * band + 2);
    for (let a = 0; a < 50; a++) {
      for (let b = 0; b < 50; b++) {
        const value = (page: number, column: number) => signatures[page * 6 + column];
        const same = value(a, first!) === value(b, first!) && value(a, second!) === value(b, second!);
        assert.equal(keys[a] === keys[b], same);
        assert.equal(sameBand(signatures, choice, band, a, b), same);
        if (same) equal++;
      }
    }
  }
  assert.ok(equal > 500);
});
