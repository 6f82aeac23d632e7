import type { IndexFile } from '../index-file.ts';
import type { ClusterRecord, MemberRecord } from '../records.ts';
import { rowShape } from '../stored-values.ts';
import { ownCenters } from './card.ts';

const CLUSTER_SQL = `SELECT cluster.id, relation_id AS relationId, level, key, center_id AS centerId, parent_id AS parentId, size, radius,
  label FROM cluster`;
const CLUSTER_ROW = rowShape<ClusterRecord>('cluster', {
  id: 'count',
  relationId: 'count',
  level: 'count',
  key: 'text',
  centerId: 'count',
  parentId: 'count or null',
  size: 'count',
  radius: 'number',
  label: 'text',
});
const MEMBER_ROW = rowShape<MemberRecord>('member', { pageId: 'count', similarity: 'number' });

/** Part of the list of the clusters of a level. */
export interface ClusterSlice {
  readonly level: number;
  readonly sort: 'size' | 'label';
  readonly limit: number;
  readonly offset: number;
}

/** The cluster tables of one open index. */
export class ClusterReader {
  readonly #file: IndexFile;
  readonly #levelCounts: ReadonlyMap<number, number>;
  /** By relation and level: counting a million clusters takes 30 ms, and an index does not change. */
  readonly #totals = new Map<string, number>();

  /** `levelCounts`: of each relation, how many levels its clusters may have. */
  constructor(file: IndexFile, levelCounts: ReadonlyMap<number, number>) {
    this.#file = file;
    this.#levelCounts = levelCounts;
  }

  /** The clusters of a page, fine to broad. */
  ofPage(relationId: number, pageId: number): ClusterRecord[] {
    return this.#clusters(
      // CROSS JOIN fixes the order: from the page's few memberships, not from every cluster of the relation.
      `${CLUSTER_SQL.replace('FROM cluster', 'FROM member CROSS JOIN cluster')} WHERE cluster_id = cluster.id
       AND page_id = ? AND relation_id = ? ORDER BY level`,
      pageId,
      relationId,
    );
  }

  /** Int32Array(pageCount): the cluster of each page at a level, -1 where it is in none. */
  idsOfPages(relationId: number, level: number, pageCount: number): Int32Array {
    const ids = new Int32Array(pageCount).fill(-1);
    const rows = this.#file.tuples<[number, number]>(
      `SELECT page_id, cluster_id FROM cluster CROSS JOIN member ON cluster_id = cluster.id
       WHERE relation_id = ? AND level = ?`,
      relationId,
      level,
    );
    for (const [pageId, clusterId] of rows) ids[pageId] = clusterId;
    return ids;
  }

  byKey(key: string): ClusterRecord | undefined {
    return this.#clusters(`${CLUSTER_SQL} WHERE key = ?`, key)[0];
  }

  byId(id: number): ClusterRecord | undefined {
    return this.#clusters(`${CLUSTER_SQL} WHERE id = ?`, id)[0];
  }

  /** Those right below a cluster of a hierarchy, largest first. */
  children({ id, relationId, level }: ClusterRecord, limit: number): ClusterRecord[] {
    if (level === 0) return [];
    // A plus keeps SQLite from walking all clusters of the level instead.
    const sql = `${CLUSTER_SQL} WHERE parent_id = ? AND +relation_id = ? AND +level = ? ORDER BY size DESC, id LIMIT ?`;
    return this.#clusters(sql, id, relationId, level - 1, limit);
  }

  /** In id order. */
  *all(): IterableIterator<ClusterRecord> {
    yield* this.#file.rows(CLUSTER_ROW, `${CLUSTER_SQL} ORDER BY id`);
  }

  /** Nearest to the center first, ties by page id; the center itself comes first. Of a shard: its own. */
  members(clusterId: number, limit: number, offset: number): MemberRecord[] {
    const members = this.#file.all(
      MEMBER_ROW,
      `SELECT member.page_id AS pageId, similarity FROM member JOIN cluster ON cluster.id = cluster_id
       WHERE cluster_id = ? ORDER BY member.page_id <> center_id, similarity DESC, member.page_id LIMIT ? OFFSET ?`,
      clusterId,
      limit,
      offset,
    );
    for (const { pageId } of members) this.#file.pageId(pageId);
    return members;
  }

  /** Of a shard: those around its own pages. */
  list(relationId: number, { level, sort, limit, offset }: ClusterSlice): ClusterRecord[] {
    if (sort === 'size') return this.#bySize(relationId, level, limit, offset);
    const sql = `${CLUSTER_SQL} WHERE relation_id = ? AND level = ? ${ownCenters(this.#file)} ORDER BY label, id LIMIT ? OFFSET ?`;
    return this.#clusters(sql, relationId, level, limit, offset);
  }

  /**
   * Clusters around a page that was read, then those of pages known by links alone: what holds these together is often
   * one link text that a site repeats. Both run along the index of sizes, without a sort.
   */
  #bySize(relationId: number, level: number, limit: number, offset: number): ClusterRecord[] {
    const ofKind = `WHERE relation_id = ? AND level = ? AND (SELECT fetched FROM page WHERE page.id = center_id) = ? ${ownCenters(this.#file)}`;
    const slice = `${CLUSTER_SQL} ${ofKind} ORDER BY size DESC, cluster.id LIMIT ? OFFSET ?`;
    const read = this.#clusters(slice, relationId, level, 1, limit, offset);
    if (read.length === limit) return read;
    const readCount = this.#file.value<number>(
      `SELECT count(*) FROM cluster ${ofKind}`,
      relationId,
      level,
      1,
    )!;
    const behind = Math.max(0, offset - readCount);
    return read.concat(this.#clusters(slice, relationId, level, 0, limit - read.length, behind));
  }

  /** Number of clusters at a level. */
  total(relationId: number, level: number): number {
    const key = `${relationId} ${level}`;
    let total = this.#totals.get(key);
    if (total === undefined) {
      const sql = `SELECT count(*) FROM cluster WHERE relation_id = ? AND level = ? ${ownCenters(this.#file)}`;
      this.#totals.set(key, (total = this.#file.value<number>(sql, relationId, level)!));
    }
    return total;
  }

  #clusters(sql: string, ...keys: unknown[]): ClusterRecord[] {
    const clusters = this.#file.all(CLUSTER_ROW, sql, ...keys);
    for (const { key, relationId, level, centerId } of clusters) {
      this.#file.pageId(centerId);
      if (level < (this.#levelCounts.get(relationId) ?? 0)) continue;
      throw this.#file.corrupt(
        `cluster ${key} is of level ${level} of relation ${relationId}, which is not there`,
      );
    }
    return clusters;
  }
}
