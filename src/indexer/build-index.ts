import { existsSync, statSync } from 'node:fs';
import { AkinError, InputError, optionFault } from '../errors.ts';
import { type PartShares, partNames } from '../features/parts.ts';
import { asStoreError, isIndexFile } from '../store/database.ts';
import { PACKAGE_VERSION } from '../store/package-version.ts';
import { IndexReader } from '../store/read/reader.ts';
import { publishFile } from '../store/write/writer.ts';
import type { BuildReport, PartReport } from './build-report.ts';
import { divideMemory } from './files/budget.ts';
import { buildKey } from './files/build-key.ts';
import { INDEX_FILE } from './files/records/stage-files.ts';
import type { BuildListener } from './files/stage-runner.ts';
import { StageRunner, startTimes } from './files/stage-runner.ts';
import { endIdleThreads } from './files/threads/thread.ts';
import { WorkFolder } from './files/work-folder.ts';
import { isIndexInput } from './gather/extract/index-input.ts';
import { gatherPages } from './gather/gather-pages.ts';
import {
  type BuildOptions,
  type BuildTask,
  dividedOptions,
  type InputOptions,
} from './options/build-options.ts';
import { inputBytes } from './options/input-bytes.ts';
import { storedPhases } from './relate/copies.ts';
import { relate } from './relate/relate.ts';
import { weighPages } from './weigh/weigh-pages.ts';
import { type Findings, fillIndex } from './write/fill-index.ts';
import { isWorthAThread } from './write/prepare.ts';
import { TablesBeside } from './write/tables-beside.ts';
import type { SweepChange } from './write/write-index.ts';

const MAX_BUCKETS = 1024;
/** Input of one bucket, whatever the budget: its URLs are held one by one. */
const MAX_BUCKET_BYTES = 2 ** 28;
/** What the system says of a place where nothing can be made. */
const NOT_WRITABLE = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR']);
/** Where the size of the input is not known beforehand. */
const DEFAULT_BUCKETS = 128;
/** So long do threads of a build wait for the next one of the process. */
const THREADS_KEPT_MS = 2000;

/**
 * Builds an index from scratch and publishes it over the target.
 *
 * Stages run in the order of the papers; each writes to the work folder and is noted when complete, so a
 * build that was killed continues after its last complete stage. The target is replaced by one rename.
 *
 * Errors  InputError for inputs that cannot be used, TransientError for a full disk or a second build of the
 *         same target. The target is untouched and what is done is kept.
 */
export async function buildIndex(order: BuildOptions, listener: BuildListener): Promise<BuildReport> {
  const { target } = order;
  const { input, resources, task } = dividedOptions(order);
  const startedAtMs = Date.now();
  const startedMs = performance.now();
  let folder: WorkFolder | undefined;
  try {
    requireFreeTarget(target);
    folder = WorkFolder.open(target, buildKey(order), startedAtMs);
    const stages = new StageRunner(folder, resources, listener);
    // Who asks again for what this run publishes, and cannot report, gets that.
    const publish = (made: string) => {
      if (input.inputs.some(({ path }) => path === target))
        stages.folder.publishes(buildKey(order, new Map([[target, made]])));
      publishFile(made, target);
    };
    const report = await runStages(target, input, task, stages, startedMs, publish);
    folder.discard();
    return report;
  } catch (error) {
    // What was refused before any stage was complete is not worth keeping.
    if (error instanceof InputError && folder?.stages().length === 0) folder.discard();
    else folder?.release();
    throw asBuildError(error, target);
  } finally {
    await endIdleThreads(THREADS_KEPT_MS);
  }
}

async function runStages(
  target: string,
  input: InputOptions,
  options: BuildTask,
  stages: StageRunner,
  startedMs: number,
  publish: (made: string) => void,
): Promise<BuildReport> {
  const { folder, resources } = stages;
  const { memoryBytes } = resources;
  if (hasLostIndex(folder, target)) folder.restart();
  const buckets = bucketCountFor(input.inputs, divideMemory(memoryBytes).bucket.input);
  const gathered = await gatherPages(input, options, stages, buckets);
  const { extracted, pageCount } = gathered;

  const { firstNewSweep } = extracted;
  const formerIndex = input.inputs.find(isIndexInput)?.path;
  const beside =
    !stages.isDone('clusters') && isWorthAThread(options, resources, pageCount)
      ? new TablesBeside(folder.path, options, resources, pageCount, { firstNewSweep, formerIndex })
      : null;
  let features: Awaited<ReturnType<typeof weighPages>>;
  let found: Findings;
  let written: Written;
  try {
    features = await weighPages(input, options, stages, gathered);
    beside?.goOn();
    const known = { ...extracted, formerIndex };
    const related = await relate(options, stages, pageCount, features, beside, known);
    found = { extracted, features, ...related };
    written = await writeIndex(options, stages, pageCount, found, formerIndex, beside);
    if (existsSync(folder.file(INDEX_FILE))) publish(folder.file(INDEX_FILE));
  } finally {
    await beside?.stop();
  }
  const reader = IndexReader.open(target);
  const { fetchedPageCount, gonePageCount, aliasCount, clusterCount, fields } = reader.card();
  reader.close();
  const { sweeps, firstNewSweep: _first, ...all } = extracted;
  const { hasFeatures: _own, hasVectors: _vectors, bucketCount: _buckets, ...read } = all;
  const { extracted: _extracted, features: _features, clusterCounts: _levels, ...related } = found;
  return {
    target,
    ...written,
    ...read,
    ...related,
    sweeps: sweeps.slice(firstNewSweep - 1).map(({ name }) => name),
    pageCount: pageCount - gonePageCount,
    fetchedPageCount,
    gonePageCount,
    aliasCount,
    clusterCount,
    kernel: options.kernel,
    lend: options.lend,
    parts: partReports(options.parts, features),
    unusedGroups: unusedGroups(options.parts, features.groups),
    emptyFields: fields.filter(({ pageCount }) => pageCount === 0).map(({ name }) => name),
    indexBytes: statSync(target).size,
    peakRssBytes: process.resourceUsage().maxRSS * 1024,
    durationMs: Math.round(performance.now() - startedMs),
    isRepeated: folder.isPublished,
    stages: stages.finished(),
  };
}

