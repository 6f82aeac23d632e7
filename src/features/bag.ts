/**
 * A page as a weighted set of features: the one shape that all sketches, joins and clusters take.
 *
 * Feature ids are dense and ascend from the rarest to the most frequent, so a bag in id order is a
 * bag in rare-first order, and two bags meet by a plain merge.
 */

/** One page. Shape: `features` ascending and unique, `weights[i]` in 1..255 belongs to `features[i]`. */
export interface Bag {
  readonly features: Uint32Array;
  readonly weights: Uint8Array;
  /** Sum of `weights`. */
  readonly sum: number;
}

export const NO_BAG: Bag = { features: new Uint32Array(0), weights: new Uint8Array(0), sum: 0 };

/** All pages of a collection, page ids 0..n-1 (compressed sparse rows). */
export interface BagMatrix {
  /** Float64Array(n + 1): page p owns the entries offsets[p] .. offsets[p + 1] - 1. */
  readonly offsets: Float64Array;
  readonly features: Uint32Array;
  readonly weights: Uint8Array;
  /** Uint16Array(n): sum of the weights of each page. */
  readonly sums: Uint16Array;
  readonly featureCount: number;
}

/** The bag of a page, on the memory of the matrix. */
export function bagAt({ offsets, features, weights, sums }: BagMatrix, page: number): Bag {
  const [from, to] = [offsets[page]!, offsets[page + 1]!];
  return { features: features.subarray(from, to), weights: weights.subarray(from, to), sum: sums[page]! };
}
