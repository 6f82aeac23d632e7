import { createHash } from 'node:crypto';
import { labelClusters } from '../cluster/label.ts';
import { membersOf } from '../cluster/weighted-graph.ts';
import type { BagMatrix } from '../features/bag.ts';
import type { IndexWriter } from '../store/writer.ts';
import { readArray } from './array-file.ts';
import type { Level } from './clusters.ts';
import { featureNames } from './vocabulary.ts';
import type { WorkFolder } from './work-folder.ts';
import { collapsedPages } from './write-index.ts';

const LABEL_TERMS = 4;

export type ClusterSink = Pick<IndexWriter, 'cluster' | 'member'>;

/** Similarity of a page to the center of its cluster, 1 for the center itself. */
export type SimilarityToCenter = (page: number, center: number, level: number) => number;

/**
 * Writes the clusters of every level and their members, each level's ids behind those of the one below.
 * Returns the number of clusters.
 */
export function writeClusters(
  writer: ClusterSink,
  relation: { readonly id: number; readonly name: string },
  folder: WorkFolder,
  levels: readonly Level[],
  matrix: BagMatrix,
  similarity: SimilarityToCenter,
  urlOf: (page: number) => string,
): number {
  const numbered = levels.map(numberClusters);
  const labels = levels.map((centers) => labelTexts(folder, matrix, centers));
  let firstId = 0;
  const members: { id: number; pages: Uint32Array; center: number; level: number }[] = [];
  for (const [level, { heads, clusterOf }] of numbered.entries()) {
    const { starts, members: pages } = membersOf(clusterOf, heads.length);
    const above = numbered[level + 1];
    for (const [cluster, center] of heads.entries()) {
      const own = pages.subarray(starts[cluster]!, starts[cluster + 1]!);
      const id = firstId + cluster;
      let radius = 1;
      for (const page of own) radius = Math.min(radius, similarity(page, center, level));
      writer.cluster({
        id,
        relationId: relation.id,
        level,
        key: clusterKey(relation.name, level, urlOf(center)),
        centerId: center,
        parentId: above === undefined ? null : firstId + heads.length + above.clusterOf[center]!,
        size: own.length,
        radius,
        label: labels[level]!.get(center)!,
      });
      members.push({ id, pages: own, center, level });
    }
    firstId += heads.length;
  }
  for (const { id, pages, center, level } of members) {
    for (const page of pages) writer.member(id, page, similarity(page, center, level));
  }
  return firstId;
}

/** Public ids, made of the center's URL: they survive a rebuild as long as the center does. */
function clusterKey(relation: string, level: number, centerUrl: string): string {
  return createHash('sha256').update(`${relation} ${level} ${centerUrl}`).digest('hex').slice(0, 16);
}

/** Clusters in the order of their centers. */
function numberClusters(centers: Level): { heads: Uint32Array; clusterOf: Uint32Array } {
  const heads = centers.filter((center, page) => center === page);
  const numberOf = new Uint32Array(centers.length);
  for (const [cluster, center] of heads.entries()) numberOf[center] = cluster;
  return { heads, clusterOf: centers.map((center) => numberOf[center]!) };
}

/** URLs of the centers. */
export function urlsOfCenters(folder: WorkFolder, levels: readonly Level[]): Map<number, string> {
  const urls = new Map<number, string>();
  let page = 0;
  for (const { url } of collapsedPages(folder)) {
    if (levels.some((centers) => centers[page] === page)) urls.set(page, url);
    page++;
  }
  return urls;
}

/** Center to the label of its cluster. */
function labelTexts(folder: WorkFolder, matrix: BagMatrix, centers: Level): Map<number, string> {
  const wordOf = readArray(folder.file('feature-words'), Uint32Array);
  const labels = labelClusters(matrix, centers, wordOf, LABEL_TERMS);
  const terms = new Map<number, string>();
  for (const label of labels.values()) for (const feature of label) terms.set(feature, '');
  for (const { id, term } of featureNames(folder, matrix.featureCount)) {
    if (terms.has(id)) terms.set(id, term);
  }
  const texts = new Map<number, string>();
  for (const [center, label] of labels) {
    texts.set(center, Array.from(label, (feature) => terms.get(feature)!).join(', '));
  }
  return texts;
}
