import { keptIn } from '../../../lib/kept.ts';
import { UnionFind } from '../../../lib/union-find.ts';
import type { NamedClustering } from '../../../relations/copy.ts';
import { checkMembers } from './check-clusters.ts';
import { areCopies, type FoldedSketches, figureOf } from './check-copies.ts';
import type { Checked } from './checked.ts';

/** Which pages belong together by the pairs that are known, and whose lists may hide more of them. */
interface Components {
  readonly pages: UnionFind;
  readonly isFull: Uint8Array;
}

/**
 * In every clustering: clusters hold two pages or more and are the components of its pairs: no pair leads out of one,
 * and none falls apart, unless a full neighbor list may hide what holds it together. Figures are those of the measure to the center, which is the page whose URL comes first.
 */
export function checkCopyClusters(checked: Checked, folded: FoldedSketches): void {
  const { reader, relation, faults } = checked;
  checkMembers(checked);
  const clusterings = reader.card().copyClusterings;
  const strays = 'SELECT key FROM cluster WHERE relation_id = ? AND level >= ?';
  for (const key of reader.file.values<string>(strays, relation.id, clusterings.length))
    faults.push(`cluster ${key} belongs to no clustering`);
  for (const [level, clustering] of clusterings.entries()) {
    const clusterOfPage = clustersOf(checked, level, clustering, folded);
    const components = listedComponents(checked, clustering, folded);
    if (reader.shard === null) checkComponents(clusterOfPage, components, clustering.name, faults);
  }
}

/** Cluster of each page at a level, -1 for none, its center and figures checked. */
function clustersOf(
  { reader, relation, faults }: Checked,
  level: number,
  { measure }: NamedClustering,
  folded: FoldedSketches,
): Int32Array {
  const clusterOfPage = new Int32Array(reader.pageCount).fill(-1);
  const rows = reader.file.tuples<
    [cluster: number, key: string, center: number, page: number, similarity: number, before: number]
  >(
    `SELECT cluster.id, key, center_id, member.page_id, similarity, page.url < head.url
     FROM cluster JOIN member ON cluster_id = cluster.id JOIN page ON page.id = member.page_id
     JOIN page AS head ON head.id = center_id WHERE relation_id = ? AND level = ? ORDER BY cluster.id, member.page_id`,
    relation.id,
    level,
  );
  for (const [cluster, key, center, page, similarity, before] of rows) {
    if (clusterOfPage[page] !== -1) faults.push(`page ${page} is in two clusters`);
    clusterOfPage[page] = cluster;
    // What is compared with a page of another shard is for that shard to check.
    if (center >= reader.ownPageCount) continue;
    if (before === 1) faults.push(`cluster ${key} has a page whose URL comes before that of its center`);
    const { shared, total } =
      page === center ? { shared: 1, total: 1 } : figureOf(folded, page, center, measure);
    if (similarity !== (total === 0 ? 0 : shared / total)) {
      faults.push(
        `page ${page} is stored at ${similarity} to its center, but the sketches give ${shared}/${total}`,
      );
    }
  }
  return clusterOfPage;
}

/** By the neighbor lists, which hold every pair unless they are full. */
function listedComponents(
  { reader, relation }: Checked,
  clustering: NamedClustering,
  folded: FoldedSketches,
): Components {
  const pages = new UnionFind(reader.pageCount);
  const isFull = new Uint8Array(reader.pageCount);
  for (const { pageId, list } of reader.allNeighbors(relation.id)) {
    for (const other of list.ids) {
      if (!areCopies(folded, pageId, other, clustering)) continue;
      pages.union(pageId, other);
    }
    if (list.ids.length >= relation.neighborLimit) isFull[pageId] = 1;
  }
  return { pages, isFull };
}

function checkComponents(
  clusterOfPage: Int32Array,
  { pages, isFull }: Components,
  clustering: string,
  faults: string[],
): void {
  const clusterOfRoot = new Map<number, number>();
  const rootsOfCluster = new Map<number, Set<number>>();
  const hides = new Set<number>();
  for (const [page, cluster] of clusterOfPage.entries()) {
    const root = pages.find(page);
    const known = clusterOfRoot.get(root);
    if (known !== undefined && known !== cluster)
      faults.push(`page ${page} has a pair outside its cluster at ${clustering}`);
    clusterOfRoot.set(root, cluster);
    if (cluster < 0) continue;
    if (isFull[page] === 1) hides.add(cluster);
    keptIn(rootsOfCluster, cluster, () => new Set()).add(root);
  }
  for (const [cluster, roots] of rootsOfCluster) {
    if (roots.size > 1 && !hides.has(cluster))
      faults.push(`cluster ${cluster} has ${roots.size} parts that no pair connects`);
  }
}
