/**
 * What the joins hold in memory, counted from their arrays, so that a budget can be kept before they begin.
 *
 *   bytes a page of the graph                             K = 32
 *   offsets and sums of the bags                10            10
 *   groups of equal bags                        12            12   30 where there are any
 *   rows and thresholds of the filter          129           129
 *   heaps                                  1 + 8 K           257
 *   columns, or a round's old heaps   4 max(16, K) + 1       129
 *   shares of the buckets                        2             2
 *   reverse lists                               84            84
 *   the order of a round, and its sort          28            28
 *   edges that a thread reads back          1.65 K            53   of up to a million pages at a time, by each thread
 *   entries of the bags                     5 each           175   with 35; none where they are read from disk
 *                                                     --------
 *                                                            879
 *
 * Measured: resident at most 1,150 MiB at a million such pages, 3,980 MiB at four million, with two threads and what writes the
 * rows: 889 and 3,556 MiB by this table, and some 170 MiB for Node with three threads. Offers after a round: .1 a page, at 12 bytes. The threshold join (K = 0) has
 * neither heaps nor reverse lists.
 */

import { GROUP_FUNCTIONS, ROW_BYTES } from '../../../sketch/page-kernel.ts';
import type { SpaceShape } from '../../exact/neighbor-space.ts';
import { BLOCK_PAGES } from '../../exact/postings.ts';
import type { JoinWork } from './join-cost.ts';
import { SCRATCH_BYTES } from './join-scratch.ts';
import { BUCKET_UNITS, REVERSE_LIMIT, reversePages, UNIT_PAGES } from './join-space.ts';

interface JoinSize extends Omit<SpaceShape, 'rowCount' | 'longest'> {
  readonly pageCount: number;
}

/** Features and weights of the entries. */
const ENTRY_BYTES = 5;
/** Offsets and sums of the bags; groups of equal bags and their own offsets and sums. */
const BAG_BYTES = 10 + 12 + 18;
/** Where each page is in the sample, for each thread of the threshold join. */
const PLACE_BYTES = 4;
/** Of a page of the block at hand: what it shares so far, and its place among the candidates. */
const ACCUMULATOR_BYTES = 2 + 4;
/** Room for one offer a page. */
const OFFER_BYTES = 12;
/** An edge to a page of one unit of `reverse`, with a tenth of room to grow. */
const EDGE_BYTES = 1.1 * 12;
/** Leaders and the order of a round; what its sort needs. */
const ORDER_BYTES = 8 + 20;
/** A weight table, offsets of the sample's postings, the weights that nearness goes by with as much room again. */
const FEATURE_BYTES = 1 + 4 + 2;
/** For the parts of a memory to begin at multiples of 16, and chunks of pages to be whole. */
const CHUNK_ROOM = 512;
/** What stands before the bags, and the last page of memory. */
const KERNEL_ROOM = 2 ** 13;
/** Places of the pages that go to each unit of buckets, and where those of 2,048 pages end. */
const SHARE_BYTES = 2 + (2 * BUCKET_UNITS) / UNIT_PAGES;
/** Keys and pages of one unit of buckets, sorted, a 64th of the pages with room for twice as many. */
const SORT_BYTES = (16 * 2 * 1.25 * 2) / 64;

/** What the graph needs in any case, and what more where the entries of the bags are in memory. */
export function graphBytes(size: JoinSize): { readonly fixedBytes: number; readonly entryBytes: number } {
  const { pageCount, entryCount, featureCount, k, threadCount } = size;
  const listBytes = k === 0 ? 0 : 1 + 8 * k + 1 + (4 + 4 * REVERSE_LIMIT) + OFFER_BYTES + ORDER_BYTES;
  const pageBytes = BAG_BYTES + (ROW_BYTES + 1) + 4 * Math.max(GROUP_FUNCTIONS, k) + SHARE_BYTES + listBytes;
  const threadBytes =
    SCRATCH_BYTES +
    FEATURE_BYTES * featureCount +
    SORT_BYTES * pageCount +
    EDGE_BYTES * k * reversePages(pageCount);
  return {
    fixedBytes: pageBytes * pageCount + threadBytes * threadCount,
    entryBytes: ENTRY_BYTES * entryCount,
  };
}

/** The same of the threshold join, without the pairs that it finds and those that it remembers as compared. */
export function pairBytes(size: Omit<JoinSize, 'k'>): ReturnType<typeof graphBytes> {
  const { fixedBytes, entryBytes } = graphBytes({ ...size, k: 0 });
  return { fixedBytes: fixedBytes + PLACE_BYTES * size.pageCount * size.threadCount, entryBytes };
}

/** The memory of the kernel that finds exact neighbors, in bytes: the distinct bags, their lists, rows. */
export function exactKernelBytes(
  { pageCount, entryCount, longest, listBytes }: JoinWork,
  { featureCount, k, threadCount }: Pick<JoinSize, 'featureCount' | 'k' | 'threadCount'>,
): number {
  const blockCount = Math.ceil(pageCount / BLOCK_PAGES);
  // Offsets, sums twice, and the least of each chunk; rows with nearness.
  const pageBytes = 4 + 2 * 2 + 1 / 16 + 1 + 10 * k;
  const blockBytes = 4 * featureCount + CHUNK_ROOM;
  const threadBytes = 2 * Math.min(pageCount, BLOCK_PAGES) + featureCount + 13 * longest + 16 * k;
  return Math.ceil(
    pageBytes * pageCount +
      ENTRY_BYTES * entryCount +
      listBytes +
      blockBytes * blockCount +
      (threadBytes + CHUNK_ROOM) * threadCount +
      KERNEL_ROOM,
  );
}

/** Exact neighbors: bags, groups of equal ones, and what the kernel holds. */
export function exactBytes(work: JoinWork, size: JoinSize): number {
  return BAG_BYTES * size.pageCount + ENTRY_BYTES * size.entryCount + exactKernelBytes(work, size);
}

/** Exact pairs, without those found and without the postings in memory: any number of these will do. */
export function exactPairBytes(size: Omit<JoinSize, 'k'>): ReturnType<typeof graphBytes> {
  const { pageCount, entryCount, featureCount, threadCount } = size;
  const threadBytes = ACCUMULATOR_BYTES * Math.min(pageCount, BLOCK_PAGES) + featureCount;
  return {
    fixedBytes: BAG_BYTES * pageCount + 8 * featureCount + threadBytes * threadCount,
    entryBytes: ENTRY_BYTES * entryCount,
  };
}
