import { exactSearchUs, nearestToBag } from '../../../join/exact/nearest-to-bag.ts';
import { nearestToBagQuick } from '../../../join/exact/nearest-to-bag-quick.ts';
import type { NeighborList } from '../../../join/pairs/neighbor-table.ts';
import type { NearestQuery } from '../read-table.ts';
import type { Postings } from './posting-cache.ts';

/** Longer lists are asked for where a few sites hold most neighbors; the quick way has no advantage then. */
const QUICK_NEIGHBORS = 256;

interface BagSearch extends Omit<NearestQuery, 'filter' | 'relationId'> {
  /** Least similarity. */
  readonly floor: number;
  /** Null where any page will do. */
  readonly accept: ((pageId: number) => boolean) | null;
}

/** Whether a search is made in the quick way: where the exact one takes more than `mostUs`. */
function isQuick(
  { source, frequency }: Postings,
  { bag, count, exact }: Pick<BagSearch, 'bag' | 'count' | 'exact'>,
  mostUs: number,
): boolean {
  if (exact || Math.min(count, source.pageCount) > QUICK_NEIGHBORS) return false;
  return exactSearchUs(bag, source.pageCount, frequency) > mostUs;
}

/** What a search takes, about; the quick way bounds it. */
export function searchUs(
  postings: Postings,
  search: Pick<BagSearch, 'bag' | 'count' | 'exact'>,
  mostUs: number,
): number {
  if (isQuick(postings, search, mostUs)) return mostUs;
  return exactSearchUs(search.bag, postings.source.pageCount, postings.frequency);
}

/** The nearest pages of one index file; ties by page id. Exact where that takes no more than `mostUs`. */
export function searchBags(postings: Postings, search: BagSearch, mostUs: number): NeighborList {
  const { source, scratch } = postings;
  const { bag, floor, count, accept, skip } = search;
  const options = {
    k: Math.min(count, source.pageCount),
    floor,
    skip,
    ...(accept === null ? {} : { accept }),
  };
  const searched = isQuick(postings, search, mostUs) ? nearestToBagQuick : nearestToBag;
  return searched(bag, source, options, scratch);
}
