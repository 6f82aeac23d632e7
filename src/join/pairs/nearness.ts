/**
 * How near a page of a list is to its owner, for the order of the list: a stored neighbor has it, in whole 65,535ths, as the
 * kernel of the index worked it out when the list was made. Whoever orders a list reads it and knows no kernel.
 *
 * The kernel `jaccard`: the similarity and the Hellinger affinity.
 *
 *   H(a, b) = sum over common features of sqrt(x y) / sqrt(X Y);   x, y weights, X, Y sums of the bags
 *   s(a, b) = (J(a, b) + .6 H(a, b)) / 2
 *
 * Of a feature that weighs unlike on two pages the similarity counts the smaller weight alone. With .6 both are about as large.
 *
 * Measured   P@10 (P@1, hit@10) by votes over J and over s: newsgroups .591 (.766, .947) and .599 (.773, .949), manuals
 *            .780 (.850, .978) and .782 (.853, .976), mdn .832 (.879, .977) and .833 (.879, .977), wikispeedia .546
 *            (.660, .921) and .546 (.657, .919). With .5 or .8 for .6 within .002 of these. Where s weighs the voters too,
 *            within .001.
 * Cost       a look-up for each feature of each neighbor.
 */
import { longer } from '../../lib/columns/longer.ts';
import { type NeighborSpan, similarities } from './neighbor-table.ts';

const SHARE = 0.6;

/** What the pages of a list are the nearest by: their similarity, or where lists go by more than that their nearness. */
export type NearBy = 'similarity' | 'nearness';

/** A nearness of 1. Rounded so far, it does not depend on the order in which features are added up. */
export const WHOLE = 0xffff;

/** How near equal bags are by the kernel `jaccard`. */
export const EQUAL_NEARNESS = Math.round((WHOLE * (1 + SHARE)) / 2);

/** Square roots of the weights. */
export const ROOTS = Float64Array.from({ length: 256 }, (_, weight) => Math.sqrt(weight));
const LEAST_ROOM = 1024;

/** A bag, or the same as entries `start` to `end` - 1 of longer columns. */
export interface EntrySpan {
  readonly features: Uint32Array;
  readonly weights: Uint8Array;
  readonly sum: number;
  readonly start?: number;
  readonly end?: number;
}

/** Works out by a kernel how near others are to one bag after the other. */
export interface PairNearness {
  /** Whose list it is from now on; features ascend. */
  take(bag: EntrySpan): void;
  /** How near another bag is to it, in whole 65,535ths; `similarity` is that of the two. */
  of(bag: EntrySpan, similarity: number): number;
}

/** By the kernel `jaccard`. Memory  a byte a feature, 4 for each of the bag. */
export class JaccardNearness implements PairNearness {
  /** Of each feature its weight in the bag, else 0. */
  #weights = new Uint8Array(LEAST_ROOM);
  #features = new Uint32Array(0);
  #sum = 0;

  take({ features, weights, sum, start = 0, end = features.length }: EntrySpan): void {
    for (const feature of this.#features) this.#weights[feature] = 0;
    // A copy: what a bag stands in may hold the next one.
    this.#features = features.slice(start, end);
    this.#makeRoom((this.#features.at(-1) ?? 0) + 1);
    for (let at = start; at < end; at++) this.#weights[features[at]!] = weights[at]!;
    this.#sum = sum;
  }

  of({ features, weights, sum, start = 0, end = features.length }: EntrySpan, similarity: number): number {
    if (end > start) this.#makeRoom(features[end - 1]! + 1);
    const common = commonRoots(this.#weights, features, weights, start, end);
    const affinity = common === 0 ? 0 : Math.min(1, common / Math.sqrt(this.#sum * sum));
    return Math.round((WHOLE * (similarity + SHARE * affinity)) / 2);
  }

  #makeRoom(size: number): void {
    if (size > this.#weights.length) this.#weights = longer(this.#weights, 2 * size);
  }
}

/** Without a branch: which features are common cannot be foreseen. */
function commonRoots(
  own: Uint8Array,
  features: Uint32Array,
  weights: Uint8Array,
  start: number,
  end: number,
): number {
  let common = 0;
  for (let at = start; at < end; at++) common += ROOTS[own[features[at]!]!]! * ROOTS[weights[at]!]!;
  return common;
}

/** How near each page of a list is, in its order: by its similarity where nothing else is known. */
export function nearnessOf(list: NeighborSpan): Float64Array {
  const { nearness, start, end } = list;
  if (nearness === undefined) return similarities(list);
  const near = new Float64Array(end - start);
  for (let at = start; at < end; at++) near[at - start] = nearness[at]! / WHOLE;
  return near;
}

/** The nearness of each page of a list to a bag. */
export function listNearness(
  pair: PairNearness,
  bag: EntrySpan,
  { ids, shared, total, start, end }: NeighborSpan,
  bagOf: (page: number) => EntrySpan,
): Uint16Array {
  pair.take(bag);
  const nearness = new Uint16Array(end - start);
  for (let i = start; i < end; i++) nearness[i - start] = pair.of(bagOf(ids[i]!), shared[i]! / total[i]!);
  return nearness;
}
