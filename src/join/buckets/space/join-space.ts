/**
 * What the threads of one join share: the bags, a kernel memory with one-byte rows and thresholds, columns of
 * min-hash values for the buckets, and the neighbors found so far.
 *
 *   kernel memory   | rows, n * 128 | needs, n | scratch of thread 0 | scratch of thread 1 | ...
 */

import { createKernelMemory, type KernelMemory } from '../../../lib/wasm.ts';
import { GROUP_FUNCTIONS, ROW_BYTES } from '../../../sketch/page-kernel.ts';
import type { BagRanges } from '../../bags/collapse-equal-bags.ts';
import type { EntrySource } from '../../bags/entry-source.ts';
import { SCRATCH_BYTES } from './join-scratch.ts';
import { createHeapArrays, type HeapArrays } from './neighbor-heaps.ts';

/** Tallies of one thread: a cache line and more, so that no two threads write to one. */
export const TALLIES = 16;
/** Reverse neighbors kept a page for refinement. */
export const REVERSE_LIMIT = 20;
/** Units of `reverse`, at least, and pages of each, at most: each reads all heaps twice, and holds the edges to its pages. */
const LEAST_REVERSE_UNITS = 8;
const MOST_REVERSE_PAGES = 2 ** 20;
/** Pages of one unit of the tasks that go page by page. */
export const UNIT_PAGES = 2048;
/** Units of buckets, at most. */
export const BUCKET_UNITS = 64;

export interface JoinSpace {
  readonly bags: BagRanges;
  /** The entries of the bags; null where each thread reads them from elsewhere. */
  readonly entries: Pick<EntrySource, 'features' | 'weights'> | null;
  readonly memory: KernelMemory;
  readonly seed: number;
  readonly floor: number;
  /** Standard deviations that a threshold of the row filter stays below the expected agreement. */
  readonly slack: number;
  /** Byte position of the rows; the thresholds and the threads' scratch. */
  readonly rows: number;
  readonly needs: number;
  readonly scratch: number;
  /** Uint32Array(GROUP_FUNCTIONS * n): column c of page p at c * n + p. Lost when a round begins. */
  readonly columns: Uint32Array;
  /** Which pages go to which bucket unit of the repetition at hand, see split-buckets.ts. */
  readonly shares: BucketShares;
  readonly heaps: HeapArrays;
  /** Who was in the heaps when the round began; in the memory of the columns, which rounds do not need. */
  readonly before: Pick<HeapArrays, 'k' | 'counts' | 'ids'>;
  /** Of each neighbor in the heaps its nearness, once no round is to come; in the memory of the columns. */
  readonly nearness: Uint16Array;
  /** Of each page, the one whose number has the least hash among it and its neighbors. */
  readonly leaders: Uint32Array;
  /** All pages, in the order of their leaders. */
  readonly order: Uint32Array;
  readonly reverseCounts: Uint32Array;
  readonly reverseIds: Uint32Array;
  readonly sample: SampleArrays;
  /** Float64Array, a power of two: a pair compared lately, in the slot of its hash (threshold join only). */
  readonly compared: Float64Array;
  /** Float64Array: agreements compared, bags compared, see join-thread.ts. */
  readonly tallies: Float64Array;
}

/** Of each unit of pages, those with a bag by bucket unit. */
interface BucketShares {
  /** Uint16Array(n): places within the unit of pages, from that unit's first page on, ascending in a bucket unit. */
  readonly places: Uint16Array;
  /** Uint16Array(page units * BUCKET_UNITS): where the places of each bucket unit end. */
  readonly ends: Uint16Array;
}

/** Exact neighbors of sampled pages, the nearest or drawn at random, by thread: slot (thread * pages + s) * k. */
interface SampleArrays {
  readonly k: number;
  readonly pages: Uint32Array;
  readonly heaps: HeapArrays;
  /** Float64Array(threads * pages): all neighbors, of which the heap holds some (threshold join only). */
  readonly pairCounts: Float64Array;
  /** Uint8Array by slot: the pair has been found (threshold join only). */
  readonly found: Uint8Array;
}

interface JoinSpaceOptions {
  readonly k: number;
  readonly floor: number;
  readonly seed: number;
  readonly slack: number;
  readonly threadCount: number;
  readonly samplePages: Uint32Array;
  readonly sampleK: number;
  /** Slots of `compared`; by default none. */
  readonly comparedSlots?: number;
}

/**
 * Cost    a page: its bag, 195 bytes, and 16 k + 84 for the neighbors (none with k = 0).
 * Errors  RangeError where the memory is not to be had.
 */
export function createJoinSpace(
  bags: BagRanges,
  entries: JoinSpace['entries'],
  options: JoinSpaceOptions,
): JoinSpace {
  const pageCount = bags.sums.length;
  const { k, samplePages, sampleK, threadCount } = options;
  const { rows, needs, scratch, end } = kernelLayout(pageCount, threadCount);
  const reversePages = k === 0 ? 0 : pageCount;
  const columns = sharedUint32(Math.max(GROUP_FUNCTIONS, k) * pageCount);
  return {
    bags,
    entries: entries && { features: entries.features, weights: entries.weights },
    memory: createKernelMemory(end),
    seed: options.seed,
    floor: options.floor,
    slack: options.slack,
    rows,
    needs,
    scratch,
    columns,
    shares: {
      places: sharedUint16(pageCount),
      ends: sharedUint16(Math.ceil(pageCount / UNIT_PAGES) * BUCKET_UNITS),
    },
    heaps: createHeapArrays(reversePages, k),
    before: { k, counts: new Uint8Array(new SharedArrayBuffer(reversePages)), ids: columns },
    nearness: new Uint16Array(columns.buffer, 0, k * pageCount),
    leaders: sharedUint32(reversePages),
    order: sharedUint32(reversePages),
    reverseCounts: sharedUint32(reversePages),
    reverseIds: sharedUint32(reversePages * REVERSE_LIMIT),
    sample: {
      k: sampleK,
      pages: samplePages,
      heaps: createHeapArrays(samplePages.length * threadCount, sampleK),
      pairCounts: new Float64Array(new SharedArrayBuffer(8 * samplePages.length * threadCount)),
      found: new Uint8Array(new SharedArrayBuffer(samplePages.length * sampleK)),
    },
    compared: new Float64Array(new SharedArrayBuffer(8 * (options.comparedSlots ?? 0))),
    tallies: new Float64Array(new SharedArrayBuffer(8 * TALLIES * threadCount)),
  };
}

/** Pages of one unit of `reverse`. */
export function reversePages(pageCount: number): number {
  return Math.min(Math.ceil(pageCount / LEAST_REVERSE_UNITS), MOST_REVERSE_PAGES);
}

/** Where the parts of the kernel memory begin; it may have at most MAX_KERNEL_BYTES. */
export function kernelLayout(pageCount: number, threadCount: number) {
  const rows = 1024;
  const needs = rows + ROW_BYTES * pageCount;
  const scratch = Math.ceil((needs + pageCount + 16) / 1024) * 1024;
  return { rows, needs, scratch, end: scratch + SCRATCH_BYTES * threadCount };
}

function sharedUint16(length: number): Uint16Array {
  return new Uint16Array(new SharedArrayBuffer(2 * length));
}

function sharedUint32(length: number): Uint32Array {
  return new Uint32Array(new SharedArrayBuffer(4 * length));
}
