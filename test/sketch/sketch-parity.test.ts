import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../../src/lib/random.ts';
import { SketchParities } from '../../src/sketch/sketch-parity.ts';
import { tableOf } from '../../src/sketch/sketch-table.ts';

const SEED = 64;

test('parities never say that two pages differ in more keys than they do, and of few keys they say it exactly', () => {
  const random = new Random(SEED);
  const drawn = (count: number) =>
    Array.from({ length: count }, () => random.nextUint32() + 2 ** 32 * random.below(256));
  for (const [common, own] of [
    [400, 0],
    [200, 3],
    [50, 60],
    [0, 400],
  ] as const) {
    const shared = drawn(common);
    const sets = [drawn(own), drawn(own)].map((keys) => Float64Array.from([...shared, ...keys]).sort());
    const sketches = sets.map((keys) => ({
      keys,
      limit: Number.POSITIVE_INFINITY,
      shingleCount: keys.length,
    }));
    const least = new SketchParities(tableOf(sketches)).leastUnshared(0, 1);
    assert.ok(least <= 2 * own, `${least} of ${2 * own}`);
    assert.ok(least >= 0.4 * own, `${least} of ${2 * own}: some bits are met twice, not most`);
    if (own <= 3) assert.equal(least, 2 * own);
  }
});
