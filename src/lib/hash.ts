/**
 * Hashes of integers and short strings, fixed forever: stored sketches and rounded weights depend on them.
 *
 * A string is hashed over its UTF-16 units in plain JavaScript: for words of about eight letters a call
 * into a library costs more than the loop. Each step rotates before it multiplies, so that the two lanes of
 * the 64-bit hash share no low bits (plain FNV lanes do); the finaliser is murmur3's, a bijection.
 * Not for adversaries: collisions can be made on purpose.
 *
 * Cost    about 1 ns a unit and lane, no allocation.
 * Source  A. Appleby, MurmurHash3 (fmix32).
 */

const LOW_SEED = 0x2f0b4c47;
const HIGH_SEED = 0x6a09e667;
const LOW_FACTOR = 0x9e3779b1;
const HIGH_FACTOR = 0xc2b2ae3d;

/** Murmur3's 32-bit finaliser: a bijection of the 32-bit integers in which every bit of x moves every bit. */
export function mix32(x: number): number {
  let h = x ^ (x >>> 16);
  h = Math.imul(h, 0x85ebca6b);
  h ^= h >>> 13;
  h = Math.imul(h, 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** 32-bit hash of a string; hashes of different seeds are independent. */
export function hash32(text: string, seed = 0): number {
  let h = mix32(seed ^ LOW_SEED);
  for (let i = 0; i < text.length; i++) {
    h = Math.imul(((h << 5) | (h >>> 27)) ^ text.charCodeAt(i), LOW_FACTOR);
  }
  return mix32(h ^ text.length);
}

/** As hash64() of the text whose units are the bytes from .. to - 1. */
export function hash64Bytes(bytes: Uint8Array, from: number, to: number, out: Uint32Array): void {
  let low = LOW_SEED;
  let high = HIGH_SEED;
  for (let i = from; i < to; i++) {
    const unit = bytes[i]!;
    low = Math.imul(((low << 5) | (low >>> 27)) ^ unit, LOW_FACTOR);
    high = Math.imul(((high << 11) | (high >>> 21)) ^ unit, HIGH_FACTOR);
  }
  out[0] = mix32(low ^ (to - from));
  out[1] = mix32(high + (to - from));
}

/** 64-bit hash of a string: the low word goes to `out[at]`, the high word to `out[at + 1]`. */
export function hash64(text: string, out: Uint32Array, at = 0): void {
  let low = LOW_SEED;
  let high = HIGH_SEED;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    low = Math.imul(((low << 5) | (low >>> 27)) ^ unit, LOW_FACTOR);
    high = Math.imul(((high << 11) | (high >>> 21)) ^ unit, HIGH_FACTOR);
  }
  out[at] = mix32(low ^ text.length);
  out[at + 1] = mix32(high + text.length);
}
