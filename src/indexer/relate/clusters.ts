/**
 * The stage `clusters`: levels of clusters, from fine to broad.
 *
 *   similar pairs ─> CENTER ─> level 0          each member is similar to its center
 *   nearest pages, clusters of level 0 as nodes ─> Leiden at several resolutions ─> level 1, 2, ...   topics, nested
 *
 * Limits  topics need the lists of nearest pages of the profile akin; haveliwala2000 has level 0 alone.
 * Source  cluster/center.ts, cluster/topics.ts.
 */

import { assignCenters, centersOfPairs, centersOfTwins } from '../../cluster/center.ts';
import { NO_CLASS, seedGraph } from '../../cluster/class-seeds.ts';
import { graphFromNeighbors } from '../../cluster/symmetric-graph.ts';
import { topicLists } from '../../cluster/topic-graph.ts';
import { nestedTopics, topicResolutions } from '../../cluster/topics.ts';
import { aggregate, graphOfLists, type WeightedGraph } from '../../cluster/weighted-graph.ts';
import { rowsBySimilarity } from '../../join/pairs/neighbor-span.ts';
import type { PairColumns } from '../../join/pairs/pair-columns.ts';
import { reachesShare } from '../../lib/reaches-share.ts';
import { KERNELS } from '../../relations/kernels.ts';
import { TOPIC_PROFILES } from '../../relations/topic.ts';
import {
  centersOfLevel,
  NEIGHBOR_PLACES,
  THRESHOLD_PAIRS,
  THRESHOLD_REPRESENTATIVES,
} from '../files/records/stage-files.ts';
import type { WorkFiles, WorkFolder } from '../files/work-folder.ts';
import type { TopicOptions } from '../options/build-options.ts';
import { isNearerCenter } from '../steps/topic-center.ts';
import { loadNeighbors } from './lists/neighbors.ts';
import { agreement, type ClassReport, halves, type PageClasses, readClasses } from './page-classes.ts';
import { loadSimilarPairs } from './similar-pairs.ts';

/** Pages of each list that count as edges of the topic graph. */
export const TOPIC_NEIGHBORS = 24;

/** Pairs filtered at once: what is kept of them is a list first. */
const PAIRS_AT_ONCE = 1 << 16;

/** One level of clusters: Uint32Array(n), the page at the center of each page's cluster. */
export type Level = Uint32Array;

/** What is done: clusters of CENTER, the graph of the topics, the topics. */
type ClusterStep = 'centers' | 'graph' | 'topics';

/**
 * Clusters, fine to broad: CENTER over the pairs at or above the cluster similarity, then, in the default
 * profile, nested topics by Leiden on the neighbor graph with each of those clusters as one node, so that it
 * lies whole in its topic. So every topic is connected over the edges of the neighbor graph and the similar pairs
 * of members with their centers, which need not be edges there: a center has more members than nearest pages.
 * Returns the number of clusters of each level.
 */
export function findClusters(
  folder: WorkFolder,
  options: TopicOptions,
  onStep: (step: ClusterStep) => void = () => {},
): number[] {
  const tight = tightClusters(folder, options);
  const levels: Level[] = [tight];
  onStep('centers');
  if (TOPIC_PROFILES[options.profile].topics) levels.push(...topicLevels(folder, options, tight, onStep));
  onStep('topics');
  for (const [level, centers] of levels.entries()) centersOfLevel(level).write(folder, centers);
  return levels.map(countClusters);
}

export function loadLevels(folder: WorkFiles, levelCount: number): Level[] {
  return Array.from({ length: levelCount }, (_, level) => centersOfLevel(level).read(folder));
}

/** Pages that are centers. */
export function countClusters(centers: Level): number {
  let count = 0;
  for (let page = 0; page < centers.length; page++) if (centers[page] === page) count++;
  return count;
}

/**
 * CENTER as printed, over all similar pairs: those of the join at a threshold, or of the printed profile; else over
 * those in which one page is among the K nearest of the other.
 */
