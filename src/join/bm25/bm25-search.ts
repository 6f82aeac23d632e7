import { BoundedHeap } from '../../lib/bounded-heap.ts';
import {
  type Bm25Facts,
  type Bm25Query,
  lengthNorm,
  nearnessOfScore,
  pageWeight,
  QUERY_WEIGHTS,
} from './bm25.ts';
import type { CountedBags } from './counted-bags.ts';

interface Bm25Options {
  readonly k: number;
  /** Pages that may be in the answer; all where left out. */
  readonly accept?: (pageId: number) => boolean;
  /** A page that is never in the answer; -1 for none. */
  readonly skip: number;
}

/** How a new page meets those that are searched. */
interface Bm25Reach {
  /** Best first; scores are nearness in whole 65,535ths. */
  readonly nearest: BoundedHeap;
  /** Pages that it is near enough to, ascending, and how near. */
  readonly ids: Uint32Array;
  readonly nearness: Uint16Array;
}

interface Bm25ReachOptions {
  readonly k: number;
  /** A page that is left out; -1 for none. */
  readonly skip: number;
  /** Uint16Array(n): from which nearness on a page stands in the list of each page; 0 where any does. */
  readonly least: Uint16Array;
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
  /** What each page scores itself, made when it is first asked for. */
  #own: Float64Array | null = null;

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
        if (this.#accepts(id, accept)) heap.offer(nearness, id, 0);
      }
    }
    heap.sort();
    return heap;
  }

  #accepts(id: number, accept: Bm25Options['accept']): boolean {
    try {
      return accept === undefined || accept(id);
    } catch (error) {
      // A filter may end a search: what it has summed is none of the next one's.
      this.#scores.fill(0);
      throw error;
    }
  }

  /** The nearest to a new page, and those whose lists it enters. Cost  twice that of `nearest`. Memory  16 bytes a page more. */
  reach(query: Bm25Query, { k, skip, least }: Bm25ReachOptions): Bm25Reach {
    const heap = new BoundedHeap(k);
    const own = (this.#own ??= this.#ownScores());
    const scores = this.#scores;
    const backs = new Float64Array(scores.length);
    const [ids, nearness]: [number[], number[]] = [[], []];
    const { idf } = this.#facts.features;
    for (const { firstPage, pageCount, offsets, entries } of this.#bags.postings.blocks) {
      for (const [i, feature] of query.features.entries()) {
        const [from, to] = [offsets[feature]!, offsets[feature + 1]!];
        this.#add(entries, from, to, firstPage, feature, query.weights[i]!);
        const weight = pageWeight(idf[feature]!, query.counts[i]!, query.norm);
        for (let at = from; at < to; at++)
          backs[entries[at]! & 0xffffff]! += QUERY_WEIGHTS[entries[at]! >>> 24]! * weight;
      }
      for (let local = 0; local < pageCount; local++) {
        const [score, back] = [scores[local]!, backs[local]!];
        if (score === 0) continue;
        scores[local] = 0;
        backs[local] = 0;
        const id = firstPage + local;
        if (id === skip) continue;
        const near = nearnessOfScore(score, query.own);
        if (near >= heap.bound(1)) heap.offer(near, id, 0);
        const nearBack = nearnessOfScore(back, own[id]!);
        if (nearBack < Math.max(1, least[id]!)) continue;
        ids.push(id);
        nearness.push(nearBack);
      }
    }
    heap.sort();
    return { nearest: heap, ids: Uint32Array.from(ids), nearness: Uint16Array.from(nearness) };
  }

  #ownScores(): Float64Array {
    const { offsets, features, weights } = this.#bags.matrix;
    const { idf } = this.#facts.features;
    return this.#norms.map((norm, page) => {
      let own = 0;
      for (let at = offsets[page]!; at < offsets[page + 1]!; at++)
        own += QUERY_WEIGHTS[weights[at]!]! * pageWeight(idf[features[at]!]!, weights[at]!, norm);
      return own;
    });
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
