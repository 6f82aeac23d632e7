import assert from 'node:assert/strict';
import { test } from 'node:test';
import { featureHash } from '../../src/features/feature-hash.ts';

test('a stem hashes differently in each part, and always the same', () => {
  const hashes = (['content', 'title', 'anchor'] as const).map((part) => featureHash(part, 'rose'));
  assert.equal(new Set(hashes).size, 3);
  assert.deepEqual(hashes, [3263467925, 473364244, 1275311479]);
});
