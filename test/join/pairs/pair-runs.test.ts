import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { PairLog } from '../../../src/join/pairs/pair-log.ts';
import { mergePairRuns } from '../../../src/join/pairs/pair-runs.ts';
import { arrayStore } from '../array-store.ts';

const PAGES = 5000;
const LAST = 2 ** 25 - 1;

/** Pages a on both sides of a unit's end, b up to the last that a key can hold. */
const first = fc.oneof(fc.nat({ max: 5 }), fc.integer({ min: 2046, max: 2050 }));
const second = fc.oneof(fc.integer({ min: 2051, max: 2056 }), fc.integer({ min: LAST - 2, max: LAST }));
const found = fc.array(fc.tuple(first, second, fc.nat({ max: 2 })), { maxLength: 120, size: 'max' });

test('runs of several threads, in memory and stored, merge to each pair once, in order', () => {
  let stored = 0;
  fc.assert(
    fc.property(fc.array(found, { minLength: 1, maxLength: 4 }), (threads) => {
      const store = arrayStore(20);
      const expected = new Map<string, number[]>();
      const runs = threads.flatMap((pairs, thread) => {
        const log = new PairLog(PAGES, thread === 0 ? null : store);
        for (const [a, b, times] of pairs) {
          const shared = (a * 7 + b) % 65_536;
          expected.set(`${a} ${b}`, [a, b, shared]);
          for (let i = 0; i <= times; i++) log.push(a, b, shared);
        }
        return log.take();
      });
      stored += store.written.size;
      const merged = [...mergePairRuns(runs, PAGES, store)].flatMap(({ a, b, shared }) =>
        Array.from(a, (first, i) => [first, b[i]!, shared[i]!]),
      );
      assert.deepEqual(
        merged,
        [...expected.values()].sort((x, y) => x[0]! - y[0]! || x[1]! - y[1]!),
      );
    }),
    { seed: 51, numRuns: 60 },
  );
  assert.ok(stored > 100, `${stored} runs were stored`);
});
