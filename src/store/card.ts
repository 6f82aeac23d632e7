import type { Db } from './database.ts';
import type { IndexCard, RelationRecord, StageRecord, SweepRecord } from './records.ts';

/** Reads what an index says about itself. */
export function readCard(db: Db, sizeBytes: number): IndexCard {
  const count = (sql: string) => db.prepare(sql).pluck().get() as number;
  const generation = db
    .prepare('SELECT id, built_at_ms AS builtAtMs, akin_version AS akinVersion FROM generation')
    .get() as { id: string; builtAtMs: number; akinVersion: string };
  return {
    generation: generation.id,
    builtAtMs: generation.builtAtMs,
    akinVersion: generation.akinVersion,
    pageCount: count('SELECT count(*) FROM page'),
    fetchedPageCount: count('SELECT count(*) FROM page WHERE fetched = 1'),
    aliasCount: count('SELECT count(*) FROM alias'),
    clusterCount: count('SELECT count(*) FROM cluster WHERE relation_id = (SELECT min(id) FROM relation)'),
    sizeBytes,
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

/** Parameter name to its JSON value. */
export function readParameters(db: Db): Record<string, unknown> {
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
