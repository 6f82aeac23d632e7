import { decodeShingleBlock, type ShingleEntry } from './blobs/sketch-blobs.ts';
import { ClusterEdit } from './cluster-edit.ts';
import { type Db, openForEdit } from './database.ts';
import type { TableDigest } from './digest.ts';
import { DigestWatch } from './digest-watch.ts';
import { IndexWriter } from './writer.ts';

/** Tables whose rows belong to one page, by the column that says which. */
const PAGE_TABLES = ['capture', 'gone', 'alias', 'link', 'bag', 'signature'] as const;

/**
 * Changes the copy of a finished index. A row written replaces the one of the same key; the copy is no index
 * until `finish`.
 */
export class IndexEditor extends IndexWriter {
  readonly #siteIds = new Map<string, number>();
  readonly #watch: DigestWatch | null;

  /**
   * Digests are kept row by row where few rows change, and taken anew at the end where most do.
   *
   * Errors  as `openDatabase`.
   */
  constructor(path: string, digests: 'kept' | 'renewed') {
    super(path, { existing: openForEdit(path) });
    this.#watch = digests === 'kept' ? new DigestWatch(this.db) : null;
    this.db.exec('DELETE FROM generation; DELETE FROM table_digest');
    for (const { id, name } of this.db.prepare('SELECT id, name FROM site').all() as SiteRow[]) {
      this.#siteIds.set(name, id);
    }
  }

  protected override digests(): TableDigest[] {
    return this.#watch?.digests() ?? super.digests();
  }

  /** Id of a site; a new one is written. */
  siteId(name: string): number {
    const known = this.#siteIds.get(name);
    if (known !== undefined) return known;
    const id = this.#max('site') + 1;
    this.#siteIds.set(name, id);
    this.site(id, name);
    return id;
  }

