import { BoundedHeap } from '../../lib/bounded-heap.ts';
import { type Bm25Facts, type Bm25Query, lengthNorm, nearnessOfScore, pageWeight } from './bm25.ts';
import type { CountedBags } from './counted-bags.ts';

interface Bm25Options {
  readonly k: number;
  /** Pages that may be in the answer; all where left out. */
  readonly accept?: (pageId: number) => boolean;
  /** A page that is never in the answer; -1 for none. */
  readonly skip: number;
}

/**
 * The pages nearest to a query by BM25, each compared that shares a word; ties by page id.
 *
 * Cost  all postings of its words, about 4 ns each, and one look at every page. Memory  16 bytes a page.
 */
export class Bm25Search {
  readonly #facts: Bm25Facts;
  readonly #bags: CountedBags;
  readonly #norms: Float64Array;
  readonly #scores: Float64Array;

  constructor(facts: Bm25Facts, bags: CountedBags) {
    this.#facts = facts;
    this.#bags = bags;
    this.#norms = bags.lengths.map((length) => lengthNorm(length, facts));
    this.#scores = new Float64Array(Math.min(bags.lengths.length, bags.postings.blockPages));
  }

  /** Best first; the scores of the heap are nearness in whole 65,535ths. */
  nearest(query: Bm25Query, { k, accept, skip }: Bm25Options): BoundedHeap {
    const heap = new BoundedHeap(k);
    const scores = this.#scores;
    for (const { firstPage, pageCount, offsets, entries } of this.#bags.postings.blocks) {
      for (const [i, feature] of query.features.entries()) {
        this.#add(entries, offsets[feature]!, offsets[feature + 1]!, firstPage, feature, query.weights[i]!);
      }
      for (let local = 0; local < pageCount; local++) {
        const score = scores[local]!;
        if (score === 0) continue;
        scores[local] = 0;
        const nearness = nearnessOfScore(score, query.own);
        const id = firstPage + local;
        if (nearness < heap.bound(1) || id === skip) continue;
        if (accept === undefined || accept(id)) heap.offer(nearness, id, 0);
      }
    }
    heap.sort();
    return heap;
  }

  #add(
    entries: Uint32Array,
    from: number,
    to: number,
    firstPage: number,
    feature: number,
    weight: number,
  ): void {
    const scores = this.#scores;
    const norms = this.#norms;
    const idf = this.#facts.features.idf[feature]!;
    for (let at = from; at < to; at++) {
      const local = entries[at]! & 0xffffff;
      scores[local]! += weight * pageWeight(idf, entries[at]! >>> 24, norms[firstPage + local]!);
    }
  }
}
