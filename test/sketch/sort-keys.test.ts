import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { sortKeys } from '../../src/sketch/sort-keys.ts';

const SEED = 19970407;

test('keys come out as the library sorts them, however they are spread', () => {
  const key = fc.oneof(
    fc.integer({ min: 0, max: 2 ** 44 - 1 }),
    fc.integer({ min: 15 * 2 ** 40, max: 2 ** 44 - 1 }),
    fc.integer({ min: 0, max: 3 }),
  );
  fc.assert(
    fc.property(fc.array(key, { maxLength: 200 }), fc.nat(3), (list, spare) => {
      const keys = Float64Array.from([...list, ...new Array<number>(spare).fill(7)]);
      assert.deepEqual(sortKeys(keys, list.length), Float64Array.from(list).sort());
      assert.equal(keys.length, list.length + spare);
    }),
    { seed: SEED, numRuns: 300 },
  );
});

test('a set larger than any before it is sorted too', () => {
  const keys = Float64Array.from({ length: 5000 }, (_, i) => (i * 2_654_435_761 * 977) % 2 ** 44);
  assert.deepEqual(sortKeys(keys, keys.length), keys.toSorted());
});
