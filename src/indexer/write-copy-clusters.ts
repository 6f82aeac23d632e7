import { createHash } from 'node:crypto';
import type { FoldGroups } from '../join/copy-neighbours.ts';
import { storedFigure } from '../join/copy-relation.ts';
import type { CopyMeasure } from '../join/shingle-join.ts';
import { type SketchTable, sketchAt } from '../sketch/sketch-table.ts';
import type { IndexWriter } from '../store/writer.ts';
import { loadRoots } from './copies.ts';
import type { WorkFolder } from './work-folder.ts';
import { collapsedPages } from './write-index.ts';

interface CopyCluster {
  readonly center: number;
  readonly url: string;
  readonly title: string;
  /** By page id. */
  readonly members: readonly { readonly pageId: number; readonly similarity: number }[];
}

/**
 * Components of two pages or more. Their center is the page whose URL comes first; the figures are those of the
 * clustering's measure to it.
 */
export function copyClusters(
  folder: WorkFolder,
  level: number,
  measure: CopyMeasure,
  table: SketchTable,
  groups: FoldGroups,
): CopyCluster[] {
  const roots = loadRoots(folder, level);
  const sizes = new Uint32Array(roots.length);
  for (const [folded, root] of roots.entries()) {
    sizes[root]! += groups.starts[folded + 1]! - groups.starts[folded]!;
  }
  const foldedOfRoot = new Map<number, number[]>();
  for (const [folded, root] of roots.entries()) {
    if (sizes[root]! < 2) continue;
    const known = foldedOfRoot.get(root);
    if (known === undefined) foldedOfRoot.set(root, [folded]);
    else known.push(folded);
  }
  const pagesOf = (folded: number) =>
    groups.members.subarray(groups.starts[folded]!, groups.starts[folded + 1]!);
  const components = [...foldedOfRoot.values()];
  // Pages of a later sweep stand behind the others whatever their URL is, so the order of ids will not do.
  const heads = headings(
    folder,
    new Set(components.flatMap((all) => all.flatMap((one) => [...pagesOf(one)]))),
  );
  const clusters = components.map((all) => {
    const owners = all.flatMap((folded) => Array.from(pagesOf(folded), (pageId) => ({ pageId, folded })));
    const center = owners.reduce((a, b) => (heads.get(b.pageId)!.url < heads.get(a.pageId)!.url ? b : a));
    const own = sketchAt(table, center.folded);
    const members = owners.map(({ pageId, folded }) => {
      const { shared, total } = storedFigure(sketchAt(table, folded), own, measure);
      return { pageId, similarity: folded === center.folded ? 1 : total === 0 ? 0 : shared / total };
    });
    members.sort((x, y) => x.pageId - y.pageId);
    return { center: center.pageId, ...heads.get(center.pageId)!, members };
  });
  return clusters.sort((x, y) => x.center - y.center);
}

/** Writes the clusters of one clustering, whose place among those of the relation is its level. */
export function writeCopyClusters(
  writer: IndexWriter,
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

function headings(
  folder: WorkFolder,
  wanted: ReadonlySet<number>,
): Map<number, { url: string; title: string }> {
  const found = new Map<number, { url: string; title: string }>();
  let id = 0;
  for (const { url, title } of collapsedPages(folder)) {
    if (wanted.has(id)) found.set(id, { url, title });
    id++;
  }
  return found;
}
