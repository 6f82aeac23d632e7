/**
 * Whether the exact way costs less than the approximate one, estimated in µs a page; exact work grows with the collection.
 * Both are counted over distinct bags: a thousand mirrors cost one.
 */

import type { BagRanges } from '../../bags/collapse-equal-bags.ts';
import type { EntrySource } from '../../bags/entry-source.ts';
import { listBytes } from '../../exact/neighbor-space.ts';

/** The graph takes about as long for a page of any bag; exact neighbors: a page, an entry of its bag, a posting that it meets, a page looked at. */
const GRAPH_PAGE_US = 130;
const NEIGHBOR_PAGE_US = 8;
const NEIGHBOR_ENTRY_US = 0.1;
const NEIGHBOR_POSTING_US = 0.00017;
const NEIGHBOR_SWEEP_US = 0.00016;
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
 * Measured on one core of 2026, µs a page:
 *
 *   distinct bags                                    entries   exact   estimate   graph
 *      10,063 to  37,190   texts of a crawl              105   27 to 68   32 to 67   168 to 180
 *     105,288              the same, three crawls        108        195        162        176
 *      28,149 to 109,928   all parts of it                64   25 to 61   25 to 56   114 to 126
 *     219,585, 329,242     the same, two and three        64   109, 168    97, 138   134, 136
 *      75,359 to 296,499   manuals                       118  86 to 259  88 to 289  133 to 151
 *      50,000 to 400,000   synthetic, close topics        34   31 to 77   20 to 78    47 to 49
 *     100,000, 200,000     synthetic, short               10     20, 32     25, 41        202
 *
 * What the graph takes depends on how many rounds find the neighbors, which is not known before. A guess that is too high costs time
 * alone, and makes the lists complete.
 */
export function areExactNeighborsCheaper(work: JoinWork): boolean {
  return work.pageCount === 0 || exactPageUs(work) < GRAPH_PAGE_US;
}

/** Of the exact nearest pages, a page of the collection, nearness included. */
function exactPageUs({ pageCount, entryCount, postingCount }: JoinWork): number {
  return (
    NEIGHBOR_PAGE_US +
    (NEIGHBOR_ENTRY_US * entryCount) / pageCount +
    (NEIGHBOR_POSTING_US * postingCount) / pageCount +
    NEIGHBOR_SWEEP_US * pageCount
  );
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
