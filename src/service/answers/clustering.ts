import { type CopyParameters, type NamedClustering, parseClusterings } from '../../relations/copy.ts';
import type { Generation } from '../generation.ts';
import { parameterProblem } from '../problem.ts';

/** The clusterings of copies in an index; the clusters of level n are those of the nth. */
export function clusteringsOf({ card }: Generation): readonly NamedClustering[] {
  return (card.parameters['copy'] as CopyParameters | undefined)?.clusterings ?? [];
}

/**
 * The level of the clustering that a request names, the first where it names none.
 *
 * Errors  Problem `invalid-parameters` for a name that the index does not have, and where it is not about copies.
 */
export function clusteringLevel(generation: Generation, by: string, name: string | undefined): number {
  if (name === undefined) return 0;
  if (by !== 'copy') throw parameterProblem('clustering', 'is for by=copy', name, 'left out');
  const names = clusteringsOf(generation).map((clustering) => clustering.name);
  const level = names.indexOf(parseClusterings(name)?.[0]?.name ?? name);
  if (level < 0) throw parameterProblem('clustering', `this index has ${names.join(', ')}`, name, names);
  return level;
}
