/**
 * The overlap of one bag with many: its weights lie in a table by feature, and each other bag is read once.
 *
 * No branch depends on the data of an entry: 1 ns an entry in the cache, 2.5 ns where the bag comes from
 * memory, a fifth of a merge of two sorted bags. Giving up early, when the rest cannot reach what is asked
 * for, costs half more than it saves: pairs that come here have passed the row filter.
 */

import type { BagMatrix } from '../features/bag.ts';

export class WeightTable {
  readonly #matrix: BagMatrix;
  readonly #weights: Uint8Array;
  #page = -1;

  constructor(matrix: BagMatrix) {
    this.#matrix = matrix;
    this.#weights = new Uint8Array(matrix.featureCount);
  }

  /** Makes `page` the one that others are compared with. */
  load(page: number): void {
    if (page === this.#page) return;
    const { offsets, features, weights } = this.#matrix;
    const table = this.#weights;
    if (this.#page >= 0) {
      const end = offsets[this.#page + 1]!;
      for (let i = offsets[this.#page]!; i < end; i++) table[features[i]!] = 0;
    }
    const end = offsets[page + 1]!;
    for (let i = offsets[page]!; i < end; i++) table[features[i]!] = weights[i]!;
    this.#page = page;
  }

  /**
   * Reads from the ends of a page's bag, so that it is on its way from memory while others are compared: of bags that
   * are far apart, 30 % more are compared in the same time. The sum of what was read keeps the reads from being
   * left out.
   */
  fetch(page: number): number {
    const { offsets, features, weights } = this.#matrix;
    const start = offsets[page]!;
    const last = offsets[page + 1]! - 1;
    return last < start ? 0 : features[start]! + features[last]! + weights[last]!;
  }

  /** The overlap with the loaded page. */
  overlap(other: number): number {
    const { offsets, features, weights } = this.#matrix;
    const table = this.#weights;
    const end = offsets[other + 1]!;
    let shared = 0;
    for (let at = offsets[other]!; at < end; at++) {
      const weight = weights[at]!;
      const difference = (table[features[at]!]! - weight) | 0;
      shared += weight + (difference & (difference >> 31));
    }
    return shared;
  }
}
