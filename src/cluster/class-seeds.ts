/**
 * Pages whose class a person has given, in a directory such as `Science/Physics`, as seeds of topics.
 *
 *   edge between pages of one class          weighs 4 times as much
 *                of classes with half the path in common       the same
 *                of classes with nothing in common             a quarter
 *
 * No edge comes or goes and no page is forced: topics stay connected, pages without a class follow their neighbors, and a
 * page whose class contradicts all of its neighbors stays with them.
 *
 * Source  the hybrid of clusters and a pre-classified directory: Haveliwala, Gionis, Indyk 2000, future work; the weights
 *         of edges by known classes are our own.
 */
import { keptIn } from '../lib/kept.ts';
import type { WeightedGraph } from './weighted-graph.ts';
import { withStrengths } from './weighted-graph.ts';

/** What stands for no class. */
export const NO_CLASS = 0xffffffff;

const PULL = 4;
/** A cluster takes the name of a class only where this share of its pages has one, and two pages or more. */
const LEAST_SHARE = 0.05;
const LEAST_PAGES = 2;

/**
 * The graph with its edges weighed by the classes of both ends.
 *
 * Shape  classOf: of each page the position of its class in `paths`, or NO_CLASS.
 */
export function seedGraph(
  graph: WeightedGraph,
  classOf: Uint32Array,
  paths: readonly (readonly string[])[],
): WeightedGraph {
  const { offsets, neighbors, loops } = graph;
  const weights = Float32Array.from(graph.weights);
  for (let page = 0; page < classOf.length; page++) {
    if (classOf[page] === NO_CLASS) continue;
    const own = paths[classOf[page]!]!;
    for (let e = offsets[page]!; e < offsets[page + 1]!; e++) {
      const other = classOf[neighbors[e]!]!;
      if (other === NO_CLASS) continue;
      const path = paths[other]!;
      const agreement = commonSteps(own, path) / Math.max(own.length, path.length);
      weights[e]! *= PULL ** (2 * agreement - 1);
    }
  }
  return withStrengths(offsets, neighbors, weights, loops);
}

function commonSteps(a: readonly string[], b: readonly string[]): number {
  let common = 0;
  while (common < a.length && a[common] === b[common]) common++;
  return common;
}

/**
 * The class that names a cluster: the deepest one that more than half of its pages with a class lie in; null where too
 * few pages have one, or they agree on nothing.
 */
export function classOfCluster(
  classes: readonly number[],
  size: number,
  paths: readonly (readonly string[])[],
): readonly string[] | null {
  if (classes.length < LEAST_PAGES || classes.length < LEAST_SHARE * size) return null;
  const counts = new Map<string, { readonly path: readonly string[]; count: number }>();
  for (const one of classes) {
    for (let depth = 1; depth <= paths[one]!.length; depth++) {
      const path = paths[one]!.slice(0, depth);
      keptIn(counts, path.join('/'), () => ({ path, count: 0 })).count++;
    }
  }
  let best: readonly string[] | null = null;
  for (const { path, count } of counts.values()) {
    if (2 * count > classes.length && path.length > (best?.length ?? 0)) best = path;
  }
  return best;
}
