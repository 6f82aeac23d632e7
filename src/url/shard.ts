import { hash32 } from '../lib/hash.ts';

/** Names the hash in an index, so that another one would be refused rather than taken for this one. */
export const SHARD_HASH = 'hash32';

/**
 * The shard of 0 .. count - 1 that a URL belongs to.
 *
 * Fixed for ever: `hash32` (src/lib/hash.ts, seed 0) over the units of the canonical URL, modulo the number of shards.
 */
export function shardOf(url: string, count: number): number {
  return hash32(url) % count;
}
