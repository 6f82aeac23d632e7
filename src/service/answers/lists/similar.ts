import type { Bag } from '../../../features/bag.ts';
import type { NeighbourSpan } from '../../../join/pairs/neighbour-table.ts';
import type { ExtractedPage } from '../../../page/extracted-page.ts';
import { COPY } from '../../../relations/copy.ts';
import type { Relation } from '../../../relations/relation.ts';
import { isByLinks, relationOf } from '../../../relations/relations.ts';
import type { RelationRecord } from '../../../store/records.ts';
import { siteOf } from '../../../url/site.ts';
import type { Generation } from '../../held/generation.ts';
import { beginAnswer, type JsonWriter } from '../../http/json-writer.ts';
import type { TermAnswer } from '../../schemas/list-answers.ts';
import type { SimilarQuery } from '../../schemas/parameters.ts';
import { clusterSummary } from '../clusters/cluster.ts';
import { clusterAt } from '../copies/cluster-copies.ts';
import { copiesOfWording } from '../copies/copy-search.ts';
import { copySource } from '../copies/copy-source.ts';
import { NEAR_COPY } from '../copies/near-copies.ts';
import { documentWording } from '../copies/wording.ts';
import {
  bagOfDocument,
  extractDocument,
  linkedPages,
  type PostedDocument,
  weighDocument,
} from '../documents/document.ts';
import { topTerms } from '../pages/terms.ts';
import { documentCandidates, storedCandidates } from './candidates.ts';
import { askedPage } from './copy-list.ts';
import { linkList, requireOfDocuments } from './link-list.ts';
import { pageFilter, type Subject } from './page-filter.ts';
import { bySimilarity } from './rank.ts';
import {
  explain,
  pageSubject,
  writeCopyList,
  writeItems,
  writeLinkList,
  writeList,
  writePageList,
} from './related.ts';
import { selectNeighbours } from './selection.ts';

const TERMS = 20;

/** Answers and lists that compare with every page, by how the neighbours of the relation are found. */
const SEARCHES: Readonly<
  Record<Relation['neighbours'], { document: typeof similarToDocument; page: typeof writeExactList }>
> = {
  'nearest bags': { document: nearestToDocument, page: writeExactNearest },
  'shared shingles': { document: copiesOfDocument, page: writeExactCopies },
  'shared citers': { document: linkedWithDocument, page: writePageList },
  'shared targets': { document: linkedWithDocument, page: writePageList },
  'vicinity graph': { document: linkedWithDocument, page: writePageList },
};

/** The body of POST /similar for a document. Errors  Problem `relation-not-in-index`. */
export function similarToDocument(
  generation: Generation,
  document: PostedDocument,
  narrowing: SimilarQuery,
  offset: number,
  hash: string,
): string {
  const { document: answer } = SEARCHES[relationOf(narrowing.by).neighbours];
  return answer(generation, document, narrowing, offset, hash);
}

function nearestToDocument(
  generation: Generation,
  document: PostedDocument,
  narrowing: SimilarQuery,
  offset: number,
  hash: string,
): string {
  // Searched live over the bags: exact whatever the profile.
  const relation: RelationRecord = { ...generation.relation(narrowing.by), measure: 'exact' };
  const page = extractDocument(document);
  const { subject, pageId } = documentSubject(generation, document, page);
  const { bag, wordCount } = weighDocument(generation, relation, page, pageId);
  const candidates = documentCandidates(generation, relation, bag, wordCount, pageId, narrowing);
  const filter = pageFilter(generation, subject, narrowing);
  const selection = selectNeighbours(generation, candidates, filter, narrowing, offset);
  const whys = narrowing.explain ? explain(generation, relation, bag, candidates.stored, pageId) : null;
  const json = beginDocument(document, page);
  writeList(json, generation, relation, selection, narrowing, offset, hash, () =>
    writeItems(json, generation, relation, subject, selection.span, whys, narrowing.cards),
  );
  const nearest = bySimilarity(candidates.stored);
  const cluster = clusterOfNearest(generation, relation, nearest, leastOfCluster(generation));
  return end(json, generation, relation, bag, cluster);
}

