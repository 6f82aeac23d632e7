import { NONE } from '../../../lib/columns/indexes.ts';
import { radixSort } from '../../../lib/columns/radix-sort.ts';
import { type Groups, groupBy, membersOf } from '../../../lib/groups.ts';
import type { RelationName } from '../../../relations/relations.ts';
import { clusterKey, copyClusterLabel } from './cluster-names.ts';
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
 * Components of two pages or more, in the order of their centers. A center is the page whose URL comes first; `figureOf`
 * compares the others with it.
 *
 * Shape   roots: component of each folded page, `NONE` where it is left out.
 * Memory  24 bytes a folded page, and one cluster.
 */
export function* copyClusters(
  roots: Uint32Array,
  figureOf: (folded: number, center: number) => { readonly shared: number; readonly total: number },
  groups: Groups,
  headOf: (page: number) => Heading,
): IterableIterator<CopyCluster> {
  const folds = components(roots, groups);
  const centers = new Uint32Array(roots.length);
  const rootsInOrder = new Uint32Array(roots.length);
  let count = 0;
  for (let root = 0; root < roots.length; root++) {
    const own = membersOf(folds, root);
    if (own.length === 0) continue;
    centers[count] = centerOf(own, groups, headOf);
    rootsInOrder[count++] = root;
  }
  radixSort(centers.subarray(0, count), rootsInOrder.subarray(0, count));
  for (let i = 0; i < count; i++) {
    const own = membersOf(folds, rootsInOrder[i]!);
    const center = centers[i]!;
    const foldOfCenter = own.find((folded) => membersOf(groups, folded).includes(center))!;
    const members: { pageId: number; similarity: number }[] = [];
    for (const folded of own) {
      const { shared, total } = figureOf(folded, foldOfCenter);
      const similarity = folded === foldOfCenter ? 1 : total === 0 ? 0 : shared / total;
      for (const pageId of membersOf(groups, folded)) members.push({ pageId, similarity });
    }
    members.sort((x, y) => x.pageId - y.pageId);
    const { url, title } = headOf(center);
    yield { center, url, title, members };
  }
}

/** Pages of a later sweep stand behind the others whatever their URL is, so the order of ids will not do. */
function centerOf(folds: Uint32Array, groups: Groups, headOf: (page: number) => Heading): number {
  let center = -1;
  let least = '';
  for (const folded of folds) {
    for (const page of membersOf(groups, folded)) {
      const { url } = headOf(page);
      if (center >= 0 && url >= least) continue;
      center = page;
      least = url;
    }
  }
  return center;
}

/** Uint8Array(n): 1 for the pages of the components of two pages or more, in any of the clusterings. */
export function pagesInClusters(
  roots: readonly Uint32Array[],
  groups: Groups,
  pageCount: number,
): Uint8Array {
  const isIn = new Uint8Array(pageCount);
  for (const ofLevel of roots) {
    for (const folded of components(ofLevel, groups).members) {
      for (const page of membersOf(groups, folded)) isIn[page] = 1;
    }
  }
  return isIn;
}

/** Folded pages of each component that stands for two pages or more, by root. */
function components(roots: Uint32Array, groups: Groups): Groups {
  const sizes = new Uint32Array(roots.length);
  for (let folded = 0; folded < roots.length; folded++) {
    if (roots[folded] !== NONE) sizes[roots[folded]!]! += membersOf(groups, folded).length;
  }
  const kept = roots.map((root) => (root === NONE || sizes[root]! < 2 ? NONE : root));
  return groupBy(kept, roots.length);
}

/** Writes the clusters of one clustering, whose place among those of the relation is its level. Returns their number. */
export function writeCopyClusters(
  writer: ClusterSink,
  { id: relationId, name: relation }: { readonly id: number; readonly name: RelationName },
  firstClusterId: number,
  level: number,
  clustering: string | number,
  clusters: Iterable<CopyCluster>,
): number {
  let id = firstClusterId;
  for (const { center, url, title, members } of clusters) {
    writer.cluster({
      id,
      relationId,
      level,
      key: clusterKey(relation, clustering, url),
      centerId: center,
      parentId: null,
      size: members.length,
      radius: members.reduce((least, { similarity }) => Math.min(least, similarity), 1),
      label: copyClusterLabel({ title, url }),
    });
    for (const { pageId, similarity } of members) writer.member(id, pageId, similarity);
    id++;
  }
  return id - firstClusterId;
}
