import { packFeatures } from '../../../features/own-features.ts';
import { bySimilarity } from '../../../join/pairs/neighbor-span.ts';
import type { NeighborSpan } from '../../../join/pairs/neighbor-table.ts';
import { reachesShare } from '../../../lib/reaches-share.ts';
import type { ExtractedPage } from '../../../page/extracted-page.ts';
import type { Relation } from '../../../relations/relation.ts';
import { relationOf } from '../../../relations/relations.ts';
import type { RelationRecord } from '../../../store/records.ts';
import { siteOf } from '../../../url/site.ts';
import { vectorsProblem } from '../../http/problems/problem.ts';
import { blendableOf, blendingOf, NO_VECTOR } from '../../reads/blended-search.ts';
import type { Reads } from '../../reads/reads.ts';
import type { ClusterSummaryAnswer } from '../../schemas/answers/cluster-answers.ts';
import type { SimilarAnswer } from '../../schemas/answers/list-answers.ts';
import type { TermAnswer } from '../../schemas/answers/term-answers.ts';
import type { Narrowing, SimilarQuery } from '../../schemas/parameters/list-parameters.ts';
import { clusterSummary } from '../clusters/cluster.ts';
import { clusterAt } from '../copies/cluster-copies.ts';
import { copySource } from '../copies/copy-source.ts';
import { documentWording } from '../copies/wording.ts';
import {
  asKnown,
  bagOfDocument,
  broughtFeatures,
  extractDocument,
  type PostedDocument,
  weighDocument,
} from '../documents/document.ts';
import { topTerms } from '../pages/terms.ts';
import { documentCandidates, storedCandidates } from './candidates.ts';
import { askedPage, copyList } from './copy-list.ts';
import { documentSubject } from './document-subject.ts';
import { featuredList } from './feature-list.ts';
import { type FoundList, listAnswer } from './found-list.ts';
import { linkedList, linksOf, requireOfDocuments } from './link-list.ts';
import { besideList } from './list-facets.ts';
import { nearestList } from './nearest-list.ts';
import { pageList } from './related.ts';
import type { ListAsk } from './selection/list-ask.ts';
import { requireOfVectors, type Subject, type SubjectPage, subjectPage } from './selection/page-filter.ts';
import { orderOf } from './selection/rank.ts';
import { exactVectorList, postedVectorList } from './vector-list.ts';

export const TERMS = 20;

/** Lists that compare with every page, by how the neighbors of the relation are found. */
const SEARCHES: Readonly<
  Record<Relation['neighbors'], { document: typeof nearestToDocument; page: typeof pageList }>
> = {
  'nearest bags': { document: nearestToDocument, page: exactNearest },
  'shared shingles': { document: copiesOfDocument, page: exactCopies },
  'own features': { document: featuresOfDocument, page: pageList },
  'nearest vectors': { document: nearestToPosted, page: exactVectorList },
  'shared citers': { document: linkedWithDocument, page: pageList },
  'shared targets': { document: linkedWithDocument, page: pageList },
  'vicinity graph': { document: linkedWithDocument, page: pageList },
};

/** What was found for a document. */
interface DocumentSearch {
  readonly page: ExtractedPage;
  readonly list: FoundList;
  readonly terms: TermAnswer[];
  readonly cluster: ClusterSummaryAnswer | null;
}

/** The body of POST /similar for a document. Errors  Problem `relation-not-in-index`. */
export async function similarToDocument(
  ask: ListAsk<SimilarQuery>,
  document: PostedDocument,
  hash: string,
): Promise<SimilarAnswer> {
  const { reads, narrowing } = ask;
  const relation = relationOf(narrowing.by);
  if (reads.facts.blend === null || relation.neighbors !== 'nearest bags')
    requireOfVectors(relation, 'vectors', document.vectors && Object.keys(document.vectors));
  const { document: search } = SEARCHES[relation.neighbors];
  const { page, list, terms, cluster } = await search(ask, document);
  return {
    url: document.url,
    title: page.title,
    ...listAnswer(ask, list, hash),
    ...(await besideList(ask, placeOf(document), async (whole) => (await search(whole, document)).list)),
    terms,
    cluster,
  };
}

/** Where a document stands, as far as rules ask. */
function placeOf({ url }: Pick<PostedDocument, 'url'>) {
  return { url, site: async () => (url === null ? null : siteOf(url)) };
}

