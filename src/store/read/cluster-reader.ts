import { keptIn } from '../../lib/kept.ts';
import type { IndexFile } from '../index-file.ts';
import type { ClusterRecord, MemberRecord } from '../records.ts';
import { rowShape } from '../stored-values.ts';
import { NOT_GONE, ownCenters } from './card.ts';

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
const MEMBER_ROW = rowShape<MemberRecord>('member JOIN cluster ON cluster.id = cluster_id', {
  pageId: ['count', 'member.page_id'],
  similarity: 'number',
});

/** Which clusters of a level are listed. */
export interface ClusterChoice {
  readonly level: number;
  /** Leaves out clusters around a page that is known by links alone. Default false. */
  readonly isFetchedOnly?: boolean;
  /** What the label has. Labels are lower case. Default '', any. */
  readonly labelPart?: string;
}

/** Part of the list of the clusters of a level. */
export interface ClusterSlice extends ClusterChoice {
  readonly sort: 'size' | 'label';
  readonly limit: number;
  readonly offset: number;
}

/** The cluster tables of one open index. */
export class ClusterReader {
  readonly #file: IndexFile;
  readonly #levelCounts: ReadonlyMap<number, number>;
  /** By relation, level and kind: counting a million clusters takes 30 ms, and an index does not change. */
  readonly #totals = new Map<string, number>();

  /** `levelCounts`: of each relation, how many levels its clusters may have. */
  constructor(file: IndexFile, levelCounts: ReadonlyMap<number, number>) {
    this.#file = file;
    this.#levelCounts = levelCounts;
  }

  /** The clusters of a page, fine to broad. */
  ofPage(relationId: number, pageId: number): ClusterRecord[] {
    // A plus keeps SQLite from walking all clusters of the relation instead of the page's few.
    const which =
      'WHERE id IN (SELECT cluster_id FROM member WHERE page_id = ?) AND +relation_id = ? ORDER BY level';
    return this.#clusters(which, pageId, relationId);
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
    return this.#clusters('WHERE key = ?', key)[0];
  }

  byId(id: number): ClusterRecord | undefined {
    return this.#clusters('WHERE id = ?', id)[0];
  }

  /** Those right below a cluster of a hierarchy, largest first. */
  children({ id, relationId, level }: ClusterRecord, limit: number): ClusterRecord[] {
    if (level === 0) return [];
    // A plus keeps SQLite from walking all clusters of the level instead.
    const sql = 'WHERE parent_id = ? AND +relation_id = ? AND +level = ? ORDER BY size DESC, id LIMIT ?';
    return this.#clusters(sql, id, relationId, level - 1, limit);
  }

  /** In id order. */
  *all(): IterableIterator<ClusterRecord> {
    yield* this.#file.rows(CLUSTER_ROW, 'ORDER BY id');
  }

  /** Nearest to the center first, ties by page id; the center itself comes first. Of a shard: its own. */
  members(clusterId: number, limit: number, offset: number): MemberRecord[] {
    const members = this.#file.all(
      MEMBER_ROW,
      `WHERE cluster_id = ? ORDER BY member.page_id <> center_id, similarity DESC, member.page_id LIMIT ? OFFSET ?`,
      clusterId,
      limit,
      offset,
    );
    for (const { pageId } of members) this.#file.pageId(pageId);
    return members;
  }

  /** Of a shard: those around its own pages. Largest first runs along the index of sizes, without a sort. */
  list(relationId: number, { sort, limit, offset, ...choice }: ClusterSlice): ClusterRecord[] {
    const order = sort === 'size' ? 'size DESC, cluster.id' : 'label, id';
    const sql = `${this.#where(choice)} ORDER BY ${order} LIMIT ? OFFSET ?`;
    return this.#clusters(sql, relationId, choice.level, choice.labelPart ?? '', limit, offset);
  }

  /** Number of clusters that `list` has. */
  total(relationId: number, choice: ClusterChoice): number {
    const { level, isFetchedOnly = false, labelPart = '' } = choice;
    const sql = `SELECT count(*) FROM cluster ${this.#where(choice)}`;
    const count = () => this.#file.value<number>(sql, relationId, level, labelPart)!;
    // What strangers look for in labels is counted anew.
    if (labelPart !== '') return count();
    return keptIn(this.#totals, `${relationId} ${level} ${isFetchedOnly}`, count);
  }

  /** Takes a relation, a level and a part of the label. */
  #where({ isFetchedOnly = false }: ClusterChoice): string {
    const fetched = isFetchedOnly ? 'AND (SELECT fetched FROM page WHERE page.id = center_id)' : '';
    return `WHERE relation_id = ? AND level = ? AND instr(label, ?) > 0 AND ${NOT_GONE} ${fetched} ${ownCenters(this.#file)}`;
  }

  #clusters(which: string, ...keys: unknown[]): ClusterRecord[] {
    const clusters = this.#file.all(CLUSTER_ROW, which, ...keys);
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