/** Pages with features of each group that has no share. */
function unusedGroups(
  shares: PartShares,
  groups: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(groups).filter(([group]) => shares[group] === undefined));
}

/** What became of the parts that were asked for. */
function partReports(asked: PartShares, { used, partPageCounts }: Findings['features']): PartReport[] {
  return partNames(asked).map((name, part) => {
    const pageCount = partPageCounts[part]!;
    return { name, share: pageCount > 0 ? used[name]! : 0, pageCount };
  });
}

/** Whether a run that was killed had published its index, and the target is another one by now: some files may be gone. */
function hasLostIndex(folder: WorkFolder, target: string): boolean {
  const written = folder.result<Written>('write');
  if (written === undefined || existsSync(folder.file(INDEX_FILE))) return false;
  return generationAt(target) !== written.generation;
}

/** What the stage `write` found. */
interface Written {
  readonly generation: string;
  readonly change: SweepChange;
}

/** Completes what other threads have begun, or writes all of it, as one file. */
async function writeIndex(
  options: BuildTask,
  stages: StageRunner,
  pageCount: number,
  found: Findings,
  formerIndex: string | undefined,
  beside: TablesBeside | null,
): Promise<Written> {
  return stages.run(
    'write',
    { unit: 'pages', total: pageCount },
    (progress) => {
      const times = startTimes();
      return fillIndex(options, stages, found, formerIndex, beside, progress, (writer, change) => {
        const { copies } = found;
        const phases = copies === null ? [] : storedPhases(copies);
        const rows = [...stages.finished(), ...phases];
        for (const [id, row] of rows.entries()) writer.stage({ id, ...row });
        const lastStage = () => ({
          id: rows.length,
          name: 'write',
          recordCount: pageCount,
          ...times(),
        });
        return { generation: writer.finish(Date.now(), PACKAGE_VERSION, lastStage), change };
      });
    },
    () => pageCount,
  );
}

/** M, chosen so that one bucket has no more input than its share. */
function bucketCountFor(inputs: InputOptions['inputs'], shareBytes: number): number {
  const bytes = inputBytes(inputs);
  if (bytes === null) return DEFAULT_BUCKETS;
  return Math.min(MAX_BUCKETS, Math.max(8, Math.ceil(bytes / Math.min(shareBytes, MAX_BUCKET_BYTES))));
}

function requireFreeTarget(target: string): void {
  const stat = statSync(target, { throwIfNoEntry: false });
  if (stat !== undefined && !stat.isFile()) {
    const what = stat.isDirectory() ? 'a folder' : 'a pipe or a device';
    throw optionFault(`--to ${target} is ${what}`, 'give the path of a file');
  }
  if (stat !== undefined && stat.size > 0 && !isIndexFile(target)) {
    throw optionFault(
      `--to ${target} exists and is not an akin index`,
      'give another path, or remove the file first',
    );
  }
}

/** Generation of the index at the target, or null where there is none that can be read. */
function generationAt(target: string): string | null {
  try {
    const reader = IndexReader.open(target);
    reader.close();
    return reader.generation;
  } catch {
    return null;
  }
}

function asBuildError(error: unknown, target: string): unknown {
  if (error instanceof AkinError) return error;
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === 'ERR_WORKER_OUT_OF_MEMORY') {
    return optionFault(
      'a thread ran out of memory',
      'use fewer --workers, or a smaller --max-page, so that large pages are left out',
      error,
    );
  }
  if (NOT_WRITABLE.has(String(code)) || (code === 'ENOENT' && syscall === 'mkdir')) {
    return optionFault(
      `cannot write ${target}: ${(error as Error).message}`,
      'give --to a file in a folder that you can write to',
      error,
    );
  }
  return asStoreError(error, target);
}
