import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shardOf } from '../../src/url/shard.ts';

/** The hash as docs/sharding.md has it, in arithmetic of any size. */
function slowShard(url: string, count: number): number {
  const M = 2n ** 32n;
  const mix = (value: bigint): bigint => {
    let h = value ^ (value >> 16n);
    h = (h * 0x85ebca6bn) % M;
    h ^= h >> 13n;
    h = (h * 0xc2b2ae35n) % M;
    return h ^ (h >> 16n);
  };
  let h = mix(0x2f0b4c47n);
  for (const unit of url) {
    const rotated = ((h << 5n) | (h >> 27n)) % M;
    h = ((rotated ^ BigInt(unit.charCodeAt(0))) * 0x9e3779b1n) % M;
  }
  return Number(mix(h ^ BigInt(url.length)) % BigInt(count));
}

test('a URL is in the shard that it was in yesterday', () => {
  const urls = ['https://example.org/', 'http://example.org/a?b=c', `https://example.org/${'x'.repeat(500)}`];
  for (const url of urls) {
    for (const count of [1, 2, 4, 7, 256]) assert.equal(shardOf(url, count), slowShard(url, count), url);
  }
  // Files that are written once rely on these.
  assert.deepEqual(
    urls.map((url) => shardOf(url, 256)),
    [161, 250, 194],
  );
});

test('shards are of one size, as near as chance has it', () => {
  const sizes = new Uint32Array(8);
  for (let i = 0; i < 80_000; i++) sizes[shardOf(`https://site-${i % 100}.example/page/${i}`, 8)]!++;
  for (const size of sizes) assert.ok(Math.abs(size - 10_000) < 500, `${size} of 80,000 in one of 8`);
});
