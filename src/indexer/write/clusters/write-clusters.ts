import { groupBy, membersOf } from '../../../lib/groups.ts';
import type { IndexWriter } from '../../../store/write/writer.ts';
import { centerUrlsOfLevel } from '../../files/records/stage-files.ts';
import type { WorkFolder } from '../../files/work-folder.ts';
import { pageUrls } from '../../gather/records/collapsed-pages.ts';
import type { SimilarityToCenter } from '../../relate/center-similarity.ts';
import { countClusters, type Level } from '../../relate/clusters.ts';
import { clusterLabels } from './cluster-labels.ts';
import { clusterKey } from './cluster-names.ts';

export type ClusterSink = Pick<IndexWriter, 'cluster' | 'member'>;

/**
 * Writes the clusters of every level, as `nameClusters` named them, and their members, each level's ids behind those
 * of the one below; `urlsOf` gives the URLs of the centers of a level in their order. Returns the number of clusters.
 */
export function writeClusters(
  writer: ClusterSink,
  relation: { readonly id: number; readonly name: string },
  folder: WorkFolder,
  levels: readonly Level[],
  similarity: SimilarityToCenter,
  urlsOf: (level: number) => Iterator<string>,
): number {
  const numbered = levels.map(numberClusters);
  let firstId = 0;
  for (const [level, { heads, clusterOf }] of numbered.entries()) {
    const clusters = groupBy(clusterOf, heads.length);
    const above = numbered[level + 1];
    const labels = clusterLabels(folder, level);
    const urls = urlsOf(level);
    const levelStart = firstId;
    const writeCluster = (cluster: number) => {
      const center = heads[cluster]!;
      const pages = membersOf(clusters, cluster);
      const similarities = new Float64Array(pages.length);
      let radius = 1;
      for (let i = 0; i < pages.length; i++) {
        similarities[i] = similarity(pages[i]!, center, level);
        radius = Math.min(radius, similarities[i]!);
      }
      const id = levelStart + cluster;
      writer.cluster({
        id,
        relationId: relation.id,
        level,
        key: clusterKey(relation.name, level, urls.next().value as string),
        centerId: center,
        parentId: above === undefined ? null : levelStart + heads.length + above.clusterOf[center]!,
        size: pages.length,
        radius,
        label: labels.next().value as string,
      });
      for (let i = 0; i < pages.length; i++) writer.member(id, pages[i]!, similarities[i]!);
    };
    for (let cluster = 0; cluster < heads.length; cluster++) writeCluster(cluster);
    for (const read of [labels, urls]) read.return?.();
    firstId += heads.length;
  }
  return firstId;
}

/** Clusters in the order of their centers. */
function numberClusters(centers: Level): { heads: Uint32Array; clusterOf: Uint32Array } {
  const heads = new Uint32Array(countClusters(centers));
  const numberOf = new Uint32Array(centers.length);
  let count = 0;
  for (let page = 0; page < centers.length; page++) {
    if (centers[page] !== page) continue;
    numberOf[page] = count;
    heads[count++] = page;
  }
  return { heads, clusterOf: centers.map((center) => numberOf[center]!) };
}

/** Leaves the URLs of the centers of each level, in the order of the centers. */
export function saveCenterUrls(folder: WorkFolder, levels: readonly Level[]): void {
  const files = levels.map((_, level) => centerUrlsOfLevel(level).writer(folder));
  let page = 0;
  const saveUrl = (url: string) => {
    for (let level = 0; level < levels.length; level++) {
      if (levels[level]![page] === page) files[level]!.append(Buffer.from(url, 'latin1'));
    }
    page++;
  };
  for (const url of pageUrls(folder)) saveUrl(url);
  for (const file of files) file.end();
}

/** What `saveCenterUrls` left of one level. */
export function* centerUrls(folder: WorkFolder, level: number): IterableIterator<string> {
  for (const url of centerUrlsOfLevel(level).records(folder)) yield url.toString('latin1');
}
