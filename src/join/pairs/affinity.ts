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
const LEAST_SLOTS = 1024;
const HASH = 0x9e3779b1;
const EMPTY = -1;

/** A bag, or the same as entries `start` to `end` - 1 of longer columns. */
export interface EntrySpan {
  readonly features: Uint32Array;
  readonly weights: Uint8Array;
  readonly sum: number;
  readonly start?: number;
  readonly end?: number;
}

/** The affinities of one bag with others, in whole 65,535ths; keeps its memory from bag to bag. */
export class AffinityCount {
  #ids = new Int32Array(LEAST_SLOTS).fill(EMPTY);
  #roots = new Float64Array(LEAST_SLOTS);
  #sum = 0;

  /** Whose affinities are asked for from now on. */
  take({ features, weights, sum, start = 0, end = features.length }: EntrySpan): void {
    let slots = this.#ids.length;
    while (slots < 2 * (end - start)) slots *= 2;
    if (slots > this.#ids.length) {
      this.#ids = new Int32Array(slots);
      this.#roots = new Float64Array(slots);
    }
    this.#ids.fill(EMPTY);
    for (let at = start; at < end; at++) {
      const slot = this.#slot(features[at]! | 0);
      this.#ids[slot] = features[at]!;
      this.#roots[slot] = ROOTS[weights[at]!]!;
    }
    this.#sum = sum;
  }

  with({ features, weights, sum, start = 0, end = features.length }: EntrySpan): number {
    let common = 0;
    for (let at = start; at < end; at++) {
      const slot = this.#slot(features[at]! | 0);
      if (this.#ids[slot] !== EMPTY) common += this.#roots[slot]! * ROOTS[weights[at]!]!;
    }
    return common === 0 ? 0 : Math.min(WHOLE, Math.round((WHOLE * common) / Math.sqrt(this.#sum * sum)));
  }

  #slot(feature: number): number {
    const mask = this.#ids.length - 1;
    let slot = (Math.imul(feature, HASH) >>> 10) & mask;
    while (this.#ids[slot] !== EMPTY && this.#ids[slot] !== feature) slot = (slot + 1) & mask;
    return slot;
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
