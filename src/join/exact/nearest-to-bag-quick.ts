/**
 * The pages nearest to a bag without reading the long posting lists: what is lost is recall, a little; the
 * similarities are exact.
 *
 *   words  rare ──────────────┬──────────────┬──────── frequent
 *          first round        │ next rounds  │ never read
 *          until rest = 45 %  │ until rest <= 90 % of the least overlap that the K-th similarity asks for
 *
 * Block by block: the words are added rarest first; the pages met are ranked by the similarity that their
 * overlap so far lets expect, and the leading ones are compared with their whole bags. That gives a K-th
 * similarity, and with it the least overlap of a page still to be found: once `rest`, the weight of the words
 * not yet read, is below it, no page can have been passed over unmet. Long pages have their neighbors at .08
 * and read nearly all words, short ones at .3 stop early; a fixed share (30 %) misses 4 % of the ten nearest
 * on a crawl. What can still be missed is a page that was met and did not lead. A list that stays shorter
 * than K has read every word and is complete, whatever is filtered.
 *
 * Recall@10 is .998 and above, see bench/results/new-document.json: articles, a crawl, documentation, synthetic
 * pages. Going on along the stored neighbors of the first hits was measured too: half the time for a recall of
 * .94 (a crawl) to .99, and nothing gained compared with the rounds.
 *
 * Cost    about 2 ns a posting read and one bag fetched for each page compared, some 60 to 200.
 * Source  Turtle and Flood 1995 (MaxScore), by the overlap bound of `exact-neighbors.ts`.
 */

import type { Bag } from '../../features/bag.ts';
import { BoundedHeap } from '../../lib/bounded-heap.ts';
import type { NeighborList } from '../pairs/neighbor-table.ts';
import {
  createNearestScratch,
  type NearestOptions,
  type NearestScratch,
  nearestPages,
  type PostingSource,
} from './nearest-to-bag.ts';
import { addPostingsTouched, leastOverlap, overlapFrom } from './overlap-kernel.ts';

/** Posting lists, and the bags themselves. */
export interface QuickSource extends PostingSource {
  readonly featureCount: number;
  /** Read for the pages that lead; may be a view that is good until the next call. */
  bag(pageId: number): Pick<Bag, 'features' | 'weights'>;
}

interface QuickOptions extends NearestOptions {
  /** Weight left unread in the first round, as a share of the bag's. Default .45. */
  readonly firstRest?: number;
  /** Weight left unread at last, as a share of the least overlap wanted; below 1. Default .9, 0 reads all. */
  readonly restShare?: number;
  /** Pages compared in each round and block at most, not counting ties; at least k. Default 64 or 2 k. */
  readonly leaders?: number;
}

/** Working memory of one search: that of the exact one, 2 bytes more for a page of a block, 1 for a feature. */
export interface QuickScratch extends NearestScratch {
  /** Expected similarity of each candidate, in steps. */
  readonly ranks: Uint16Array;
  readonly rankCounts: Uint32Array;
  /** Weights of the query by feature; zero between two searches. */
  readonly weightOf: Uint8Array;
}

const RANKS = 1024;
/** Set in the accumulator of a page that was compared: overlaps stay below 2^15. */
const COMPARED = 0x8000;

export function createQuickScratch(source: QuickSource): QuickScratch {
  const exact = createNearestScratch(source);
  return {
    ...exact,
    ranks: new Uint16Array(exact.accumulators.single.length),
    rankCounts: new Uint32Array(RANKS),
    weightOf: new Uint8Array(source.featureCount),
  };
}

/** As `nearestToBag`; fewer than k pages are all there are. */
export function nearestToBagQuick(
  query: Bag,
  source: QuickSource,
  options: QuickOptions,
  scratch: QuickScratch = createQuickScratch(source),
): NeighborList {
  const { features, weights } = query;
  const search = new QuickSearch(query, source, options, scratch);
  for (let i = 0; i < features.length; i++) scratch.weightOf[features[i]!] = weights[i]!;
  try {
    for (let blockId = 0; blockId * source.blockPages < source.pageCount; blockId++) search.block(blockId);
  } catch (error) {
    // As in the exact search.
    scratch.accumulators.single.fill(0);
    throw error;
  } finally {
    for (let i = 0; i < features.length; i++) scratch.weightOf[features[i]!] = 0;
  }
  return nearestPages(query, source, search.heap);
}

