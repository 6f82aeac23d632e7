/**
 * The passages two texts share: maximal runs of equal tokens, found by their shingles.
 *
 * Each shingle of b is filed under its key. a is read from the left; where a shingle of a is found in b,
 * the run is extended token by token to the right, for the first `MAX_PLACES` places in b, and the longest
 * one is taken; reading continues after it. So passages follow one another in a without overlap, while in b
 * they may lie in any order, and one passage of b may serve twice.
 *
 * Cost  O(tokens of a and b), with a factor MAX_PLACES at worst, in text that repeats itself.
 */
import { DEFAULT_SHINGLE_SIZE, shingleCount, shingleKeys } from '../../text/shingle.ts';
import type { TokenSequence } from '../../text/token-sequence.ts';

const MAX_PLACES = 32;

/** `textOfA.slice(startOfA, endOfA)` says the same as `textOfB.slice(startOfB, endOfB)`, token by token. */
export interface SharedPassage {
  readonly startOfA: number;
  readonly endOfA: number;
  readonly startOfB: number;
  readonly endOfB: number;
  readonly tokenCount: number;
}

/**
 * Passages of at least `shingleSize` tokens (or of the whole text, where both are shorter), in the order of a.
 *
 * Shape  `a` and `b` are two sequences, not one read twice.
 */
export function sharedPassages(
  a: TokenSequence,
  b: TokenSequence,
  shingleSize = DEFAULT_SHINGLE_SIZE,
): SharedPassage[] {
  const keysOfA = new Float64Array(shingleCount(a.count, shingleSize));
  const keysOfB = new Float64Array(shingleCount(b.count, shingleSize));
  shingleKeys(a, shingleSize, keysOfA);
  shingleKeys(b, shingleSize, keysOfB);
  // Places of one key in b are chained from the first to the last.
  const firstPlace = new Map<number, number>();
  const nextPlace = new Int32Array(keysOfB.length).fill(-1);
  for (let place = keysOfB.length - 1; place >= 0; place--) {
    nextPlace[place] = firstPlace.get(keysOfB[place]!) ?? -1;
    firstPlace.set(keysOfB[place]!, place);
  }
  const passages: SharedPassage[] = [];
  for (let at = 0; at < keysOfA.length; ) {
    let length = 0;
    let found = 0;
    let place = firstPlace.get(keysOfA[at]!) ?? -1;
    for (let tried = 0; place !== -1 && tried < MAX_PLACES; tried++) {
      const run = runLength(a, at, b, place);
      if (run > length) {
        length = run;
        found = place;
      }
      place = nextPlace[place]!;
    }
    // A key may agree by accident, and a text shorter than a shingle must match whole.
    if (length < Math.min(shingleSize, a.count, b.count) || length === 0) {
      at++;
      continue;
    }
    passages.push({
      startOfA: a.starts[at]!,
      endOfA: a.ends[at + length - 1]!,
      startOfB: b.starts[found]!,
      endOfB: b.ends[found + length - 1]!,
      tokenCount: length,
    });
    at += length;
  }
  return passages;
}

function runLength(a: TokenSequence, fromA: number, b: TokenSequence, fromB: number): number {
  const most = Math.min(a.count - fromA, b.count - fromB);
  let length = 0;
  while (
    length < most &&
    a.low[fromA + length] === b.low[fromB + length] &&
    a.high[fromA + length] === b.high[fromB + length]
  ) {
    length++;
  }
  return length;
}
