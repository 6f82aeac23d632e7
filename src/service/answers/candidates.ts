import type { Bag } from '../../features/bag.ts';
import { exactSearchUs, nearestToBag } from '../../join/exact/nearest-to-bag.ts';
import { nearestToBagQuick } from '../../join/exact/nearest-to-bag-quick.ts';
import type { RelationRecord } from '../../store/records.ts';
import type { NeighbourSpan } from '../held/catalog.ts';
import type { Generation } from '../held/generation.ts';
import { hopelessPage, LEAST_WORDS } from './last-seen.ts';
import type { Accept } from './page-filter.ts';
import { printedNeighbours } from './printed-search.ts';
import type { Candidates } from './selection.ts';

/** Longer lists are asked for where a few sites hold most neighbours; the quick way has no advantage then. */
const QUICK_NEIGHBOURS = 256;

const EMPTY: NeighbourSpan = {
  ids: new Uint32Array(0),
  shared: new Uint16Array(0),
  total: new Uint16Array(0),
  start: 0,
  end: 0,
};

/**
 * Neighbours of a page of the index, at least `count` of them where there are so many. A list shorter than the
 * index's limit is all there is; estimates go on as estimates, and are never mixed with exact figures.
 */
export function storedCandidates(
  generation: Generation,
  relation: RelationRecord,
  pageId: number,
  count?: number,
): Candidates {
  const stored = generation.catalog.neighbours(relation, pageId, count);
  return {
    stored,
    complete: stored.end - stored.start < relation.neighbourLimit,
    nearest: (count, accept) =>
      relation.measure === 'estimate'
        ? printedNeighbours(generation, relation, pageId, count, accept)
        : search(
            generation,
            relation,
            generation.reader.bag(relation.id, pageId),
            count,
            accept,
            pageId,
            false,
          ),
    hopeless: () => {
      const { features } = generation.reader.bag(relation.id, pageId);
      return hopelessPage(generation, pageId, features.length >= LEAST_WORDS);
    },
  };
}

/**
 * Neighbours of a document by its bag, of `wordCount` distinct words known and unknown; `pageId` is the page it is known
 * as, -1 for none, and never listed. Where the exact search takes longer than `generation.exactSearchUs` one in a hundred
 * of the nearest may be missed, unless `exact`.
 */
export function documentCandidates(
  generation: Generation,
  relation: RelationRecord,
  bag: Bag,
  wordCount: number,
  pageId: number,
  exact: boolean,
): Candidates {
  return {
    stored: EMPTY,
    complete: false,
    nearest: (count, accept) => search(generation, relation, bag, count, accept, pageId, exact),
    hopeless: () => (wordCount < LEAST_WORDS ? 'too_little_text' : null),
  };
}

function search(
  generation: Generation,
  relation: RelationRecord,
  bag: Bag,
  count: number,
  accept: Accept | null,
  skip: number,
  exact: boolean,
): NeighbourSpan {
  const { source, scratch, frequency } = generation.postings(relation.id);
  const k = Math.min(count, source.pageCount);
  const isLong = () => exactSearchUs(bag, source.pageCount, frequency) > generation.exactSearchUs;
  const quick = !exact && k <= QUICK_NEIGHBOURS && isLong();
  const options = { k, floor: relation.floor, skip, ...(accept === null ? {} : { accept }) };
  const found = (quick ? nearestToBagQuick : nearestToBag)(bag, source, options, scratch);
  return { ...found, start: 0, end: found.ids.length };
}
