import type { Statement } from 'better-sqlite3';
import type { Db } from './database.ts';
import type { IndexWriter } from './writer.ts';

type ClusterRow = Parameters<IndexWriter['cluster']>[0];
type Member = readonly [pageId: number, similarity: number];

/**
 * Takes the clusters of a relation as they are now and writes those that are others than before, and the members
 * that came or went. A cluster keeps its id as long as it keeps its key; ids given to `cluster` hold here alone.
 */
export class ClusterEdit {
  readonly #db: Db;
  readonly #writer: Pick<IndexWriter, 'cluster' | 'member'>;
  readonly #clusters: ClusterRow[] = [];
  readonly #members = new Map<number, Member[]>();
  readonly #membersOf: Statement<unknown[], unknown>;
  readonly #removeMember: Statement<unknown[], unknown>;

  constructor(db: Db, writer: Pick<IndexWriter, 'cluster' | 'member'>) {
    this.#db = db;
    this.#writer = writer;
    this.#membersOf = db.prepare('SELECT page_id, similarity FROM member WHERE cluster_id = ?').raw();
    this.#removeMember = db.prepare('DELETE FROM member WHERE cluster_id = ? AND page_id = ?');
  }

  cluster(row: ClusterRow): void {
    this.#clusters.push(row);
    this.#members.set(row.id, []);
  }

  /** Members of a cluster come ascending by page. */
  member(clusterId: number, pageId: number, similarity: number): void {
    this.#members.get(clusterId)!.push([pageId, similarity]);
  }

  /** `among`: ids of the stored clusters that these stand for; where left out, all of the relation. */
  apply(relationId: number, among?: ReadonlySet<number>): void {
    const stored = new Map<string, ClusterRow>();
    for (const row of this.#stored(relationId)) {
      if (among === undefined || among.has(row.id)) stored.set(row.key, row);
    }
    const idOf = new Map<number, number>();
    let next = this.#db.prepare('SELECT coalesce(max(id), -1) + 1 FROM cluster').pluck().get() as number;
    for (const { id, key } of this.#clusters) idOf.set(id, stored.get(key)?.id ?? next++);
    const keys = new Set(this.#clusters.map(({ key }) => key));
    const removeMembers = this.#db.prepare('DELETE FROM member WHERE cluster_id = ?');
    const remove = this.#db.prepare('DELETE FROM cluster WHERE id = ?');
    for (const { id, key } of stored.values()) {
      if (keys.has(key)) continue;
      removeMembers.run(id);
      remove.run(id);
    }
    for (const row of this.#clusters) {
      const parentId = row.parentId === null ? null : idOf.get(row.parentId)!;
      const now = { ...row, id: idOf.get(row.id)!, parentId };
      const before = stored.get(row.key);
      if (before === undefined || !isSame(before, now)) this.#writer.cluster(now);
      this.#replaceMembers(now.id, before === undefined, this.#members.get(row.id)!);
    }
  }

  #stored(relationId: number): ClusterRow[] {
    return this.#db
      .prepare(
        `SELECT id, relation_id AS relationId, level, key, center_id AS centerId, parent_id AS parentId, size,
         radius, label FROM cluster WHERE relation_id = ?`,
      )
      .all(relationId) as ClusterRow[];
  }

  #replaceMembers(clusterId: number, isNew: boolean, members: readonly Member[]): void {
    const stored = new Map(isNew ? [] : (this.#membersOf.all(clusterId) as Member[]));
    for (const [pageId, similarity] of members) {
      if (stored.get(pageId) !== similarity) this.#writer.member(clusterId, pageId, similarity);
      stored.delete(pageId);
    }
    for (const pageId of stored.keys()) this.#removeMember.run(clusterId, pageId);
  }
}

function isSame(a: ClusterRow, b: ClusterRow): boolean {
  return (
    a.centerId === b.centerId &&
    a.parentId === b.parentId &&
    a.size === b.size &&
    a.radius === b.radius &&
    a.label === b.label
  );
}
