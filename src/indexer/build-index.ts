import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { AkinError, InputError } from '../errors.ts';
import { PARTS } from '../features/bag.ts';
import { TOPIC_PROFILES, topicRecipe } from '../relations/topic.ts';
import { asStoreError, isIndexFile } from '../store/database.ts';
import { IndexReader } from '../store/reader.ts';
import { IndexWriter, publishFile } from '../store/writer.ts';
import { makeBags } from './bags.ts';
import { bucketName } from './bucket-files.ts';
import type { BuildListener, BuildOptions, BuildReport, CopyReport } from './build-options.ts';
import { findClusters } from './clusters.ts';
import { collapse } from './collapse.ts';
import { findCopies } from './copies.ts';
import { type ExtractReport, extract } from './extract.ts';
import { fillIndex } from './fill-index.ts';
import { countFrequencies } from './frequencies.ts';
import { mergeRuns } from './merge.ts';
import { findNeighbours, type NeighbourReport } from './neighbours.ts';
import { isWorthAside, prepareAside } from './prepare.ts';
import { findSimilarPairs, signPages } from './similar-pairs.ts';
import { StageRunner } from './stage-runner.ts';
import { findThresholdPairs, type PairReport } from './threshold-pairs.ts';
import { loadFeatureTable, nameFeatures, saveFeatureTable } from './vocabulary.ts';
import { WorkFolder } from './work-folder.ts';

export const INDEX_FILE = 'index.sqlite';
const MAX_BUCKETS = 1024;
/** Input of one bucket, whatever the budget: its URLs are held one by one. */
const MAX_BUCKET_BYTES = 2 ** 28;
/** What the system says of a place where nothing can be made. */
const NOT_WRITABLE = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR']);
/** Where the size of the input is not known beforehand. */
const DEFAULT_BUCKETS = 128;

export const packageVersion = (
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }
).version;

/**
 * Builds an index from scratch and publishes it over the target.
 *
 * Stages run in the order of the papers; each writes to the work folder and is noted when complete, so a
 * build that was killed goes on behind its last complete stage. The target is replaced by one rename.
 *
 * Errors  InputError for inputs that cannot be used, TransientError for a full disk or a second build of the
 *         same target. The target is untouched and what is done is kept.
 */
export async function buildIndex(options: BuildOptions, listener: BuildListener): Promise<BuildReport> {
  const startedAtMs = Date.now();
  let folder: WorkFolder | undefined;
  try {
    requireFreeTarget(options.target);
    folder = WorkFolder.open(options, startedAtMs);
    const report = await runStages(options, folder, listener, startedAtMs);
    folder.discard();
    return report;
  } catch (error) {
    // What was refused before any stage was complete is not worth keeping.
    if (error instanceof InputError && folder?.stages().length === 0) folder.discard();
    else folder?.release();
    throw asBuildError(error, options.target);
  }
}

async function runStages(
  options: BuildOptions,
  folder: WorkFolder,
  listener: BuildListener,
  startedAtMs: number,
): Promise<BuildReport> {
  const stages = new StageRunner(folder, listener);
  const profile = TOPIC_PROFILES[options.profile];
  const recipe = topicRecipe(profile, options.bag);
  const parts = PARTS.filter((part) => (recipe.parts[part] ?? 0) > 0);
  const { memoryBytes } = options;

  const extracted = await stages.run<ExtractReport>(
    'extract',
    { unit: 'bytes', total: null },
    () => extract(options, folder, bucketCountFor(options), listener),
    (report) => report.recordCount,
  );
  const { bucketCount } = extracted;

  const collapsed = await stages.run(
    'collapse',
    { unit: 'buckets', total: bucketCount },
    (progress) => collapse(folder, bucketCount, options, progress),
    (result) => result.urlCount,
  );
  for (let bucket = 0; bucket < bucketCount; bucket++) {
    folder.remove(bucketName('records', bucket), bucketName('moved', bucket));
  }

  const pageCount = await stages.run(
    'merge',
    { unit: 'pages', total: collapsed.urlCount },
    (progress) => mergeRuns(folder, collapsed.runs, progress),
    (count) => count,
  );
  folder.remove(...collapsed.runs);

  const features = await stages.run(
    'features',
    { unit: 'features', total: null },
    () => {
      const table = countFrequencies(folder, parts, profile.titleInAnchor, options, memoryBytes / 4);
      saveFeatureTable(folder, table);
      nameFeatures(folder, table, bucketCount);
      return { count: table.keys.length, partPageCounts: table.partPageCounts };
    },
    (result) => result.count,
  );
  for (let bucket = 0; bucket < bucketCount; bucket++) folder.remove(bucketName('forms', bucket));

  await stages.run(
    'bags',
    { unit: 'pages', total: pageCount },
    (progress) => {
      const table = loadFeatureTable(folder);
      return makeBags(folder, table, features.partPageCounts, recipe, profile.titleInAnchor, progress);
    },
    () => pageCount,
  );

  const { neighbours, pairs, pairCount, clusterCounts, copies } = await relate(
    options,
    folder,
    stages,
    pageCount,
  );

  const writeAll = () =>
    stages.run(
      'write',
      { unit: 'pages', total: pageCount },
      async (progress) => {
        const startedAt = performance.now();
        rmSync(folder.file(INDEX_FILE), { force: true });
        const writer = new IndexWriter(folder.file(INDEX_FILE));
        try {
          const found = {
            extracted,
            features,
            neighbours,
            pairs,
            levelCount: clusterCounts.length,
            copies,
          };
          await fillIndex(writer, options, folder, found, progress);
          const finished = stages.finished();
          for (const [id, stage] of finished.entries()) writer.stage({ id, ...stage });
          const lastStage = () => ({
            id: finished.length,
            name: 'write',
            recordCount: pageCount,
            durationMs: performance.now() - startedAt,
          });
          return { generation: writer.finish(Date.now(), packageVersion, lastStage) };
        } catch (error) {
          writer.abandon();
          throw error;
        }
      },
      () => pageCount,
    );
  let { generation } = await writeAll();
  if (!existsSync(folder.file(INDEX_FILE)) && generationAt(options.target) !== generation) {
    folder.forget('write');
    ({ generation } = await writeAll());
  }
  if (existsSync(folder.file(INDEX_FILE))) publishFile(folder.file(INDEX_FILE), options.target);

  const reader = IndexReader.open(options.target);
  const { fetchedPageCount, aliasCount } = reader.card();
  reader.close();
  return {
    target: options.target,
    generation,
    recordCount: extracted.recordCount,
    pageCount,
    fetchedPageCount,
    aliasCount,
    pairCount,
    clusterCount: clusterCounts[0]!,
    skipped: extracted.skipped,
    bodyBytes: extracted.bodyBytes,
    neighbours,
    pairs,
    copies,
    indexBytes: statSync(options.target).size,
    peakRssBytes: process.resourceUsage().maxRSS * 1024,
    durationMs: Date.now() - startedAtMs,
    stages: stages.finished(),
  };
}

