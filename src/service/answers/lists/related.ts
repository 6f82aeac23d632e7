/** The lists of a page of the index: the body of GET /related. */

import { NO_BAG } from '../../../features/bag.ts';
import { allOf } from '../../../join/pairs/neighbor-span.ts';
import { NO_NEIGHBORS } from '../../../join/pairs/neighbor-table.ts';
import { andThen, type OrLater } from '../../../lib/or-later.ts';
import type { Relation } from '../../../relations/relation.ts';
import { relationOf } from '../../../relations/relations.ts';
import { siteOf } from '../../../url/site.ts';
import { blendableOf, NO_VECTOR } from '../../reads/blended-search.ts';
import type { RelatedAnswer } from '../../schemas/answers/list-answers.ts';
import { clusteringLevel } from '../clusters/clustering.ts';
import { storedCandidates } from './candidates.ts';
import { askedPage, copyList } from './copy-list.ts';
import { featureList } from './feature-list.ts';
import { type FoundList, listAnswer, selectedList } from './found-list.ts';
import { linkedList, linksOf } from './link-list.ts';
import { besideList } from './list-facets.ts';
import { nearestList } from './nearest-list.ts';
import { arrangement } from './selection/arrangement.ts';
import type { ListAsk } from './selection/list-ask.ts';
import {
  NO_SUBJECT,
  pageFilter,
  type Subject,
  type SubjectPage,
  subjectPage,
} from './selection/page-filter.ts';
import { orderOf } from './selection/rank.ts';
import { selectNeighbors } from './selection/selection.ts';
import { vectorList } from './vector-list.ts';

/** By how the neighbors of the relation are found. */
const PAGE_LISTS: Readonly<Record<Relation['neighbors'], typeof pageList>> = {
  'nearest bags': nearestToPage,
  'shared shingles': copiesOfPage,
  'own features': featureList,
  'nearest vectors': vectorList,
  'shared citers': linkedWithPage,
  'shared targets': linkedWithPage,
  'vicinity graph': linkedWithPage,
};

/**
 * The list of a page, as it is stored, or searched for where filters or the index's limit ask for it.
 *
 * Errors  Problem `relation-not-in-index`.
 */
export function pageList(ask: ListAsk, subject: SubjectPage): OrLater<FoundList> {
  return PAGE_LISTS[relationOf(ask.narrowing.by).neighbors](ask, subject);
}

/** The answer for a URL that is not in the index, where that is no error; `hash` as for `listAnswer`. */
export async function missingAnswer(ask: ListAsk, url: string, hash: string): Promise<RelatedAnswer> {
  const site = siteOf(url);
  const subject = { ...NO_SUBJECT, url, siteId: await ask.reads.siteId(site), site: async () => site };
  const list = await missingList(ask, subject);
  const beside = await besideList(ask, subject, (whole) => missingList(whole, subject));
  return { url, title: '', ...listAnswer(ask, list, hash), ...beside };
}

/** What stands in a list without a neighbor: pages that rules put first, and those that fill it up. */
async function missingList({ reads, narrowing, offset }: ListAsk, subject: Subject): Promise<FoundList> {
  const stored = allOf(NO_NEIGHBORS);
  const none = {
    stored,
    complete: true,
    nearest: async () => stored,
    hopeless: async () => 'not_indexed' as const,
    voted: async () => stored,
  };
  if (relationOf(narrowing.by).neighbors === 'nearest bags') {
    const near = { subject, pageId: -1, own: () => ({ bag: NO_BAG, vector: NO_VECTOR }) };
    return nearestList({ reads, narrowing, offset }, reads.facts.relation(narrowing.by), near, none);
  }
  const filter = await pageFilter(reads, subject, narrowing);
  const selection = await selectNeighbors({ reads, narrowing, offset }, none, filter);
  return selectedList(reads, selection, subject, 'exact', null, narrowing);
}

/** Errors  as `pageList`; `hash` as for `listAnswer`. */
export function relatedAnswer(ask: ListAsk, pageId: number, hash: string): OrLater<RelatedAnswer> {
  return andThen(subjectPage(ask.reads, pageId), (subject) =>
    andThen(pageList(ask, subject), (list) =>
      andThen(
        besideList(ask, subject, (whole) => pageList(whole, subject)),
        (beside) => {
          const { url, title } = subject;
          return { url, title, ...listAnswer(ask, list, hash), ...beside };
        },
      ),
    ),
  );
}

function nearestToPage({ reads, narrowing, offset }: ListAsk, subject: SubjectPage): OrLater<FoundList> {
  const relation = reads.facts.relation(narrowing.by);
  const { pageId } = subject;
  // Names what is wrong with it: this relation has no clusterings.
  if (narrowing.clustering !== undefined) clusteringLevel(reads.facts, relation.name, narrowing.clustering);
  const near = { subject, pageId, own: () => blendableOf(reads, relation, pageId) };
  return andThen(pageFilter(reads, subject, narrowing), (filter) => {
    const isFiltered =
      arrangement(reads, relation, narrowing) !== null ||
      filter.accept !== null ||
      filter.copies !== null ||
      narrowing.max_per_site !== undefined;
    const isPlain = !isFiltered && narrowing.min_similarity === 0 && !narrowing.explain;
    const count = isPlain ? offset + narrowing.limit + 1 : undefined;
    return andThen(orderOf(reads.facts, relation, subject, narrowing), (order) =>
      andThen(storedCandidates(reads, relation, pageId, order, count), (candidates) =>
        nearestList({ reads, narrowing, offset }, relation, near, candidates, filter),
      ),
    );
  });
}

async function copiesOfPage({ reads, narrowing, offset }: ListAsk, subject: SubjectPage): Promise<FoundList> {
  const { source, asked } = await askedPage(reads, subject);
  return copyList(source, asked, narrowing, offset);
}

async function linkedWithPage(
  { reads, narrowing, offset }: ListAsk,
  subject: SubjectPage,
): Promise<FoundList> {
  const links = await linksOf({ reads, narrowing, offset }, subject.pageId);
  return linkedList({ reads, narrowing, offset }, subject, links);
}
