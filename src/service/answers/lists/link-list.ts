/** Lists by links: found live in the links between the pages of the index, for a page of it or for a posted document. */
import { companions } from '../../../join/links/companion.ts';
import {
  commonPages,
  type LinkGraph,
  type LinkRows,
  rowLength,
  rowOf,
} from '../../../join/links/link-graph.ts';
import { mostShared, type SharedLinks, SharedLinksSearch } from '../../../join/links/shared-links.ts';
import type { LinkRelation } from '../../../relations/relation.ts';
import { isByLinks, type RelationName, relationOf } from '../../../relations/relations.ts';
import type { Generation } from '../../held/generation.ts';
import { parameterProblem } from '../../http/problem.ts';
import type { Measure } from '../../schemas/fields.ts';
import type { WhyAnswer } from '../../schemas/list-answers.ts';
import type { Narrowing } from '../../schemas/list-parameters.ts';
import { clusteringLevel } from '../clusters/clustering.ts';
import { type FoundList, SelectedList } from './found-list.ts';
import { type PageFilter, pageFilter, type Subject } from './page-filter.ts';
import { type Candidates, selectNeighbors } from './selection.ts';

/** Pages that an answer names as reasons. */
const SHOWN_CITATIONS = 3;

/** What a list by links is made from. */
interface FoundLinks {
  readonly measure: Measure;
  readonly candidates: Candidates;
  /** Pages whose links relate a page of the list, those that tell most first. */
  citationsOf(pageId: number): readonly number[];
}

/** What is asked of, by its links: a page of the index, or a document. */
interface Asked {
  /** -1 for a document that is no page. */
  readonly pageId: number;
  /** Page ids, ascending, that it links to. */
  readonly targets: Uint32Array;
  /** How many are wanted at first. */
  readonly count: number;
}

const SEARCHES: Readonly<
  Record<LinkRelation['neighbors'], (generation: Generation, asked: Asked) => FoundLinks>
> = {
  'shared citers': sharingCiters,
  'shared targets': sharingTargets,
  'vicinity graph': aroundPage,
};

/** Those that can be asked about a document: nothing links to one that the index does not have. */
const OF_DOCUMENTS: readonly LinkRelation['neighbors'][] = ['shared targets'];

/** Errors  Problem `invalid-parameters` for a clustering: these relations have none. */
export function linkedList(
  generation: Generation,
  subject: Subject,
  links: FoundLinks,
  narrowing: Narrowing,
  offset: number,
): FoundList {
  if (narrowing.clustering !== undefined) clusteringLevel(generation, narrowing.by, narrowing.clustering);
  const filter = named(generation, pageFilter(generation, subject, narrowing));
  const selection = selectNeighbors(generation, links.candidates, filter, narrowing, offset);
  const why = narrowing.explain ? linkWhy(generation, links) : null;
  return new SelectedList(selection, subject, links.measure, why, narrowing.cards);
}

/** Links lead to pages of lost shards, too: what cannot be named is not listed. */
function named({ catalog, readsAhead }: Generation, filter: PageFilter): PageFilter {
  const { accept } = filter;
  if (!readsAhead) return filter;
  return { ...filter, accept: (pageId) => catalog.isNamed(pageId) && (accept === null || accept(pageId)) };
}

/** Errors  Problem `invalid-parameters` for `min_similarity` where there is no similarity. */
export function linksOf(
  generation: Generation,
  pageId: number,
  narrowing: Narrowing,
  offset: number,
  targets = rowOf(generation.links.out, pageId),
): FoundLinks {
  const { neighbors } = linkRelation(narrowing.by);
  const count = offset + narrowing.limit + 1;
  const found = SEARCHES[neighbors](generation, { pageId, targets, count });
  if (found.measure === 'score' && narrowing.min_similarity > 0) {
    const detail = `by=${narrowing.by} has scores, which are no similarities`;
    throw parameterProblem('min_similarity', detail, narrowing.min_similarity, 'left out');
  }
  return found;
}