/** Finds how pages are related: by topic, and beside that, where there are threads for it, which are copies. */
async function relate(options: BuildOptions, folder: WorkFolder, stages: StageRunner, pageCount: number) {
  const isAside = options.copies && !stages.isDone('copies') && isWorthAside(folder, options, pageCount);
  const aside = isAside ? prepareAside(folder.path, { what: 'copies', options }) : null;
  try {
    const { signature } = TOPIC_PROFILES[options.profile];
    let neighbours: NeighbourReport | null = null;
    let pairs: PairReport | null = null;
    let pairCount: number;
    if (signature === null) {
      neighbours = await stages.run(
        'neighbours',
        { unit: 'pages', total: pageCount },
        (progress) => findNeighbours(folder, options, progress),
        (report) => report.pairCount,
      );
      ({ pairCount } = neighbours);
      const similarity = options.pairSimilarity;
      if (similarity !== null) {
        pairs = await stages.run<PairReport>(
          'pairs',
          { unit: 'pages', total: pageCount },
          () => findThresholdPairs(folder, similarity, options),
          (report) => report.pairCount,
        );
      }
    } else {
      await stages.run(
        'signatures',
        { unit: 'pages', total: pageCount },
        (progress) => signPages(folder, signature.m, options.seed, progress),
        () => pageCount,
      );
      pairCount = await stages.run(
        'similar pairs',
        { unit: 'sweeps', total: signature.l },
        () => findSimilarPairs(folder, signature, options),
        (count) => count,
      );
    }

    const clusterCounts = await stages.run(
      'clusters',
      { unit: 'pages', total: pageCount },
      () => findClusters(folder, options),
      (counts) => counts.reduce((sum, count) => sum + count, 0),
    );

    const copies = !options.copies
      ? null
      : await stages.run<CopyReport>(
          'copies',
          { unit: 'pages', total: pageCount },
          async (progress) => (await aside?.done) ?? findCopies(folder, options, progress),
          (found) => found.pairCount,
        );
    return { neighbours, pairs, pairCount, clusterCounts, copies };
  } finally {
    await aside?.stop();
  }
}

/** M, chosen so that the records of one bucket fit a share of the budget when they are collapsed. */
export function bucketCountFor(options: Pick<BuildOptions, 'inputs' | 'memoryBytes'>): number {
  const bucketBytes = Math.min(options.memoryBytes / 16, MAX_BUCKET_BYTES);
  let bytes = 0;
  for (const { path } of options.inputs) {
    const stat = path === '-' ? undefined : statSync(path, { throwIfNoEntry: false });
    if (stat === undefined || stat.isDirectory()) return DEFAULT_BUCKETS;
    bytes += stat.size * (/\.(gz|zst)$/.test(path) ? 6 : 1);
  }
  return Math.min(MAX_BUCKETS, Math.max(8, Math.ceil(bytes / bucketBytes)));
}

function requireFreeTarget(target: string): void {
  const stat = statSync(target, { throwIfNoEntry: false });
  if (stat?.isDirectory()) {
    throw new InputError('AKIN_ERR_OPTION', `--to ${target} is a folder`, {
      hint: 'give the path of a file',
    });
  }
  if (stat !== undefined && stat.size > 0 && !isIndexFile(target)) {
    throw new InputError('AKIN_ERR_OPTION', `--to ${target} exists and is not an akin index`, {
      hint: 'give another path, or remove the file first',
    });
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

export function asBuildError(error: unknown, target: string): unknown {
  if (error instanceof AkinError) return error;
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === 'ERR_WORKER_OUT_OF_MEMORY') {
    return new InputError('AKIN_ERR_OPTION', 'a worker ran out of memory over the pages it was given', {
      hint: 'let larger pages be skipped (a smaller limit of page size), or use fewer workers',
      cause: error,
    });
  }
  if (NOT_WRITABLE.has(String(code)) || (code === 'ENOENT' && syscall === 'mkdir')) {
    return new InputError('AKIN_ERR_OPTION', `cannot write ${target}: ${(error as Error).message}`, {
      hint: 'give --to a file in a folder that you may write to',
      cause: error,
    });
  }
  return asStoreError(error, target);
}
