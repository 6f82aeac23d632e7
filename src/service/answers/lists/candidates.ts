import type { NearBy } from '../../../join/pairs/nearness.ts';
import { allOf, hasRoom, nearestFirst } from '../../../join/pairs/neighbor-span.ts';
import type { NeighborSpan } from '../../../join/pairs/neighbor-table.ts';
import { andThen, type OrLater } from '../../../lib/or-later.ts';
import type { RelationRecord } from '../../../store/records.ts';
import type { StoredFilter } from '../../reads/accept.ts';
import { type Blendable, blendableOf, blendingOf, nearestBlended } from '../../reads/blended-search.ts';
import { nearestLent } from '../../reads/lent-search.ts';
import type { Reads } from '../../reads/reads.ts';
import { pageWordCount } from '../documents/document.ts';
import { similarToBag } from './selection/pins.ts';
import { byVotes, type ListOrder } from './selection/rank.ts';
import type { Candidates } from './selection/selection.ts';

/** Candidates of a list that has voters. */
export interface VotedCandidates extends Candidates {
  /** The pages that vote on each other: those that are stored, or would be, in whatever order the list is. */
  voted(): Promise<NeighborSpan>;
}

/**
 * Neighbors of a page of the index, at least `count` of them where there are so many. A list shorter than the
 * index's limit is all there is; estimates go on as estimates, and are never mixed with exact figures.
 */
export function storedCandidates(
  reads: Reads,
  relation: RelationRecord,
  pageId: number,
  order: ListOrder,
  count = Number.POSITIVE_INFINITY,
): OrLater<VotedCandidates> {
  const { neighborLimit, measure, rank } = relation;
  const own = () => blendableOf(reads, relation, pageId);
  const search = searchFor(reads, relation, own, pageId, false);
  const nearBy = nearByOf(reads, relation);
  const isAsStored = order === 'votes' || rank === 'similarity';
  const wanted = isAsStored ? count : Number.POSITIVE_INFINITY;
  // What is stored of a list by words and vectors is not what is nearest by words alone.
  const isSearched = !isAsStored && nearBy !== order;
  return andThen(reads.neighbors(relation.id, pageId, wanted), (found) => {
    const list = allOf(found);
    const ordered = isAsStored ? list : nearestFirst(list, nearBy);
    return andThen(isSearched ? search(order, neighborLimit, null) : ordered, (stored) => ({
      stored,
      // A page above the floor may be below it over lent words, and is in no list then.
      complete:
        hasRoom(isSearched ? stored : list, neighborLimit) && (isSearched || !reads.facts.isLent(relation)),
      isBySimilarity: nearBy === 'similarity' || order === 'similarity',
      voted: async () => list,
      nearest: async (count, { stored: filter }, isLeast) => {
        if (measure === 'estimate') return allOf(await reads.printed(relation.id, pageId, count, filter));
        return search(isLeast ? 'similarity' : order, count, filter);
      },
      similar: async (pageIds) =>
        similarToBag(reads, relation, await reads.bag(relation.id, pageId), pageIds),
      hopeless: async () => {
        if (await reads.isGone(pageId)) return 'gone';
        const { features } = await reads.bag(relation.id, pageId);
        if (features.length >= LEAST_WORDS) return null;
        return hopelessWords(await pageWordCount(reads, relation, pageId), features.length);
      },
    }));
  });
}

function nearByOf({ facts }: Reads, relation: RelationRecord): NearBy {
  return relation.id === facts.words?.id ? facts.listing.by : 'similarity';
}

/** Searches for the pages nearest to `own`, by all that the index goes by or, in the order of similarity, by words alone. */
function searchFor(
  reads: Reads,
  relation: RelationRecord,
  own: () => Promise<Blendable>,
  skip: number,
  exact: boolean,
): (
  order: ListOrder,
  count: number,
  filter: StoredFilter | null,
  isRated?: boolean,
) => Promise<NeighborSpan> {
  const blending = blendingOf(reads.facts, relation);
  const isLent = reads.facts.isLent(relation);
  return async (order, count, filter, isRated = false) => {
    const subject = await own();
    const search = { count, filter, skip, exact };
    // Beyond the first ones, pages follow by the words that they have themselves.
    if (isLent && order === 'votes' && isRated)
      return allOf(await nearestLent(reads, relation, subject.bag, search));
    if (blending !== null && order !== 'similarity')
      return allOf(await nearestBlended(reads, relation, blending, subject, search));
    const by = order === 'similarity' || isLent ? 'similarity' : 'nearness';
    return allOf(await reads.nearest({ ...search, relationId: relation.id, bag: subject.bag, by, isRated }));
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
 * Neighbors of a document by its bag and its vector, of `wordCount` distinct words known and unknown; `pageId` is the page it is
 * known as, -1 for none, and never listed. As many are found at once as an index stores of a page. Where the exact search
 * takes longer than the index's bound one in a hundred of the nearest may be missed, unless `exact`.
 */
export async function documentCandidates(
  reads: Reads,
  relation: RelationRecord,
  own: Blendable,
  wordCount: number,
  pageId: number,
  { order, exact }: { readonly order: ListOrder; readonly exact: boolean },
): Promise<VotedCandidates> {
  const search = searchFor(reads, relation, async () => own, pageId, exact);
  const { neighborLimit, rank } = relation;
  const nearBy = nearByOf(reads, relation);
  const isVoted = rank === 'votes';
  const found = await search(order, neighborLimit, null, isVoted);
  const isOfVoters = order === 'votes' || order === nearBy;
  return {
    stored: order === 'votes' ? await byVotes({ reads, relation, list: found, self: pageId }) : found,
    complete: found.end < neighborLimit && (order !== 'votes' || !reads.facts.isLent(relation)),
    isBySimilarity: order === 'similarity' || nearBy === 'similarity',
    voted: async () => (isOfVoters ? found : search('votes', neighborLimit, null, isVoted)),
    nearest: (count, { stored: filter }, isLeast) => search(isLeast ? 'similarity' : order, count, filter),
    similar: (pageIds) => similarToBag(reads, relation, own.bag, pageIds),
    hopeless: async () => hopelessWords(wordCount, own.bag.features.length),
  };
}
