/**
 * Whether the exact way costs less than the approximate one, estimated in µs a page; exact work grows with the collection.
 * Both are counted over distinct bags: a thousand mirrors cost one.
 */

import type { BagRanges } from '../../bags/collapse-equal-bags.ts';
import type { EntrySource } from '../../bags/entry-source.ts';
import { listBytes } from '../../exact/neighbor-space.ts';
import { POSTING_US, SWEEP_US } from '../../exact/overlap-kernel.ts';

/** The graph, measured on one core of 2026: what every page costs, and an entry of its bag. */
const PAGE_US = 40;
const ENTRY_US = 1.2;
/** Exact pairs, of the pages behind one: fewer postings of frequent words are added. */
const PAIR_POSTING_US = 0.001;
const PAIR_SWEEP_US = 0.00045;
/** The threshold join, an entry of a bag. */
const PAIR_ENTRY_US = 2;

/** How long the bags and the posting lists of a collection are. */
export interface JoinWork {
  readonly pageCount: number;
  readonly entryCount: number;
  /** Postings that all pages meet: the sum over the features of their frequencies squared. */
  readonly postingCount: number;
  /** Entries of the longest bag. */
  readonly longest: number;
  /** Of the lists of the exact search, see neighbor-space.ts. */
  readonly listBytes: number;
}

/** One pass over the bags. */
export function countWork({ starts, ends, sums, featureCount }: BagRanges, source: EntrySource): JoinWork {
  const pageCounts = new Float64Array(featureCount);
  let entryCount = 0;
  let longest = 0;
  for (let page = 0; page < sums.length; page++) {
    const at = source.locate(starts[page]!, ends[page]!);
    const size = ends[page]! - starts[page]!;
    for (let i = at; i < at + size; i++) pageCounts[source.features[i]!]!++;
    entryCount += size;
    longest = Math.max(longest, size);
  }
  let postingCount = 0;
  for (const count of pageCounts) postingCount += count * count;
  const pageCount = sums.length;
  return { pageCount, entryCount, postingCount, longest, listBytes: listBytes(pageCounts, pageCount) };
}

/**
 * True where the exact nearest pages (exact-neighbors.ts) cost less than the approximate graph
 * (nearest-neighbor-graph.ts).
 *
 * On a crawl of 110 features a page the two meet near 25,000 pages, on short synthetic bags near 100,000.
 */
export function areExactNeighborsCheaper(work: JoinWork): boolean {
  return work.pageCount === 0 || exactPageUs(work) < graphPageUs(work);
}

/**
 * Of the exact nearest pages, a page of the collection: as loops over all postings took. The kernel, with columns, takes
 * between a third and a half of it (121 µs a page of 37,190 texts of a crawl, 90 of 109,904 pages with anchors, nearness included); with
 * its figures the choice, and so the rows of collections in between, would be others.
 */
function exactPageUs({ pageCount, postingCount }: JoinWork): number {
  return (POSTING_US * postingCount) / pageCount + SWEEP_US * pageCount;
}

/** Of the graph. */
function graphPageUs({ pageCount, entryCount }: JoinWork): number {
  return PAGE_US + (ENTRY_US * entryCount) / pageCount;
}

/**
 * True where all exact pairs (exact-pairs.ts) cost no more than most of them (threshold-join.ts).
 *
 * Measured at threshold .20, one core, µs a page, distinct bags:
 *
 *   bags      words   exact   estimate   join   estimate
 *    98,800      57      72         82    151        114     of a crawl, all parts
 *    37,164     101     113        127    357        202     the same, content alone
 *   100,000      36      29         25     18         72     synthetic, sum 100
 *   300,000      36      66         73     19         72     the same
 *
 * The join is slow where pages have many like them, as in a crawl. Elsewhere the estimate is pessimistic: exact pairs
 * then cost some seconds more, and miss nothing.
 */
export function areExactPairsCheaper({ pageCount, entryCount, postingCount }: JoinWork): boolean {
  if (pageCount === 0) return true;
  const exactUs = (PAIR_POSTING_US * postingCount) / pageCount / 2 + (PAIR_SWEEP_US * pageCount) / 2;
  return exactUs < (PAIR_ENTRY_US * entryCount) / pageCount;
}
