import { UnionFind } from '../cluster/union-find.ts';
import { storedFraction } from '../join/copy-relation.ts';
import { stripSketch } from '../join/template-shingles.ts';
import { overlapOf } from '../sketch/resemblance.ts';
import type { ShingleSketch } from '../sketch/shingle-sketch.ts';
import { hostOf } from '../url/site.ts';
import { checkMembers } from './check-clusters.ts';
import { copyParametersOf } from './check-versions.ts';
import type { Db } from './database.ts';
import type { IndexReader } from './reader.ts';
import type { RelationRecord } from './records.ts';

/** Equal shingle sets, and what is compared of them. */
export interface FoldedSketches {
  /** Per page: the number of its group of equals, -1 for an unfetched page. */
  readonly foldedOfPage: Int32Array;
  /** Per group: the sketch of its first page without the template of that page's host. */
  readonly sketches: readonly ShingleSketch[];
}

export function foldedSketches(reader: IndexReader): FoldedSketches {
  const versionOfPage = reader.versions.allCurrent(reader.pageCount);
  const wanted = new Set(versionOfPage);
  const digests = new Map<number, string>();
  for (const { id, shingleDigest, sketch } of reader.versions.all()) {
    if (wanted.has(id)) digests.set(id, sketch.shingleCount === 0 ? '' : shingleDigest);
  }
  const templateFilter = copyParametersOf(reader)!.template_filter;
  const minimumKeys = copyParametersOf(reader)!.template_minimum_keys;
  const templates = new Map<string, Float64Array>();
  const templateOf = (host: string): Float64Array => {
    const known = templates.get(host) ?? reader.versions.templateOf(host);
    templates.set(host, known);
    return known;
  };
  const foldedOfPage = new Int32Array(reader.pageCount).fill(-1);
  const foldedOfDigest = new Map<string, number>();
  const sketches: ShingleSketch[] = [];
  for (const { id, url } of reader.pages()) {
    const version = versionOfPage[id]!;
    if (version < 0) continue;
    const digest = digests.get(version)!;
    const known = digest === '' ? undefined : foldedOfDigest.get(digest);
    foldedOfPage[id] = known ?? sketches.length;
    if (known !== undefined) continue;
    if (digest !== '') foldedOfDigest.set(digest, sketches.length);
    const { sketch } = reader.versions.get(version);
    sketches.push(templateFilter ? stripSketch(sketch, templateOf(hostOf(url)), minimumKeys) : sketch);
  }
  return { foldedOfPage, sketches };
}

/** As `storedResemblance`; equal pages are equal however little was sampled of them. */
function resemblanceOf({ foldedOfPage, sketches }: FoldedSketches, a: number, b: number) {
  const [left, right] = [foldedOfPage[a]!, foldedOfPage[b]!];
  if (left < 0 || right < 0) return { shared: 0, total: 0 };
  if (left === right) {
    const keyCount = Math.max(1, sketches[left]!.keys.length);
    return storedFraction(keyCount, keyCount);
  }
  const { shared, ofA, ofB } = overlapOf(sketches[left]!, sketches[right]!);
  return storedFraction(shared, ofA + ofB - shared);
}

/** Every stored resemblance is computed again from the two sketches; a list that is not full holds all equal pages. */
export function checkResemblances(
  reader: IndexReader,
  relation: RelationRecord,
  folded: FoldedSketches,
  faults: string[],
): void {
  const sizes = new Uint32Array(folded.sketches.length);
  for (const group of folded.foldedOfPage) if (group >= 0) sizes[group]!++;
  const equalOf = new Uint32Array(reader.pageCount);
  for (const { pageId, list } of reader.allNeighbours(relation.id)) {
    for (let i = 0; i < list.ids.length; i++) {
      const other = list.ids[i]!;
      if (other >= reader.pageCount) continue;
      const { shared, total } = resemblanceOf(folded, pageId, other);
      if (list.shared[i] !== shared || list.total[i] !== total) {
        faults.push(
          `pages ${pageId} and ${other} are stored at ${list.shared[i]}/${list.total[i]}, their sketches say ${shared}/${total}`,
        );
      }
      if (folded.foldedOfPage[pageId] === folded.foldedOfPage[other]) equalOf[pageId]!++;
    }
    if (list.ids.length === relation.neighbourLimit)
      equalOf[pageId] = sizes[folded.foldedOfPage[pageId]!]! - 1;
  }
  for (const [page, group] of folded.foldedOfPage.entries()) {
    if (group < 0 || equalOf[page] === sizes[group]! - 1) continue;
    faults.push(
      `page ${page} has ${equalOf[page]} equal pages among its neighbours, there are ${sizes[group]! - 1}`,
    );
  }
}

/**
 * Clusters hold two pages or more and are the components of the stored pairs: no pair leads out of one, and none falls
 * apart unless a full neighbour list may hide what holds it together. Figures are resemblances to the center, which is
 * the page whose URL comes first.
 */
export function checkCopyClusters(
  db: Db,
  reader: IndexReader,
  relation: RelationRecord,
  folded: FoldedSketches,
  faults: string[],
): void {
  checkMembers(db, relation, faults);
  const components = new UnionFind(reader.pageCount);
  const isFull = new Uint8Array(reader.pageCount);
  for (const { pageId, list } of reader.allNeighbours(relation.id)) {
    for (const other of list.ids) if (other < reader.pageCount) components.union(pageId, other);
    if (list.ids.length >= relation.neighbourLimit) isFull[pageId] = 1;
  }
  const clusterOfPage = new Int32Array(reader.pageCount).fill(-1);
  const rows = db
    .prepare(
      `SELECT cluster.id AS cluster, key, center_id AS center, member.page_id AS page, similarity, page.url < head.url AS before
       FROM cluster JOIN member ON cluster_id = cluster.id JOIN page ON page.id = member.page_id
       JOIN page AS head ON head.id = center_id WHERE relation_id = ? ORDER BY cluster.id, member.page_id`,
    )
    .iterate(relation.id) as IterableIterator<{
    cluster: number;
    key: string;
    center: number;
    page: number;
    similarity: number;
    before: number;
  }>;
  for (const { cluster, key, center, page, similarity, before } of rows) {
    if (clusterOfPage[page] !== -1) faults.push(`page ${page} is in two clusters`);
    clusterOfPage[page] = cluster;
    if (before === 1) faults.push(`cluster ${key} has a page whose URL comes before that of its center`);
    const { shared, total } = page === center ? { shared: 1, total: 1 } : resemblanceOf(folded, page, center);
    if (similarity !== (total === 0 ? 0 : shared / total)) {
      faults.push(
        `page ${page} is stored at ${similarity} of its center, the sketches say ${shared}/${total}`,
      );
    }
  }
  const clusterOfRoot = new Map<number, number>();
  const rootsOfCluster = new Map<number, Set<number>>();
  const hides = new Set<number>();
  for (const [page, cluster] of clusterOfPage.entries()) {
    const root = components.find(page);
    const known = clusterOfRoot.get(root);
    if (known !== undefined && known !== cluster)
      faults.push(`a pair of page ${page} leads out of its cluster`);
    clusterOfRoot.set(root, cluster);
    if (cluster < 0) continue;
    if (isFull[page] === 1) hides.add(cluster);
    const roots = rootsOfCluster.get(cluster);
    if (roots === undefined) rootsOfCluster.set(cluster, new Set([root]));
    else roots.add(root);
  }
  for (const [cluster, roots] of rootsOfCluster) {
    if (roots.size > 1 && !hides.has(cluster))
      faults.push(`cluster ${cluster} falls into ${roots.size} parts`);
  }
}
