import { existsSync, rmSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { asStoreError } from '../store/database.ts';
import { IndexReader } from '../store/read/reader.ts';
import { shardsIn } from '../store/read/shard-files.ts';
import { buildIndex } from './build-index.ts';
import type { BuildReport } from './build-report.ts';
import { buildKey, type Replacements } from './files/build-key.ts';
import { type BuildListener, startTimes } from './files/stage-runner.ts';
import { WorkFolder } from './files/work-folder.ts';
import type { BuildOptions } from './options/build-options.ts';
import { splitIn, workPlace } from './shards/split-index.ts';

/** The stage that builds the whole. */
const WHOLE = 'whole';

/**
 * The build that adds sweeps to an index in shards, or takes URLs out of it, where the target is their folder: of all shards and
 * of what is new one whole index, which is split again. As many shards as before take the places of those before, under their
 * names, in one step.
 *
 * Errors  as `buildIndex`, `shardsIn`.
 *
 * Disk    the whole index, and all shards once more.
 */
export async function changeShards(order: BuildOptions, listener: BuildListener): Promise<BuildReport> {
  const { target: folder, memoryBytes, workerCount } = order;
  const names = shardsIn(folder).map((path) => basename(path));
  const place = workPlace(folder);
  const source = `${place}.${WHOLE}`;
  const work = WorkFolder.open(place, buildKey(order), Date.now());
  try {
    let report = work.result<BuildReport>(WHOLE);
    if (report !== undefined && work.isPublished) {
      rmSync(source, { force: true });
      work.discard();
      return { ...report, target: folder, indexBytes: sizeOf(shardsIn(folder)), isRepeated: true };
    }
    if (report === undefined || !existsSync(source)) {
      const times = startTimes();
      report = await buildIndex({ ...order, target: source }, listener);
      work.complete({ name: WHOLE, recordCount: report.pageCount, ...times() }, report);
    }
    using reader = IndexReader.open(source);
    const options = { source, folder, shardCount: names.length, memoryBytes, workerCount };
    const onMade = (made: Replacements) => work.publishes(buildKey(order, made));
    const { shards } = await splitIn({ work, names, onMade }, options, reader, listener);
    rmSync(source);
    work.discard();
    return { ...report, target: folder, indexBytes: sizeOf(shards.map(({ path }) => path)) };
  } catch (error) {
    work.release();
    throw asStoreError(error, folder);
  }
}

function sizeOf(paths: readonly string[]): number {
  return paths.reduce((sum, path) => sum + statSync(path).size, 0);
}