/** What of the index has its wording. */
function copiesOfDocument(
  generation: Generation,
  document: PostedDocument,
  narrowing: SimilarQuery,
  offset: number,
  hash: string,
): string {
  const source = copySource(generation);
  const page = extractDocument(document);
  const { subject, pageId } = documentSubject(generation, document, page);
  const wording = documentWording(source, page, document.url);
  const asked = { wording, pageId, subject, exact: narrowing.exact };
  const json = beginDocument(document, page);
  const { items } = writeCopyList(json, generation, source, asked, narrowing, offset, hash);
  const nearest = offset === 0 ? items[0] : undefined;
  const isNear = nearest !== undefined && nearest.figures.resemblance.value >= source.relation.floor;
  const cluster = isNear ? clusterOf(generation, source.relation, nearest.pageId) : null;
  return endWith(json, termsOfDocument(generation, page, pageId), cluster);
}

/** What links to the same pages as it does. Errors  Problem `invalid-parameters` for who links to it. */
function linkedWithDocument(
  generation: Generation,
  document: PostedDocument,
  narrowing: SimilarQuery,
  offset: number,
  hash: string,
): string {
  requireOfDocuments(narrowing.by);
  const page = extractDocument(document);
  const { subject, pageId } = documentSubject(generation, document, page);
  const targets = subject.links().filter((target) => target !== pageId);
  const list = linkList(generation, pageId, narrowing, offset, targets);
  const terms = termsOfDocument(generation, page, pageId);
  const json = beginDocument(document, page);
  writeLinkList(json, generation, subject, list, narrowing, offset, hash);
  return endWith(json, terms, null);
}

function termsOfDocument(generation: Generation, page: ExtractedPage, pageId: number): TermAnswer[] {
  const { words } = generation;
  if (words === undefined) return [];
  return topTerms(generation, words, bagOfDocument(generation, words, page, pageId), TERMS);
}

/** A posted document as the one whose neighbours are listed, and the page it is known as, -1 for none. */
function documentSubject(generation: Generation, { url }: PostedDocument, page: ExtractedPage) {
  const pageId = url === null ? -1 : generation.catalog.find(url);
  const subject: Subject = {
    sameSite: sameSiteAs(generation, url),
    links: () => linkedPages(generation, page),
    twins: () => twinsOfDocument(generation, page, url, pageId),
  };
  return { subject, pageId };
}

/** The page that a document is known as, and those that have its wording now. */
function twinsOfDocument(
  generation: Generation,
  page: ExtractedPage,
  url: string | null,
  pageId: number,
): number[] {
  const twins = pageId < 0 ? [] : [pageId];
  if (!generation.holds(COPY.name)) return twins;
  const source = copySource(generation);
  const wording = documentWording(source, page, url);
  const { span } = copiesOfWording(generation, source, wording, { skip: pageId, accept: null, exact: false });
  for (let at = span.start; at < span.end; at++) {
    if (span.shared[at]! < NEAR_COPY * span.total[at]!) break;
    twins.push(span.ids[at]!);
  }
  return twins;
}

/** The body of POST /similar for a page of the index, named by its URL. */
export function similarToPage(
  generation: Generation,
  pageId: number,
  narrowing: SimilarQuery,
  offset: number,
  hash: string,
): string {
  const json = beginAnswer().text('{');
  generation.catalog.writeHead(json, pageId);
  if (narrowing.exact) writeExactList(json, generation, pageId, narrowing, offset, hash);
  else writePageList(json, generation, pageId, narrowing, offset, hash);
  const { words } = generation;
  const terms =
    words === undefined ? [] : topTerms(generation, words, generation.reader.bag(words.id, pageId), TERMS);
  const isClustered = !isByLinks(relationOf(narrowing.by));
  const cluster = isClustered ? clusterOf(generation, generation.relation(narrowing.by), pageId) : null;
  return endWith(json, terms, cluster);
}

