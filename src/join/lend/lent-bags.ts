/**
 * Words that the nearest pages lend: a page is compared by what those around it say, too, so that it meets pages that say the same in
 * other words.
 *
 *   E(a) = sum over the ten nearest n of a by similarity of J(a, n) X_n
 *   Y(a) = (1 - b) X_a + b |X_a| E(a) / |E(a)|, rounded as bags are;   Y(a) = X_a where a has no neighbors
 *
 * The threshold that a weight is rounded by is that of its feature's number, so that who has a bag needs no more.
 *
 * Measured   bench/quality/lending
 * Source     V. Lavrenko, W. B. Croft, Relevance-Based Language Models, SIGIR 2001, for documents in place of questions.
 */
import type { Bag } from '../../features/bag.ts';
import { roundWeights } from '../../features/weigh.ts';
import { type NeighborSpan, similarities } from '../pairs/neighbor-table.ts';

/** Neighbors that lend. */
export const LENDERS = 10;

interface LentPage {
  readonly bag: Bag;
  readonly similarity: number;
}

const LEAST_ROOM = 1024;

/** Makes one lent bag after the other. Memory  8 bytes a feature. */
export class LentBags {
  readonly #share: number;
  /** Of each feature that was met its weight, else 0. */
  #weights = new Float64Array(LEAST_ROOM);
  #met = new Uint32Array(LEAST_ROOM);
  #reals = new Float64Array(LEAST_ROOM);
  #rounded = new Uint8Array(LEAST_ROOM);

  /** @param share b, above 0 and below 1. */
  constructor(share: number) {
    this.#share = share;
  }

  /** Y of a bag; `lenders` are its nearest, the nearest first, ties by page id. */
  of(own: Bag, lenders: readonly LentPage[]): Bag {
    this.#makeRoom(own, lenders);
    const weights = this.#weights;
    const met = this.#met;
    let count = 0;
    let total = 0;
    for (const { bag, similarity } of lenders) {
      const { features } = bag;
      for (let i = 0; i < features.length; i++) {
        const feature = features[i]!;
        const before = weights[feature]!;
        if (before === 0) met[count++] = feature;
        weights[feature] = before + similarity * bag.weights[i]!;
      }
      total += similarity * bag.sum;
    }
    if (total === 0) return own;
    const scale = (this.#share * own.sum) / total;
    for (let i = 0; i < count; i++) weights[met[i]!]! *= scale;
    for (let i = 0; i < own.features.length; i++) {
      const feature = own.features[i]!;
      const before = weights[feature]!;
      if (before === 0) met[count++] = feature;
      weights[feature] = before + (1 - this.#share) * own.weights[i]!;
    }
    return this.#rounding(count);
  }

  /** The bag of the features that were met; most have so little of a weight that they are in none. */
  #rounding(count: number): Bag {
    const weights = this.#weights;
    const met = this.#met;
    for (let i = 0; i < count; i++) this.#reals[i] = weights[met[i]!]!;
    const sum = roundWeights(this.#reals, met, this.#rounded, count);
    let kept = 0;
    for (let i = 0; i < count; i++) {
      const feature = met[i]!;
      const weight = this.#rounded[i]!;
      weights[feature] = weight;
      if (weight > 0) met[kept++] = feature;
    }
    const features = met.slice(0, kept).sort();
    const rounded = new Uint8Array(kept);
    for (let i = 0; i < kept; i++) {
      rounded[i] = weights[features[i]!]!;
      weights[features[i]!] = 0;
    }
    return { features, weights: rounded, sum };
  }

  #makeRoom(own: Bag, lenders: readonly LentPage[]): void {
    let last = own.features.at(-1) ?? 0;
    let room = own.features.length;
    for (const { bag } of lenders) {
      last = Math.max(last, bag.features.at(-1) ?? 0);
      room += bag.features.length;
    }
    if (last >= this.#weights.length) this.#weights = new Float64Array(2 * last);
    if (room <= this.#met.length) return;
    this.#met = new Uint32Array(2 * room);
    this.#reals = new Float64Array(2 * room);
    this.#rounded = new Uint8Array(2 * room);
  }
}

/** The places in a list of those that lend: of the greatest similarity, `floor` at least, ties by page id. */
export function lenderPlaces(list: NeighborSpan, floor: number): number[] {
  const near = similarities(list);
  return [...near.keys()]
    .filter((place) => near[place]! >= floor)
    .sort((a, b) => near[b]! - near[a]! || list.ids[list.start + a]! - list.ids[list.start + b]!)
    .slice(0, LENDERS);
}
