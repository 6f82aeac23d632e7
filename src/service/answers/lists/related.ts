/** The lists of a page of the index: the body of GET /related. */
import { NO_BAG } from '../../../features/bag.ts';
import { allOf } from '../../../join/pairs/neighbor-span.ts';
import { NO_NEIGHBORS } from '../../../join/pairs/neighbor-table.ts';
import { andThen, type OrLater } from '../../../lib/or-later.ts';
import type { Relation } from '../../../relations/relation.ts';
import { relationOf } from '../../../relations/relations.ts';
import { siteOf } from '../../../url/site.ts';
import { blendableOf, NO_VECTOR } from '../../reads/blended-search.ts';
import type { Reads } from '../../reads/reads.ts';
import type { RelatedAnswer } from '../../schemas/answers/list-answers.ts';
import type { Narrowing } from '../../schemas/parameters/list-parameters.ts';
import { clusteringLevel } from '../clusters/clustering.ts';
import { storedCandidates } from './candidates.ts';
import { askedPage, copyList } from './copy-list.ts';
import { featureList } from './feature-list.ts';
import { type FoundList, listAnswer, selectedList } from './found-list.ts';
import { linkedList, linksOf } from './link-list.ts';
import { besideList } from './list-facets.ts';
import { nearestList } from './nearest-list.ts';
import { arrangement } from './selection/arrangement.ts';
import { pageFilter, type Subject, type SubjectPage, subjectPage } from './selection/page-filter.ts';
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
export function pageList(
  reads: Reads,
  subject: SubjectPage,
  narrowing: Narrowing,
  offset: number,
): OrLater<FoundList> {
  return PAGE_LISTS[relationOf(narrowing.by).neighbors](reads, subject, narrowing, offset);
}

/** The answer for a URL that is not in the index, where that is no error; `hash` as for `listAnswer`. */
export async function missingAnswer(
  reads: Reads,
  url: string,
  narrowing: Narrowing,
  offset: number,
  hash: string,
): Promise<RelatedAnswer> {
  const site = siteOf(url);
  const subject: Subject = {
    url,
    siteId: await reads.siteId(site),
    site: async () => site,
    lang: async () => null,
    fields: async () => ({}),
    publishedAt: async () => null,
    links: async () => new Uint32Array(0),
    isGone: () => false,
    twins: async () => [],
  };
  const list = await missingList(reads, subject, narrowing, offset);
  const beside = await besideList(reads, subject, narrowing, (whole) =>
    missingList(reads, subject, whole, 0),
  );
  return { url, title: '', ...listAnswer(reads.facts, list, narrowing, offset, hash), ...beside };
}

/** What stands in a list without a neighbor: pages that rules put first, and those that fill it up. */
async function missingList(
  reads: Reads,
  subject: Subject,
  narrowing: Narrowing,
  offset: number,
): Promise<FoundList> {
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
    return nearestList(reads, reads.facts.relation(narrowing.by), near, none, narrowing, offset);
  }
  const filter = await pageFilter(reads, subject, narrowing);
  const selection = await selectNeighbors(reads, none, filter, narrowing, offset);
  return selectedList(reads, selection, subject, 'exact', null, narrowing);
}

/** Errors  as `pageList`; `hash` as for `listAnswer`. */
export function relatedAnswer(
  reads: Reads,
  pageId: number,
  narrowing: Narrowing,
  offset: number,
  hash: string,
): OrLater<RelatedAnswer> {
  return andThen(subjectPage(reads, pageId), (subject) =>
    andThen(pageList(reads, subject, narrowing, offset), (list) => {
      const listOf = (whole: Narrowing) => pageList(reads, subject, whole, 0);
      return andThen(besideList(reads, subject, narrowing, listOf), (beside) => {
        const { url, title } = subject;
        return { url, title, ...listAnswer(reads.facts, list, narrowing, offset, hash), ...beside };
      });
    }),
  );
}

function nearestToPage(
  reads: Reads,
  subject: SubjectPage,
  narrowing: Narrowing,
  offset: number,
): OrLater<FoundList> {
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
        nearestList(reads, relation, near, candidates, narrowing, offset, filter),
      ),
    );
  });
}

async function copiesOfPage(
  reads: Reads,
  subject: SubjectPage,
  narrowing: Narrowing,
  offset: number,
): Promise<FoundList> {
  const { source, asked } = await askedPage(reads, subject);
  return copyList(source, asked, narrowing, offset);
}

async function linkedWithPage(
  reads: Reads,
  subject: SubjectPage,
  narrowing: Narrowing,
  offset: number,
): Promise<FoundList> {
  const links = await linksOf(reads, subject.pageId, narrowing, offset);
  return linkedList(reads, subject, links, narrowing, offset);
}
