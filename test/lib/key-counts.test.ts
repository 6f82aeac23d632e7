import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KeyCounts } from '../../src/lib/keys/key-counts.ts';
import { Random } from '../../src/lib/random.ts';

test('no key comes more often than is counted, and most that come once are known to', () => {
  const random = new Random(3);
  const draw = () => random.nextUint32() * 2 ** 8 + random.below(2 ** 8);
  const once = Float64Array.from({ length: 5000 }, draw);
  const often = Array.from({ length: 100 }, (_, times) => ({ key: draw(), times: 2 * times + 2 }));
  const counts = new KeyCounts(once.length);
  counts.addAll(once, 0, once.length);
  for (const { key, times } of often) for (let i = 0; i < times; i++) counts.add(key);
  for (const key of once.subarray(0, 50)) counts.mark(key);
  for (const { key, times } of often) assert.ok(counts.mayCome(key, times));
  assert.ok(once.every((key) => counts.mayCome(key, 1)));
  assert.ok(once.subarray(0, 50).every((key) => counts.mayBeMarked(key)));
  assert.ok(once.filter((key) => counts.mayCome(key, 2)).length < once.length / 2);
  assert.ok(once.filter((key) => counts.mayBeMarked(key)).length < 200);
});
