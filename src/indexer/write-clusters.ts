import { createHash } from 'node:crypto';
import { membersOf } from '../cluster/weighted-graph.ts';
import type { IndexWriter } from '../store/writer.ts';
import { clusterLabels } from './cluster-labels.ts';
import type { Level } from './clusters.ts';
import type { WorkFolder } from './work-folder.ts';
import { pageNames } from './write-index.ts';

export type ClusterSink = Pick<IndexWriter, 'cluster' | 'member'>;

/** Similarity of a page to the center of its cluster, 1 for the center itself. */
export type SimilarityToCenter = (page: number, center: number, level: number) => number;

/**
 * Writes the clusters of every level, as `nameClusters` named them, and their members, each level's ids behind those
 * of the one below. Returns the number of clusters.
 */
export function writeClusters(
  writer: ClusterSink,
  relation: { readonly id: number; readonly name: string },
  folder: WorkFolder,
  levels: readonly Level[],
  similarity: SimilarityToCenter,
  urlOf: (page: number) => string,
): number {
  const numbered = levels.map(numberClusters);
  let firstId = 0;
  for (const [level, { heads, clusterOf }] of numbered.entries()) {
    const { starts, members } = membersOf(clusterOf, heads.length);
    const above = numbered[level + 1];
    const labels = clusterLabels(folder, level);
    for (const [cluster, center] of heads.entries()) {
      const pages = members.subarray(starts[cluster]!, starts[cluster + 1]!);
      const similarities = Float64Array.from(pages, (page) => similarity(page, center, level));
      const id = firstId + cluster;
      writer.cluster({
        id,
        relationId: relation.id,
        level,
        key: clusterKey(relation.name, level, urlOf(center)),
        centerId: center,
        parentId: above === undefined ? null : firstId + heads.length + above.clusterOf[center]!,
        size: pages.length,
        radius: similarities.reduce((least, one) => Math.min(least, one), 1),
        label: labels.next().value as string,
      });
      for (const [i, page] of pages.entries()) writer.member(id, page, similarities[i]!);
    }
    firstId += heads.length;
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
  for (const { url } of pageNames(folder)) {
    if (levels.some((centers) => centers[page] === page)) urls.set(page, url);
    page++;
  }
  return urls;
}
