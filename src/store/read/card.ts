import { COPY } from '../../relations/copy.ts';
import { shardOf } from '../../url/shard.ts';
import type { TableDigest } from '../digest.ts';
import type { IndexFile } from '../index-file.ts';
import type {
  CopyClusteringRecord,
  Coverage,
  IndexCard,
  RelationRecord,
  StageRecord,
  StoredSweep,
  SweepRecord,
} from '../records.ts';
import { rowShape } from '../stored-values.ts';

const GENERATION_ROW = rowShape<{ id: string; builtAtMs: number; akinVersion: string; algorithm: number }>(
  'generation',
  { id: 'text', builtAtMs: 'time', akinVersion: 'text', algorithm: 'count' },
);
const RELATION_ROW = rowShape<RelationRecord>('relation', {
  id: 'count',
  name: 'text',
  profile: 'text',
  measure: 'text',
  neighborLimit: 'count',
  floor: 'number',
  rank: 'text',
});
const STAGE_ROW = rowShape<StageRecord>('stage', {
  name: 'text',
  recordCount: 'count',
  durationMs: 'count',
  processorMs: 'count',
});
const CLUSTERING_ROW = rowShape<CopyClusteringRecord>('clustering', {
  name: 'text',
  measure: 'text',
  threshold: 'number',
  clusterCount: 'count',
  pageCount: 'count',
});
const PARAMETER_ROW = rowShape<{ name: string; value: string }>('parameter', { name: 'text', value: 'text' });
const SWEEP_ROW = rowShape<Omit<StoredSweep, 'covered'> & { covered: string }>('sweep', {
  id: 'count',
  name: 'text',
  recordCount: 'count',
  startedAtMs: 'time',
  covered: 'text',
});
const DIGEST_ROW = rowShape<TableDigest>('table_digest', {
  name: 'text',
  rowCount: 'count',
  sum: 'bytes',
});
const SKIP_ROW = rowShape<{ name: string; n: number }>('skip', { name: 'text', n: 'count' });

/** Which build an index is of; undefined where that was never finished. */
export function readGeneration(file: IndexFile) {
  return file.get(
    GENERATION_ROW,
    'SELECT id, built_at_ms AS builtAtMs, akin_version AS akinVersion, algorithm_version AS algorithm FROM generation',
  );
}

/** Reads what an index says about itself. */
export function readCard(file: IndexFile): IndexCard {
  const { id, builtAtMs, akinVersion } = readGeneration(file)!;
  return {
    generation: id,
    builtAtMs,
    akinVersion,
    shard: file.shard,
    pageCount: file.ownPageCount,
    fetchedPageCount: fetchedPageCount(file),
    gonePageCount: file.rowCount('gone'),
    aliasCount: aliasCount(file),
    clusterCount: clusterCount(file),
    sizeBytes: file.sizeBytes,
    copyClusterings: readCopyClusterings(file),
    relations: readRelations(file),
    sweeps: readSweeps(file).map(({ id: sweepId, ...sweep }) => ({
      ...sweep,
      skipped: readSkips(file, sweepId),
      skippedFiles: readSkippedFiles(file, sweepId),
    })),
    parameters: readParameters(file),
    stages: file.all(
      STAGE_ROW,
      'SELECT name, record_count AS recordCount, duration_ms AS durationMs, processor_ms AS processorMs FROM stage ORDER BY id',
    ),
  };
}

/** How many levels the clusters of each relation may have: of copies, one a clustering. */
export function readLevelCounts(file: IndexFile): Map<number, number> {
  const sql = 'SELECT count(*) FROM clustering WHERE relation_id = ?';
  const levelsOf = ({ id }: RelationRecord) => file.value<number>(sql, id)! || Number.POSITIVE_INFINITY;
  return new Map(readRelations(file).map((relation) => [relation.id, levelsOf(relation)]));
}

export function readRelations(file: IndexFile): RelationRecord[] {
  return file.all(
    RELATION_ROW,
    'SELECT id, name, profile, measure, neighbor_limit AS neighborLimit, floor, rank FROM relation ORDER BY id',
  );
}

/** Oldest first. */
export function readSweeps(file: IndexFile): StoredSweep[] {
  const rows = file.all(
    SWEEP_ROW,
    'SELECT id, name, record_count AS recordCount, started_at_ms AS startedAtMs, covered FROM sweep ORDER BY id',
  );
  return rows.map((row) => ({
    ...row,
    covered: file.decode(`what sweep ${row.name} covered`, () => coverageOf(JSON.parse(row.covered))),
  }));
}

