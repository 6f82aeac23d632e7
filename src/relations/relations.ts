import { COPY } from './copy.ts';
import type { Relation } from './relation.ts';
import { TOPIC } from './topic.ts';

/** All relations there are, the default first. */
export const RELATIONS = [TOPIC, COPY] as const satisfies readonly Relation[];

export type RelationName = (typeof RELATIONS)[number]['name'];

export const RELATION_NAMES: readonly RelationName[] = RELATIONS.map(({ name }) => name);

/** Asked about where a request names none. */
export const DEFAULT_RELATION: (typeof RELATIONS)[0] = RELATIONS[0];

/** What the relation of a name, or of a row of an index, is; undefined where there is none. */
export function findRelation(name: string): Relation | undefined {
  return RELATIONS.find((relation) => relation.name === name);
}

/** The same for a name that was checked. */
export function relationOf(name: RelationName): Relation {
  return findRelation(name)!;
}
