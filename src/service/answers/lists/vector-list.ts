/** Lists by vectors: of a page of the index, or of a vector that is posted. */

import { allOf } from '../../../join/pairs/neighbor-span.ts';
import { COSINE_PARTS, cosineOf } from '../../../join/vectors/cosine.ts';
import type { RelationRecord } from '../../../store/records.ts';
import { parameterProblem, vectorsProblem } from '../../http/problems/problem.ts';
import type { IndexFacts } from '../../reads/facts.ts';
import type { Reads } from '../../reads/reads.ts';
import type { Narrowing } from '../../schemas/parameters/list-parameters.ts';
import { clusteringLevel } from '../clusters/clustering.ts';
import type { PostedDocument } from '../documents/document.ts';
import { type FoundList, selectedList } from './found-list.ts';
import type { ListAsk } from './selection/list-ask.ts';
import { pageFilter, type Subject, type SubjectPage } from './selection/page-filter.ts';
import { type Candidates, selectNeighbors } from './selection/selection.ts';

/**
 * Of which vectors a list is.
 *
 * Errors  Problem `relation-not-in-index`; `invalid-parameters` for a name that the index does not have, for none where it has
 *         several, and for a clustering: this relation has none.
 */
function vectorRelation(facts: IndexFacts, { by, vector, clustering }: Narrowing): RelationRecord {
  facts.require(by);
  if (clustering !== undefined) clusteringLevel(facts, by, clustering);
  const names = facts.vectorNames;
  const name = vector ?? (names.length === 1 ? names[0] : undefined);
  const relation = name === undefined ? undefined : facts.vectorRelation(name);
  if (relation !== undefined) return relation;
  throw parameterProblem('vector', `this index has vectors of the names ${names.join(', ')}`, name, names);
}

/** The list of a page, as it is stored, or searched for where filters or the index's limit ask for it. Errors  as above. */
export const vectorList = listOfPage(false);

/** The same, compared with every page. */
export const exactVectorList = listOfPage(true);

function listOfPage(isExact: boolean) {
  return async ({ reads, narrowing, offset }: ListAsk, subject: SubjectPage): Promise<FoundList> => {
    const relation = vectorRelation(reads.facts, narrowing);
    const { pageId } = subject;
    const search = around(reads, relation, () => reads.vector(relation.id, pageId), pageId);
    const stored = isExact
      ? await search.nearest(relation.neighborLimit, NO_FILTER, false)
      : allOf(await reads.neighbors(relation.id, pageId));
    const hopeless = () => hopelessPage(reads, relation, pageId);
    return listAround({ reads, narrowing, offset }, subject, relation, { stored, ...search, hopeless });
  };
}

/** The list of a vector that is posted; `pageId` is the page that the document is known as, -1 for none. Errors  as above. */
export async function postedVectorList(
  { reads, narrowing, offset }: ListAsk,
  { vectors = {} }: PostedDocument,
  subject: Subject,
  pageId: number,
): Promise<FoundList> {
  const relation = vectorRelation(reads.facts, narrowing);
  const { profile: name } = relation;
  const vector = vectors[name];
  if (vector === undefined)
    throw vectorsProblem(`the body must hold a vector of the name ${name}`, vectors, name);
  const fault = reads.facts.vectorFault({ [name]: vector });
  if (fault !== null) throw vectorsProblem(fault, vectors, 'a vector of their length');
  const search = around(reads, relation, async () => vector, pageId);
  const stored = await search.nearest(relation.neighborLimit, NO_FILTER, false);
  const hopeless = async () => null;
  return listAround({ reads, narrowing, offset }, subject, relation, { stored, ...search, hopeless });
}

const NO_FILTER = { stored: null, accept: null };

/** What is near to a vector; `skip` is the page whose vector it is, -1 for none. */
function around(
  reads: Reads,
  { id: relationId }: RelationRecord,
  vectorOf: () => Promise<Int8Array>,
  skip: number,
): Required<Pick<Candidates, 'nearest' | 'similar'>> {
  return {
    nearest: async (count, { stored: filter }) => {
      const vector = await vectorOf();
      return allOf(await reads.nearestVectors({ relationId, vector, count, filter, skip }));
    },
    similar: async (pageIds) => {
      const own = await vectorOf();
      const others = await Promise.all(pageIds.map((pageId) => reads.vector(relationId, pageId)));
      const isBoth = (other: Int8Array) => own.length > 0 && other.length === own.length;
      const shared = others.map((other) => (isBoth(other) ? cosineOf(own, other) : 0));
      return allOf({
        ids: Uint32Array.from(pageIds),
        shared: Float64Array.from(shared),
        total: new Float64Array(pageIds.length).fill(COSINE_PARTS),
      });
    },
  };
}

async function hopelessPage(reads: Reads, { id }: RelationRecord, pageId: number) {
  if (await reads.isGone(pageId)) return 'gone' as const;
  return (await reads.vector(id, pageId)).length === 0 ? ('no_vector' as const) : null;
}

async function listAround(
  { reads, narrowing, offset }: ListAsk,
  subject: Subject,
  relation: RelationRecord,
  found: Omit<Candidates, 'complete'>,
): Promise<FoundList> {
  const candidates = { ...found, complete: found.stored.end < relation.neighborLimit };
  const filter = await pageFilter(reads, subject, narrowing);
  const selection = await selectNeighbors({ reads, narrowing, offset }, candidates, filter);
  return selectedList(reads, selection, subject, relation.measure, null, narrowing);
}
