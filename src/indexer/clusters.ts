import { assignCenters, centersOfTwins } from '../cluster/center.ts';
import {
  graphFromExactPairs,
  graphFromNeighbours,
  graphFromPairs,
  type SymmetricGraph,
} from '../cluster/symmetric-graph.ts';
import { nestedTopics, topicResolutions } from '../cluster/topics.ts';
import { aggregate, graphOfNearest, type WeightedGraph } from '../cluster/weighted-graph.ts';
import { TOPIC_PROFILES } from '../relations/topic.ts';
import { readArray, writeArray } from './array-file.ts';
import type { BuildOptions } from './build-options.ts';
import { loadNeighbours } from './neighbours.ts';
import { loadSimilarPairs } from './similar-pairs.ts';
import { loadThresholdPairs } from './threshold-pairs.ts';
import type { WorkFiles, WorkFolder } from './work-folder.ts';

/** Levels of topics above the clusters of CENTER. */
const TOPIC_LEVELS = 3;
/** Nearest pages that count as edges of the topic graph. */
const TOPIC_NEIGHBOURS = 24;

/** The pairs that CENTER scans, and whose twin each page is. */
interface PairGraph {
  readonly graph: SymmetricGraph;
  /** Uint32Array(n): the page itself where it stands for itself. */
  readonly representative: Uint32Array;
}

/** One level of clusters: Uint32Array(n), the page at the center of each page's cluster. */
export type Level = Uint32Array;

export function levelFile(level: number): string {
  return `centers-${level}`;
}

/**
 * Clusters, fine to broad: CENTER over the pairs at or above the cluster similarity, then, in the default
 * profile, nested topics by Leiden on the neighbour graph with those clusters contracted, so that every
 * cluster lies whole in its topic. Returns the number of clusters of each level.
 */
export function findClusters(folder: WorkFolder, options: BuildOptions): number[] {
  const { graph, representative } = pairGraph(folder, options);
  const tight = centersOfTwins(assignCenters(graph), representative);
  const levels: Level[] = [tight];
  if (TOPIC_PROFILES[options.profile].topics) levels.push(...topicLevels(folder, options, tight));
  for (const [level, centers] of levels.entries()) writeArray(folder.file(levelFile(level)), centers);
  return levels.map(countClusters);
}

export function loadLevels(folder: WorkFiles, levelCount: number): Level[] {
  return Array.from({ length: levelCount }, (_, level) =>
    readArray(folder.file(levelFile(level)), Uint32Array),
  );
}

function countClusters(centers: Level): number {
  return centers.reduce((count, center, page) => count + (center === page ? 1 : 0), 0);
}

/** As printed, over all similar pairs; else over those in which one page is among the K nearest of the other. */
function pairGraph(folder: WorkFolder, options: BuildOptions): PairGraph {
  if (options.pairSimilarity !== null && TOPIC_PROFILES[options.profile].signature === null) {
    const { representative, ...pairs } = loadThresholdPairs(folder);
    const isKept = (_: number, i: number) => pairs.shared[i]! >= options.clusterSimilarity * pairs.total[i]!;
    const kept = {
      a: pairs.a.filter(isKept),
      b: pairs.b.filter(isKept),
      shared: pairs.shared.filter(isKept),
      total: pairs.total.filter(isKept),
    };
    return { graph: graphFromExactPairs(representative.length, kept), representative };
  }
  if (TOPIC_PROFILES[options.profile].signature === null) {
    const table = loadNeighbours(folder, options.neighbourLimit);
    const graph = graphFromNeighbours(table, options.clusterSimilarity);
    return { graph, representative: Uint32Array.from(table.counts.keys()) };
  }
  const pairs = loadSimilarPairs(folder, options.filterValues);
  const least = options.clusterSimilarity * pairs.total;
  const isKept = (_: number, i: number) => pairs.agreement[i]! >= least;
  const graph = graphFromPairs({
    ...pairs,
    a: pairs.a.filter(isKept),
    b: pairs.b.filter(isKept),
    agreement: pairs.agreement.filter((agreement) => agreement >= least),
  });
  return { graph, representative: pairs.representative };
}

function topicLevels(folder: WorkFolder, options: BuildOptions, tight: Level): Level[] {
  const pages = graphOfNearest(loadNeighbours(folder, options.neighbourLimit), TOPIC_NEIGHBOURS);
  const { names, count } = denseNames(tight);
  const contracted = aggregate(pages, names, count);
  const resolutions = topicResolutions(tight.length, TOPIC_LEVELS);
  return nestedTopics(contracted, resolutions, options.seed).map(({ topicOf }) =>
    centersOf(
      pages,
      Uint32Array.from(names, (name) => topicOf[name]!),
    ),
  );
}

/** Clusters numbered 0, 1, ... in the order of their first pages. */
function denseNames(centers: Level): { names: Uint32Array; count: number } {
  const nameOf = new Int32Array(centers.length).fill(-1);
  let count = 0;
  const names = centers.map((center) => {
    if (nameOf[center]! < 0) nameOf[center] = count++;
    return nameOf[center]!;
  });
  return { names, count };
}

/** The center of a topic: the page with the most similarity to the pages of its topic, the first of equals. */
function centersOf(graph: WeightedGraph, topicOf: Uint32Array): Level {
  const best = new Float64Array(topicOf.length).fill(-1);
  const center = new Uint32Array(topicOf.length);
  for (let page = 0; page < topicOf.length; page++) {
    const topic = topicOf[page]!;
    let within = 0;
    for (let edge = graph.offsets[page]!; edge < graph.offsets[page + 1]!; edge++) {
      if (topicOf[graph.neighbours[edge]!] === topic) within += graph.weights[edge]!;
    }
    if (within > best[topic]!) {
      best[topic] = within;
      center[topic] = page;
    }
  }
  return topicOf.map((topic) => center[topic]!);
}