async function nearestToDocument(
  { reads, narrowing, offset }: ListAsk<SimilarQuery>,
  document: PostedDocument,
): Promise<DocumentSearch> {
  const relation = exactRelation(reads, narrowing);
  const page = extractDocument(document, reads.facts);
  const { subject, pageId } = await documentSubject(reads, document, page);
  const { bag, wordCount } = await weighDocument(reads, relation, page, pageId, broughtFeatures(document));
  const shown = asKnown(reads, relation);
  const order = await orderOf(reads.facts, relation, subject, narrowing);
  const { exact } = narrowing;
  const own = { bag, vector: await vectorOfDocument(reads, relation, document, pageId) };
  const candidates = await documentCandidates(reads, relation, own, wordCount, pageId, { order, exact });
  const nearest = bySimilarity(candidates.stored);
  const [list, terms, cluster] = await Promise.all([
    nearestList({ reads, narrowing, offset }, shown, { subject, pageId, own: () => own }, candidates),
    topTerms(reads, relation, bag, TERMS),
    clusterOfNearest(reads, relation, nearest),
  ]);
  return { page, list, terms, cluster };
}

/** What lists by words go by beside its text: what it brings, or that of the page that it is known as. */
async function vectorOfDocument(
  reads: Reads,
  relation: RelationRecord,
  { vectors = {} }: PostedDocument,
  pageId: number,
): Promise<Int8Array> {
  const blending = blendingOf(reads.facts, relation);
  if (blending === null) return NO_VECTOR;
  const fault = reads.facts.vectorFault(vectors);
  if (fault !== null) throw vectorsProblem(fault, vectors, 'a vector of their length');
  const vector = vectors[blending.vectors];
  if (vector !== undefined) return vector;
  return pageId < 0 ? NO_VECTOR : reads.vector(blending.relation.id, pageId);
}

/** What of the index has its wording. */
async function copiesOfDocument(
  { reads, narrowing, offset }: ListAsk<SimilarQuery>,
  document: PostedDocument,
): Promise<DocumentSearch> {
  const source = copySource(reads);
  const page = extractDocument(document, reads.facts);
  const { subject, pageId } = await documentSubject(reads, document, page);
  const wording = documentWording(source, page, document.url);
  const asked = { wording, pageId, subject, exact: narrowing.exact };
  const list = await copyList(source, asked, narrowing, offset);
  const nearest = offset === 0 ? list.first : undefined;
  const isNear = nearest !== undefined && nearest.figures.resemblance.value >= source.relation.floor;
  const [terms, cluster] = await Promise.all([
    termsOfDocument(reads, document, page, pageId),
    isNear ? clusterOf(reads, source.relation, nearest.pageId) : null,
  ]);
  return { page, list, terms, cluster };
}

/** What has its own features, or those of the page that it is known as where it brings none. */
function featuresOfDocument(
  { reads, narrowing, offset }: ListAsk<SimilarQuery>,
  document: PostedDocument,
): Promise<DocumentSearch> {
  return besideTerms(reads, document, async (subject, pageId) => {
    const given = packFeatures(document.features ?? {});
    const features = given === '' && pageId >= 0 ? await reads.ownFeatures(pageId) : given;
    return featuredList({ reads, narrowing, offset }, subject, { pageId, features, stored: null });
  });
}

/** Pages whose vectors are near to the one that it brings. */
function nearestToPosted(
  { reads, narrowing, offset }: ListAsk<SimilarQuery>,
  document: PostedDocument,
): Promise<DocumentSearch> {
  return besideTerms(reads, document, (subject, pageId) =>
    postedVectorList({ reads, narrowing, offset }, document, subject, pageId),
  );
}

/** What links to the same pages as it does. Errors  Problem `invalid-parameters` for who links to it. */
function linkedWithDocument(
  { reads, narrowing, offset }: ListAsk<SimilarQuery>,
  document: PostedDocument,
): Promise<DocumentSearch> {
  requireOfDocuments(narrowing.by);
  return besideTerms(reads, document, async (subject, pageId) => {
    const targets = (await subject.links()).filter((target) => target !== pageId);
    const links = await linksOf({ reads, narrowing, offset }, pageId, targets);
    return linkedList({ reads, narrowing, offset }, subject, asKnown(reads, links));
  });
}

