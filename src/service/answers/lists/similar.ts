import type { Bag } from '../../../features/bag.ts';
import type { NeighborSpan } from '../../../join/pairs/neighbor-table.ts';
import type { ExtractedPage } from '../../../page/extracted-page.ts';
import type { Relation } from '../../../relations/relation.ts';
import { isByLinks, relationOf } from '../../../relations/relations.ts';
import type { RelationRecord } from '../../../store/records.ts';
import type { Generation } from '../../held/generation.ts';
import { beginAnswer, type JsonWriter } from '../../http/json-writer.ts';
import type { TermAnswer } from '../../schemas/list-answers.ts';
import type { Narrowing, SimilarQuery } from '../../schemas/list-parameters.ts';
import { clusterSummary } from '../clusters/cluster.ts';
import { clusterAt } from '../copies/cluster-copies.ts';
import { copySource } from '../copies/copy-source.ts';
import { documentWording } from '../copies/wording.ts';
import { bagOfDocument, extractDocument, type PostedDocument, weighDocument } from '../documents/document.ts';
import { topTerms } from '../pages/terms.ts';
import { documentCandidates, storedCandidates } from './candidates.ts';
import { askedPage, copyList } from './copy-list.ts';
import { documentSubject } from './document-subject.ts';
import { type FoundList, SelectedList, writeList } from './found-list.ts';
import { linkedList, linksOf, requireOfDocuments } from './link-list.ts';
import { pageFilter, pageSubject, type Subject } from './page-filter.ts';
import { bySimilarity, explain } from './rank.ts';
import { pageList } from './related.ts';
import { type Candidates, selectNeighbors } from './selection.ts';

const TERMS = 20;

/** Lists that compare with every page, by how the neighbors of the relation are found. */
const SEARCHES: Readonly<
  Record<Relation['neighbors'], { document: typeof searchForDocument; page: typeof pageList }>
> = {
  'nearest bags': { document: nearestToDocument, page: exactNearest },
  'shared shingles': { document: copiesOfDocument, page: exactCopies },
  'shared citers': { document: linkedWithDocument, page: pageList },
  'shared targets': { document: linkedWithDocument, page: pageList },
  'vicinity graph': { document: linkedWithDocument, page: pageList },
};

/** What was found for a document. */
interface DocumentSearch {
  readonly page: ExtractedPage;
  readonly list: FoundList;
  readonly terms: readonly TermAnswer[];
  readonly cluster: object | null;
}

/** The body of POST /similar for a document. Errors  Problem `relation-not-in-index`. */
export function similarToDocument(
  generation: Generation,
  document: PostedDocument,
  narrowing: SimilarQuery,
  offset: number,
  hash: string,
): string {
  const { page, list, terms, cluster } = searchForDocument(generation, document, narrowing, offset);
  const head = `{"url":${JSON.stringify(document.url)},"title":${JSON.stringify(page.title)}`;
  const json = beginAnswer().text(head);
  writeList(json, generation, list, narrowing, offset, hash);
  return end(json, terms, cluster);
}

function searchForDocument(
  generation: Generation,
  document: PostedDocument,
  narrowing: SimilarQuery,
  offset: number,
): DocumentSearch {
  const { document: search } = SEARCHES[relationOf(narrowing.by).neighbors];
  return search(generation, document, narrowing, offset);
}

function nearestToDocument(
  generation: Generation,
  document: PostedDocument,
  narrowing: SimilarQuery,
  offset: number,
): DocumentSearch {
  const relation = exactRelation(generation, narrowing);
  const page = extractDocument(document);
  const { subject, pageId } = documentSubject(generation, document, page);
  const { bag, wordCount } = weighDocument(generation, relation, page, pageId, document.features);
  const candidates = documentCandidates(generation, relation, bag, wordCount, pageId, narrowing);
  const nearest = bySimilarity(candidates.stored);
  return {
    page,
    list: nearestList(generation, relation, bag, subject, pageId, candidates, narrowing, offset),
    terms: topTerms(generation, relation, bag, TERMS),
    cluster: clusterOfNearest(generation, relation, nearest, leastOfCluster(generation)),
  };
}

/** What of the index has its wording. */
function copiesOfDocument(
  generation: Generation,
  document: PostedDocument,
  narrowing: SimilarQuery,
  offset: number,
): DocumentSearch {
  const source = copySource(generation);
  const page = extractDocument(document);
  const { subject, pageId } = documentSubject(generation, document, page);
  const wording = documentWording(source, page, document.url);
  const asked = { wording, pageId, subject, exact: narrowing.exact };
  const list = copyList(generation, source, asked, narrowing, offset);
  const nearest = offset === 0 ? list.items[0] : undefined;
  const isNear = nearest !== undefined && nearest.figures.resemblance.value >= source.relation.floor;
  const cluster = isNear ? clusterOf(generation, source.relation, nearest.pageId) : null;
  return { page, list, terms: termsOfDocument(generation, document, page, pageId), cluster };
}