/** Errors  Problem `invalid-parameters` for a relation that asks who links to the document. */
export function requireOfDocuments(by: RelationName): void {
  const relation = relationOf(by);
  if (!isByLinks(relation) || OF_DOCUMENTS.includes(relation.neighbors)) return;
  const detail =
    'goes by links to the page, and no page links to a document: ask for a page of the index by its url';
  throw parameterProblem('by', detail, by, 'another relation');
}

/** Errors  Problem `invalid-parameters`: lists by links compare with every page as they are. */
export function requireInexact(by: RelationName, exact: boolean): void {
  if (!exact || !isByLinks(relationOf(by))) return;
  throw parameterProblem('exact', `has no effect with by=${by}`, exact, 'left out');
}

/** Why a page of a list is there. */
function linkWhy({ catalog }: Generation, { citationsOf }: FoundLinks): (pageId: number) => string {
  return (pageId) => {
    const citations = citationsOf(pageId);
    const shown = citations.slice(0, SHOWN_CITATIONS).filter((id) => catalog.isNamed(id));
    const urls = shown.map((id) => urlOf(catalog.head(id)));
    const why: WhyAnswer = { citations: urls, citation_count: citations.length };
    return `,"why":${JSON.stringify(why)}`;
  };
}

function urlOf(head: string): string {
  return (JSON.parse(`{${head}}`) as { readonly url: string }).url;
}

function linkRelation(by: RelationName): LinkRelation {
  const relation = relationOf(by);
  if (!isByLinks(relation)) throw new Error(`${by} does not go by links`);
  return relation;
}

function sharingCiters(generation: Generation, { pageId, count }: Asked): FoundLinks {
  const { in: citers, out } = generation.links;
  const own = rowOf(citers, pageId);
  const found = searchOf(generation).byCiters(own, pageId);
  return sharing(found, own, count, (other) => rowOf(citers, other), out);
}

function sharingTargets(generation: Generation, { pageId, targets, count }: Asked): FoundLinks {
  const { in: citers, out } = generation.links;
  const found = searchOf(generation).byTargets(targets, pageId);
  return sharing(found, targets, count, (other) => rowOf(out, other), citers);
}

/** Links in common with pages that have few links of their own, in `rows`, say most about two pages and come first. */
function sharing(
  found: SharedLinks,
  own: Uint32Array,
  count: number,
  rowOfOther: (pageId: number) => Uint32Array,
  rows: LinkRows,
): FoundLinks {
  const nearest: Candidates['nearest'] = (most, accept) => {
    const { ids, ...figures } = mostShared(found, most, accept);
    return { ids, ...figures, start: 0, end: ids.length };
  };
  const stored = nearest(count, null);
  return {
    measure: found.isExact ? 'exact' : 'estimate',
    candidates: {
      stored,
      complete: stored.end === found.ids.length,
      nearest,
      hopeless: () => (own.length === 0 ? 'no_links' : null),
    },
    citationsOf: (other) =>
      commonPages(own, rowOfOther(other)).sort((a, b) => rowLength(rows, a) - rowLength(rows, b) || a - b),
  };
}

function aroundPage({ links, catalog }: Generation, { pageId }: Asked): FoundLinks {
  const { ids, scores, votersOf } = companions(links, pageId, (page) => catalog.site(page));
  const stored = { ids, shared: scores, total: scores.map(() => 1), start: 0, end: ids.length };
  const isAlone = rowLength(links.in, pageId) + rowLength(links.out, pageId) === 0;
  return {
    measure: 'score',
    candidates: {
      stored,
      complete: true,
      nearest: () => stored,
      hopeless: () => (isAlone ? 'no_links' : null),
    },
    citationsOf: votersOf,
  };
}

/** One a generation: it holds a number for each page. */
const searches = new WeakMap<LinkGraph, SharedLinksSearch>();

function searchOf({ links }: Generation): SharedLinksSearch {
  let search = searches.get(links);
  if (search === undefined) searches.set(links, (search = new SharedLinksSearch(links)));
  return search;
}