class QuickSearch {
  readonly heap: BoundedHeap;
  readonly #query: Bag;
  readonly #source: QuickSource;
  readonly #options: Required<Omit<QuickOptions, 'accept' | 'skip'>> & NearestOptions;
  readonly #scratch: QuickScratch;
  #touched = 0;
  /** Words read in this block, and the weight of the others. */
  #next = 0;
  #rest = 0;

  constructor(query: Bag, source: QuickSource, options: QuickOptions, scratch: QuickScratch) {
    this.#query = query;
    this.#source = source;
    this.#options = { firstRest: 0.45, restShare: 0.9, leaders: Math.max(64, 2 * options.k), ...options };
    this.#scratch = scratch;
    this.heap = new BoundedHeap(options.k);
  }

  block(blockId: number): void {
    const { heap } = this;
    const { single, picked } = this.#scratch.accumulators;
    const firstRest = this.#options.firstRest * this.#query.sum;
    this.#touched = 0;
    this.#next = 0;
    this.#rest = this.#query.sum;
    let limit = heap.size === heap.capacity ? this.#restLimit() : Math.max(firstRest, this.#restLimit());
    while (this.#rest > limit) {
      this.#read(blockId, limit);
      this.#compareLeaders(blockId);
      limit = this.#restLimit();
    }
    for (let c = 0; c < this.#touched; c++) single[picked[c]!] = 0;
  }

  /** Weight that may stay unread: what no page can be among the nearest by alone. */
  #restLimit(): number {
    const { floor, restShare } = this.#options;
    const bound = this.heap.bound(floor);
    return bound === 0 ? 0 : restShare * leastOverlap(bound, this.#query.sum);
  }

  #read(blockId: number, limit: number): void {
    const { features, weights } = this.#query;
    const { single, picked } = this.#scratch.accumulators;
    while (this.#rest > limit) {
      const weight = weights[this.#next]!;
      const list = this.#source.posting(blockId, features[this.#next++]!);
      this.#touched = addPostingsTouched(single, list, 0, list.length, weight, picked, this.#touched);
      this.#rest -= weight;
    }
  }

  #compareLeaders(blockId: number): void {
    const { ranks, accumulators } = this.#scratch;
    const { single, picked } = accumulators;
    const firstPage = blockId * this.#source.blockPages;
    const cut = this.#rank(firstPage);
    for (let c = 0; c < this.#touched; c++) {
      if (ranks[c]! < cut) continue;
      const local = picked[c]!;
      const partial = single[local]!;
      single[local] = partial | COMPARED;
      this.#compare(firstPage + local, partial);
    }
  }

  /** Gives each page that can still make it its rank, others 0; returns the rank that enough pages reach. */
  #rank(firstPage: number): number {
    const { ranks, rankCounts, accumulators } = this.#scratch;
    const { single, picked } = accumulators;
    const { floor, leaders, accept, skip } = this.#options;
    const { sums } = this.#source;
    const { sum } = this.#query;
    const rest = this.#rest;
    const bound = this.heap.bound(floor);
    const scale = sum / (sum - rest);
    rankCounts.fill(0);
    for (let c = 0; c < this.#touched; c++) {
      const id = firstPage + picked[c]!;
      const partial = single[picked[c]!]!;
      const both = sum + sums[id]!;
      const most = partial + rest;
      ranks[c] = 0;
      if (partial >= COMPARED || most < bound * (both - most) - 1e-6) continue;
      if (id === skip || (accept !== undefined && !accept(id))) continue;
      const expected = Math.min(partial * scale, sum, sums[id]!);
      const rank = 1 + Math.floor((expected / (both - expected)) * (RANKS - 2));
      ranks[c] = rank;
      rankCounts[rank]!++;
    }
    let cut = RANKS - 1;
    for (let leading = rankCounts[cut]!; leading < leaders && cut > 1; ) leading += rankCounts[--cut]!;
    return cut;
  }

  #compare(id: number, partial: number): void {
    const { features } = this.#query;
    const { floor } = this.#options;
    const both = this.#query.sum + this.#source.sums[id]!;
    const most = partial + this.#rest;
    const bound = this.heap.bound(floor);
    if (most < bound * (both - most) - 1e-6) return;
    let shared = partial;
    if (this.#rest > 0) {
      const bag = this.#source.bag(id);
      const { weightOf } = this.#scratch;
      shared += overlapFrom(
        weightOf,
        bag.features,
        bag.weights,
        0,
        bag.features.length,
        features[this.#next]!,
      );
    }
    const similarity = shared / (both - shared);
    if (similarity >= bound) this.heap.offer(similarity, id, shared);
  }
}