/** What links to the same pages as it does. Errors  Problem `invalid-parameters` for who links to it. */
function linkedWithDocument(
  generation: Generation,
  document: PostedDocument,
  narrowing: SimilarQuery,
  offset: number,
): DocumentSearch {
  requireOfDocuments(narrowing.by);
  const page = extractDocument(document);
  const { subject, pageId } = documentSubject(generation, document, page);
  const targets = subject.links().filter((target) => target !== pageId);
  const links = linksOf(generation, pageId, narrowing, offset, targets);
  const list = linkedList(generation, subject, links, narrowing, offset);
  return { page, list, terms: termsOfDocument(generation, document, page, pageId), cluster: null };
}

function termsOfDocument(
  generation: Generation,
  { features }: PostedDocument,
  page: ExtractedPage,
  pageId: number,
): TermAnswer[] {
  const { words } = generation;
  if (words === undefined) return [];
  return topTerms(generation, words, bagOfDocument(generation, words, page, pageId, features), TERMS);
}

/** The body of POST /similar for a page of the index, named by its URL. */
export function similarToPage(
  generation: Generation,
  pageId: number,
  narrowing: SimilarQuery,
  offset: number,
  hash: string,
): string {
  const relation = relationOf(narrowing.by);
  const search = narrowing.exact ? SEARCHES[relation.neighbors].page : pageList;
  const list = search(generation, pageId, narrowing, offset);
  const json = beginAnswer().text('{');
  generation.catalog.writeHead(json, pageId);
  writeList(json, generation, list, narrowing, offset, hash);
  const { words } = generation;
  const terms =
    words === undefined ? [] : topTerms(generation, words, generation.reader.bag(words.id, pageId), TERMS);
  const isClustered = !isByLinks(relation);
  const cluster = isClustered ? clusterOf(generation, generation.relation(narrowing.by), pageId) : null;
  return end(json, terms, cluster);
}

function exactCopies(
  generation: Generation,
  pageId: number,
  narrowing: Narrowing,
  offset: number,
): FoundList {
  const { source, asked } = askedPage(generation, pageId, pageSubject(generation, pageId), true);
  return copyList(generation, source, asked, narrowing, offset);
}

function exactNearest(
  generation: Generation,
  pageId: number,
  narrowing: Narrowing,
  offset: number,
): FoundList {
  const subject = pageSubject(generation, pageId);
  const relation = exactRelation(generation, narrowing);
  const bag = generation.reader.bag(relation.id, pageId);
  const { hopeless } = storedCandidates(generation, relation, pageId, narrowing);
  const searched = documentCandidates(generation, relation, bag, bag.features.length, pageId, {
    rank: narrowing.rank,
    exact: true,
  });
  const candidates = { ...searched, hopeless };
  return nearestList(generation, relation, bag, subject, pageId, candidates, narrowing, offset);
}

/** Searched live over the bags: exact whatever the profile. */
function exactRelation(generation: Generation, { by }: Narrowing): RelationRecord {
  return { ...generation.relation(by), measure: 'exact' };
}

/** A list of those nearest to a bag; `pageId` is -1 for a document that is no page. */
function nearestList(
  generation: Generation,
  relation: RelationRecord,
  bag: Bag,
  subject: Subject,
  pageId: number,
  candidates: Candidates,
  narrowing: Narrowing,
  offset: number,
): FoundList {
  const filter = pageFilter(generation, subject, narrowing);
  const selection = selectNeighbors(generation, candidates, filter, narrowing, offset);
  const why = narrowing.explain ? explain(generation, relation, bag, candidates.stored, pageId) : null;
  return new SelectedList(selection, subject, relation.measure, why, narrowing.cards);
}

function end(json: JsonWriter, terms: readonly TermAnswer[], cluster: object | null): string {
  const ending = `,"terms":${JSON.stringify(terms)},"cluster":${JSON.stringify(cluster)}}`;
  return json.text(ending).toString();
}

/** The finest cluster of the nearest page, where that is as near as clusters ask their members to be. */
function clusterOfNearest(
  generation: Generation,
  relation: RelationRecord,
  { ids, shared, total, start, end }: NeighborSpan,
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
