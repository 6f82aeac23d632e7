import { UnionFind } from '../../../lib/union-find.ts';
import type { Checked } from './checked.ts';
import { areOfStoredLists } from './cluster-lists.ts';

/** The clusters of one level, and the pieces that their pages make up. */
interface Level {
  /** Int32Array(n): the cluster of each page. */
  readonly clusterOf: Int32Array;
  readonly pieces: UnionFind;
}

/** Levels nest, fine to broad, and every topic is connected, where the lists that joined its pages are stored. */
export function checkHierarchy(checked: Checked): void {
  checkNesting(checked);
  // What joins the pages of a topic may lie in other shards.
  const { reader } = checked;
  if (reader.shard === null && areOfStoredLists(reader)) checkConnected(checked);
}

/** A cluster lies whole in one of the next level; those of the broadest lie in none. */
function checkNesting({ reader, relation, faults }: Checked): void {
  const keysOf = (sql: string) => reader.file.values<string>(sql, { relation: relation.id });
  const misplaced = keysOf(
    `SELECT cluster.key FROM cluster LEFT JOIN cluster AS parent ON parent.id = cluster.parent_id
     WHERE cluster.relation_id = :relation AND CASE
     WHEN cluster.level = (SELECT max(level) FROM cluster WHERE relation_id = :relation) THEN parent.id IS NOT NULL
     ELSE parent.id IS NULL OR parent.level <> cluster.level + 1 OR parent.relation_id <> :relation END`,
  );
  for (const key of misplaced) faults.push(`cluster ${key} has no parent of the next level`);
  const torn = keysOf(
    `SELECT DISTINCT cluster.key FROM cluster JOIN cluster AS parent ON parent.id = cluster.parent_id
     JOIN member ON member.cluster_id = cluster.id WHERE cluster.relation_id = :relation AND NOT EXISTS (
     SELECT 1 FROM member AS above WHERE above.cluster_id = parent.id AND above.page_id = member.page_id)`,
  );
  for (const key of torn) faults.push(`cluster ${key} has members outside its parent`);
}

/**
 * From each page of a topic a way leads to each other one, inside the topic, along stored neighbors, whichever page
 * has the other in its list, or between a page and the center of its tight cluster.
 *
 * Cost  one pass over the neighbors; 8 bytes a page and level, and 4 a cluster.
 */
function checkConnected(checked: Checked): void {
  const { reader, relation, faults } = checked;
  const levels = topicLevels(checked);
  const unite = (a: number, b: number) => {
    for (const { clusterOf, pieces } of levels) if (clusterOf[a] === clusterOf[b]) pieces.union(a, b);
  };
  const members = reader.file.tuples<[center: number, page: number]>(
    `SELECT center_id, page_id FROM cluster JOIN member ON cluster_id = cluster.id
     WHERE relation_id = ? AND level = 0`,
    relation.id,
  );
  for (const [center, page] of members) unite(center, page);
  for (const { pageId, list } of reader.allNeighbors(relation.id)) {
    for (const neighbor of list.ids) unite(pageId, neighbor);
  }
  for (const { clusterOf, pieces } of levels) {
    const firstPage = new Int32Array(clusterOf.reduce((most, id) => Math.max(most, id), -1) + 1).fill(-1);
    for (let page = 0; page < reader.pageCount; page++) {
      const cluster = clusterOf[page]!;
      if (cluster < 0 || pieces.find(page) !== page) continue;
      const first = firstPage[cluster]!;
      if (first < 0) firstPage[cluster] = page;
      else {
        const key = reader.clusters.byId(cluster)!.key;
        faults.push(
          `cluster ${key} is not connected: no path inside it leads from page ${first} to page ${page}`,
        );
      }
    }
  }
}

function topicLevels({ reader, relation }: Checked): Level[] {
  const numbers = 'SELECT DISTINCT level FROM cluster WHERE relation_id = ? AND level > 0 ORDER BY level';
  return reader.file.values<number>(numbers, relation.id).map((level) => ({
    clusterOf: reader.clusters.idsOfPages(relation.id, level, reader.pageCount),
    pieces: new UnionFind(reader.pageCount),
  }));
}
