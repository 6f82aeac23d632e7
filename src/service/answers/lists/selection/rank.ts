/**
 * The order of a list: by the votes of `join/pairs/votes.ts`, as the build has stored it for each page and as it is
 * counted here for a document; or by similarity alone. Votes are those of the nearest pages of the whole index: other
 * filters change no order. Pages beyond those that an index stores of a page follow by similarity.
 */

import type { Bag } from '../../../../features/bag.ts';
import { isOfLinks } from '../../../../features/parts.ts';
import { explainOverlap } from '../../../../join/exact/weighted-jaccard.ts';
import type { NearBy } from '../../../../join/pairs/nearness.ts';
import { allOf, byScore, nearestFirst } from '../../../../join/pairs/neighbor-span.ts';
import type { NeighborSpan } from '../../../../join/pairs/neighbor-table.ts';
import { type NeighborsOf, VOTERS, VoteCount } from '../../../../join/pairs/votes.ts';
import { COSINE_PARTS, cosineOf } from '../../../../join/vectors/cosine.ts';
import type { OrLater } from '../../../../lib/or-later.ts';
import type { RelationRecord } from '../../../../store/records.ts';
import { sixDecimals } from '../../../http/six-decimals.ts';
import { type Blendable, blendingOf } from '../../../reads/blended-search.ts';
import type { IndexFacts } from '../../../reads/facts.ts';
import { LentPages } from '../../../reads/lent-search.ts';
import { type Reads, urlsOf } from '../../../reads/reads.ts';
import type {
  NearAnswer,
  NearByVectorsAnswer,
  RelatedPageAnswer,
} from '../../../schemas/answers/list-answers.ts';
import type { LentTermAnswer } from '../../../schemas/answers/term-answers.ts';
import type { Narrowing } from '../../../schemas/parameters/list-parameters.ts';
import { sharedTerms } from '../../pages/terms.ts';
import type { Subject } from './page-filter.ts';

/** Voters that an answer names. */
const SHOWN_VOTERS = 3;

/** One of each thread: counting is done before anyone else's turn. */
const VOTES = { similarity: new VoteCount('similarity'), nearness: new VoteCount('nearness') } as const;

/**
 * What a list is in the order of: votes; how near pages are by all that the index goes by; or similarity, by words alone.
 */
export type ListOrder = 'votes' | NearBy;

/**
 * The order of a list: votes where nothing else is asked for, unless its filters leave out the subject's own site, whose pages
 * have most of the votes.
 */
export function orderOf(
  facts: IndexFacts,
  relation: RelationRecord,
  subject: Pick<Subject, 'site'>,
  { rank, same_site, site }: Pick<Narrowing, 'rank' | 'same_site' | 'site'>,
): OrLater<ListOrder> {
  if (relation.rank !== 'votes') return 'similarity';
  if (rank !== undefined) return rank === 'score' ? 'votes' : 'similarity';
  const without = facts.lendShare > 0 ? 'similarity' : facts.listing.by;
  if (same_site === 'exclude') return without;
  return site === undefined ? 'votes' : subject.site().then((own) => (site === own ? 'votes' : without));
}

/** The nearest pages of a page, or of a document. */
interface NearestPages {
  readonly reads: Reads;
  readonly relation: RelationRecord;
  readonly list: NeighborSpan;
  /** The page whose list it is, -1 for none. */
  readonly self: number;
}

/** Them in the order of votes. */
export async function byVotes(pages: NearestPages): Promise<NeighborSpan> {
  const { reads, list, self } = pages;
  const { listing } = reads.facts;
  const nearest = await nearestOf(pages);
  const ordered = nearestFirst(list, listing.by);
  return byScore(ordered, VOTES[listing.by].scores(ordered, self, nearest), listing);
}

/** Says of a page of a list why it is there. */
export type Why = (pageId: number) => Promise<Pick<RelatedPageAnswer, 'score' | 'why'>>;

/** Says of a page of a list why it is there: what it shares with the subject, `own`, and its place among the nearest pages. */
export async function explain(pages: NearestPages, own: Blendable): Promise<Why> {
  const { reads, relation } = pages;
  const place = relation.rank === 'votes' ? await whyThere(pages) : async () => null;
  const shared = sharedTerms(reads, relation, own.bag);
  const meaning = meaningOf(reads, relation, own);
  const through = wordsThrough(pages, own.bag);
  return async (pageId) => {
    const [there, why, near, lent] = await Promise.all([
      place(pageId),
      reads.bag(relation.id, pageId).then(shared),
      meaning(pageId),
      through(pageId),
    ]);
    const whole = { ...why, ...near, ...lent };
    return there === null ? { why: whole } : { score: there.score, why: { ...whole, near: there.near } };
  };
}