  #max(table: 'site' | 'stage' | 'sweep'): number {
    return this.db.prepare(`SELECT coalesce(max(id), -1) FROM ${table}`).pluck().get() as number;
  }

  removeAlias(url: string): void {
    this.db.prepare('DELETE FROM alias WHERE url = ?').run(url);
  }

  removeGone(pageId: number): void {
    this.db.prepare('DELETE FROM gone WHERE page_id = ?').run(pageId);
  }

  removeLinks(pageId: number): void {
    this.db.prepare('DELETE FROM link WHERE page_id = ?').run(pageId);
  }

  removeNeighbours(relationId: number, pageId: number): void {
    this.db.prepare('DELETE FROM neighbour WHERE relation_id = ? AND page_id = ?').run(relationId, pageId);
  }

  /** Every list of a relation. */
  clearNeighbours(relationId: number): void {
    this.db.prepare('DELETE FROM neighbour WHERE relation_id = ?').run(relationId);
  }

  removePosting(relationId: number, blockId: number, featureId: number): void {
    this.db
      .prepare('DELETE FROM posting WHERE relation_id = ? AND block_id = ? AND feature_id = ?')
      .run(relationId, blockId, featureId);
  }

  /** Postings and sums: what is made of the bags. */
  clearPostings(relationId: number): void {
    this.db.prepare('DELETE FROM posting WHERE relation_id = ?').run(relationId);
    this.db.prepare('DELETE FROM bag_sum WHERE relation_id = ?').run(relationId);
  }

  /** Takes the clusters of a relation as they are to be. */
  editClusters(): ClusterEdit {
    return new ClusterEdit(this.db, this);
  }

  clearShingles(): void {
    this.db.exec('DELETE FROM shingle_block');
  }

  /** First key of each block of the inverted index, ascending. */
  firstKeys(): Float64Array {
    const keys = this.db.prepare('SELECT first_key FROM shingle_block ORDER BY first_key').pluck().all();
    return Float64Array.from(keys as number[]);
  }

  block(firstKey: number): ShingleEntry[] {
    const entries = this.db.prepare('SELECT entries FROM shingle_block WHERE first_key = ?').pluck();
    return decodeShingleBlock(firstKey, entries.get(firstKey) as Uint8Array);
  }

  removeBlock(firstKey: number): void {
    this.db.prepare('DELETE FROM shingle_block WHERE first_key = ?').run(firstKey);
  }

  removeTemplate(host: string): void {
    this.db.prepare('DELETE FROM template_shingle WHERE host = ?').run(host);
  }

  clearTemplates(): void {
    this.db.exec('DELETE FROM template_shingle');
  }

  /** Puts the stages of the latest change in place of those of the change before; gives the id of the next one. */
  changeStages(
    what: string,
    stages: readonly { name: string; recordCount: number; durationMs: number }[],
  ): number {
    this.db.prepare("DELETE FROM stage WHERE name LIKE 'add %' OR name LIKE 'forget %'").run();
    let id = this.#max('stage');
    for (const { name, ...stage } of stages) this.stage({ id: ++id, name: `${what} ${name}`, ...stage });
    return id + 1;
  }

  /**
   * Takes pages out, with all that is theirs alone, and closes the gaps: ids stay dense and in order. Lists of
   * page ids, postings and clusters are left to be written anew; the texts that no capture has any more go too.
   *
   * Shape  newIds Int32Array(n): the id that each page gets, -1 for one that goes.
   * Returns  the new id of each version, -1 for one that goes.
   */
  removePages(newIds: Int32Array): Int32Array {
    const { db } = this;
    db.exec('CREATE TEMP TABLE renumbered (old INTEGER PRIMARY KEY, new INTEGER)');
    const note = db.prepare('INSERT INTO renumbered VALUES (?, ?)');
    for (const [old, id] of newIds.entries()) if (id !== old) note.run(old, id < 0 ? null : id);
    db.exec(`INSERT INTO skip SELECT sweep_id, 'forgotten', count(*) FROM capture
      WHERE page_id IN (SELECT old FROM renumbered WHERE new IS NULL) GROUP BY sweep_id
      ON CONFLICT DO UPDATE SET record_count = record_count + excluded.record_count`);
    for (const table of PAGE_TABLES) {
      db.exec(`DELETE FROM ${table} WHERE page_id IN (SELECT old FROM renumbered WHERE new IS NULL)`);
      renumber(db, table, 'page_id');
    }
    db.exec('DELETE FROM page WHERE id IN (SELECT old FROM renumbered WHERE new IS NULL)');
    renumber(db, 'page', 'id');
    db.exec('DELETE FROM site WHERE id NOT IN (SELECT site_id FROM page)');
    db.exec('DROP TABLE renumbered');
    return this.#removeIdleVersions();
  }

  #removeIdleVersions(): Int32Array {
    const { db } = this;
    const count = db.prepare('SELECT count(*) FROM version').pluck().get() as number;
    const newIds = Int32Array.from({ length: count }, (_, id) => id);
    const idle = db
      .prepare(
        'SELECT id FROM version WHERE NOT EXISTS (SELECT 1 FROM capture WHERE version_id = version.id) ORDER BY id',
      )
      .pluck()
      .all() as number[];
    if (idle.length === 0) return newIds;
    for (const id of idle) newIds[id] = -1;
    let next = 0;
    for (const [old, id] of newIds.entries()) if (id >= 0) newIds[old] = next++;
    db.exec('CREATE TEMP TABLE renumbered (old INTEGER PRIMARY KEY, new INTEGER)');
    const note = db.prepare('INSERT INTO renumbered VALUES (?, ?)');
    for (const [old, id] of newIds.entries()) if (id !== old) note.run(old, id < 0 ? null : id);
    for (const [table, column] of [
      ['version_text', 'version_id'],
      ['version', 'id'],
    ] as const) {
      db.exec(`DELETE FROM ${table} WHERE ${column} IN (SELECT old FROM renumbered WHERE new IS NULL)`);
      renumber(db, table, column);
    }
    renumber(db, 'capture', 'version_id');
    db.exec('DROP TABLE renumbered');
    return newIds;
  }

  /** Rewrites the file, so that no byte of what was removed is left in it. */
  compact(): void {
    this.db.exec('COMMIT');
    this.db.exec('VACUUM');
    this.db.exec('BEGIN');
  }
}

type SiteRow = { readonly id: number; readonly name: string };

/**
 * Two steps, by way of numbers below zero, because SQLite checks a key row by row in an order of its own.
 */
function renumber(db: Db, table: string, column: string): void {
  db.exec(`UPDATE ${table} SET ${column} = -1 - (SELECT new FROM renumbered WHERE old = ${column})
    WHERE ${column} IN (SELECT old FROM renumbered WHERE new IS NOT NULL)`);
  db.exec(`UPDATE ${table} SET ${column} = -1 - ${column} WHERE ${column} < 0`);
}
