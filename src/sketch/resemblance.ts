/**
 * Resemblance and containment of two sketched pages.
 *
 * Where both sketches are whole the figures are exact; else they are sample shares with a standard error,
 * sqrt(p (1 - p) / n) times the correction for drawing n of N without replacement.
 *
 * Source  Broder, SEQUENCES 1997; Broder, Glassman, Manasse, Zweig, WWW6 1997, section 2.
 */
import { agreedSample, permutedKeys, SLOT_LIMIT } from './permutations.ts';
import type { ShingleSketch } from './shingle-sketch.ts';

/** What two sketches hold below the lower of their limits. */
export interface KeyOverlap {
  readonly shared: number;
  /** Keys of a and of b, the shared ones among them. */
  readonly ofA: number;
  readonly ofB: number;
}

export interface SketchOverlap extends KeyOverlap {
  /** Distinct shingles of the whole pages; Infinity where one of them may have been drawn more than once. */
  readonly sizeOfA: number;
  readonly sizeOfB: number;
}

export interface Estimate {
  readonly value: number;
  /** 0 where the value is exact. */
  readonly standardError: number;
}

/** Counts of two sketches made with the same options, or of one of them and a whole one. Cost  one merge. */
export function overlapOf(a: ShingleSketch, b: ShingleSketch): SketchOverlap {
  if (a.limit === SLOT_LIMIT || b.limit === SLOT_LIMIT) return agreementOf(a, b);
  const limit = Math.min(a.limit, b.limit);
  const ofA = countBelow(a.keys, limit);
  const ofB = countBelow(b.keys, limit);
  return {
    shared: sharedCount(a.keys, 0, ofA, b.keys, 0, ofB),
    ofA,
    ofB,
    sizeOfA: a.shingleCount,
    sizeOfB: b.shingleCount,
  };
}

/** The same of least values under permutations. */
function agreementOf(a: ShingleSketch, b: ShingleSketch): SketchOverlap {
  const permutations = a.limit === SLOT_LIMIT ? a.keys.length : b.keys.length;
  const slotsOf = ({ limit, keys }: ShingleSketch) =>
    limit === SLOT_LIMIT ? keys : permutedKeys(keys, keys.length, permutations);
  const [slotsA, slotsB] = [slotsOf(a), slotsOf(b)];
  let shared = 0;
  for (let i = 0; i < permutations; i++) shared += slotsA[i] === slotsB[i] ? 1 : 0;
  const sample = agreedSample(shared, permutations, a.shingleCount, b.shingleCount);
  return { shared, ...sample, sizeOfA: Infinity, sizeOfB: Infinity };
}

/** |A and B| / |A or B|; 0 for two pages without a shingle. */
export function resemblance(overlap: SketchOverlap): Estimate {
  const { shared, ofA, ofB, sizeOfA, sizeOfB } = overlap;
  const sampled = ofA + ofB - shared;
  const value = sampled === 0 ? 0 : shared / sampled;
  return { value, standardError: errorOf(value, sampled, (sizeOfA + sizeOfB) / (1 + value)) };
}

/** The resemblance of two pages; null as soon as it is known to be below `least`. Cost  one merge at most. */
export function resemblanceFrom(a: ShingleSketch, b: ShingleSketch, least: number): number | null {
  if (a.limit === SLOT_LIMIT || b.limit === SLOT_LIMIT) {
    const { value } = resemblance(agreementOf(a, b));
    return value < least ? null : value;
  }
  const limit = Math.min(a.limit, b.limit);
  const ofA = countBelow(a.keys, limit);
  const ofB = countBelow(b.keys, limit);
  // shared / (ofA + ofB - shared) >= least, less what rounding may take.
  const needed = ((ofA + ofB) * least) / (1 + least) - 1e-6;
  const shared = sharedCount(a.keys, 0, ofA, b.keys, 0, ofB, needed);
  if (shared < 0) return null;
  const sampled = ofA + ofB - shared;
  const value = sampled === 0 ? 0 : shared / sampled;
  return value < least ? null : value;
}

/** |A and B| / |A|; 0 where A has no shingle. */
export function containment(overlap: SketchOverlap): Estimate {
  const { shared, ofA, sizeOfA } = overlap;
  const value = ofA === 0 ? 0 : shared / ofA;
  return { value, standardError: errorOf(value, ofA, sizeOfA) };
}

/** Of a share of `sampled` things out of `all`; 0.5 where a page has shingles but the sample none. */
function errorOf(value: number, sampled: number, all: number): number {
  if (sampled === 0) return all === 0 ? 0 : 0.5;
  // One success and one failure are added, or a share of 0 or 1 would claim no error at all.
  const smoothed = (value * sampled + 1) / (sampled + 2);
  const left = all === Infinity ? 1 : all <= 1 ? 0 : Math.max(0, (all - sampled) / (all - 1));
  return Math.sqrt(((smoothed * (1 - smoothed)) / sampled) * left);
}

/** Steps of a merge between two looks at what can still be reached. */
const STRIDE = 32;

/** How many of the ascending keys[from] .. keys[to - 1] are below `limit`. */
export function countBelow(keys: Float64Array, limit: number, from = 0, to = keys.length): number {
  let low = from;
  let high = to;
  if (high === low || keys[high - 1]! < limit) return high - from;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (keys[middle]! < limit) low = middle + 1;
    else high = middle;
  }
  return low - from;
}

/** Equal keys of two ascending ranges; -1 as soon as they cannot be `needed` any more. */
export function sharedCount(
  a: Float64Array,
  fromA: number,
  toA: number,
  b: Float64Array,
  fromB: number,
  toB: number,
  needed = 0,
): number {
  let shared = 0;
  let i = fromA;
  let j = fromB;
  while (i < toA && j < toB) {
    if (shared + Math.min(toA - i, toB - j) < needed) return -1;
    for (let step = 0; step < STRIDE && i < toA && j < toB; step++) {
      const left = a[i]!;
      const right = b[j]!;
      shared += left === right ? 1 : 0;
      i += left <= right ? 1 : 0;
      j += right <= left ? 1 : 0;
    }
  }
  return shared;
}
