import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mostWithin, reachesShare } from '../../src/lib/reaches-share.ts';

test('a share is reached where whole numbers say so, as many as there are of a bag', () => {
  for (let percent = 1; percent <= 100; percent++) {
    const least = Number(`${percent}e-2`);
    for (let whole = 1; whole <= 2400; whole++) {
      const first = Math.ceil((percent * whole) / 100);
      assert.ok(100 * first >= percent * whole && 100 * (first - 1) < percent * whole);
      assert.ok(reachesShare(first, whole, least), `${first} of ${whole} are ${least}`);
      assert.ok(!reachesShare(first - 1, whole, least), `${first - 1} of ${whole} are less than ${least}`);
    }
  }
  assert.equal(reachesShare(0, 0, 0.5), false);
});

test('the most parts within a share are those that whole numbers say', () => {
  for (let percent = 0; percent <= 100; percent++) {
    for (let whole = 1; whole <= 2400; whole++) {
      const hundredths = percent * whole;
      const most = (hundredths - (hundredths % 100)) / 100;
      assert.equal(mostWithin(Number(`${percent}e-2`), whole), most, `${percent} % of ${whole}`);
    }
  }
});
