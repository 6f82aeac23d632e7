/**
 * Whether the exact way costs less than the approximate one, estimated in µs a page; exact work grows with the collection.
 * Both are counted over distinct bags: a thousand mirrors cost one.
 */

import type { BagRanges } from '../../bags/collapse-equal-bags.ts';
import type { EntrySource } from '../../bags/entry-source.ts';
import { listBytes } from '../../exact/neighbor-space.ts';

/** The graph, measured on one core of 2026: what every page costs, and an entry of its bag. */
const PAGE_US = 40;
const ENTRY_US = 1.2;
/** Exact neighbors: a posting that a page meets, a page that is looked at, an entry of its bag. */
const NEIGHBOR_POSTING_US = 0.00038;
const NEIGHBOR_SWEEP_US = 0.00035;
const NEIGHBOR_ENTRY_US = 0.05;
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
 * Estimates of the exact way are within 15 % of what was measured, one core, µs a page:
 *
 *   distinct bags                        exact
 *     9,484 and 37,190 texts of a crawl     34, 121
 *    45,218 and 109,904, all parts          31,  90
 *
 * The two meet near 55,000 such texts, near 135,000 pages of all parts, and near 220,000 short synthetic bags.
 */
export function areExactNeighborsCheaper(work: JoinWork): boolean {
  return work.pageCount === 0 || exactPageUs(work) < graphPageUs(work);
}

/** Of the exact nearest pages, a page of the collection, nearness included. */
function exactPageUs({ pageCount, entryCount, postingCount }: JoinWork): number {
  return (
    (NEIGHBOR_POSTING_US * postingCount) / pageCount +
    NEIGHBOR_SWEEP_US * pageCount +
    (NEIGHBOR_ENTRY_US * entryCount) / pageCount
  );
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
