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
import { vicinity } from '../../../join/links/vicinity.ts';
import { allOf, kept } from '../../../join/pairs/neighbor-span.ts';
import type { NeighborSpan } from '../../../join/pairs/neighbor-table.ts';
import { keptIn } from '../../../lib/kept.ts';
import type { LinkRelation } from '../../../relations/relation.ts';
import { isByLinks, type RelationName, relationOf } from '../../../relations/relations.ts';
import { parameterProblem } from '../../http/problems/problem.ts';
import type { Accept } from '../../reads/accept.ts';
import { isNamed, type Reads, urlsOf } from '../../reads/reads.ts';
import type { Measure } from '../../schemas/fields.ts';
import { clusteringLevel } from '../clusters/clustering.ts';
import { type FoundList, selectedList } from './found-list.ts';
import type { ListAsk } from './selection/list-ask.ts';
import { type PageFilter, pageFilter, type Subject } from './selection/page-filter.ts';
import type { Why } from './selection/rank.ts';
import { type Candidates, selectNeighbors } from './selection/selection.ts';

/** Pages that an answer names as reasons. */
const SHOWN_CITATIONS = 3;

/** Of a node of the vicinity graph: merged, and in each round of the votes. */
const NODE_US = 10;

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
  Record<LinkRelation['neighbors'], (reads: Reads, links: LinkGraph, asked: Asked) => Promise<FoundLinks>>
> = {
  'shared citers': sharingCiters,
  'shared targets': sharingTargets,
  'vicinity graph': aroundPage,
};

/** Those that can be asked about a document: nothing links to one that the index does not have. */
const OF_DOCUMENTS: readonly LinkRelation['neighbors'][] = ['shared targets'];

/** Errors  Problem `invalid-parameters` for a clustering: these relations have none. */
export async function linkedList(
  { reads, narrowing, offset }: ListAsk,
  subject: Subject,
  links: FoundLinks,
): Promise<FoundList> {
  if (narrowing.clustering !== undefined) clusteringLevel(reads.facts, narrowing.by, narrowing.clustering);
  const isGone = reads.goneIn(await reads.linkGraph());
  const filter = listed(reads, isGone, await pageFilter(reads, subject, narrowing));
  const hopeless = async () => ((await subject.isGone()) ? 'gone' : links.candidates.hopeless());
  const candidates = { ...links.candidates, hopeless };
  const selection = await selectNeighbors({ reads, narrowing, offset }, candidates, filter);
  const why = narrowing.explain ? linkWhy(reads, links) : null;
  return selectedList(reads, selection, subject, links.measure, why, narrowing);
}

/** Links lead to pages of lost shards, and to pages that are gone, too: they are not listed. */
function listed(reads: Reads, isGone: Accept | null, filter: PageFilter): PageFilter {
  if (reads.namesAll && isGone === null) return filter;
  const accept: PageFilter['accept'] = async (pageIds) => {
    const [heads, passes] = await Promise.all([reads.heads(pageIds), filter.accept?.(pageIds)]);
    return heads.map((head, i) => isNamed(head) && isGone?.(pageIds[i]!) !== true && passes?.[i] !== false);
  };
  return { ...filter, accept };
}

/** Errors  Problem `invalid-parameters` for `min_similarity` where there is no similarity. */
export async function linksOf(
  { reads, narrowing, offset }: ListAsk,
  pageId: number,
  targets?: Uint32Array,
): Promise<FoundLinks> {
  const { neighbors } = linkRelation(narrowing.by);
  reads.facts.require(narrowing.by);
  const links = await reads.linkGraph();
  const count = offset + narrowing.limit + 1;
  const asked = { pageId, targets: targets ?? rowOf(links.out, pageId), count };
  const found = await SEARCHES[neighbors](reads, links, asked);
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

/** Errors  Problem `invalid-parameters`: lists by links or own features are of every page as they are. */
export function requireInexact(by: RelationName, exact: boolean): void {
  if (!exact || !['links', 'own'].includes(relationOf(by).features)) return;
  throw parameterProblem('exact', `has no effect with by=${by}`, exact, 'left out');
}

/** Why a page of a list is there. */
function linkWhy(reads: Reads, { citationsOf }: FoundLinks): Why {
  return async (pageId) => {
    const citations = citationsOf(pageId);
    const urls = await urlsOf(reads, citations.slice(0, SHOWN_CITATIONS));
    return { why: { citations: urls, citation_count: citations.length } };
  };
}

function linkRelation(by: RelationName): LinkRelation {
  const relation = relationOf(by);
  if (!isByLinks(relation)) throw new Error(`${by} does not go by links`);
  return relation;
}

async function sharingCiters(_reads: Reads, links: LinkGraph, { pageId, count }: Asked): Promise<FoundLinks> {
  const { in: citers, out } = links;
  const own = rowOf(citers, pageId);
  const found = searchOf(links).byCiters(own, pageId);
  return sharing(found, own, count, (other) => rowOf(citers, other), out);
}

async function sharingTargets(
  _reads: Reads,
  links: LinkGraph,
  { pageId, targets, count }: Asked,
): Promise<FoundLinks> {
  const { in: citers, out } = links;
  const found = searchOf(links).byTargets(targets, pageId);
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
  const best = (most: number) => allOf(mostShared(found, most, null));
  const stored = best(count);
  return {
    measure: found.isExact ? 'exact' : 'estimate',
    candidates: {
      stored,
      complete: stored.end === found.ids.length,
      nearest: (most, { accept }) => nearestPassing(best, found.ids.length, most, accept),
      hopeless: async () => (own.length === 0 ? 'no_links' : null),
    },
    citationsOf: (other) =>
      commonPages(own, rowOfOther(other)).sort((a, b) => rowLength(rows, a) - rowLength(rows, b) || a - b),
  };
}

/** The first `most` of the `total` best that pass. */
async function nearestPassing(
  best: (most: number) => NeighborSpan,
  total: number,
  most: number,
  accept: PageFilter['accept'],
): Promise<NeighborSpan> {
  if (accept === null) return best(most);
  for (let looked = 2 * most; ; looked *= 4) {
    const list = best(looked);
    const passes = await accept(list.ids);
    const passing = kept(list, (at) => passes[at]!);
    if (passing.end >= most || looked >= total) return { ...passing, end: Math.min(most, passing.end) };
  }
}

async function aroundPage(reads: Reads, links: LinkGraph, { pageId }: Asked): Promise<FoundLinks> {
  const nodes = vicinity(links, pageId);
  reads.work.spend(nodes.length * NODE_US);
  const heads = await reads.heads(nodes);
  const sites = new Map(heads.map(({ siteId }, i) => [nodes[i]!, siteId]));
  const { ids, scores, votersOf } = companions(links, pageId, (page) => sites.get(page)!);
  const stored = { ids, shared: scores, total: scores.map(() => 1), start: 0, end: ids.length };
  const isAlone = rowLength(links.in, pageId) + rowLength(links.out, pageId) === 0;
  return {
    measure: 'score',
    candidates: {
      stored,
      complete: true,
      nearest: async () => stored,
      hopeless: async () => (isAlone ? 'no_links' : null),
    },
    citationsOf: votersOf,
  };
}

/** One a generation: it holds a number for each page. */
const searches = new WeakMap<LinkGraph, SharedLinksSearch>();
const searchOf = (links: LinkGraph) => keptIn(searches, links, () => new SharedLinksSearch(links));
