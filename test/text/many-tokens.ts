/** Fingerprints of tokens that differ little. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTokens } from '../../src/text/tokens.ts';

export function testDistinct(count: number): void {
  test(`${count} numbers and short words have as many fingerprints, and each lane is near its best`, () => {
    const parts: string[] = [];
    for (let i = 0; i < count / 2; i++) parts.push(String(1_000_000 + i), `w${i.toString(36)}x`);
    const { high, low } = readTokens(parts.join(' '));
    const both = new Float64Array(count);
    for (let i = 0; i < count; i++) both[i] = (high[i]! & 0x1fffff) * 2 ** 32 + (low[i]! >>> 0);
    const distinct = (lane: ArrayLike<number>) =>
      new Set(Array.from({ length: count }, (_, i) => lane[i])).size;
    assert.equal(distinct(both), count);
    // A million random 32-bit numbers have 116 taken twice; forms as regular as these a few more.
    const most = 20 + 2.4 * (count ** 2 / 2 ** 33);
    for (const lane of [high, low]) assert.ok(count - distinct(lane) < most, `${count - distinct(lane)}`);
  });
}
