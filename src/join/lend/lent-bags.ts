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
 * Source     J. Lavrenko, W. B. Croft, Relevance-Based Language Models, SIGIR 2001, for documents in place of questions.
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
  #weights = new Float64Array(LEAST_ROOM);

  /** @param share b, above 0 and below 1. */
  constructor(share: number) {
    this.#share = share;
  }

  /** Y of a bag; `lenders` are its nearest, the nearest first, ties by page id. */
  of(own: Bag, lenders: readonly LentPage[]): Bag {
    const last = Math.max(own.features.at(-1) ?? 0, ...lenders.map(({ bag }) => bag.features.at(-1) ?? 0));
    if (last >= this.#weights.length) this.#weights = new Float64Array(2 * last);
    const weights = this.#weights;
    const met = new Set<number>();
    let total = 0;
    for (const { bag, similarity } of lenders) {
      for (let i = 0; i < bag.features.length; i++) {
        const weight = similarity * bag.weights[i]!;
        weights[bag.features[i]!]! += weight;
        total += weight;
        met.add(bag.features[i]!);
      }
    }
    if (total === 0) return own;
    const scale = (this.#share * own.sum) / total;
    for (const feature of met) weights[feature]! *= scale;
    for (let i = 0; i < own.features.length; i++) {
      weights[own.features[i]!]! += (1 - this.#share) * own.weights[i]!;
      met.add(own.features[i]!);
    }
    const features = Uint32Array.from(met).sort();
    const rounded = new Uint8Array(features.length);
    const sum = roundWeights(
      Float64Array.from(features, (feature) => weights[feature]!),
      features,
      rounded,
    );
    for (const feature of features) weights[feature] = 0;
    return {
      features: features.filter((_, i) => rounded[i]! > 0),
      weights: rounded.filter((weight) => weight > 0),
      sum,
    };
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
