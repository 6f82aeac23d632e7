/**
 * The pages nearest by words and by vectors together (join/vectors/blend.ts), where no list is stored: for a document, for a page that
 * waits, and beyond what is stored of a page. Candidates are as many by words as are asked for, and as many by vectors.
 */
import type { Bag } from '../../features/bag.ts';
import { JaccardNearness } from '../../join/pairs/nearness.ts';
import { type NeighborList, NO_NEIGHBORS } from '../../join/pairs/neighbor-table.ts';
import { NO_COSINE } from '../../join/vectors/blend.ts';
import { comparedBags, nearestCandidates } from '../../join/vectors/blend-candidates.ts';
import { cosineOf } from '../../join/vectors/cosine.ts';
import type { RelationRecord } from '../../store/records.ts';
import type { StoredFilter } from './accept.ts';
import type { IndexFacts } from './facts.ts';
import type { Reads } from './reads.ts';

/** To read what a candidate is compared by, and compare it. */
const CANDIDATE_US = 10;

const PAIR = new JaccardNearness();

export const NO_VECTOR = new Int8Array(0);

type BlendReads = Pick<Reads, 'bag' | 'vector' | 'nearest' | 'nearestVectors' | 'work'>;
export type Blending = NonNullable<IndexFacts['blend']>;

/** How lists of a relation go by words and by vectors; null where they go by words alone. */
export function blendingOf(facts: IndexFacts, relation: Pick<RelationRecord, 'id'>): Blending | null {
  return relation.id === facts.words?.id ? facts.blend : null;
}

/** What pages are near to; a document without a vector has Int8Array(0). */
export interface Blendable {
  readonly bag: Bag;
  readonly vector: Int8Array;
}

interface BlendSearch {
  readonly count: number;
  readonly filter: StoredFilter | null;
  /** A page that is left out; -1 for none. */
  readonly skip: number;
  readonly exact: boolean;
}

/** What a page of the index is near to others by. */
export async function blendableOf(
  reads: Pick<Reads, 'bag' | 'vector' | 'facts'>,
  relation: Pick<RelationRecord, 'id'>,
  pageId: number,
): Promise<Blendable> {
  const blending = blendingOf(reads.facts, relation);
  const [bag, vector] = await Promise.all([
    reads.bag(relation.id, pageId),
    blending === null ? NO_VECTOR : reads.vector(blending.relation.id, pageId),
  ]);
  return { bag, vector };
}

/** Nearest first, ties by page id, with nearness. */
export async function nearestBlended(
  reads: BlendReads,
  { id: relationId }: RelationRecord,
  blending: Blending,
  own: Blendable,
  search: BlendSearch,
): Promise<NeighborList> {
  const { count, filter, skip } = search;
  const [byWords, byVectors] = await Promise.all([
    reads.nearest({ ...search, relationId, bag: own.bag, by: 'nearness', isRated: true }),
    own.vector.length === 0
      ? NO_NEIGHBORS
      : reads.nearestVectors({ relationId: blending.relation.id, vector: own.vector, count, filter, skip }),
  ]);
  return blendedLists(reads, relationId, blending, own, byWords, byVectors, count);
}

/** The `count` nearest of two lists: `byWords` has nearness, `byVectors` parts of a cosine. */
export async function blendedLists(
  reads: BlendReads,
  relationId: number,
  blending: Blending,
  { bag, vector }: Blendable,
  byWords: Required<NeighborList> | NeighborList,
  byVectors: NeighborList,
  count: number,
): Promise<NeighborList> {
  const near = new Map(Array.from(byVectors.ids, (id, at) => [id, byVectors.shared[at]!]));
  const isByWords = new Set(byWords.ids);
  const others = byVectors.ids.filter((id) => !isByWords.has(id));
  reads.work.spend((byWords.ids.length + others.length) * CANDIDATE_US);
  const [cosines, bags] = await Promise.all([
    Promise.all(
      Array.from(byWords.ids, async (id) => {
        if (vector.length === 0) return NO_COSINE;
        const known = near.get(id);
        if (known !== undefined) return known;
        const other = await reads.vector(blending.relation.id, id);
        return other.length === vector.length ? cosineOf(vector, other) : NO_COSINE;
      }),
    ),
    Promise.all(Array.from(others, (id) => reads.bag(relationId, id))),
  ]);
  PAIR.take(bag);
  const figures = bags.map((other) => comparedBags(PAIR, bag, other));
  const candidates = {
    ids: [...byWords.ids, ...others],
    shared: [...byWords.shared, ...figures.map(({ shared }) => shared)],
    total: [...byWords.total, ...figures.map(({ total }) => total)],
    words: [...byWords.nearness!, ...figures.map(({ words }) => words)],
    parts: [...cosines, ...Array.from(others, (id) => near.get(id)!)],
  };
  const { places, nearness } = nearestCandidates(candidates, blending, count);
  return {
    ids: Uint32Array.from(places, (i) => candidates.ids[i]!),
    shared: Uint16Array.from(places, (i) => candidates.shared[i]!),
    total: Uint16Array.from(places, (i) => candidates.total[i]!),
    nearness: Uint16Array.from(places, (i) => nearness[i]!),
  };
}
