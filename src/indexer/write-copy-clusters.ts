import { createHash } from 'node:crypto';
import type { FoldGroups } from '../join/copy-neighbours.ts';
import { storedFigure } from '../join/copy-relation.ts';
import type { CopyMeasure } from '../join/shingle-join.ts';
import { type SketchTable, sketchAt } from '../sketch/sketch-table.ts';
import { NONE } from './copies.ts';
import type { ClusterSink } from './write-clusters.ts';

/** What is shown of a page. */
export interface Heading {
  readonly url: string;
  readonly title: string;
}

interface CopyCluster extends Heading {
  readonly center: number;
  /** By page id. */
  readonly members: readonly { readonly pageId: number; readonly similarity: number }[];
}

/**
 * Components of two pages or more. Their center is the page whose URL comes first; the figures are those of the
 * clustering's measure to it.
 *
 * Shape  roots: component of each folded page, `NONE` where it is left out.
 */
export function copyClusters(
  roots: Uint32Array,
  measure: CopyMeasure,
  table: SketchTable,
  groups: FoldGroups,
  headOf: (page: number) => Heading,
): CopyCluster[] {
  const clusters = components(roots, groups).map((all) => {
    const owners = all.flatMap((folded) =>
      Array.from(pagesOf(groups, folded), (pageId) => ({ pageId, folded, url: headOf(pageId).url })),
    );
    // Pages of a later sweep stand behind the others whatever their URL is, so the order of ids will not do.
    const center = owners.reduce((a, b) => (b.url < a.url ? b : a));
    const own = sketchAt(table, center.folded);
    const members = owners.map(({ pageId, folded }) => {
      const { shared, total } = storedFigure(sketchAt(table, folded), own, measure);
      return { pageId, similarity: folded === center.folded ? 1 : total === 0 ? 0 : shared / total };
    });
    members.sort((x, y) => x.pageId - y.pageId);
    const { url, title } = headOf(center.pageId);
    return { center: center.pageId, url, title, members };
  });
  return clusters.sort((x, y) => x.center - y.center);
}

/** Pages of the components of two pages or more, in any of the clusterings. */
export function pagesInClusters(roots: readonly Uint32Array[], groups: FoldGroups): Set<number> {
  const pages = new Set<number>();
  for (const ofLevel of roots) {
    for (const all of components(ofLevel, groups)) {
      for (const folded of all) for (const page of pagesOf(groups, folded)) pages.add(page);
    }
  }
  return pages;
}

/** Folded pages of each component that stands for two pages or more. */
function components(roots: Uint32Array, groups: FoldGroups): number[][] {
  const sizes = new Uint32Array(roots.length);
  for (const [folded, root] of roots.entries()) {
    if (root !== NONE) sizes[root]! += pagesOf(groups, folded).length;
  }
  const foldedOfRoot = new Map<number, number[]>();
  for (const [folded, root] of roots.entries()) {
    if (root === NONE || sizes[root]! < 2) continue;
    const known = foldedOfRoot.get(root);
    if (known === undefined) foldedOfRoot.set(root, [folded]);
    else known.push(folded);
  }
  return [...foldedOfRoot.values()];
}

function pagesOf({ starts, members }: FoldGroups, folded: number): Uint32Array {
  return members.subarray(starts[folded]!, starts[folded + 1]!);
}

/** Writes the clusters of one clustering, whose place among those of the relation is its level. */
export function writeCopyClusters(
  writer: ClusterSink,
  relationId: number,
  firstClusterId: number,
  level: number,
  clustering: string,
  clusters: readonly CopyCluster[],
): void {
  for (const [i, { center, url, title, members }] of clusters.entries()) {
    writer.cluster({
      id: firstClusterId + i,
      relationId,
      level,
      key: copyClusterKey(clustering, url),
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
}

/** Public id of the cluster of copies around a page, in a clustering. */
function copyClusterKey(clustering: string, centerUrl: string): string {
  return createHash('sha256').update(`copy ${clustering} ${centerUrl}`).digest('hex').slice(0, 16);
}
