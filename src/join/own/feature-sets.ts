/**
 * The features that owners give their pages, as weighted sets: two pages resemble each other by the share of the weight
 * of both that they have in common,
 *
 *   sum of min(weight in a, weight in b) / sum of max(...)        weighted Jaccard, 1 for equal sets
 *
 * Features are known by 53 bits of a hash of group and name (lib/keys/key-table.ts says how often two agree).
 */
import { type OwnFeatures, unpackFeatures } from '../../features/own-features.ts';
import { NumberColumn } from '../../lib/columns/number-column.ts';
import { KeyTable, key53 } from '../../lib/keys/key-table.ts';

/** Shape  `keys` ascending and unique; `weights[i]` belongs to `keys[i]`. */
export interface FeatureSet {
  readonly keys: Float64Array;
  readonly weights: Float64Array;
  readonly sum: number;
}

/** Sets 0..n-1 one after the other: those of set s are at offsets[s] .. offsets[s + 1] - 1. */
export interface FeatureSets {
  readonly offsets: Float64Array;
  readonly keys: Float64Array;
  readonly weights: Float64Array;
  readonly sums: Float64Array;
}

export function featureSetOf(own: OwnFeatures): FeatureSet {
  const entries = Object.entries(own).flatMap(([group, features]) =>
    Object.entries(features).map(([name, weight]) => [key53(`${group}\n${name}`), weight] as const),
  );
  entries.sort(([a], [b]) => a - b);
  const weights = Float64Array.from(entries, ([, weight]) => weight);
  return {
    keys: Float64Array.from(entries, ([key]) => key),
    weights,
    sum: weights.reduce((sum, weight) => sum + weight, 0),
  };
}

export function setAt({ offsets, keys, weights, sums }: FeatureSets, set: number): FeatureSet {
  const [from, to] = [offsets[set]!, offsets[set + 1]!];
  return { keys: keys.subarray(from, to), weights: weights.subarray(from, to), sum: sums[set]! };
}

/** Gathers sets as they come by: equal ones are one. */
export class FeatureSetList {
  count = 0;
  readonly #numbers = new KeyTable();
  readonly #keys = new NumberColumn(Float64Array, 0);
  readonly #weights = new NumberColumn(Float64Array, 0);
  readonly #ends = new NumberColumn(Float64Array, 0);
  readonly #sums = new NumberColumn(Float64Array, 0);
  #length = 0;

  /** The number of a set that is packed as `packFeatures` does. */
  add(packed: string): number {
    const key = key53(packed);
    const known = this.#numbers.get(key, this.count);
    if (known < this.count) return known;
    this.#numbers.set(key, this.count);
    const { keys, weights, sum } = featureSetOf(unpackFeatures(packed));
    for (const [i, one] of keys.entries()) {
      this.#keys.set(this.#length, one);
      this.#weights.set(this.#length++, weights[i]!);
    }
    this.#sums.set(this.count, sum);
    this.#ends.set(this.count + 1, this.#length);
    return this.count++;
  }

  sets(): FeatureSets {
    return {
      offsets: this.#ends.first(this.count + 1),
      keys: this.#keys.first(this.#length),
      weights: this.#weights.first(this.#length),
      sums: this.#sums.first(this.count),
    };
  }
}

/** What two sets have in common, and all that either has. Cost  one merge. */
export function sharedWeight(
  a: FeatureSet,
  b: FeatureSet,
): { readonly shared: number; readonly total: number } {
  let shared = 0;
  for (let i = 0, j = 0; i < a.keys.length && j < b.keys.length; ) {
    const [left, right] = [a.keys[i]!, b.keys[j]!];
    if (left === right) shared += Math.min(a.weights[i++]!, b.weights[j++]!);
    else if (left < right) i++;
    else j++;
  }
  return { shared, total: a.sum + b.sum - shared };
}

/** Sums of fractions are no decimals: what is this near to the threshold reaches it. */
const TOLERANCE = 1e-9;

export function reaches(
  { shared, total }: { readonly shared: number; readonly total: number },
  threshold: number,
): boolean {
  return shared >= threshold * total * (1 - TOLERANCE);
}

/** Whole numbers of a stored resemblance are below this. */
const WHOLE_END = 65_536;

/**
 * A resemblance as it is stored, as a fraction: as it is where both are whole numbers, else the nearest of the best ones that its
 * continued fraction gives. Halves, thirds and ninths stay exact; what is off is off by less than 1e-5, mostly by 1e-9.
 */
export function storedShare({ shared, total }: { readonly shared: number; readonly total: number }) {
  if (total < WHOLE_END && Number.isInteger(shared) && Number.isInteger(total)) return { shared, total };
  const share = shared / total;
  let before = { shared: 0, total: 1 };
  let last = { shared: 1, total: 0 };
  for (let rest = share; ; ) {
    const whole = Math.floor(rest * (1 + TOLERANCE));
    const room = last.total === 0 ? whole : Math.floor((WHOLE_END - 1 - before.total) / last.total);
    const steps = Math.min(whole, room);
    const next = { shared: steps * last.shared + before.shared, total: steps * last.total + before.total };
    const off = ({ shared: part, total: of }: typeof next) => Math.abs(part / of - share);
    if (steps < whole) return off(next) < off(last) ? next : last;
    [before, last] = [last, next];
    if (rest - whole < TOLERANCE) return last;
    rest = 1 / (rest - whole);
  }
}
