import type { Bag } from '../../features/bag.ts';
import { exactSearchUs, nearestToBag } from '../../join/exact/nearest-to-bag.ts';
import { nearestToBagQuick } from '../../join/exact/nearest-to-bag-quick.ts';
import type { NeighborSpan } from '../../join/pairs/neighbor-table.ts';
import type { RelationRecord } from '../../store/records.ts';
import type { Accept } from './catalog.ts';
import type { Postings } from './posting-cache.ts';

/** Longer lists are asked for where a few sites hold most neighbors; the quick way has no advantage then. */
const QUICK_NEIGHBORS = 256;

/** What is asked of the pages nearest to a bag. */
export interface BagSearch {
  readonly count: number;
  /** Null where any page will do. */
  readonly accept: Accept | null;
  /** A page that is left out; -1 for none. */
  readonly skip: number;
  /** Else one in a hundred of the nearest may be missed where that saves time. */
  readonly exact: boolean;
}

/** The nearest pages of one index file, at or above the floor of the relation; ties by page id. */
export function searchBags(
  { source, scratch, frequency }: Postings,
  { floor }: Pick<RelationRecord, 'floor'>,
  bag: Bag,
  { count, accept, skip, exact }: BagSearch,
  exactUs: number,
): NeighborSpan {
  const k = Math.min(count, source.pageCount);
  const isLong = () => exactSearchUs(bag, source.pageCount, frequency) > exactUs;
  const quick = !exact && k <= QUICK_NEIGHBORS && isLong();
  const options = { k, floor, skip, ...(accept === null ? {} : { accept }) };
  const found = (quick ? nearestToBagQuick : nearestToBag)(bag, source, options, scratch);
  return { ...found, start: 0, end: found.ids.length };
}
