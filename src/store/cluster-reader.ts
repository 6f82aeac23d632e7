import type { Db } from './database.ts';
import type { ClusterRecord, MemberRecord } from './records.ts';

const CLUSTER_SQL = `SELECT cluster.id, level, key, center_id AS centerId, parent_id AS parentId, size, radius,
  label FROM cluster`;

/** Part of the list of the clusters of a level. */
export interface ClusterSlice {
  readonly level: number;
  readonly sort: 'size' | 'label';
  readonly limit: number;
  readonly offset: number;
}

/** The cluster tables of one open index. */
export class ClusterReader {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /** The clusters of a page, fine to broad. */
  ofPage(relationId: number, pageId: number): ClusterRecord[] {
    return this.#db
      .prepare(
        // CROSS JOIN fixes the order: from the page's few memberships, not from every cluster of the relation.
        `${CLUSTER_SQL.replace('FROM cluster', 'FROM member CROSS JOIN cluster')} WHERE cluster_id = cluster.id
         AND page_id = ? AND relation_id = ? ORDER BY level`,
      )
      .all(pageId, relationId) as ClusterRecord[];
  }

  /** Int32Array(pageCount): the cluster of each page at a level, -1 where it is in none. */
  idsOfPages(relationId: number, level: number, pageCount: number): Int32Array {
    const ids = new Int32Array(pageCount).fill(-1);
    const rows = this.#db
      .prepare(
        `SELECT page_id, cluster_id FROM cluster CROSS JOIN member ON cluster_id = cluster.id
         WHERE relation_id = ? AND level = ?`,
      )
      .raw()
      .iterate(relationId, level) as IterableIterator<[number, number]>;
    for (const [pageId, clusterId] of rows) ids[pageId] = clusterId;
    return ids;
  }

  byKey(key: string): ClusterRecord | undefined {
    return this.#db.prepare(`${CLUSTER_SQL} WHERE key = ?`).get(key) as ClusterRecord | undefined;
  }

  byId(id: number): ClusterRecord | undefined {
    return this.#db.prepare(`${CLUSTER_SQL} WHERE id = ?`).get(id) as ClusterRecord | undefined;
  }

  /** Nearest to the center first, ties by page id; the center itself comes first. */
  members(clusterId: number, limit: number, offset: number): MemberRecord[] {
    return this.#db
      .prepare(
        `SELECT member.page_id AS pageId, similarity FROM member JOIN cluster ON cluster.id = cluster_id
         WHERE cluster_id = ? ORDER BY member.page_id <> center_id, similarity DESC, member.page_id LIMIT ? OFFSET ?`,
      )
      .all(clusterId, limit, offset) as MemberRecord[];
  }

  list(relationId: number, { level, sort, limit, offset }: ClusterSlice): ClusterRecord[] {
    if (sort === 'size') return this.#bySize(relationId, level, limit, offset);
    return this.#db
      .prepare(`${CLUSTER_SQL} WHERE relation_id = ? AND level = ? ORDER BY label, id LIMIT ? OFFSET ?`)
      .all(relationId, level, limit, offset) as ClusterRecord[];
  }

  /**
   * Clusters around a page that was read, then those of pages known by links alone: what holds these together is often
   * one link text that a site repeats. Both run along the index of sizes, without a sort.
   */
  #bySize(relationId: number, level: number, limit: number, offset: number): ClusterRecord[] {
    const ofKind = `WHERE relation_id = ? AND level = ? AND (SELECT fetched FROM page WHERE page.id = center_id) = ?`;
    const slice = this.#db.prepare(
      `${CLUSTER_SQL} ${ofKind} ORDER BY size DESC, cluster.id LIMIT ? OFFSET ?`,
    );
    const read = slice.all(relationId, level, 1, limit, offset) as ClusterRecord[];
    if (read.length === limit) return read;
    const count = this.#db.prepare(`SELECT count(*) FROM cluster ${ofKind}`).pluck();
    const behind = Math.max(0, offset - (count.get(relationId, level, 1) as number));
    return read.concat(slice.all(relationId, level, 0, limit - read.length, behind) as ClusterRecord[]);
  }

  /** Number of clusters at a level. */
  total(relationId: number, level: number): number {
    return this.#db
      .prepare('SELECT count(*) FROM cluster WHERE relation_id = ? AND level = ?')
      .pluck()
      .get(relationId, level) as number;
  }
}
