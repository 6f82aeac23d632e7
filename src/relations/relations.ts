import { COCITATION } from './cocitation.ts';
import { COMPANION } from './companion.ts';
import { COPY } from './copy.ts';
import { COUPLING } from './coupling.ts';
import { MEANING } from './meaning.ts';
import { OWN_FEATURES } from './own-features.ts';
import type { LinkRelation, Relation, StoredRelation } from './relation.ts';
import { TOPIC } from './topic.ts';

/** All relations there are, the default first. */
export const RELATIONS = [
  TOPIC,
  COPY,
  OWN_FEATURES,
  MEANING,
  COCITATION,
  COUPLING,
  COMPANION,
] as const satisfies readonly Relation[];

export type RelationName = (typeof RELATIONS)[number]['name'];

export const RELATION_NAMES: readonly RelationName[] = RELATIONS.map(({ name }) => name);

const BY_NAME: ReadonlyMap<string, Relation> = new Map(RELATIONS.map((one) => [one.name, one]));

/** Those that have clusters. */
export const CLUSTERED_RELATION_NAMES: readonly RelationName[] = RELATIONS.filter(
  ({ clusters }) => clusters !== 'none',
).map(({ name }) => name);

/** Those that are answered from links. */
export const LINK_RELATION_NAMES: readonly RelationName[] = RELATIONS.filter(isByLinks).map(
  ({ name }) => name,
);

/** Asked about where a request names none. */
export const DEFAULT_RELATION: (typeof RELATIONS)[0] = RELATIONS[0];

/** What the relation of a name is; undefined where there is none. */
export function findRelation(name: string): Relation | undefined {
  return BY_NAME.get(name);
}

/** The same for a row of an index. */
export function findStoredRelation(name: string): StoredRelation | undefined {
  const relation = findRelation(name);
  return relation !== undefined && isStored(relation) ? relation : undefined;
}

/** The same for a name that was checked. */
export function relationOf(name: RelationName): Relation {
  return findRelation(name)!;
}

/** Whether its lists are of copies: copies are never left out of them unasked. Of a name that is none they are not. */
export function isOfCopies(name: string): boolean {
  const features = findRelation(name)?.features;
  return features === 'shingles' || features === 'own';
}

export function isByLinks(relation: Relation): relation is LinkRelation {
  return relation.features === 'links';
}

function isStored(relation: Relation): relation is StoredRelation {
  return !isByLinks(relation);
}
