import type { Db } from './database.ts';
import type { CopyClusteringRecord, IndexCard, RelationRecord, StageRecord, SweepRecord } from './records.ts';

/** Reads what an index says about itself. */
export function readCard(db: Db, sizeBytes: number): IndexCard {
  const generation = db
    .prepare('SELECT id, built_at_ms AS builtAtMs, akin_version AS akinVersion FROM generation')
    .get() as { id: string; builtAtMs: number; akinVersion: string };
  return {
    generation: generation.id,
    builtAtMs: generation.builtAtMs,
    akinVersion: generation.akinVersion,
    pageCount: rowCount(db, 'page'),
    fetchedPageCount: fetchedPageCount(db),
    aliasCount: rowCount(db, 'alias'),
    clusterCount: clusterCount(db),
    sizeBytes,
    copyClusterings: readCopyClusterings(db),
    relations: db
      .prepare(
        'SELECT id, name, profile, measure, neighbour_limit AS neighbourLimit, floor FROM relation ORDER BY id',
      )
      .all() as RelationRecord[],
    sweeps: readSweeps(db),
    parameters: readParameters(db),
    stages: db
      .prepare('SELECT name, record_count AS recordCount, duration_ms AS durationMs FROM stage ORDER BY id')
      .all() as StageRecord[],
  };
}

/** Rows of a table as its digest says: SQLite would walk the whole table, 0.1 s for a million pages. */
export function rowCount(db: Db, table: string): number {
  const count = db.prepare('SELECT row_count FROM table_digest WHERE name = ?').pluck().get(table);
  return (count as number | undefined) ?? 0;
}

/** Of the first relation. */
function clusterCount(db: Db): number {
  const sql = 'SELECT count(*) FROM cluster WHERE relation_id = (SELECT min(id) FROM relation)';
  return db.prepare(sql).pluck().get() as number;
}

/** A page has one capture in each sweep that fetched it. */
function fetchedPageCount(db: Db): number {
  if (rowCount(db, 'sweep') === 1) return rowCount(db, 'capture');
  return db.prepare('SELECT count(*) FROM page WHERE fetched = 1').pluck().get() as number;
}

function readCopyClusterings(db: Db): CopyClusteringRecord[] {
  return db
    .prepare(
      `SELECT name, measure, threshold, count(cluster.id) AS clusterCount, coalesce(sum(size), 0) AS pageCount
       FROM clustering LEFT JOIN cluster USING (relation_id, level)
       WHERE relation_id = (SELECT id FROM relation WHERE name = 'copy') GROUP BY level ORDER BY level`,
    )
    .all() as CopyClusteringRecord[];
}

/** Parameter name to its JSON value. */
function readParameters(db: Db): Record<string, unknown> {
  const rows = db.prepare('SELECT name, value FROM parameter ORDER BY name').all() as {
    name: string;
    value: string;
  }[];
  return Object.fromEntries(rows.map((row) => [row.name, JSON.parse(row.value)]));
}

function readSweeps(db: Db): SweepRecord[] {
  const skips = db.prepare('SELECT reason, record_count AS n FROM skip WHERE sweep_id = ? ORDER BY reason');
  const rows = db
    .prepare(
      'SELECT id, name, record_count AS recordCount, started_at_ms AS startedAtMs FROM sweep ORDER BY id',
    )
    .all() as { id: number; name: string; recordCount: number; startedAtMs: number }[];
  return rows.map(({ id, ...sweep }) => ({
    ...sweep,
    skipped: Object.fromEntries(
      (skips.all(id) as { reason: string; n: number }[]).map((s) => [s.reason, s.n]),
    ),
  }));
}
