import assert from 'node:assert/strict';
import { test } from 'node:test';
import { JaccardNearness, WHOLE } from '../../../src/join/pairs/nearness.ts';
import { Random } from '../../../src/lib/random.ts';
import { slowNearness } from '../../slow-votes.ts';

test('the nearness of two bags is that of the formula, whichever were compared before', () => {
  const random = new Random(5);
  const bags = Array.from({ length: 60 }, () => {
    const drawn = Array.from({ length: random.below(30) }, () => random.below(80));
    const features = Uint32Array.from(new Set(drawn)).sort();
    const weights = Uint8Array.from(features, () => 1 + random.below(9));
    return { features, weights, sum: weights.reduce((sum, weight) => sum + weight, 0) };
  });
  const pair = new JaccardNearness();
  for (const own of bags) {
    pair.take(own);
    for (const other of bags) {
      const { similarity, nearness } = slowNearness(own, other);
      const found = pair.of(other, similarity);
      assert.ok(Math.abs(found - nearness * WHOLE) <= 1, `${found} ${nearness * WHOLE}`);
    }
  }
});
