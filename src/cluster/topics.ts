/**
 * Nested topics: Leiden at the finest resolution on the neighbor graph, then on the graph of the topics
 * found, coarser and coarser, so that every topic lies whole inside one of the next level.
 *
 *   pages ──γ0──> level 0 (fine) ──contract, γ1──> level 1 ──contract, γ2──> level 2 ...
 *
 * Measured  2,295 articles, their tight clusters as nodes: 197, 51 and 17 topics, V-measure against their first
 *           categories .75, .70 and .59, with the pages shuffled .42, .25 and .13; a fine topic has 12 pages there,
 *           15 in a crawl of 45,702, 25 among 1 and 20 million synthetic ones. Cost: docs/evaluation.md, twenty-million.
 *           A topic never leaves its component: a graph in pieces has as many topics at every level.
 */

import { leiden } from './leiden.ts';
import { aggregate, type WeightedGraph } from './weighted-graph.ts';

interface TopicLevel {
  readonly resolution: number;
  /** Uint32Array(n): the topic of each page, numbered in order of their first pages. */
  readonly topicOf: Uint32Array;
  readonly count: number;
  /** Uint32Array(count): the topic of the next level that each is part of; null at the last. */
  readonly parents: Uint32Array | null;
}

/** Pages for each unit of the finest resolution. In proportion, fine topics stay of one size while a collection grows. */
const PAGES_PER_RESOLUTION = 77;

/** Resolutions from fine to 1 in equal ratios. */
export function topicResolutions(pageCount: number, levels = 3): number[] {
  const finest = Math.max(4, pageCount / PAGES_PER_RESOLUTION);
  return Array.from({ length: levels }, (_, level) => finest ** (1 - level / (levels - 1)));
}

/**
 * Topics of each level, fine first; every topic is connected in the graph.
 *
 * Shape   resolutions descending; one level each.
 * Cost    the first level's Leiden; the others work on its topics.
 */
export function nestedTopics(
  graph: WeightedGraph,
  resolutions: readonly number[] = topicResolutions(graph.strengths.length),
  seed = 1,
): TopicLevel[] {
  const levels: { resolution: number; topicOf: Uint32Array; count: number; parents: Uint32Array | null }[] =
    [];
  let current = graph;
  for (const resolution of resolutions) {
    const { membership, count } = leiden(current, { resolution, seed });
    const below = levels.at(-1);
    if (below !== undefined) below.parents = membership;
    const topicOf = below === undefined ? membership : below.topicOf.map((topic) => membership[topic]!);
    levels.push({ resolution, topicOf, count, parents: null });
    current = aggregate(current, membership, count);
  }
  return levels;
}
