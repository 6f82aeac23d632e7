import type { Bag } from '../../features/bag.ts';
import { nearestToBag } from '../../join/exact/nearest-to-bag.ts';
import { nearestToBagQuick } from '../../join/exact/nearest-to-bag-quick.ts';
import type { RelationRecord } from '../../store/records.ts';
import type { NeighbourSpan } from '../held/catalog.ts';
import type { Generation } from '../held/generation.ts';
import type { Accept } from './page-filter.ts';
import type { Candidates } from './selection.ts';

/** Below this many features a bag says too little to be compared. */
const LEAST_FEATURES = 3;

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
 * index's limit is all there is; estimates are what the sketches found, and are never mixed with exact figures.
 */
export function storedCandidates(
  generation: Generation,
  relation: RelationRecord,
  pageId: number,
  count?: number,
): Candidates {
  const stored = generation.catalog.neighbours(relation, pageId, count);
  const complete = stored.end - stored.start < relation.neighbourLimit || relation.measure === 'estimate';
  return {
    stored,
    complete,
    nearest: (count, accept) =>
      search(generation, relation, generation.reader.bag(relation.id, pageId), count, accept, pageId, false),
    isTooLittle: () => generation.reader.bag(relation.id, pageId).features.length < LEAST_FEATURES,
  };
}

/**
 * Neighbours of a document by its bag; `pageId` is the page it is known as, -1 for none, and never listed.
 * In an index larger than `generation.exactSearchPages` one in a hundred of the nearest may be missed, unless `exact`.
 */
export function documentCandidates(
  generation: Generation,
  relation: RelationRecord,
  bag: Bag,
  pageId: number,
  exact: boolean,
): Candidates {
  return {
    stored: EMPTY,
    complete: false,
    nearest: (count, accept) => search(generation, relation, bag, count, accept, pageId, exact),
    isTooLittle: () => bag.features.length < LEAST_FEATURES,
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
  const { source, scratch } = generation.postings(relation.id);
  const k = Math.min(count, source.pageCount);
  const quick = !exact && source.pageCount > generation.exactSearchPages && k <= QUICK_NEIGHBOURS;
  const options = { k, floor: relation.floor, skip, ...(accept === null ? {} : { accept }) };
  const found = (quick ? nearestToBagQuick : nearestToBag)(bag, source, options, scratch);
  return { ...found, start: 0, end: found.ids.length };
}
