import type { Bag } from '../../features/bag.ts';
import { BoundedHeap } from '../../lib/bounded-heap.ts';
import type { NeighborList } from '../pairs/neighbor-table.ts';
import { type NearestScratch, nearestPages, type PostingSource } from './nearest-to-bag.ts';
import { addPostings, leastOverlap } from './overlap-kernel.ts';

/** How a new page and the pages of an index meet. */
export interface Reach {
  /** Of the index, those nearest to the new page. */
  readonly nearest: NeighborList;
  /** Pages in whose lists the new page stands, ascending. */
  readonly reached: NeighborList;
}

interface ReachOptions {
  readonly k: number;
  readonly floor: number;
  /** A page that is left out: the one that the bag takes the place of; -1 for none. */
  readonly skip: number;
  /** Float32Array(pageCount): the least similarity in the list of each page; 0 where any above the floor is in it. */
  readonly least: Float32Array;
}

/**
 * The nearest pages to a bag, and the pages among whose nearest it is, by exact weighted Jaccard.
 *
 * Cost  as `nearestToBag`, and a division for each page whose overlap may reach the floor.
 */
export function reachOfBag(
  query: Bag,
  source: PostingSource,
  { k, floor, skip, least }: ReachOptions,
  { accumulators }: NearestScratch,
): Reach {
  const { single, picked } = accumulators;
  const { blockPages, pageCount: allPages, sums } = source;
  const heap = new BoundedHeap(k);
  const [ids, shared, total]: [number[], number[], number[]] = [[], [], []];
  try {
    for (let firstPage = 0; firstPage < allPages; firstPage += blockPages) {
      const pageCount = Math.min(blockPages, allPages - firstPage);
      for (let i = 0; i < query.features.length; i++) {
        const entries = source.posting(firstPage / blockPages, query.features[i]!);
        addPostings(single, entries, 0, entries.length, query.weights[i]!);
      }
      const count = accumulators.pick(0, pageCount, leastOverlap(floor, query.sum));
      for (let c = 0; c < count; c++) {
        const id = firstPage + picked[c]!;
        const overlap = single[picked[c]!]!;
        const union = query.sum + sums[id]! - overlap;
        const similarity = overlap / union;
        if (similarity < floor || id === skip) continue;
        heap.offer(similarity, id, overlap);
        if (Math.fround(similarity) < least[id]!) continue;
        ids.push(id);
        shared.push(overlap);
        total.push(union);
      }
      single.fill(0, 0, pageCount);
    }
  } catch (error) {
    // A posting may be unreadable: what was summed up is none of the next search's.
    single.fill(0);
    throw error;
  }
  const reached = {
    ids: Uint32Array.from(ids),
    shared: Uint16Array.from(shared),
    total: Uint16Array.from(total),
  };
  return { nearest: nearestPages(query, source, heap), reached };
}
