import { COPY } from '../../relations/copy.ts';
import { shardOf } from '../../url/shard.ts';
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
import { readFieldNames } from './field-reader.ts';

const GENERATION_ROW = rowShape<{
  id: string;
  builtAtMs: number;
  akinVersion: string;
  algorithmVersion: number;
}>('generation', { id: 'text', builtAtMs: 'time', akinVersion: 'text', algorithmVersion: 'count' });
const RELATION_ROW = rowShape<RelationRecord>('relation', {
  id: 'count',
  name: 'text',
  profile: 'text',
  measure: 'text',
  neighborLimit: 'count',
  floor: 'number',
  rank: 'text',
  kernel: 'text or null',
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
  clusterCount: ['count', 'count(cluster.id)'],
  pageCount: ['count', 'coalesce(sum(size), 0)'],
});
const PARAMETER_ROW = rowShape<{ name: string; value: string }>('parameter', { name: 'text', value: 'text' });
const SWEEP_ROW = rowShape<Omit<StoredSweep, 'covered'> & { covered: string }>('sweep', {
  id: 'count',
  name: 'text',
  recordCount: 'count',
  startedAtMs: 'time',
  covered: 'text',
});
const skipsBy = (column: string) =>
  rowShape<{ name: string; n: number }>('skip', {
    name: ['text', column],
    n: ['count', 'sum(record_count)'],
  });
const SKIP_ROW = skipsBy('reason');
const SKIPPED_FILE_ROW = skipsBy('extension');

/** Which build an index is of; undefined where that was never finished. */
export function readGeneration(file: IndexFile) {
  return file.get(GENERATION_ROW, '');
}

/** Reads what an index says about itself. */
export function readCard(file: IndexFile): IndexCard {
  const { id, builtAtMs, akinVersion } = readGeneration(file)!;
  const gonePageCount = file.rowCount('gone');
  return {
    generation: id,
    builtAtMs,
    akinVersion,
    shard: file.shard,
    pageCount: file.ownPageCount - gonePageCount,
    fetchedPageCount: fetchedPageCount(file),
    gonePageCount,
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
    fields: readFieldNames(file),
    parameters: readParameters(file),
    stages: file.all(STAGE_ROW, 'ORDER BY id'),
  };
}

/** How many levels the clusters of each relation may have: of copies, one a clustering. */
export function readLevelCounts(file: IndexFile): Map<number, number> {
  const sql = 'SELECT count(*) FROM clustering WHERE relation_id = ?';
  const levelsOf = ({ id }: RelationRecord) => file.value<number>(sql, id)! || Number.POSITIVE_INFINITY;
  return new Map(readRelations(file).map((relation) => [relation.id, levelsOf(relation)]));
}

export function readRelations(file: IndexFile): RelationRecord[] {
  return file.all(RELATION_ROW, 'ORDER BY id');
}

/** Oldest first. */
export function readSweeps(file: IndexFile): StoredSweep[] {
  return file.all(SWEEP_ROW, 'ORDER BY id').map((row) => ({
    ...row,
    covered: file.decode(`what sweep ${row.name} covered`, () => coverageOf(JSON.parse(row.covered))),
  }));
}

/** When the captures of each sweep that has some were fetched, the first and the last, by its id. Time  all captures are read. */
export function readCaptureTimes(
  file: IndexFile,
): Map<number, readonly [firstAtMs: number, lastAtMs: number]> {
  const sql = 'SELECT sweep_id, min(fetched_at_ms), max(fetched_at_ms) FROM capture GROUP BY sweep_id';
  const rows = file.tuples<[id: number, first: number, last: number]>(sql);
  return new Map(Array.from(rows, ([id, first, last]) => [id, [first, last]]));
}

/** Errors  where it is none. */
function coverageOf({ sites, hosts }: Coverage): Coverage {
  const isNames = (names: unknown) => Array.isArray(names) && names.every((name) => typeof name === 'string');
  if (!isNames(sites) || !isNames(hosts)) throw new Error('not two lists of names');
  return { sites, hosts };
}

function readSkips(file: IndexFile, sweepId: number): SweepRecord['skipped'] {
  const skips = file.all(SKIP_ROW, 'WHERE sweep_id = ? GROUP BY reason ORDER BY reason', sweepId);
  return Object.fromEntries(skips.map(({ name, n }) => [name, n]));
}

function readSkippedFiles(file: IndexFile, sweepId: number): SweepRecord['skippedFiles'] {
  const which = "WHERE sweep_id = ? AND extension <> '' GROUP BY extension ORDER BY extension";
  return Object.fromEntries(file.all(SKIPPED_FILE_ROW, which, sweepId).map(({ name, n }) => [name, n]));
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

/** A page that is gone is in no cluster but one of its own, so that all pages have one. */
export const NOT_GONE = 'NOT (size = 1 AND center_id IN (SELECT page_id FROM gone))';

/** Of the first relation, on its finest level; each cluster belongs to the shard of its center. */
function clusterCount(file: IndexFile): number {
  const sql = `SELECT count(*) FROM cluster WHERE relation_id = (SELECT min(id) FROM relation) AND level = 0 AND ${NOT_GONE} ${ownCenters(file)}`;
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
  for (const table of ['clustering', 'parameter', 'part', 'relation', 'skip', 'sweep']) {
    if (!file.isAsWritten(table)) throw file.corrupt(`table ${table} is not what was written`);
    file.requireKeysOf(table);
  }
}

function readCopyClusterings(file: IndexFile): CopyClusteringRecord[] {
  return file.all(
    CLUSTERING_ROW,
    `LEFT JOIN cluster ON cluster.relation_id = clustering.relation_id
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
  const rows = file.all(PARAMETER_ROW, 'ORDER BY name');
  return Object.fromEntries(
    rows.map(({ name, value }) => [name, file.decode(`the parameter ${name}`, () => JSON.parse(value))]),
  );
}
