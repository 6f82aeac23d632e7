import type { Bag } from '../../features/bag.ts';
import { BoundedHeap } from '../../lib/bounded-heap.ts';
import type { NeighborList } from '../pairs/neighbor-table.ts';
import {
  type Accumulators,
  addPostings,
  createAccumulators,
  leaderCut,
  leastOverlap,
  POSTING_US,
  SWEEP_US,
} from './overlap-kernel.ts';

/** Posting lists from wherever they lie; see `buildPostings` for the entries. */
export interface PostingSource {
  readonly pageCount: number;
  readonly blockPages: number;
  /** Uint16Array(pageCount): sum of each bag, below 2^15. */
  readonly sums: Uint16Array;
  posting(blockId: number, featureId: number): Uint32Array;
}

export interface NearestOptions {
  readonly k: number;
  /** Pages below this similarity, or without a common feature, are no neighbors. */
  readonly floor: number;
  /** Pages that may be in the answer; all where left out. */
  readonly accept?: (pageId: number) => boolean;
  /** A page that is never in the answer: the stored page the bag belongs to. */
  readonly skip?: number;
}

/** Working memory of one search, about 6 bytes for a page of a block, to be reused by the next. */
export interface NearestScratch {
  readonly accumulators: Accumulators;
  readonly histogram: Uint32Array;
}

export function createNearestScratch(source: { pageCount: number; blockPages: number }): NearestScratch {
  const pages = Math.min(source.pageCount, source.blockPages);
  return {
    accumulators: createAccumulators(pages),
    histogram: new Uint32Array(512),
  };
}

/**
 * The pages nearest to a bag by exact weighted Jaccard: for a posted document, and for a stored page when what
 * is left of its stored list after filtering is not enough.
 *
 * Cost  all postings of the bag's features, about 1.3 ns each, and one look at every page's accumulator.
 */
export function nearestToBag(
  query: Bag,
  source: PostingSource,
  options: NearestOptions,
  scratch: NearestScratch = createNearestScratch(source),
): NeighborList {
  const heap = new BoundedHeap(options.k);
  const blockCount = Math.ceil(source.pageCount / source.blockPages);
  try {
    for (let blockId = 0; blockId < blockCount; blockId++)
      searchBlock(query, source, blockId, options, scratch, heap);
  } catch (error) {
    // A filter, or the file, may end a search: what it has summed is none of the next one's.
    scratch.accumulators.single.fill(0);
    throw error;
  }
  return nearestPages(query, source, heap);
}

/**
 * The work of nearestToBag() in µs: the postings of the bag's features, and one look at each page. Where pages have
 * short bags, as those known by links alone, a large collection is little work.
 *
 * @param frequency pages that have a feature.
 */
export function exactSearchUs(
  { features }: Pick<Bag, 'features'>,
  pageCount: number,
  frequency: (featureId: number) => number,
): number {
  let postings = 0;
  for (const feature of features) postings += frequency(feature);
  return POSTING_US * postings + SWEEP_US * pageCount;
}

/** What a heap of overlaps holds, in order; the heap must be cleared before the next offer. */
export function nearestPages(query: Bag, source: PostingSource, heap: BoundedHeap): NeighborList {
  heap.sort();
  const ids = heap.ids.slice(0, heap.size);
  const shared = Uint16Array.from(heap.values.subarray(0, heap.size));
  return { ids, shared, total: shared.map((overlap, i) => query.sum + source.sums[ids[i]!]! - overlap) };
}

function searchBlock(
  query: Bag,
  source: PostingSource,
  blockId: number,
  options: NearestOptions,
  scratch: NearestScratch,
  heap: BoundedHeap,
): void {
  const { single, picked } = scratch.accumulators;
  const firstPage = blockId * source.blockPages;
  const pageCount = Math.min(source.blockPages, source.pageCount - firstPage);
  for (let i = 0; i < query.features.length; i++) {
    const entries = source.posting(blockId, query.features[i]!);
    addPostings(single, entries, 0, entries.length, query.weights[i]!);
  }
  let bound = heap.bound(options.floor);
  const count = scratch.accumulators.pick(0, pageCount, leastOverlap(bound, query.sum));
  const cut = leaderCut(single, picked, count, 2 * options.k, scratch.histogram);
  for (const leading of [true, false]) {
    for (let c = 0; c < count; c++) {
      const local = picked[c]!;
      const shared = single[local]!;
      if (shared >= cut !== leading) continue;
      const id = firstPage + local;
      const total = query.sum + source.sums[id]! - shared;
      if (shared < bound * total - 1e-6 || id === options.skip) continue;
      const similarity = shared / total;
      if (similarity < bound || (options.accept !== undefined && !options.accept(id))) continue;
      heap.offer(similarity, id, shared);
      bound = heap.bound(options.floor);
    }
  }
  single.fill(0, 0, pageCount);
}
