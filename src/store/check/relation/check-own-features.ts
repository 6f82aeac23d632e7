import { relateSets } from '../../../join/own/feature-join.ts';
import { FeatureSetList, setAt, sharedWeight, storedShare } from '../../../join/own/feature-sets.ts';
import { listIn } from '../../../lib/kept.ts';
import type { IndexReader } from '../../read/reader.ts';
import type { Checked } from './checked.ts';

/** What a whole number of parts may be off a threshold. */
const ROUNDING = 1e-5;

/** The features of an index again, as they stand beside its pages. */
export interface OwnFeatureSets {
  /** Int32Array(n): the set of each page, -1 where it has none. */
  readonly setOfPage: Int32Array;
  readonly list: FeatureSetList;
}

export function ownFeatureSets(reader: IndexReader): OwnFeatureSets {
  const setOfPage = new Int32Array(reader.pageCount).fill(-1);
  const list = new FeatureSetList();
  for (let page = 0; page < reader.ownPageCount; page++) {
    const packed = reader.input.ownFeatures(page);
    if (packed !== '') setOfPage[page] = list.add(packed);
  }
  return { setOfPage, list };
}

/** Every stored figure is computed again from the features of both pages; a list that is not full holds all pairs of its page. */
export function checkFeatureNeighbors({ reader, relation, faults }: Checked, own: OwnFeatureSets): void {
  const { setOfPage } = own;
  const listed = new Map<number, Set<number>>();
  const isFull = new Uint8Array(reader.pageCount);
  for (const { pageId, list } of reader.allNeighbors(relation.id)) {
    listed.set(pageId, new Set(list.ids));
    if (list.ids.length >= relation.neighborLimit) isFull[pageId] = 1;
    for (const [i, other] of list.ids.entries()) {
      if (other >= reader.ownPageCount) continue;
      const { shared, total } = figureOf(own, pageId, other);
      if (shared * list.total[i]! !== list.shared[i]! * total) {
        faults.push(
          `pages ${pageId} and ${other} are stored at ${list.shared[i]}/${list.total[i]}, but their features give ${shared}/${total}`,
        );
      }
      if (shared < (relation.floor - ROUNDING) * total)
        faults.push(`pages ${pageId} and ${other} are listed, but are no copies from ${relation.floor} on`);
    }
  }
  const pagesOfSet: number[][] = Array.from({ length: own.list.count }, () => []);
  for (const [page, set] of setOfPage.entries()) if (set >= 0) pagesOfSet[set]!.push(page);
  const { a, b } = relateSets(own.list.sets(), relation.floor).pairs;
  const near = pagesOfSet.map((_, set) => [set]);
  for (const [i, set] of a.entries()) {
    near[set]!.push(b[i]!);
    near[b[i]!]!.push(set);
  }
  for (const [page, set] of setOfPage.entries()) {
    if (set < 0 || isFull[page] === 1) continue;
    const missing = near[set]!.flatMap((one) => pagesOfSet[one]!).find(
      (other) => other !== page && listed.get(page)?.has(other) !== true,
    );
    if (missing !== undefined)
      faults.push(`page ${page} has the features of page ${missing}, which is not listed`);
  }
}

/** Clusters are the components of all pairs, around the page whose URL comes first, with the figures of the others to it. */
export function checkFeatureClusters({ reader, relation, faults }: Checked, own: OwnFeatureSets): void {
  const { setOfPage, list } = own;
  const { roots } = relateSets(list.sets(), relation.floor);
  const rootOfPage = (page: number) => (setOfPage[page]! < 0 ? -1 : roots[setOfPage[page]!]!);
  const expected = new Map<number, number[]>();
  for (const page of setOfPage.keys()) {
    const root = rootOfPage(page);
    if (root >= 0) listIn(expected, root).push(page);
  }
  let clusterCount = 0;
  for (const cluster of reader.clusters.all()) {
    if (cluster.relationId !== relation.id) continue;
    clusterCount++;
    const { key, centerId, size } = cluster;
    const members = reader.clusters.members(cluster.id, size, 0);
    for (const { pageId, similarity } of members) {
      if (centerId >= reader.ownPageCount) continue;
      const { shared, total } = figureOf(own, pageId, centerId);
      if (similarity !== (pageId === centerId ? 1 : shared / total))
        faults.push(`page ${pageId} is stored at ${similarity} to the center of cluster ${key}`);
      if (reader.page(pageId).url < reader.page(centerId).url)
        faults.push(`cluster ${key} has a page whose URL comes before that of its center`);
    }
    if (reader.shard !== null) continue;
    const pages = members.map(({ pageId }) => pageId).sort((a, b) => a - b);
    if (String(pages) !== String(expected.get(rootOfPage(centerId))))
      faults.push(`cluster ${key} is not what its pairs join`);
  }
  const wanted = [...expected.values()].filter(({ length }) => length > 1).length;
  if (reader.shard === null && clusterCount !== wanted)
    faults.push(`there are ${clusterCount} clusters, and the pairs make ${wanted}`);
}

function figureOf({ setOfPage, list }: OwnFeatureSets, a: number, b: number) {
  const [left, right] = [setOfPage[a]!, setOfPage[b]!];
  if (left < 0 || right < 0) return { shared: 0, total: 1 };
  if (left === right) return { shared: 1, total: 1 };
  const sets = list.sets();
  return storedShare(sharedWeight(setAt(sets, left), setAt(sets, right)));
}
