/** By which of its keys a page can be found: what the inverted index lists, and what a join of copies begins with. */
import { BASE_LEVEL, keyLimitOf } from '../text/shingle.ts';
import { countBelow } from './resemblance.ts';

/** A page is found by this many of its keys at least. */
export const LEAST_LOOKUP_KEYS = 64;

/**
 * How many of the lowest keys of a page it is found by: those = 0 mod 25, some of which any passage of a long page has,
 * and 64 at least, so that short pages have enough of them.
 *
 * Shape  the page's keys are keys[from] .. keys[to - 1], ascending.
 */
export function lookupCount(keys: Float64Array, from = 0, to = keys.length): number {
  const printed = countBelow(keys, keyLimitOf(BASE_LEVEL), from, to);
  return Math.min(to - from, Math.max(LEAST_LOOKUP_KEYS, printed));
}
