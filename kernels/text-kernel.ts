/**
 * AssemblyScript, SIMD: the inner loops between the text of a page and its features.
 *
 *   internTokens  text -> where its tokens stand, and the number of each distinct one
 *   readTokens    text -> its tokens with their fingerprints, unit by unit
 *   takeTokens    the same where `internTokens` has found most of them
 *   takeWords     the words of what `internTokens` has found, where they are known
 *   shingleSet    tokens -> the set of the shingles they make
 *   sortKeys      shingles -> the same in ascending order
 *   countControls the bytes of a page -> how many of them text does not hold
 *
 * Rebuild: `node scripts/build-kernels.mjs`. Memory is imported; nothing is allocated here.
 */
// @ts-nocheck: compiled by asc, not by tsc.

export { entryCount, internTokens } from './text/intern-tokens';
export { readTokens, takeTokens } from './text/read-tokens';
export { digestHigh, digestLow, shingleSet, sortKeys } from './text/shingles';
export { takeWords, wordCount } from './text/take-words';

/** How many of `length` bytes, which spaces follow up to a multiple of 16, are control characters that text does not hold. */
export function countControls(bytes: usize, length: u32): u32 {
  // All below 0x20 but tab, line feed, form feed, carriage return and escape.
  const lower = i8x16(-1, -1, -1, -1, -1, -1, -1, -1, -1, 0, 0, -1, 0, 0, -1, -1);
  const upper = i8x16(-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 0, -1, -1, -1, -1);
  let count: u32 = 0;
  for (let i: u32 = 0; i < length; i += 16) {
    const part = v128.load(bytes + i);
    const found = v128.or(i8x16.swizzle(lower, part), i8x16.swizzle(upper, i8x16.sub(part, i8x16.splat(16))));
    count += <u32>popcnt(i8x16.bitmask(found));
  }
  return count;
}
