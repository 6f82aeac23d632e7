/** Lists by several examples, and counter-examples: nearest to one bag that is made of theirs. */

import type { Bag } from '../../../features/bag.ts';
import { combineBags } from '../../../features/combine-bags.ts';
import { weightedJaccard } from '../../../join/exact/weighted-jaccard.ts';
import { bySimilarity } from '../../../join/pairs/neighbor-span.ts';
import { type FieldScalar, fieldValues, type PageFields } from '../../../page/fields/page-fields.ts';
import type { RelationRecord } from '../../../store/records.ts';
import { sixDecimals } from '../../http/six-decimals.ts';
import { NO_VECTOR } from '../../reads/blended-search.ts';
import type { Reads } from '../../reads/reads.ts';
import type { SimilarAnswer } from '../../schemas/answers/list-answers.ts';
import { onlyPage } from '../../schemas/parameters/excluded.ts';
import type { SimilarQuery } from '../../schemas/parameters/list-parameters.ts';
import { asKnown, extractDocument, type PostedDocument, weighDocument } from '../documents/document.ts';
import { topTerms } from '../pages/terms.ts';
import { documentCandidates } from './candidates.ts';
import { documentSubject } from './document-subject.ts';
import { listAnswer } from './found-list.ts';
import { besideList } from './list-facets.ts';
import { nearestList } from './nearest-list.ts';
import type { ListAsk } from './selection/list-ask.ts';
import { type Subject, subjectPage } from './selection/page-filter.ts';
import { orderOf, type Why } from './selection/rank.ts';
import { clusterOfNearest, exactRelation, TERMS } from './similar.ts';

/** A document, or a page of the index by its id. */
export type Example = PostedDocument | number;

export interface Examples {
  readonly like: readonly Example[];
  readonly unlike: readonly Example[];
}

/** An example as the index knows it. */
interface KnownExample {
  readonly bag: Bag;
  readonly wordCount: number;
  readonly subject: Subject;
  /** -1 for a document that is no page. */
  readonly pageId: number;
}

/**
 * The body of POST /similar for examples; none of them is listed.
 *
 * Errors  Problem `relation-not-in-index`.
 */
export async function similarToExamples(
  ask: ListAsk<SimilarQuery>,
  { like, unlike }: Examples,
  hash: string,
): Promise<SimilarAnswer> {
  const { reads, narrowing: query, offset } = ask;
  const relation = exactRelation(reads, query);
  const knownOf = (examples: readonly Example[]) =>
    Promise.all(examples.map((example) => knownExample(reads, relation, example)));
  const [liked, unliked] = await Promise.all([knownOf(like), knownOf(unlike)]);
  const shown = asKnown(reads, relation);
  const known = [...liked, ...unliked].map(({ pageId }) => pageId).filter((pageId) => pageId >= 0);
  const heads = await reads.heads(known);
  const narrowing = { ...query, exclude: [...query.exclude, ...heads.map(({ url }) => onlyPage(url))] };
  const subject = joinedSubject(liked.map((example) => example.subject));
  const [bags, others] = [liked, unliked].map((examples) => examples.map(({ bag }) => bag));
  const bag = combineBags(bags!, others);
  const wordCount = Math.max(...liked.map((example) => example.wordCount));
  const how = { order: await orderOf(reads.facts, relation, subject, query), exact: query.exact };
  // Joined, examples have no vector: they go by words.
  const own = { bag, vector: NO_VECTOR };
  const candidates = await documentCandidates(reads, relation, own, wordCount, -1, how);
  const also = (why: Why) => besideExamples(reads, relation, why, bags!, others!);
  const near = { subject, pageId: -1, own: () => own, also };
  const listOf = (asked: ListAsk<SimilarQuery>) => nearestList(asked, shown, near, candidates);
  const [list, terms, cluster] = await Promise.all([
    listOf({ reads, narrowing, offset }),
    topTerms(reads, relation, bag, TERMS),
    clusterOfNearest(reads, relation, bySimilarity(candidates.stored)),
  ]);
  const beside = await besideList({ reads, narrowing, offset }, subject, listOf);
  return {
    url: null,
    title: '',
    ...listAnswer(ask, list, hash),
    ...beside,
    terms,
    cluster,
  };
}

async function knownExample(reads: Reads, relation: RelationRecord, example: Example): Promise<KnownExample> {
  if (typeof example === 'number') {
    const [bag, subject] = await Promise.all([reads.bag(relation.id, example), subjectPage(reads, example)]);
    return { bag, wordCount: bag.features.length, subject, pageId: example };
  }
  const page = extractDocument(example, reads.facts);
  const { subject, pageId } = await documentSubject(reads, example, page);
  return { ...(await weighDocument(reads, relation, page, pageId)), subject, pageId };
}

/**
 * Examples as one: of their site and their language where all are of one, published when the first of them was, with the values of the fields and
 * the links of all.
 */
function joinedSubject(subjects: readonly Subject[]): Subject {
  const [{ siteId, site }] = subjects as [Subject];
  const isOneSite = subjects.every((subject) => subject.siteId === siteId) && siteId >= 0;
  const all = <Value>(read: (subject: Subject) => Promise<Value>) => Promise.all(subjects.map(read));
  return {
    url: null,
    siteId: isOneSite ? siteId : -1,
    site: async () => (isOneSite || subjects.length === 1 ? site() : null),
    lang: async () => {
      const langs = new Set(await all((subject) => subject.lang()));
      return langs.size === 1 ? [...langs][0]! : null;
    },
    fields: async () => joinedFields(await all((subject) => subject.fields())),
    publishedAt: async () => {
      const dates = (await all((subject) => subject.publishedAt())).filter((date) => date !== null);
      return dates.sort((a, b) => Date.parse(a) - Date.parse(b))[0] ?? null;
    },
    links: async () => {
      const links = await all((subject) => subject.links());
      return Uint32Array.from(new Set(links.flatMap((ids) => [...ids]))).sort();
    },
    isGone: () => false,
    twins: async () => (await all((subject) => subject.twins())).flat(),
  };
}

function joinedFields(pages: readonly PageFields[]): PageFields {
  const names = new Set(pages.flatMap((fields) => Object.keys(fields)));
  const valuesOf = (name: string): FieldScalar[] => [
    ...new Set(pages.flatMap((fields) => fieldValues(fields, name))),
  ];
  return Object.fromEntries(Array.from(names, (name) => [name, valuesOf(name)]));
}

/** Says of a page of the list, too, how similar it is to each example. */
function besideExamples(
  reads: Reads,
  relation: RelationRecord,
  why: Why,
  like: readonly Bag[],
  unlike: readonly Bag[],
): Why {
  return async (pageId) => {
    const [there, bag] = await Promise.all([why(pageId), reads.bag(relation.id, pageId)]);
    const toEach = (bags: readonly Bag[]) => bags.map((one) => sixDecimals(weightedJaccard(one, bag)));
    const beside = { like: toEach(like), ...(unlike.length > 0 && { unlike: toEach(unlike) }) };
    return { ...there, why: { ...there.why, ...beside } };
  };
}