/** The list of a page as if nothing were stored: compared with every page. */
function writeExactList(
  json: JsonWriter,
  generation: Generation,
  pageId: number,
  narrowing: SimilarQuery,
  offset: number,
  hash: string,
): void {
  const { page: write } = SEARCHES[relationOf(narrowing.by).neighbours];
  write(json, generation, pageId, narrowing, offset, hash);
}

function writeExactCopies(
  json: JsonWriter,
  generation: Generation,
  pageId: number,
  narrowing: SimilarQuery,
  offset: number,
  hash: string,
): void {
  const { source, asked } = askedPage(generation, pageId, pageSubject(generation, pageId), true);
  writeCopyList(json, generation, source, asked, narrowing, offset, hash);
}

function writeExactNearest(
  json: JsonWriter,
  generation: Generation,
  pageId: number,
  narrowing: SimilarQuery,
  offset: number,
  hash: string,
): void {
  const subject = pageSubject(generation, pageId);
  const relation: RelationRecord = { ...generation.relation(narrowing.by), measure: 'exact' };
  const bag = generation.reader.bag(relation.id, pageId);
  const { hopeless } = storedCandidates(generation, relation, pageId, narrowing);
  const searched = documentCandidates(generation, relation, bag, bag.features.length, pageId, {
    rank: narrowing.rank,
    exact: true,
  });
  const candidates = { ...searched, hopeless };
  const filter = pageFilter(generation, subject, narrowing);
  const whys = narrowing.explain ? explain(generation, relation, bag, candidates.stored, pageId) : null;
  const { span, ...ends } = selectNeighbours(generation, candidates, filter, narrowing, offset);
  writeList(json, generation, relation, ends, narrowing, offset, hash, () =>
    writeItems(json, generation, relation, subject, span, whys, narrowing.cards),
  );
}

function beginDocument(document: PostedDocument, page: ExtractedPage): JsonWriter {
  return beginAnswer().text(`{"url":${JSON.stringify(document.url)},"title":${JSON.stringify(page.title)}`);
}

function end(
  json: JsonWriter,
  generation: Generation,
  relation: RelationRecord,
  bag: Bag,
  cluster: object | null,
): string {
  return endWith(json, topTerms(generation, relation, bag, TERMS), cluster);
}

function endWith(json: JsonWriter, terms: readonly TermAnswer[], cluster: object | null): string {
  const ending = `,"terms":${JSON.stringify(terms)},"cluster":${JSON.stringify(cluster)}}`;
  return json.text(ending).toString();
}

function sameSiteAs({ catalog, reader }: Generation, url: string | null): (pageId: number) => boolean {
  if (url === null) return () => false;
  const site = reader.findSite(siteOf(url));
  return (pageId) => catalog.site(pageId) === site;
}

/** The finest cluster of the nearest page, where that is as near as clusters ask their members to be. */
function clusterOfNearest(
  generation: Generation,
  relation: RelationRecord,
  { ids, shared, total, start, end }: NeighbourSpan,
  least: number,
): object | null {
  if (start === end || shared[start]! < least * total[start]!) return null;
  return clusterOf(generation, relation, ids[start]!);
}

/** The finest cluster of a page; null where it is in none. */
function clusterOf(generation: Generation, relation: RelationRecord, pageId: number): object | null {
  const cluster = clusterAt(generation.reader.clusters.ofPage(relation.id, pageId), 0);
  return cluster === undefined ? null : clusterSummary(generation, relation.name, cluster);
}

function leastOfCluster({ card }: Generation): number {
  const least = card.parameters['cluster_similarity'];
  return typeof least === 'number' ? least : 0.2;
}
