/**
 * Words that many pages of a host have. What a site repeats on its pages, such as its menu, does not tell some of these
 * pages from the others.
 */

import type { BagMatrix } from '../features/bag.ts';
import type { EntrySource } from '../join/bags/entry-source.ts';
import { Uint32List } from '../lib/columns/uint32-list.ts';
import { reachesShare } from '../lib/reaches-share.ts';

/** Of a host with fewer pages nothing is known. */
export const LEAST_HOST_PAGES = 20;
/** Share of the pages of a host from which on it repeats a word. */
export const LEAST_HOST_SHARE = 0.3;

/**
 * Host h has the pages from starts[h] to starts[h + 1] - 1, and repeats the features from ends[h - 1] to ends[h] - 1, in
 * ascending order; `counts`: how many of its pages have each.
 */
export interface HostWords {
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  readonly features: Uint32Array;
  readonly counts: Uint32Array;
}

/**
 * The words that each host repeats.
 *
 * @param starts the first page of each host, ascending; the pages of a host are numbered one after the other.
 * Cost    one pass over all entries.
 * Memory  8 bytes a host, 8 a word that it repeats, 4 a feature.
 */
export function repeatedWords(matrix: BagMatrix, entries: EntrySource, starts: Uint32Array): HostWords {
  const { offsets, sums, featureCount } = matrix;
  const pagesWith = new Uint32Array(featureCount);
  const ends = new Uint32List();
  const features = new Uint32List();
  const counts = new Uint32List();
  for (const [host, start] of starts.entries()) {
    const end = starts[host + 1] ?? sums.length;
    const seen = new Uint32List();
    for (let page = start; page < end && end - start >= LEAST_HOST_PAGES; page++) {
      const at = entries.locate(offsets[page]!, offsets[page + 1]!);
      const to = at + offsets[page + 1]! - offsets[page]!;
      for (let i = at; i < to; i++) {
        const feature = entries.features[i]!;
        if (pagesWith[feature]!++ === 0) seen.push(feature);
      }
    }
    for (const feature of seen.toArray().sort()) {
      if (reachesShare(pagesWith[feature]!, end - start, LEAST_HOST_SHARE)) {
        features.push(feature);
        counts.push(pagesWith[feature]!);
      }
      pagesWith[feature] = 0;
    }
    ends.push(features.length);
  }
  return { starts, ends: ends.toArray(), features: features.toArray(), counts: counts.toArray() };
}

/** Gives of pages, one after the other, what share of their host has the words of each. */
export class HostShares {
  readonly #words: HostWords;
  readonly #pageCount: number;
  #host = 0;
  #at = 0;

  constructor(words: HostWords, pageCount: number) {
    this.#words = words;
    this.#pageCount = pageCount;
  }

  /** Turns to a page; its features are to be asked about in ascending order. */
  turnTo(page: number): void {
    const { starts, ends } = this.#words;
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if (starts[middle]! <= page) low = middle;
      else high = middle;
    }
    this.#host = low;
    this.#at = low === 0 ? 0 : ends[low - 1]!;
  }

  /** Share of the pages of the host that have the feature; 0 where it does not repeat it. */
  of(feature: number): number {
    const { starts, ends, features, counts } = this.#words;
    const end = ends[this.#host] ?? 0;
    while (this.#at < end && features[this.#at]! < feature) this.#at++;
    if (this.#at === end || features[this.#at] !== feature) return 0;
    return counts[this.#at]! / ((starts[this.#host + 1] ?? this.#pageCount) - starts[this.#host]!);
  }
}
