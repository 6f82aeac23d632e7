import type { Bag } from '../../features/bag.ts';
import type { ExtractedPage } from '../../page/extracted-page.ts';
import { sketchText } from '../../sketch/shingle-sketch.ts';
import type { RelationRecord } from '../../store/records.ts';
import { siteOf } from '../../url/site.ts';
import type { NeighbourSpan } from '../held/catalog.ts';
import type { Generation } from '../held/generation.ts';
import { beginAnswer, type JsonWriter } from '../http/json-writer.ts';
import type { Narrowing, SimilarQuery } from '../schemas/parameters.ts';
import { documentCandidates, documentCopies, storedCandidates } from './candidates.ts';
import { clusterSummary } from './cluster.ts';
import { clusterAt } from './cluster-copies.ts';
import { writeCopyItems } from './copy-items.ts';
import { copySource, currentText } from './copy-source.ts';
import {
  bagOfDocument,
  extractDocument,
  linkedPages,
  type PostedDocument,
  weighDocument,
} from './document.ts';
import { pageFilter, type Subject } from './page-filter.ts';
import { pageSubject, writeItems, writeList, writePageItems } from './related.ts';
import { selectNeighbours } from './selection.ts';
import { topTerms } from './terms.ts';

const TERMS = 20;

/** The body of POST /similar for a document. Errors  Problem `relation-not-in-index`. */
export function similarToDocument(
  generation: Generation,
  document: PostedDocument,
  narrowing: SimilarQuery,
  offset: number,
  hash: string,
): string {
  if (narrowing.by === 'copy') return copiesOfDocument(generation, document, narrowing, offset, hash);
  // Searched live over the bags: exact whatever the profile.
  const relation: RelationRecord = { ...generation.relation(narrowing.by), measure: 'exact' };
  const page = extractDocument(document);
  const { bag, wordCount } = weighDocument(generation, relation, page);
  const { subject, pageId } = documentSubject(generation, document, page);
  const candidates = documentCandidates(generation, relation, bag, wordCount, pageId, narrowing.exact);
  const accept = pageFilter(generation, subject, narrowing);
  const selection = selectNeighbours(generation, candidates, accept, narrowing, offset);
  const json = beginDocument(document, page);
  writeList(json, generation, relation, selection, narrowing, offset, hash, () =>
    writeItems(json, generation, relation, subject, selection.span, narrowing.explain ? bag : null),
  );
  const isNearestListed = accept === null && offset === 0 && selection.emptyReason === null;
  const nearest = isNearestListed ? selection.span : candidates.nearest(1, null);
  const cluster = clusterOfNearest(generation, relation, nearest, leastOfCluster(generation));
  return end(json, generation, relation, bag, cluster);
}

/** The same for `by=copy`: what of the index has its wording. */
function copiesOfDocument(
  generation: Generation,
  document: PostedDocument,
  narrowing: Narrowing,
  offset: number,
  hash: string,
): string {
  const source = copySource(generation);
  const { relation } = source;
  const page = extractDocument(document);
  const sketch = sketchText(page.text, source.options);
  const { subject, pageId } = documentSubject(generation, document, page);
  const candidates = documentCopies(source, sketch, pageId);
  const accept = pageFilter(generation, subject, narrowing);
  const selection = selectNeighbours(generation, candidates, accept, narrowing, offset);
  const asked = { sketch, shingleDigest: null, simhash: null };
  const json = beginDocument(document, page);
  writeList(json, generation, relation, selection, narrowing, offset, hash, () =>
    writeCopyItems(json, generation, subject, selection.span, asked, (id) => currentText(source, id)),
  );
  const cluster = clusterOfNearest(generation, relation, candidates.stored, relation.floor);
  const topic = topicOf(generation);
  const bag = topic === undefined ? NO_WORDS : bagOfDocument(generation, topic, page);
  return end(json, generation, topic ?? relation, bag, cluster);
}

const NO_WORDS: Bag = { features: new Uint32Array(0), weights: new Uint8Array(0), sum: 0 };

/** What the terms of an answer are taken from. */
function topicOf({ card }: Generation): RelationRecord | undefined {
  return card.relations.find(({ name }) => name === 'topic');
}

/** A posted document as the one whose neighbours are listed, and the page it is known as, -1 for none. */
function documentSubject(generation: Generation, { url }: PostedDocument, page: ExtractedPage) {
  const subject: Subject = {
    sameSite: sameSiteAs(generation, url),
    links: () => linkedPages(generation, page),
  };
  return { subject, pageId: url === null ? -1 : generation.catalog.find(url) };
}

/** The body of POST /similar for a page of the index, named by its URL. */
export function similarToPage(
  generation: Generation,
  pageId: number,
  narrowing: SimilarQuery,
  offset: number,
  hash: string,
): string {
  const held = generation.relation(narrowing.by);
  const isSearched = narrowing.exact && held.name !== 'copy';
  const relation: RelationRecord = isSearched ? { ...held, measure: 'exact' } : held;
  const subject = pageSubject(generation, pageId);
  const stored = storedCandidates(generation, relation, pageId);
  const own = generation.reader.bag(held.id, pageId);
  const candidates = isSearched
    ? {
        ...documentCandidates(generation, relation, own, own.features.length, pageId, true),
        hopeless: stored.hopeless,
      }
    : stored;
  const accept = pageFilter(generation, subject, narrowing);
  const selection = selectNeighbours(generation, candidates, accept, narrowing, offset);
  const json = beginAnswer().text('{');
  generation.catalog.writeHead(json, pageId);
  writeList(json, generation, relation, selection, narrowing, offset, hash, () =>
    writePageItems(json, generation, relation, pageId, subject, selection, narrowing),
  );
  const termRelation = relation.name === 'copy' ? (topicOf(generation) ?? relation) : relation;
  const bag = generation.reader.bag(termRelation.id, pageId);
  const finest = clusterAt(generation.reader.clusters.ofPage(relation.id, pageId), 0);
  const cluster = finest === undefined ? null : clusterSummary(generation, relation.name, finest);
  return end(json, generation, termRelation, bag, cluster);
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
  const terms = JSON.stringify(topTerms(generation, relation, bag, TERMS));
  return json.text(`,"terms":${terms},"cluster":${JSON.stringify(cluster)}}`).toString();
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
  const cluster = clusterAt(generation.reader.clusters.ofPage(relation.id, ids[start]!), 0);
  return cluster === undefined ? null : clusterSummary(generation, relation.name, cluster);
}

function leastOfCluster({ card }: Generation): number {
  const least = card.parameters['cluster_similarity'];
  return typeof least === 'number' ? least : 0.2;
}
