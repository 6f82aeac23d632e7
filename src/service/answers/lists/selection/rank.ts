/**
 * The order of a list: by the votes of `join/pairs/votes.ts`, as the build has stored it for each page and as it is
 * counted here for a document; or by similarity alone. Votes are those of the nearest pages of the whole index: other
 * filters change no order. Pages beyond those that an index stores of a page follow by similarity.
 */

import type { Bag } from '../../../../features/bag.ts';
import { allOf, byScore, bySimilarity } from '../../../../join/pairs/neighbor-span.ts';
import type { NeighborSpan } from '../../../../join/pairs/neighbor-table.ts';
import { type NeighborsOf, VOTERS, VoteCount } from '../../../../join/pairs/votes.ts';
import type { RelationRecord } from '../../../../store/records.ts';
import { sixDecimals } from '../../../http/six-decimals.ts';
import type { Reads } from '../../../reads/reads.ts';
import type { NearAnswer, RelatedPageAnswer } from '../../../schemas/answers/list-answers.ts';
import type { Narrowing } from '../../../schemas/parameters/list-parameters.ts';
import { sharedTerms } from '../../pages/terms.ts';
import type { Subject } from './page-filter.ts';

/** Voters that an answer names. */
const SHOWN_VOTERS = 3;

/** One of each thread: counting is done before anyone else's turn. */
const VOTES = new VoteCount();

/**
 * Whether a list is in the order of votes, where nothing else is asked for: unless its filters leave out the subject's
 * own site, whose pages have most of the votes.
 */
export async function isByVotes(
  relation: RelationRecord,
  subject: Pick<Subject, 'site'>,
  { rank, same_site, site }: Pick<Narrowing, 'rank' | 'same_site' | 'site'>,
): Promise<boolean> {
  if (relation.rank !== 'votes') return false;
  if (rank !== undefined) return rank === 'score';
  if (same_site === 'exclude') return false;
  return site === undefined || site === (await subject.site());
}

/** A list in the order of votes; `self` is the page whose list it is, -1 for none. */
export async function byVotes(
  reads: Reads,
  relation: RelationRecord,
  list: NeighborSpan,
  self: number,
): Promise<NeighborSpan> {
  const nearest = await nearestOf(reads, relation, list);
  const ordered = bySimilarity(list);
  return byScore(ordered, VOTES.scores(ordered, self, nearest));
}

/** Says of a page of a list why it is there. */
export type Why = (pageId: number) => Promise<Pick<RelatedPageAnswer, 'score' | 'why'>>;

/**
 * Says of a page of a list why it is there: what it shares with the subject, whose bag that is, and its place among the
 * nearest pages, `list`; `self` is the subject's page id, -1 for none.
 */
export async function explain(
  reads: Reads,
  relation: RelationRecord,
  bag: Bag,
  list: NeighborSpan,
  self: number,
): Promise<Why> {
  const place = relation.rank === 'votes' ? await whyThere(reads, relation, list, self) : async () => null;
  const shared = sharedTerms(reads, relation, bag);
  return async (pageId) => {
    const [there, why] = await Promise.all([place(pageId), reads.bag(relation.id, pageId).then(shared)]);
    return there === null ? { why } : { score: there.score, why: { ...why, near: there.near } };
  };
}

/** Why a page of `list` stands where it does: its score, and which of its nearest pages are in the list too. */
async function whyThere(
  reads: Reads,
  relation: RelationRecord,
  list: NeighborSpan,
  self: number,
): Promise<(pageId: number) => Promise<{ score: number; near: NearAnswer } | null>> {
  const nearest = await nearestOf(reads, relation, list);
  const scores = VOTES.scores(list, self, nearest).slice();
  const listed = new Set(list.ids.subarray(list.start, list.end));
  return async (pageId) => {
    const place = list.ids.subarray(list.start, list.end).indexOf(pageId);
    if (place < 0) return null;
    const { ids, start, end } = nearest(pageId);
    const voters = ids.subarray(start, Math.min(end, start + VOTERS)).filter((id) => listed.has(id));
    const shown = await Promise.all(Array.from(voters.subarray(0, SHOWN_VOTERS), (id) => reads.page(id)));
    const urls = shown.map(({ url }) => url);
    return { score: sixDecimals(scores[place]!), near: { count: voters.length, urls } };
  };
}

/** The neighbors of the pages of a list, nearest first. */
async function nearestOf(reads: Reads, relation: RelationRecord, list: NeighborSpan): Promise<NeighborsOf> {
  const pageIds = list.ids.subarray(list.start, list.end);
  const lists = await Promise.all(Array.from(pageIds, (page) => reads.neighbors(relation.id, page)));
  const nearest = new Map(lists.map((one, i) => [pageIds[i]!, bySimilarity(allOf(one))]));
  return (page) => nearest.get(page)!;
}
