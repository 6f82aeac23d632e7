/** AssemblyScript, SIMD: the set of the shingles of a text, and its order. */

// @ts-nocheck: compiled by asc, not by tsc.

import { mix32 } from '../mix32';

/** Sums over the mixed shingles of the last set. */
export let digestHigh: u32 = 0;
export let digestLow: u32 = 0;

/** See src/text/shingle.ts: 15 minus the level of a fingerprint, and its lower 40 bits. */
function keyOf(fingerprint: u64): u64 {
  const selector = <u32>(fingerprint >>> 40);
  // Multiples of an odd number are those that its inverse takes to the least values: no division, no branch.
  let level = <u32>(selector * 0xcccccccd <= 0x33333333);
  const quotient = selector * 0xc28f5c29;
  if (quotient <= 0x0a3d70a3) {
    const power = 2 + <u32>ctz(quotient);
    level = power < 15 ? power : 15;
  }
  return ((<u64>(15 - level)) << 40) | (fingerprint & 0xff_ffff_ffff);
}

/** Adds a key to the set; returns the size of the set. */
function addKey(key: u64, slots: usize, mask: u32, members: usize, size: u32): u32 {
  const low = <u32>key;
  let slot = low & mask;
  for (;;) {
    const held = load<u64>(slots + ((<usize>slot) << 3));
    if (held === 0) break;
    if (held === key + 1) return size;
    slot = (slot + 1) & mask;
  }
  store<u64>(slots + ((<usize>slot) << 3), key + 1);
  store<f64>(members + ((<usize>size) << 3), <f64>key);
  const mixed = mix32(low ^ (<u32>(key >>> 32) * 0x9e3779b1));
  digestHigh += mixed;
  digestLow += (mixed ^ (mixed >>> 15)) * (low | 1);
  return size + 1;
}

/**
 * The distinct shingle keys (f64) of `count` >= 1 tokens, whose fingerprint lanes are `high` and `low` (u32), in
 * the order they come to `members`; returns how many. `slots` is room for mask + 1 keys of 8 bytes.
 */
export function shingleSet(
  high: usize,
  low: usize,
  count: u32,
  shingleSize: u32,
  slots: usize,
  mask: u32,
  members: usize,
): u32 {
  memory.fill(slots, 0, (<usize>mask + 1) << 3);
  digestHigh = 0;
  digestLow = 0;
  let shingle: u64 = 0;
  const warmUp = shingleSize < count ? shingleSize : count;
  for (let i: u32 = 0; i < warmUp; ++i) {
    const token = ((<u64>load<u32>(high + ((<usize>i) << 2))) << 32) | load<u32>(low + ((<usize>i) << 2));
    shingle = (shingle << 1) ^ ((shingle >>> 63) * 0x1b) ^ token;
  }
  let size = addKey(keyOf(shingle), slots, mask, members, 0);
  for (let i = shingleSize; i < count; ++i) {
    const in_ = (<usize>i) << 2;
    const out = (<usize>(i - shingleSize)) << 2;
    const token = ((<u64>load<u32>(high + in_)) << 32) | load<u32>(low + in_);
    const old = ((<u64>load<u32>(high + out)) << 32) | load<u32>(low + out);
    const over = old >>> (64 - <u64>shingleSize);
    shingle = (shingle << 1) ^ ((shingle >>> 63) * 0x1b) ^ token ^ (old << (<u64>shingleSize));
    shingle ^= (over << 4) ^ (over << 3) ^ (over << 1) ^ over;
    size = addKey(keyOf(shingle), slots, mask, members, size);
  }
  return size;
}

const BUCKETS_A_KEY: u32 = 2;
/** Added to a whole number below 2^52, it leaves that number in the lower bits. */
const WHOLE: f64 = 4503599627370496.0;

/**
 * The `count` keys (f64), ascending, to `out`. Each goes to the place that its value makes likely, since keys are
 * spread evenly over their levels, and insertion puts the rest right. `shares` has two numbers (f64) a level, coarsest
 * first: the share of the keys that lies below it, and in it, counted so that the greatest key has share 1. `lines` is
 * room for 16 pairs of 8 bytes, `places` for count and `buckets` for BUCKETS_A_KEY * count + 1 numbers of 4.
 */
export function sortKeys(
  keys: usize,
  count: u32,
  shares: usize,
  lines: usize,
  places: usize,
  buckets: usize,
  out: usize,
): void {
  const bucketCount = BUCKETS_A_KEY * count;
  const last = bucketCount - 1;
  memory.fill(buckets, 0, (<usize>bucketCount + 1) << 2);
  // In units of 2^-36 bucket; a step is 2^-32 of a level.
  for (let level: usize = 0; level < 256; level += 16) {
    store<u64>(lines + level, <u64>(load<f64>(shares + level) * <f64>bucketCount * 68719476736.0));
    store<u64>(lines + level, <u64>(load<f64>(shares + level, 8) * <f64>bucketCount * 16.0), 8);
  }
  for (let i: u32 = 0; i < count; ++i) {
    const key = reinterpret<u64>(load<f64>(keys + ((<usize>i) << 3)) + WHOLE);
    const line = lines + ((<usize>(key >>> 40) & 15) << 4);
    const place = <u32>((load<u64>(line) + <u64>(<u32>(key >>> 8)) * load<u64>(line, 8)) >>> 36);
    const bucket = place < last ? place : last;
    store<u32>(places + ((<usize>i) << 2), bucket);
    const counter = buckets + ((<usize>bucket) << 2);
    store<u32>(counter, load<u32>(counter, 4) + 1, 4);
  }
  let sum: u32 = 0;
  for (let i: u32 = 0; i < bucketCount; ++i) {
    const bucket = buckets + ((<usize>i) << 2);
    sum += load<u32>(bucket);
    store<u32>(bucket, sum);
  }
  for (let i: u32 = 0; i < count; ++i) {
    const bucket = buckets + ((<usize>load<u32>(places + ((<usize>i) << 2))) << 2);
    const at = load<u32>(bucket);
    store<u32>(bucket, at + 1);
    store<f64>(out + ((<usize>at) << 3), load<f64>(keys + ((<usize>i) << 3)));
  }
  for (let i: u32 = 1; i < count; ++i) {
    let at = out + ((<usize>i) << 3);
    const key = load<f64>(at);
    while (at > out && load<f64>(at - 8) > key) {
      store<f64>(at, load<f64>(at - 8));
      at -= 8;
    }
    store<f64>(at, key);
  }
}
