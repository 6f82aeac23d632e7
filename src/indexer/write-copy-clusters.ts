import { createHash } from 'node:crypto';
import type { FoldGroups } from '../join/copy-neighbours.ts';
import { storedFigure } from '../join/copy-relation.ts';
import type { NamedClustering } from '../relations/copy.ts';
import { type SketchTable, sketchAt } from '../sketch/sketch-table.ts';
import type { IndexWriter } from '../store/writer.ts';

/** Pages of each component of two pages or more, each with its folded page. Shape  roots: component of each folded page. */
export function componentPages(
  roots: Uint32Array,
  { starts, members }: FoldGroups,
): [page: number, folded: number][][] {
  const ofRoot = new Map<number, [page: number, folded: number][]>();
  for (const [folded, root] of roots.entries()) {
    let known = ofRoot.get(root);
    if (known === undefined) ofRoot.set(root, (known = []));
    for (let i = starts[folded]!; i < starts[folded + 1]!; i++) known.push([members[i]!, folded]);
  }
  return [...ofRoot.values()].filter((pages) => pages.length > 1);
}

export interface ClusteringPlace {
  readonly relationId: number;
  readonly firstClusterId: number;
  readonly level: number;
  readonly clustering: NamedClustering;
}

/**
 * Writes the components of one clustering, whose place among those of the relation is its level. Their center is the
 * page whose URL comes first; the figures are those of the clustering's measure to it. Returns how many there are.
 */
export function writeCopyClusters(
  writer: Pick<IndexWriter, 'cluster' | 'member'>,
  { relationId, firstClusterId, level, clustering }: ClusteringPlace,
  roots: Uint32Array,
  table: SketchTable,
  groups: FoldGroups,
  headOf: (page: number) => { readonly url: string; readonly title: string },
): number {
  const clusters = componentPages(roots, groups).map((pages) => {
    // Pages of a later sweep stand behind the others whatever their URL is, so the order of ids will not do.
    const [center, foldedCenter] = pages.reduce((a, b) => (headOf(b[0]).url < headOf(a[0]).url ? b : a));
    const own = sketchAt(table, foldedCenter);
    const members = pages.map(([pageId, folded]) => {
      const { shared, total } = storedFigure(sketchAt(table, folded), own, clustering.measure);
      return { pageId, similarity: folded === foldedCenter ? 1 : total === 0 ? 0 : shared / total };
    });
    members.sort((x, y) => x.pageId - y.pageId);
    return { center, members };
  });
  clusters.sort((x, y) => x.center - y.center);
  for (const [i, { center, members }] of clusters.entries()) {
    const { url, title } = headOf(center);
    writer.cluster({
      id: firstClusterId + i,
      relationId,
      level,
      key: copyClusterKey(clustering.name, url),
      centerId: center,
      parentId: null,
      size: members.length,
      radius: members.reduce((least, { similarity }) => Math.min(least, similarity), 1),
      label: title || url,
    });
  }
  for (const [i, { members }] of clusters.entries()) {
    for (const { pageId, similarity } of members) writer.member(firstClusterId + i, pageId, similarity);
  }
  return clusters.length;
}

/** Public id of the cluster of copies around a page, in a clustering. */
function copyClusterKey(clustering: string, centerUrl: string): string {
  return createHash('sha256').update(`copy ${clustering} ${centerUrl}`).digest('hex').slice(0, 16);
}