/** A list that no cluster goes with, and the terms of the document. */
async function besideTerms(
  reads: Reads,
  document: PostedDocument,
  listOf: (subject: Subject, pageId: number) => Promise<FoundList>,
): Promise<DocumentSearch> {
  const page = extractDocument(document, reads.facts);
  const { subject, pageId } = await documentSubject(reads, document, page);
  const [list, terms] = await Promise.all([
    listOf(subject, pageId),
    termsOfDocument(reads, document, page, pageId),
  ]);
  return { page, list, terms, cluster: null };
}

async function termsOfDocument(
  reads: Reads,
  document: PostedDocument,
  page: ExtractedPage,
  pageId: number,
): Promise<TermAnswer[]> {
  const { words } = reads.facts;
  if (words === undefined) return [];
  const bag = await bagOfDocument(reads, words, page, pageId, broughtFeatures(document));
  return topTerms(reads, words, bag, TERMS);
}

/** The body of POST /similar for a page of the index, named by its URL. */
export async function similarToPage(
  ask: ListAsk<SimilarQuery>,
  pageId: number,
  hash: string,
): Promise<SimilarAnswer> {
  const { reads, narrowing } = ask;
  const relation = relationOf(narrowing.by);
  const search = narrowing.exact ? SEARCHES[relation.neighbors].page : pageList;
  const subject = await subjectPage(reads, pageId);
  const list = await search(ask, subject);
  const [terms, cluster] = await Promise.all([
    termsOfPage(reads, pageId),
    relation.clusters === 'none' ? null : clusterOf(reads, reads.facts.relation(narrowing.by), pageId),
  ]);
  const { url, title } = subject;
  return {
    url,
    title,
    ...listAnswer(ask, list, hash),
    ...(await besideList(ask, subject, (whole) => search(whole, subject))),
    terms,
    cluster,
  };
}

async function termsOfPage(reads: Reads, pageId: number): Promise<TermAnswer[]> {
  const { words } = reads.facts;
  return words === undefined ? [] : topTerms(reads, words, await reads.bag(words.id, pageId), TERMS);
}

async function exactCopies({ reads, narrowing, offset }: ListAsk, subject: SubjectPage): Promise<FoundList> {
  const { source, asked } = await askedPage(reads, subject, true);
  return copyList(source, asked, narrowing, offset);
}

async function exactNearest({ reads, narrowing, offset }: ListAsk, subject: SubjectPage): Promise<FoundList> {
  const relation = exactRelation(reads, narrowing);
  const { pageId } = subject;
  const order = await orderOf(reads.facts, relation, subject, narrowing);
  const [own, { hopeless }] = await Promise.all([
    blendableOf(reads, relation, pageId),
    storedCandidates(reads, relation, pageId, order),
  ]);
  const searched = await documentCandidates(reads, relation, own, own.bag.features.length, pageId, {
    order,
    exact: true,
  });
  const candidates = { ...searched, hopeless };
  const near = { subject, pageId, own: () => own };
  return nearestList({ reads, narrowing, offset }, relation, near, candidates);
}

/** Searched live over the bags: exact whatever the profile. */
export function exactRelation({ facts }: Reads, { by }: Narrowing): RelationRecord {
  return { ...facts.relation(by), measure: 'exact' };
}

/** The finest cluster of the nearest page, where that is as near as clusters ask their members to be. */
export async function clusterOfNearest(
  reads: Reads,
  relation: RelationRecord,
  { ids, shared, total, start, end }: NeighborSpan,
): Promise<ClusterSummaryAnswer | null> {
  const least = leastOfCluster(reads);
  if (start === end || !reachesShare(shared[start]!, total[start]!, least)) return null;
  return clusterOf(reads, relation, ids[start]!);
}

/** The finest cluster of a page; null where it is in none. */
async function clusterOf(
  reads: Reads,
  relation: RelationRecord,
  pageId: number,
): Promise<ClusterSummaryAnswer | null> {
  const cluster = clusterAt(await reads.clusters(relation.id, pageId), 0);
  return cluster === undefined ? null : clusterSummary(reads, relation.name, cluster);
}

function leastOfCluster({ facts }: Reads): number {
  const least = facts.card.parameters['cluster_similarity'];
  return typeof least === 'number' ? least : 0.2;
}
