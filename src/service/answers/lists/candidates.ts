import type { Bag } from '../../../features/bag.ts';
import type { RelationRecord } from '../../../store/records.ts';
import type { Accept } from '../../held/catalog.ts';
import type { Generation } from '../../held/generation.ts';
import type { Narrowing } from '../../schemas/list-parameters.ts';
import { pageWordCount } from '../documents/document.ts';
import { printedNeighbors } from './printed-search.ts';
import { bySimilarity, byVotes, storedFirst } from './rank.ts';
import type { Candidates } from './selection.ts';

/** What lists of a relation are ordered by, where that is asked for. */
type Order = Pick<Narrowing, 'rank'>;

/**
 * Neighbors of a page of the index, at least `count` of them where there are so many. A list shorter than the
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
  const list = generation.catalog.neighbors(relation, pageId, isAsStored ? count : undefined);
  const stored = isAsStored ? list : bySimilarity(list);
  return {
    stored,
    complete: stored.end - stored.start < relation.neighborLimit,
    nearest: (count, accept) => {
      if (relation.measure === 'estimate') {
        return printedNeighbors(generation, relation, pageId, count, accept);
      }
      const bag = generation.reader.bag(relation.id, pageId);
      const found = generation.nearest(relation, bag, { count, accept, skip: pageId, exact: false });
      return isVoted ? storedFirst(stored, found) : found;
    },
    hopeless: () => {
      if (generation.reader.isGone(pageId)) return 'gone';
      const { features } = generation.reader.bag(relation.id, pageId);
      if (features.length >= LEAST_WORDS) return null;
      return hopelessWords(pageWordCount(generation, relation, pageId), features.length);
    },
  };
}

/** Different words that are needed to be compared at all. */
const LEAST_WORDS = 3;

/** Why nothing can be near a text of so many different words, of which the index knows so many. */
function hopelessWords(wordCount: number, knownCount: number): 'too_little_text' | 'no_known_words' | null {
  if (wordCount < LEAST_WORDS) return 'too_little_text';
  return knownCount === 0 ? 'no_known_words' : null;
}

/**
 * Neighbors of a document by its bag, of `wordCount` distinct words known and unknown; `pageId` is the page it is known
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
    generation.nearest(relation, bag, { count, accept, skip: pageId, exact });
  const found = nearest(relation.neighborLimit, null);
  const stored = isVoted ? byVotes(generation, relation, found, pageId) : found;
  return {
    stored,
    complete: found.end < relation.neighborLimit,
    nearest: (count, accept) =>
      isVoted ? storedFirst(stored, nearest(count, accept)) : nearest(count, accept),
    hopeless: () => hopelessWords(wordCount, bag.features.length),
  };
}
