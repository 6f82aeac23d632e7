import { StoredBags } from '../../read/stored/stored-bags.ts';
import type { Checked } from './checked.ts';
import { areOfStoredLists } from './cluster-lists.ts';

/**
 * The finest level is what CENTER gives: a member is similar to its center, by its bag where the relation is
 * exact, and no two centers are a similar pair of a list, where the lists are what CENTER scanned.
 */
export function checkCenters({ reader, relation, faults }: Checked): void {
  const { cluster_similarity: threshold, pairs: joined } = reader.card().parameters;
  if (typeof threshold !== 'number') {
    faults.push('the parameter cluster_similarity is missing');
    return;
  }
  const bags = relation.measure === 'exact' ? new StoredBags(reader, relation.id) : null;
  const isCenter = new Uint8Array(reader.pageCount);
  const rows = reader.file.tuples<[key: string, center: number, page: number, similarity: number]>(
    `SELECT key, center_id, page_id, similarity FROM cluster JOIN member ON cluster_id = cluster.id
     WHERE relation_id = ? AND level = 0 ORDER BY center_id, page_id`,
    relation.id,
  );
  for (const [key, center, page, similarity] of rows) {
    isCenter[center] = 1;
    if (page === center) continue;
    if (similarity < threshold || similarity > 1) {
      faults.push(`page ${page} is in cluster ${key} at ${similarity}, below ${threshold}`);
    }
    if (center >= reader.ownPageCount) continue;
    const overlap = bags?.overlap(center, page);
    if (bags !== null && overlap! / (bags.sums[center]! + bags.sums[page]! - overlap!) !== similarity) {
      faults.push(`page ${page} is in cluster ${key} at ${similarity}, but the bags give another similarity`);
    }
  }
  // A join at a threshold misses a few of the pairs that lists may hold.
  if (joined !== undefined || !areOfStoredLists(reader)) return;
  for (const { pageId, list } of reader.allNeighbors(relation.id)) {
    if (isCenter[pageId] === 0) continue;
    for (let i = 0; i < list.ids.length; i++) {
      if (list.shared[i]! / list.total[i]! >= threshold && isCenter[list.ids[i]!] === 1)
        faults.push(`the centers ${pageId} and ${list.ids[i]} are a similar pair`);
    }
  }
}