/** How near a page is by vectors, in an index whose lists go by them. */
function meaningOf(reads: Reads, relation: RelationRecord, { vector }: Blendable) {
  const blending = blendingOf(reads.facts, relation);
  return async (pageId: number): Promise<{ meaning?: NearByVectorsAnswer }> => {
    if (blending === null || vector.length === 0) return {};
    const other = await reads.vector(blending.relation.id, pageId);
    if (other.length !== vector.length) return {};
    const similarity = sixDecimals(cosineOf(vector, other) / COSINE_PARTS);
    return { meaning: { vectors: blending.vectors, similarity } };
  };
}

/** Why one of the pages stands where it does: its score, and which of its nearest pages are in the list too. */
async function whyThere(
  pages: NearestPages,
): Promise<(pageId: number) => Promise<{ score: number; near: NearAnswer } | null>> {
  const { reads, list, self } = pages;
  const nearest = await nearestOf(pages);
  const scores = VOTES[reads.facts.listing.by].scores(list, self, nearest).slice();
  const listed = new Set(list.ids.subarray(list.start, list.end));
  return async (pageId) => {
    const place = list.ids.subarray(list.start, list.end).indexOf(pageId);
    if (place < 0) return null;
    const { ids, start, end } = nearest(pageId);
    const voters = ids.subarray(start, Math.min(end, start + VOTERS)).filter((id) => listed.has(id));
    const urls = await urlsOf(reads, voters.subarray(0, SHOWN_VOTERS));
    return { score: sixDecimals(scores[place]!), near: { count: voters.length, urls } };
  };
}

/** The neighbors of each of them, nearest first. */
async function nearestOf({ reads, relation, list }: NearestPages): Promise<NeighborsOf> {
  const pageIds = list.ids.subarray(list.start, list.end);
  const lists = await Promise.all(Array.from(pageIds, (page) => reads.neighbors(relation.id, page)));
  const { by } = reads.facts.listing;
  const nearest = new Map(lists.map((one, i) => [pageIds[i]!, nearestFirst(allOf(one), by)]));
  return (page) => nearest.get(page)!;
}

const SHOWN_TERMS = 5;
const SHOWN_PAGES = 3;

/**
 * Which words two pages have in common by what their neighbors lend to them (join/lend), and who lends them.
 *
 * Of one of the nearest pages of a bag: the heaviest words that one of both has by its neighbors alone; empty where lists go by their own.
 */
function wordsThrough(
  { reads, relation, list, self }: NearestPages,
  own: Bag,
): (pageId: number) => Promise<{ through?: LentTermAnswer[] }> {
  if (!reads.facts.isLent(relation)) return async () => ({});
  const pages = new LentPages(reads, relation);
  // Begun where it is awaited: a promise that fails before would end the process.
  let subject: ReturnType<LentPages['lentTo']> | null = null;
  return async (pageId) => {
    subject ??= pages.lentTo(own, list);
    const [mine, other, bag] = await Promise.all([subject, pages.of(pageId), pages.bag(pageId)]);
    const common = explainOverlap(mine.bag, other.bag);
    const [has, otherHas] = [new Set(own.features), new Set(bag.features)];
    const through: LentTermAnswer[] = [];
    for (const feature of common.features) {
      if (has.has(feature) && otherHas.has(feature)) continue;
      const { term, part } = await reads.feature(relation.id, feature);
      if (isOfLinks(part)) continue;
      const asked = [
        ...(has.has(feature) ? [] : mine.lenders),
        ...(otherHas.has(feature) ? [] : other.lenders),
      ];
      const bags = await Promise.all(asked.map((id) => pages.bag(id)));
      const lenders = asked.filter(
        (id, i) => id !== pageId && id !== self && bags[i]!.features.includes(feature),
      );
      if (lenders.length === 0) continue;
      const urls = await urlsOf(reads, [...new Set(lenders)].slice(0, SHOWN_PAGES));
      through.push({ term, part, urls });
      if (through.length === SHOWN_TERMS) break;
    }
    return through.length === 0 ? {} : { through };
  };
}
