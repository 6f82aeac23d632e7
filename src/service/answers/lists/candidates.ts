import type { Bag } from '../../../features/bag.ts';
import { allOf, bySimilarity, hasRoom, storedFirst } from '../../../join/pairs/neighbor-span.ts';
import type { RelationRecord } from '../../../store/records.ts';
import type { StoredFilter } from '../../reads/accept.ts';
import type { Reads } from '../../reads/reads.ts';
import { pageWordCount } from '../documents/document.ts';
import { similarToBag } from './selection/pins.ts';
import { byVotes } from './selection/rank.ts';
import type { Candidates } from './selection/selection.ts';

/**
 * Neighbors of a page of the index, at least `count` of them where there are so many. A list shorter than the
 * index's limit is all there is; estimates go on as estimates, and are never mixed with exact figures.
 */
export async function storedCandidates(
  reads: Reads,
  relation: RelationRecord,
  pageId: number,
  isVoted: boolean,
  count = Number.POSITIVE_INFINITY,
): Promise<Candidates> {
  const isAsStored = isVoted || relation.rank === 'similarity';
  const wanted = isAsStored ? count : Number.POSITIVE_INFINITY;
  const list = allOf(await reads.neighbors(relation.id, pageId, wanted));
  const stored = isAsStored ? list : bySimilarity(list);
  return {
    stored,
    complete: hasRoom(list, relation.neighborLimit),
    nearest: async (count, { stored: filter }) => {
      if (relation.measure === 'estimate') {
        return allOf(await reads.printed(relation.id, pageId, count, filter));
      }
      const bag = await reads.bag(relation.id, pageId);
      const by = isVoted ? 'nearness' : 'similarity';
      const query = { relationId: relation.id, bag, count, by, filter, skip: pageId } as const;
      const found = allOf(await reads.nearest({ ...query, isRated: false, exact: false }));
      return isVoted ? storedFirst(stored, found) : found;
    },
    similar: async (pageIds) => similarToBag(reads, relation, await reads.bag(relation.id, pageId), pageIds),
    hopeless: async () => {
      if (await reads.isGone(pageId)) return 'gone';
      const { features } = await reads.bag(relation.id, pageId);
      if (features.length >= LEAST_WORDS) return null;
      return hopelessWords(await pageWordCount(reads, relation, pageId), features.length);
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
 * takes longer than the index's bound one in a hundred of the nearest may be missed, unless `exact`.
 */
export async function documentCandidates(
  reads: Reads,
  relation: RelationRecord,
  bag: Bag,
  wordCount: number,
  pageId: number,
  { isVoted, exact }: { readonly isVoted: boolean; readonly exact: boolean },
): Promise<Candidates> {
  const by = isVoted ? 'nearness' : 'similarity';
  const nearest = async (count: number, filter: StoredFilter | null, isRated = false) =>
    allOf(
      await reads.nearest({ relationId: relation.id, bag, count, by, isRated, filter, skip: pageId, exact }),
    );
  const found = await nearest(relation.neighborLimit, null, relation.rank === 'votes');
  const stored = isVoted ? await byVotes(reads, relation, found, pageId) : found;
  return {
    stored,
    complete: found.end < relation.neighborLimit,
    nearest: async (count, { stored: filter }) => {
      const more = await nearest(count, filter);
      return isVoted ? storedFirst(stored, more) : more;
    },
    similar: (pageIds) => similarToBag(reads, relation, bag, pageIds),
    hopeless: async () => hopelessWords(wordCount, bag.features.length),
  };
}
