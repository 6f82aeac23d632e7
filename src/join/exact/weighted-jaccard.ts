import type { Bag } from '../../features/bag.ts';

/** The sum of min(w, w') over the common features of two bags. */
export function overlap(a: Bag, b: Bag): number {
  let shared = 0;
  meet(a, b, (_feature, weight) => {
    shared += weight;
  });
  return shared;
}

/** Weighted Jaccard, sum of minima over sum of maxima; 0 for two empty bags. */
export function weightedJaccard(a: Bag, b: Bag): number {
  const shared = overlap(a, b);
  return shared === 0 ? 0 : shared / (a.sum + b.sum - shared);
}

/** What two bags share, and of how much, 1 at least: as a stored neighbor has it. */
export function sharedOf(a: Bag, b: Bag): { readonly shared: number; readonly total: number } {
  const shared = overlap(a, b);
  return { shared, total: Math.max(1, a.sum + b.sum - shared) };
}

/** What two bags have in common, the greatest share first, ties by feature id. */
interface SharedFeatures {
  readonly features: Uint32Array;
  /** min(w, w') of each feature: in all the overlap. */
  readonly weights: Uint8Array;
  readonly overlap: number;
}

export function explainOverlap(a: Bag, b: Bag): SharedFeatures {
  const common: { feature: number; weight: number }[] = [];
  let total = 0;
  meet(a, b, (feature, weight) => {
    common.push({ feature, weight });
    total += weight;
  });
  common.sort((x, y) => y.weight - x.weight || x.feature - y.feature);
  return {
    features: Uint32Array.from(common, (entry) => entry.feature),
    weights: Uint8Array.from(common, (entry) => entry.weight),
    overlap: total,
  };
}

function meet(a: Bag, b: Bag, visit: (feature: number, weight: number) => void): void {
  for (let i = 0, j = 0; i < a.features.length && j < b.features.length; ) {
    const left = a.features[i]!;
    const right = b.features[j]!;
    if (left === right) visit(left, Math.min(a.weights[i]!, b.weights[j]!));
    if (left <= right) i++;
    if (right <= left) j++;
  }
}