function tightClusters(folder: WorkFolder, options: TopicOptions): Level {
  const { clusterSimilarity, pairSimilarity } = options;
  if (TOPIC_PROFILES[options.profile].signature !== null) {
    const { a, b, agreement: shared, total, representative } = loadSimilarPairs(folder);
    const pairs = { a, b, shared, total: new Uint16Array(a.length).fill(total) };
    return centersAbove(clusterSimilarity, [pairs], representative);
  }
  if (pairSimilarity !== null) {
    return centersAbove(
      clusterSimilarity,
      THRESHOLD_PAIRS.blocks(folder),
      THRESHOLD_REPRESENTATIVES.read(folder),
    );
  }
  const table = loadNeighbors(folder);
  const isBySimilarity = KERNELS[options.kernel].candidatesBy === 'similarity';
  return assignCenters(
    graphFromNeighbors(isBySimilarity ? table : rowsBySimilarity(table), clusterSimilarity),
  );
}

/** CENTER over the pairs of that similarity or more, pages that stand for others with them. */
function centersAbove(similarity: number, blocks: Iterable<PairColumns>, representative: Uint32Array): Level {
  function* kept() {
    for (const block of blocks) {
      for (let from = 0; from < block.a.length; from += PAIRS_AT_ONCE) {
        const [a, b, shared, total] = [block.a, block.b, block.shared, block.total].map((column) =>
          column.subarray(from, from + PAIRS_AT_ONCE),
        );
        const isKept = (_: number, i: number) => reachesShare(shared![i]!, total![i]!, similarity);
        yield { a: a!.filter(isKept) as Uint32Array, b: b!.filter(isKept) as Uint32Array };
      }
    }
  }
  return centersOfTwins(centersOfPairs(representative.length, kept()), representative);
}

function topicLevels(
  folder: WorkFolder,
  options: TopicOptions,
  tight: Level,
  onStep: (step: ClusterStep) => void,
): Level[] {
  const pages = seeded(topicGraph(folder, options), readClasses(folder));
  onStep('graph');
  return topicsOf(pages, options, tight).map((topicOf) => centersOf(pages, topicOf));
}

function seeded(graph: WeightedGraph, classes: PageClasses | null): WeightedGraph {
  return classes === null ? graph : seedGraph(graph, classes.classOf, classes.paths);
}

/** Of each level, fine to broad, the topic of each page, with the tight clusters as nodes. */
function topicsOf(pages: WeightedGraph, { seed }: TopicOptions, tight: Level): Uint32Array[] {
  const { names, count } = denseNames(tight);
  const contracted = aggregate(pages, names, count);
  const resolutions = topicResolutions(tight.length);
  return nestedTopics(contracted, resolutions, seed).map(({ topicOf }) =>
    Uint32Array.from(names, (name) => topicOf[name]!),
  );
}

/**
 * How far topics find the classes of pages that are no seeds: half of the classes are held out, topics made without
 * seeds and with the other half. After `findClusters`; twice the cost of its topics.
 */
export function measureClasses(
  folder: WorkFolder,
  options: TopicOptions,
): Pick<ClassReport, 'heldOutCount' | 'levels'> {
  const [seeds, heldOut] = halves(readClasses(folder)!);
  const tight = centersOfLevel(0).read(folder);
  const graph = topicGraph(folder, options);
  const plain = topicsOf(graph, options, tight);
  const half = topicsOf(seeded(graph, seeds), options, tight);
  return {
    heldOutCount: heldOut.classOf.filter((one) => one !== NO_CLASS).length,
    levels: plain.map((topicOf, level) => ({
      plain: agreement(topicOf, heldOut),
      seeded: agreement(half[level]!, heldOut),
    })),
  };
}

function topicGraph(folder: WorkFolder, options: TopicOptions): WeightedGraph {
  // Two steps, so that the table is free before the graph is made.
  const table = loadNeighbors(folder);
  const { places, ...lists } = topicLists(table, TOPIC_NEIGHBORS, KERNELS[options.kernel].candidatesBy);
  NEIGHBOR_PLACES.write(folder, places);
  return graphOfLists(lists);
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

/** The center of each page's topic. */
function centersOf(graph: WeightedGraph, topicOf: Uint32Array): Level {
  const best = new Float64Array(topicOf.length).fill(-1);
  const center = new Uint32Array(topicOf.length);
  for (let page = 0; page < topicOf.length; page++) {
    const topic = topicOf[page]!;
    let within = 0;
    for (let edge = graph.offsets[page]!; edge < graph.offsets[page + 1]!; edge++) {
      if (topicOf[graph.neighbors[edge]!] === topic) within += graph.weights[edge]!;
    }
    if (isNearerCenter(within, best[topic]!)) {
      best[topic] = within;
      center[topic] = page;
    }
  }
  return topicOf.map((topic) => center[topic]!);
}
