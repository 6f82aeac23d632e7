import { createHash } from 'node:crypto';
import { assignCenters, centersOfTwins } from '../cluster/center.ts';
import { labelClusters } from '../cluster/label.ts';
import { graphFromNeighbours, graphFromPairs, type SymmetricGraph } from '../cluster/symmetric-graph.ts';
import type { BagMatrix } from '../features/bag.ts';
import { TOPIC_PROFILES } from '../relations/topic.ts';
import type { IndexWriter } from '../store/writer.ts';
import { readArray, writeArray } from './array-file.ts';
import type { BuildOptions } from './build-options.ts';
import { loadNeighbours } from './neighbours.ts';
import { loadSimilarPairs } from './similar-pairs.ts';
import { featureNames } from './vocabulary.ts';
import type { WorkFolder } from './work-folder.ts';
import { collapsedPages } from './write-index.ts';

const LABEL_TERMS = 4;
const FINEST_LEVEL = 0;

/** The pairs that CENTER scans, and whose twin each page is. */
interface PairGraph {
  readonly graph: SymmetricGraph;
  /** Uint32Array(n): the page itself where it stands for itself. */
  readonly representative: Uint32Array;
}

/** CENTER over the pairs at or above the cluster similarity. Returns the number of clusters. */
export function findClusters(folder: WorkFolder, options: BuildOptions): number {
  const { graph, representative } = pairGraph(folder, options);
  const centers = centersOfTwins(assignCenters(graph), representative);
  writeArray(folder.file('centers'), centers);
  return centers.reduce((count, head, page) => count + (head === page ? 1 : 0), 0);
}

/** As printed, over all similar pairs; else over those in which one page is among the K nearest of the other. */
function pairGraph(folder: WorkFolder, options: BuildOptions): PairGraph {
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

/** Writes clusters and members, labels from the members' bags. Returns the number of clusters. */
export function writeClusters(
  writer: IndexWriter,
  relationId: number,
  folder: WorkFolder,
  options: BuildOptions,
  matrix: BagMatrix,
): number {
  const centers = readArray(folder.file('centers'), Uint32Array);
  const pairs = pairGraph(folder, options);
  const heads = centers.filter((head, page) => head === page);
  const clusterOf = new Map(Array.from(heads, (head, cluster) => [head, cluster]));
  const members: { pageId: number; similarity: number }[][] = Array.from(heads, () => []);
  for (const [page, head] of centers.entries()) {
    members[clusterOf.get(head)!]!.push({ pageId: page, similarity: similarityTo(pairs, page, head) });
  }
  const labels = labelTexts(folder, matrix, centers);
  const keys = clusterKeys(folder, centers);
  for (const [id, head] of heads.entries()) {
    const { length } = members[id]!;
    const radius = members[id]!.reduce((least, member) => Math.min(least, member.similarity), 1);
    const key = keys.get(head)!;
    writer.cluster({
      id,
      relationId,
      level: FINEST_LEVEL,
      key,
      centerId: head,
      parentId: null,
      size: length,
      radius,
      label: labels.get(head)!,
    });
  }
  for (const [id, list] of members.entries()) {
    for (const member of list) writer.member(id, member.pageId, member.similarity);
  }
  return heads.length;
}

/** Similarity of a member to its center, from the pair that made it a member; twins are fully similar. */
function similarityTo({ graph, representative }: PairGraph, page: number, head: number): number {
  const own = representative[page]!;
  if (own === head) return 1;
  for (let edge = graph.offsets[own]!; edge < graph.offsets[own + 1]!; edge++) {
    if (graph.neighbours[edge] === head) return graph.shared[edge]! / graph.total[edge]!;
  }
  throw new Error(`page ${page} has no similar pair with its center ${head}`);
}

/** Public ids, made of the center's URL: they survive a rebuild as long as the center does. */
function clusterKeys(folder: WorkFolder, centers: Uint32Array): Map<number, string> {
  const keys = new Map<number, string>();
  let page = 0;
  for (const { url } of collapsedPages(folder)) {
    if (centers[page] === page) {
      keys.set(page, createHash('sha256').update(`topic 0 ${url}`).digest('hex').slice(0, 16));
    }
    page++;
  }
  return keys;
}

/** Center to the label of its cluster. */
function labelTexts(folder: WorkFolder, matrix: BagMatrix, centers: Uint32Array): Map<number, string> {
  const wordOf = readArray(folder.file('feature-words'), Uint32Array);
  const labels = labelClusters(matrix, centers, wordOf, LABEL_TERMS);
  const terms = new Map<number, string>();
  for (const label of labels.values()) for (const feature of label) terms.set(feature, '');
  for (const { id, term } of featureNames(folder, matrix.featureCount)) {
    if (terms.has(id)) terms.set(id, term);
  }
  const texts = new Map<number, string>();
  for (const [head, label] of labels) {
    texts.set(head, Array.from(label, (feature) => terms.get(feature)!).join(', '));
  }
  return texts;
}
