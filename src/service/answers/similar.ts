import type { Bag } from '../../features/bag.ts';
import type { RelationRecord } from '../../store/records.ts';
import { siteOf } from '../../url/site.ts';
import type { NeighbourSpan } from '../catalog.ts';
import type { Generation } from '../generation.ts';
import type { Narrowing } from '../schemas/parameters.ts';
import { documentCandidates } from './candidates.ts';
import { clusterSummary } from './cluster.ts';
import { bagOfDocument, extractDocument, linkedPages, type PostedDocument } from './document.ts';
import { pageFilter, type Subject } from './page-filter.ts';
import { listJson, pageSubject, relatedTo } from './related.ts';
import { selectNeighbours } from './selection.ts';
import { topTerms } from './top-terms.ts';

const TERMS = 20;

/** The body of POST /similar for a document. Errors  Problem `relation-not-in-index`. */
export function similarToDocument(
  generation: Generation,
  document: PostedDocument,
  narrowing: Narrowing,
  offset: number,
  hash: string,
): string {
  // Searched live over the bags: exact whatever the profile, and a short document shares little with any page.
  const relation: RelationRecord = { ...generation.relation(narrowing.by), measure: 'exact', floor: 0 };
  const page = extractDocument(document);
  const bag = bagOfDocument(generation, relation, page);
  const pageId = document.url === null ? -1 : generation.catalog.find(document.url);
  const subject: Subject = {
    sameSite: sameSiteAs(generation, document.url),
    links: () => linkedPages(generation, page),
  };
  const candidates = documentCandidates(generation, relation, bag, pageId);
  const accept = pageFilter(generation, subject, narrowing);
  const selection = selectNeighbours(generation, candidates, accept, narrowing, offset);
  const head = `"url":${JSON.stringify(document.url)},"title":${JSON.stringify(page.title)}`;
  const list = listJson(
    generation,
    relation,
    subject,
    selection,
    narrowing,
    offset,
    hash,
    narrowing.explain ? bag : null,
  );
  const isNearestListed = accept === null && offset === 0 && selection.emptyReason === null;
  const nearest = isNearestListed ? selection.span : candidates.nearest(1, null);
  const cluster = clusterOfNearest(generation, relation, nearest);
  return `{${head}${list}${tail(generation, relation, bag, cluster)}}`;
}

/** The body of POST /similar for a page of the index, named by its URL. */
export function similarToPage(
  generation: Generation,
  pageId: number,
  narrowing: Narrowing,
  offset: number,
  hash: string,
): string {
  const relation = generation.relation(narrowing.by);
  const subject = pageSubject(generation, pageId);
  const selection = relatedTo(generation, relation, pageId, subject, narrowing, offset);
  const bag = generation.reader.bag(relation.id, pageId);
  const list = listJson(
    generation,
    relation,
    subject,
    selection,
    narrowing,
    offset,
    hash,
    narrowing.explain ? bag : null,
  );
  const own = generation.reader.clusters.ofPage(relation.id, pageId)[0];
  const cluster = own === undefined ? null : clusterSummary(generation, relation.name, own);
  return `{${generation.catalog.head(pageId)}${list}${tail(generation, relation, bag, cluster)}}`;
}

function tail(generation: Generation, relation: RelationRecord, bag: Bag, cluster: object | null): string {
  const terms = JSON.stringify(topTerms(generation, relation, bag, TERMS));
  return `,"terms":${terms},"cluster":${JSON.stringify(cluster)}`;
}

function sameSiteAs(generation: Generation, url: string | null): (pageId: number) => boolean {
  if (url === null) return () => false;
  const site = siteOf(url);
  return (pageId) => generation.reader.page(pageId).site === site;
}

/** The finest cluster of the nearest page, where that is as near as clusters ask their members to be. */
function clusterOfNearest(
  generation: Generation,
  relation: RelationRecord,
  { ids, shared, total, start, end }: NeighbourSpan,
): object | null {
  const least = generation.card.parameters['cluster_similarity'];
  if (start === end || shared[start]! < (typeof least === 'number' ? least : 0.2) * total[start]!)
    return null;
  const cluster = generation.reader.clusters.ofPage(relation.id, ids[start]!)[0];
  return cluster === undefined ? null : clusterSummary(generation, relation.name, cluster);
}
