/**
 * How near a page of a list is to its owner, for the order of the list: by the similarity and the Hellinger affinity.
 *
 *   H(a, b) = sum over common features of sqrt(x y) / sqrt(X Y);   x, y weights, X, Y sums of the bags
 *   s(a, b) = (J(a, b) + .6 H(a, b)) / 2
 *
 * Of a feature that weighs unlike on two pages the similarity counts the smaller weight alone. With .6 both are about as large.
 *
 * Measured   P@10 (P@1, hit@10) by votes over J and over s: newsgroups .591 (.766, .947) and .599 (.773, .949), manuals
 *            .780 (.850, .978) and .782 (.853, .976), mdn .832 (.879, .977) and .833 (.879, .977), wikispeedia .546
 *            (.660, .921) and .546 (.657, .919). With .5 or .8 for .6 within .002 of these. Where s weighs the voters too,
 *            for which each stored neighbor had to have its affinity, within .001.
 * Cost       a look-up for each feature of each neighbor.
 */
import { type NeighborSpan, similarities } from './neighbor-table.ts';

const SHARE = 0.6;

/** An affinity of 1, that of equal bags. Rounded so far, it does not depend on the order in which features are added up. */
export const WHOLE = 0xffff;

const ROOTS = Float64Array.from({ length: 256 }, (_, weight) => Math.sqrt(weight));
const LEAST_ROOM = 1024;

/** A bag, or the same as entries `start` to `end` - 1 of longer columns. */
export interface EntrySpan {
  readonly features: Uint32Array;
  readonly weights: Uint8Array;
  readonly sum: number;
  readonly start?: number;
  readonly end?: number;
}

/** The affinities of one bag with others, in whole 65,535ths. Memory  a byte a feature, 4 for each of the bag. */
export class AffinityCount {
  /** Of each feature its weight in the bag, else 0. */
  #weights = new Uint8Array(LEAST_ROOM);
  #features = new Uint32Array(0);
  #sum = 0;

  /** Whose affinities are asked for from now on; features ascend. */
  take({ features, weights, sum, start = 0, end = features.length }: EntrySpan): void {
    for (const feature of this.#features) this.#weights[feature] = 0;
    // A copy: what a bag stands in may hold the next one.
    this.#features = features.slice(start, end);
    const room = (this.#features.at(-1) ?? 0) + 1;
    if (room > this.#weights.length) this.#weights = new Uint8Array(2 * room);
    for (let at = start; at < end; at++) this.#weights[features[at]!] = weights[at]!;
    this.#sum = sum;
  }

  with({ features, weights, sum, start = 0, end = features.length }: EntrySpan): number {
    const own = this.#weights;
    let common = 0;
    for (let at = start; at < end; at++) {
      const weight = own[features[at]!];
      if (weight !== undefined && weight > 0) common += ROOTS[weight]! * ROOTS[weights[at]!]!;
    }
    return common === 0 ? 0 : Math.min(WHOLE, Math.round((WHOLE * common) / Math.sqrt(this.#sum * sum)));
  }
}

/** s of each page of a list, in its order, from its affinities. */
export function nearnessOf(list: NeighborSpan, affinities: ArrayLike<number>): Float64Array {
  return similarities(list).map((similarity, i) => (similarity + (SHARE * affinities[i]!) / WHOLE) / 2);
}

/** The same from the bags. */
export function nearnessByBags(
  count: AffinityCount,
  bag: EntrySpan,
  list: NeighborSpan,
  bagOf: (page: number) => EntrySpan,
): Float64Array {
  count.take(bag);
  const pages = list.ids.subarray(list.start, list.end);
  return nearnessOf(
    list,
    Float64Array.from(pages, (page) => count.with(bagOf(page))),
  );
}
