/**
 * Shingles: the runs of w consecutive tokens of a text, each as one number, its key.
 *
 * A shingle's fingerprint is the polynomial f(t1) x^(w-1) + ... + f(tw) over GF(2), reduced by the
 * irreducible P(x) = x^64 + x^4 + x^3 + x + 1, f being the 64-bit fingerprints of the tokens: a Rabin
 * fingerprint over tokens in place of bits. It rolls: shift by one, add the new token, take away the old
 * one times x^w. With P fixed and f random any two different shingles agree with probability 2^-64 as
 * long as w < 64 (Lemire and Kaser, "general" recursive hashing); P is sparse, so that a reduction is four
 * shifts and no table. w is held to 28, where x^w needs a single reduction.
 *
 *   63            40 39                              0
 *   | selects: 24   | kept: 40                       |      selected by the upper bits alone, so that
 *   '---------------'--------------------------------'      being selected eats none of the kept 40
 *
 * The upper bits give a shingle its level, the coarsest modulus of a chain 1, 5, 25, 50, 100, ... that
 * divides them; each modulus divides the next, so a coarser selection is a subset of a finer one.
 *
 *   key = (15 - level) * 2^40 + kept        an exact double below 2^44
 *
 * Keys in ascending order run from the coarsest selection to the finest, and every way of sampling used
 * here - all shingles, those = 0 mod 25 * 2^i, the s smallest - keeps just the keys below some limit.
 *
 * Figures  tokens, keys, distinct set and sketch together: see sketch/shingle-sketch.ts.
 * Source   Broder, Glassman, Manasse, Zweig, WWW6 1997, sections 2 and 4; Lemire, Kaser, Computer Speech
 *          and Language 24(4), 2010.
 */
import type { TokenSequence } from './token-sequence.ts';

export const DEFAULT_SHINGLE_SIZE = 10;
export const MAX_SHINGLE_SIZE = 28;
export const MAX_LEVEL = 15;
/** Level of the printed modulus, 25. */
export const BASE_LEVEL = 2;

const KEPT_RANGE = 2 ** 40;

/** Modulus of a level: 1, 5, 25, then twice the one before. */
function modulusOf(level: number): number {
  return level === 0 ? 1 : level === 1 ? 5 : 25 * 2 ** (level - BASE_LEVEL);
}

/** The first key that is not of this level or a coarser one. */
export function keyLimitOf(level: number): number {
  return (MAX_LEVEL + 1 - level) * KEPT_RANGE;
}

export function levelOf(key: number): number {
  return MAX_LEVEL - Math.floor(key / KEPT_RANGE);
}

/** Share of all shingles of a coarser level than each, and of each level itself. */
const SHARE_ABOVE = Float64Array.from({ length: MAX_LEVEL + 1 }, (_, level) =>
  level === MAX_LEVEL ? 0 : 1 / modulusOf(level + 1),
);
const SHARE_OF = SHARE_ABOVE.map((above, level) => 1 / modulusOf(level) - above);

/** The expected share of all shingles whose keys lie below `limit`. */
export function shareBelow(limit: number): number {
  const level = levelOf(limit);
  return level < 0 ? 1 : SHARE_ABOVE[level]! + (limit / KEPT_RANGE - (MAX_LEVEL - level)) * SHARE_OF[level]!;
}

/** Of each level, coarsest first: the share of all shingles that are coarser, and that are of this level. */
export function levelShares(): Float64Array {
  const levels = Array.from({ length: MAX_LEVEL + 1 }, (_, i) => MAX_LEVEL - i);
  return Float64Array.from(levels.flatMap((level) => [SHARE_ABOVE[level]!, SHARE_OF[level]!]));
}

/** The key limit below which a share of all shingles is expected: the inverse of `shareBelow`. */
export function limitForShare(share: number): number {
  if (share >= 1) return keyLimitOf(0);
  let level = MAX_LEVEL;
  while (1 / modulusOf(level) < share) level--;
  const part = (share - SHARE_ABOVE[level]!) / SHARE_OF[level]!;
  return keyLimitOf(level + 1) + Math.floor(part * KEPT_RANGE);
}

function keyOf(high: number, low: number): number {
  const selector = high >>> 8;
  let level = 0;
  if (selector % 5 === 0) level = selector % 25 === 0 ? coarseLevel(selector / 25) : 1;
  return ((MAX_LEVEL - level) * 256 + (high & 255)) * 4294967296 + (low >>> 0);
}

/** Level of a selector that is 25 times `quotient`: how often two divides it. */
function coarseLevel(quotient: number): number {
  if (quotient === 0) return MAX_LEVEL;
  return Math.min(BASE_LEVEL + 31 - Math.clz32(quotient & -quotient), MAX_LEVEL);
}

/** How many shingles `tokenCount` tokens have, repeated ones counted: a short text is one shingle. */
export function shingleCount(tokenCount: number, shingleSize: number): number {
  if (tokenCount === 0) return 0;
  return Math.max(1, tokenCount - shingleSize + 1);
}

/**
 * Writes the keys of a text's shingles, in text order, into `keys` and returns how many there are.
 *
 * Shape   `keys` has room for `shingleCount(tokens.count, shingleSize)`; key i is of tokens i .. i + w - 1.
 * A text of fewer than w tokens has one shingle of all its tokens.
 * Units   shingleSize is a count, 1 .. MAX_SHINGLE_SIZE.
 */
export function shingleKeys(tokens: TokenSequence, shingleSize: number, keys: Float64Array): number {
  const { count, high, low } = tokens;
  const carry = 32 - shingleSize;
  let upper = 0;
  let lower = 0;
  const warmUp = Math.min(shingleSize, count);
  for (let i = 0; i < warmUp; i++) {
    const out = upper >> 31;
    upper = ((upper << 1) | (lower >>> 31)) ^ high[i]!;
    lower = (lower << 1) ^ (out & 0x1b) ^ low[i]!;
  }
  if (count === 0) return 0;
  keys[0] = keyOf(upper, lower);
  let written = 1;
  for (let i = shingleSize; i < count; i++) {
    const oldUpper = high[i - shingleSize]!;
    const oldLower = low[i - shingleSize]!;
    const over = oldUpper >>> carry;
    const out = upper >> 31;
    upper = ((upper << 1) | (lower >>> 31)) ^ high[i]! ^ (oldUpper << shingleSize) ^ (oldLower >>> carry);
    lower = (lower << 1) ^ (out & 0x1b) ^ low[i]! ^ (oldLower << shingleSize);
    // over * x^64 = over * (x^4 + x^3 + x + 1), of degree below 32 as over has at most 28 bits.
    lower ^= (over << 4) ^ (over << 3) ^ (over << 1) ^ over;
    keys[written++] = keyOf(upper, lower);
  }
  return written;
}
