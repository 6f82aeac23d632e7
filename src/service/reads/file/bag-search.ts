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

/** The nearest pages of one index file; ties by page id. Exact where that takes no more than `mostUs`. */
export function searchBags(
  { source, scratch, frequency }: Postings,
  { bag, floor, count, accept, skip, exact }: BagSearch,
  mostUs: number,
): NeighborList {
  const k = Math.min(count, source.pageCount);
  const isLong = () => exactSearchUs(bag, source.pageCount, frequency) > mostUs;
  const quick = !exact && k <= QUICK_NEIGHBORS && isLong();
  const options = { k, floor, skip, ...(accept === null ? {} : { accept }) };
  return (quick ? nearestToBagQuick : nearestToBag)(bag, source, options, scratch);
}
