import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { KeySum } from '../../src/lib/keys/key-sum.ts';
import { key53 } from '../../src/lib/keys/key-table.ts';

test('sums by key, ascending, page after page, whatever the pages before held', () => {
  const additions = fc.array(fc.tuple(fc.integer({ min: 0, max: 4000 }), fc.integer({ min: 1, max: 9 })), {
    maxLength: 3000,
    size: 'max',
  });
  const sum = new KeySum();
  fc.assert(
    fc.property(additions, (all) => {
      const expected = new Map<number, number>();
      for (const [word, count] of all) {
        const key = key53(String(word));
        sum.add(key, count);
        expected.set(key, (expected.get(key) ?? 0) + count);
      }
      const { keys, sums } = sum.take();
      assert.deepEqual(
        Array.from(keys, (key, i) => [key, sums[i]]),
        [...expected].sort((a, b) => a[0] - b[0]),
      );
      assert.equal(sum.take().keys.length, 0);
    }),
    { seed: 5, numRuns: 40 },
  );
});
