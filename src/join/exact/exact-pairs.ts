/**
 * All pairs at or above a similarity, by accumulation over postings: the exact twin of the threshold join, chosen where
 * it is cheaper (join-cost.ts), and the truth that recall is measured against.
 *
 * For one page the overlaps with all pages behind it are summed over the postings of its features, rarest first. The
 * most frequent features hold most of the postings and little of the weight, so the sum stops where the weight still
 * to come is a fraction of the overlap that a pair needs; pages that can still make it are finished from their bags.
 *
 * Cost    quadratic: for each page the postings of its rarer features behind it, and a sweep over the pages behind it.
 * References: Turtle & Flood 1995 (MaxScore); Bayardo, Ma, Srikant, WWW 2007.
 */

import type { BagRanges } from '../bags/collapse-equal-bags.ts';
import type { EntrySource } from '../bags/entry-source.ts';
import {
  type Accumulators,
  addPostings,
  createAccumulators,
  leastOverlap,
  overlapFrom,
} from './overlap-kernel.ts';
import type { PostingBlock } from './postings.ts';

/** What may be left to the bags of single pages, as a share of the overlap that a pair needs; below 1. */
const REST_SHARE = 0.8;

/** Called with a pair a < b and the overlap of its bags. */
type TakePair = (a: number, b: number, shared: number) => void;

/** One thread's search; it writes to nothing that is shared. `threshold` is above 0. */
export class PairSearch {
  readonly #bags: BagRanges;
  readonly #source: EntrySource;
  readonly #threshold: number;
  readonly #accumulators: Accumulators;
  /** The weight of each feature in the page at hand; zero between two pages. */
  readonly #weightOf: Uint8Array;

  /** For blocks of at most `blockPages` pages. */
  constructor(bags: BagRanges, source: EntrySource, threshold: number, blockPages: number) {
    const mostPages = Math.min(blockPages, bags.sums.length);
    this.#bags = bags;
    this.#source = source;
    this.#threshold = threshold;
    this.#accumulators = createAccumulators(mostPages);
    this.#weightOf = new Uint8Array(bags.featureCount);
  }

  /** Every pair a < b with a in from .. to-1 and b in the block, sorted by (a, b). */
  find(block: PostingBlock, from: number, to: number, take: TakePair): void {
    const last = Math.min(to, block.firstPage + block.pageCount - 1);
    for (let page = from; page < last; page++) this.#findOfPage(block, page, take);
  }

  #findOfPage(block: PostingBlock, page: number, take: TakePair): void {
    const { starts, ends, sums, featureCount } = this.#bags;
    const { single, picked } = this.#accumulators;
    const threshold = this.#threshold;
    const sum = sums[page]!;
    const begin = this.#source.locate(starts[page]!, ends[page]!);
    const end = begin + ends[page]! - starts[page]!;
    const { features, weights, isInMemory } = this.#source;
    const own = page - block.firstPage;
    const least = leastOverlap(threshold, sum);
    let stop = end;
    let rest = 0;
    // The bags of single pages are not worth a read from disk each.
    if (isInMemory)
      while (stop > begin && rest + weights[stop - 1]! < REST_SHARE * least) rest += weights[--stop]!;
    for (let i = begin; i < stop; i++) {
      const last = block.offsets[features[i]! + 1]!;
      const first = firstAfter(block.entries, block.offsets[features[i]!]!, last, own);
      addPostings(single, block.entries, first, last, weights[i]!);
    }
    // Nothing lies before the page itself.
    const base = Math.max(0, own);
    const count = this.#accumulators.pick(base, block.pageCount, least - rest);
    const firstRest = stop < end ? features[stop]! : featureCount;
    if (count > 0) for (let i = stop; i < end; i++) this.#weightOf[features[i]!] = weights[i]!;
    for (let c = 0; c < count; c++) {
      const local = picked[c]!;
      const id = block.firstPage + local;
      const sumOfBoth = sum + sums[id]!;
      const most = single[local]! + rest;
      if (most < threshold * (sumOfBoth - most) - 1e-6) continue;
      const shared = single[local]! + (rest === 0 ? 0 : this.#overlapWith(id, firstRest));
      if (shared / (sumOfBoth - shared) >= threshold) take(page, id, shared);
    }
    if (count > 0) for (let i = stop; i < end; i++) this.#weightOf[features[i]!] = 0;
    single.fill(0, base, block.pageCount);
  }

  #overlapWith(id: number, firstFeature: number): number {
    const { starts, ends } = this.#bags;
    const { features, weights } = this.#source;
    return overlapFrom(this.#weightOf, features, weights, starts[id]!, ends[id]!, firstFeature);
  }
}

/** The first entry of start .. end-1 whose page is above `local`. */
function firstAfter(entries: Uint32Array, start: number, end: number, local: number): number {
  let low = start;
  let high = end;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((entries[middle]! & 0xffffff) <= local) low = middle + 1;
    else high = middle;
  }
  return low;
}
