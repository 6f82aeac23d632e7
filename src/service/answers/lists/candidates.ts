import type { Bag } from '../../../features/bag.ts';
import { exactSearchUs, nearestToBag } from '../../../join/exact/nearest-to-bag.ts';
import { nearestToBagQuick } from '../../../join/exact/nearest-to-bag-quick.ts';
import type { NeighbourSpan } from '../../../join/pairs/neighbour-table.ts';
import type { RelationRecord } from '../../../store/records.ts';
import type { Accept } from '../../held/catalog.ts';
import type { Generation } from '../../held/generation.ts';
import type { Narrowing } from '../../schemas/list-parameters.ts';
import { hopelessPage, LEAST_WORDS } from '../pages/last-seen.ts';
import { printedNeighbours } from './printed-search.ts';
import { bySimilarity, byVotes, storedFirst } from './rank.ts';
import type { Candidates } from './selection.ts';

/** Longer lists are asked for where a few sites hold most neighbours; the quick way has no advantage then. */
const QUICK_NEIGHBOURS = 256;

/** What lists of a relation are ordered by, where that is asked for. */
type Order = Pick<Narrowing, 'rank'>;

/**
 * Neighbours of a page of the index, at least `count` of them where there are so many. A list shorter than the
 * index's limit is all there is; estimates go on as estimates, and are never mixed with exact figures.
 */
export function storedCandidates(
  generation: Generation,
  relation: RelationRecord,
  pageId: number,
  order: Order,
  count?: number,
): Candidates {
  const isVoted = relation.rank === 'votes' && order.rank === 'score';
  const isAsStored = isVoted || relation.rank === 'similarity';
  const list = generation.catalog.neighbours(relation, pageId, isAsStored ? count : undefined);
  const stored = isAsStored ? list : bySimilarity(list);
  return {
    stored,
    complete: stored.end - stored.start < relation.neighbourLimit,
    nearest: (count, accept) => {
      if (relation.measure === 'estimate') {
        return printedNeighbours(generation, relation, pageId, count, accept);
      }
      const bag = generation.reader.bag(relation.id, pageId);
      const found = search(generation, relation, bag, count, accept, pageId, false);
      return isVoted ? storedFirst(stored, found) : found;
    },
    hopeless: () => {
      const { features } = generation.reader.bag(relation.id, pageId);
      return hopelessPage(generation, pageId, features.length >= LEAST_WORDS);
    },
  };
}

/**
 * Neighbours of a document by its bag, of `wordCount` distinct words known and unknown; `pageId` is the page it is known
 * as, -1 for none, and never listed. As many are found at once as an index stores of a page. Where the exact search
 * takes longer than `generation.exactSearchUs` one in a hundred of the nearest may be missed, unless `exact`.
 */
export function documentCandidates(
  generation: Generation,
  relation: RelationRecord,
  bag: Bag,
  wordCount: number,
  pageId: number,
  { rank, exact }: Order & { readonly exact: boolean },
): Candidates {
  const isVoted = relation.rank === 'votes' && rank === 'score';
  const nearest = (count: number, accept: Accept | null) =>
    search(generation, relation, bag, count, accept, pageId, exact);
  const found = nearest(relation.neighbourLimit, null);
  const stored = isVoted ? byVotes(generation, relation, found, pageId) : found;
  return {
    stored,
    complete: found.end < relation.neighbourLimit,
    nearest: (count, accept) =>
      isVoted ? storedFirst(stored, nearest(count, accept)) : nearest(count, accept),
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