/** Errors  where it is none. */
function coverageOf({ sites, hosts }: Coverage): Coverage {
  const isNames = (names: unknown) => Array.isArray(names) && names.every((name) => typeof name === 'string');
  if (!isNames(sites) || !isNames(hosts)) throw new Error('not two lists of names');
  return { sites, hosts };
}

function readSkips(file: IndexFile, sweepId: number): SweepRecord['skipped'] {
  const sql =
    'SELECT reason AS name, sum(record_count) AS n FROM skip WHERE sweep_id = ? GROUP BY reason ORDER BY reason';
  return Object.fromEntries(file.all(SKIP_ROW, sql, sweepId).map(({ name, n }) => [name, n]));
}

function readSkippedFiles(file: IndexFile, sweepId: number): SweepRecord['skippedFiles'] {
  const sql = `SELECT extension AS name, sum(record_count) AS n FROM skip WHERE sweep_id = ? AND extension <> ''
    GROUP BY extension ORDER BY extension`;
  return Object.fromEntries(file.all(SKIP_ROW, sql, sweepId).map(({ name, n }) => [name, n]));
}

/** An alias belongs to the shard of its URL; the shard of its page has it as well. */
function aliasCount(file: IndexFile): number {
  const { shard } = file;
  if (shard === null) return file.rowCount('alias');
  let count = 0;
  for (const [url] of file.tuples<[string]>('SELECT url FROM alias')) {
    if (shardOf(url, shard.count) === shard.number) count++;
  }
  return count;
}

/** Of the first relation; each cluster belongs to the shard of its center. */
function clusterCount(file: IndexFile): number {
  const sql = `SELECT count(*) FROM cluster WHERE relation_id = (SELECT min(id) FROM relation) ${ownCenters(file)}`;
  return file.value<number>(sql)!;
}

/** A page has one capture in each sweep that fetched it. */
function fetchedPageCount(file: IndexFile): number {
  const goneCount = file.rowCount('gone');
  if (file.rowCount('sweep') === 1) return file.rowCount('capture') - goneCount;
  const sql = 'SELECT count(*) FROM page WHERE fetched = 1 AND id < ?';
  return file.value<number>(sql, file.ownPageCount)! - goneCount;
}

/**
 * Errors  CorruptError where a table that says what the index is - of few rows, and of a kind that no row shows - is
 *         not what was written, or another one where it is read by its keys.
 */
export function requireCardTables(file: IndexFile): void {
  const sql = 'SELECT name, row_count AS rowCount, sum FROM table_digest WHERE name = ?';
  for (const table of ['clustering', 'parameter', 'part', 'relation', 'skip', 'sweep']) {
    const stored = file.get(DIGEST_ROW, sql, table);
    const found = file.digest(table);
    if (stored?.rowCount !== found.rowCount || Buffer.compare(stored.sum, found.sum) !== 0) {
      throw file.corrupt(`table ${table} is not what was written`);
    }
    file.requireKeysOf(table);
  }
}

function readCopyClusterings(file: IndexFile): CopyClusteringRecord[] {
  return file.all(
    CLUSTERING_ROW,
    `SELECT name, measure, threshold, count(cluster.id) AS clusterCount, coalesce(sum(size), 0) AS pageCount
     FROM clustering LEFT JOIN cluster ON cluster.relation_id = clustering.relation_id
       AND cluster.level = clustering.level ${ownCenters(file)}
     WHERE clustering.relation_id = (SELECT id FROM relation WHERE name = ?) GROUP BY clustering.level
     ORDER BY clustering.level`,
    COPY.name,
  );
}

/** Of the clusters that a shard holds, a condition for those around a page of its own; nothing in a whole index. */
export function ownCenters({ shard, ownPageCount }: IndexFile): string {
  return shard === null ? '' : `AND center_id < ${ownPageCount}`;
}

/** Parameter name to its JSON value. */
function readParameters(file: IndexFile): Record<string, unknown> {
  const rows = file.all(PARAMETER_ROW, 'SELECT name, value FROM parameter ORDER BY name');
  return Object.fromEntries(
    rows.map(({ name, value }) => [name, file.decode(`the parameter ${name}`, () => JSON.parse(value))]),
  );
}
