import { parseClusterings } from '../../relations/copy.ts';
import type { Generation } from '../held/generation.ts';
import { parameterProblem } from '../http/problem.ts';

/**
 * The level of the clustering that a request names, the first where it names none.
 *
 * Errors  Problem `invalid-parameters` for a name that the index does not have, and where it is not about copies.
 */
export function clusteringLevel(generation: Generation, by: string, name: string | undefined): number {
  if (name === undefined) return 0;
  if (by !== 'copy') throw parameterProblem('clustering', 'is for the relation copy', name, 'left out');
  const names = generation.card.copyClusterings.map((clustering) => clustering.name);
  const [only, another] = parseClusterings(name) ?? [];
  const level = only === undefined || another !== undefined ? -1 : names.indexOf(only.name);
  if (level < 0) throw parameterProblem('clustering', `this index has ${names.join(', ')}`, name, names);
  return level;
}
