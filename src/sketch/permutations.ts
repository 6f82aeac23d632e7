/**
 * The other sample of shingles: under each of k permutations of all fingerprints, the least of the page's own. Two pages
 * agree under a permutation with the probability of their resemblance, so the share of agreements estimates it.
 *
 *   key = slot * 2^36 + the upper 36 bits of the least value under permutation `slot`
 *
 * Each key names its slot, so two such sketches share as many keys as they agree in, and whatever lists, joins and stores
 * keys takes them as they are. They ascend by slot, below the limit that no other sketch has.
 *
 * Breaks down  an excerpt agrees with its page as little as it resembles it: containment is worked out from the sizes of
 *              both texts, and not found where it alone is high.
 * Measured     beside shingle sketches: bench/results/crawl.json. Two values agree by accident in their 36 bits once in
 *              7 * 10^10.
 * Source       Manning, Raghavan, Schuetze, Introduction to Information Retrieval (2008), section 19.6, and the lectures
 *              of CS276: 200 permutations of 64-bit fingerprints. A key of ours holds 44 bits of its fingerprint.
 */
import { mix32 } from '../lib/hash.ts';
import { keyLimitOf } from '../text/shingle.ts';

/** Below it are all keys of any sketch; as the limit of one it says that its keys are slots. */
export const SLOT_LIMIT = keyLimitOf(0);

const SLOT_RANGE = 2 ** 36;

/** Shape  `count` distinct shingle keys → `permutations` ascending ones; none where there are none. Cost 1.7 ns times both. */
export function permutedKeys(keys: Float64Array, count: number, permutations: number): Float64Array {
  if (count === 0) return new Float64Array(0);
  const high = new Uint32Array(permutations).fill(0xffffffff);
  const low = new Uint32Array(permutations).fill(0xffffffff);
  for (let k = 0; k < count; k++) {
    const upper = Math.floor(keys[k]! / 2 ** 32);
    const lower = keys[k]! >>> 0;
    for (let i = 0; i < permutations; i++) {
      // Two Feistel rounds are a permutation of the 64-bit numbers.
      const h = (upper ^ mix32(lower + Math.imul(i, 0x9e3779b1))) >>> 0;
      if (h > high[i]!) continue;
      const l = (lower ^ mix32(h + i)) >>> 0;
      if (h === high[i] && l > low[i]!) continue;
      high[i] = h;
      low[i] = l;
    }
  }
  return Float64Array.from(high, (h, i) => i * SLOT_RANGE + h * 16 + (low[i]! >>> 28));
}

/**
 * What a sample of `permutations` shingles of both pages together is taken to hold of each, where so many agreed: shared /
 * (ofA + ofB - shared) is the share of agreements.
 *
 * @param sizeOfA distinct shingles of the whole page.
 */
export function agreedSample(
  shared: number,
  permutations: number,
  sizeOfA: number,
  sizeOfB: number,
): { ofA: number; ofB: number } {
  if (permutations === 0) return { ofA: 0, ofB: 0 };
  const both = permutations + shared;
  const share = Math.round((both * sizeOfA) / (sizeOfA + sizeOfB));
  // Neither page has fewer than are shared, or more than there are.
  const ofA = Math.min(permutations, Math.max(shared, share));
  return { ofA, ofB: both - ofA };
}
