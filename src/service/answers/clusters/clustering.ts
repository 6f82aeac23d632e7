import { parseClusterings } from '../../../relations/copy.ts';
import { RELATIONS, type RelationName, relationOf } from '../../../relations/relations.ts';
import { parameterProblem } from '../../http/problems/problem.ts';
import type { IndexFacts } from '../../reads/facts.ts';

const HAVE_CLUSTERINGS = RELATIONS.filter(({ clusters }) => clusters === 'clusterings');

/**
 * The level that clusters are listed of: the one that is named, or that of the clustering that is; undefined where none is.
 *
 * Errors  Problem `invalid-parameters` where both are named; as `clusteringLevel`.
 */
export function listedLevel(
  facts: IndexFacts,
  by: RelationName,
  level: number | undefined,
  clustering: string | undefined,
): number | undefined {
  if (clustering === undefined) return level;
  if (level !== undefined)
    throw parameterProblem('level', 'cannot be combined with clustering', level, 'left out');
  return clusteringLevel(facts, by, clustering);
}

/**
 * The level of the clustering that a request names, the first where it names none.
 *
 * Errors  Problem `invalid-parameters` for a name that the index does not have, and for a relation that has none.
 */
export function clusteringLevel(facts: IndexFacts, by: RelationName, name: string | undefined): number {
  if (name === undefined) return 0;
  if (relationOf(by).clusters !== 'clusterings') {
    const others = HAVE_CLUSTERINGS.map((relation) => relation.name).join(', ');
    throw parameterProblem('clustering', `is for the relation ${others}`, name, 'left out');
  }
  const names = facts.card.copyClusterings.map((clustering) => clustering.name);
  const [only, another] = parseClusterings(name) ?? [];
  const level = only === undefined || another !== undefined ? -1 : names.indexOf(only.name);
  if (level < 0) throw parameterProblem('clustering', `this index has ${names.join(', ')}`, name, names);
  return level;
}
