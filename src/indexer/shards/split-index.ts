/**
 * Splits an index into shards, which answer together what it answers alone.
 *
 *   index ─> its pages again, as a build gathers them ─> a folder a shard ─> an index file a shard
 *
 * Lists, bags, document frequencies and clusters are those of the index: nothing is computed anew.
 */
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { optionFault } from '../../errors.ts';
import { TOPIC } from '../../relations/topic.ts';
import { asStoreError } from '../../store/database.ts';
import { publishShards } from '../../store/publish-shards.ts';
import { IndexReader } from '../../store/read/reader.ts';
import { openWhole } from '../../store/read/shard-files.ts';
import type { Resources } from '../files/budget.ts';
import { buildKey, type Replacements } from '../files/build-key.ts';
import { type BuildListener, StageRunner } from '../files/stage-runner.ts';
import { WorkFolder } from '../files/work-folder.ts';
import { gatherPages } from '../gather/gather-pages.ts';
import { dividedOptions } from '../options/build-options.ts';
import { indexAlone, readStoredOptions } from '../options/stored-options.ts';
import type { ShardFolder } from './shard-folder.ts';
import { Splitter } from './splitter.ts';
import { shardName, writeShard } from './write-shard.ts';

/** A reader of all shards keeps the shard of each page in a byte, in which 255 stands for none. */
export const MAX_SHARDS = 255;
const BUCKETS = 64;
/** Of the work folder, where the finished shards stand. */
const MADE = 'made';
const SHARD_NAME = /^shard-\d{5}-of-\d{5}\.akin$/;

export interface SplitOptions extends Resources {
  readonly source: string;
  readonly shardCount: number;
  /** Where `shard-00000-of-00004.akin` and so on are put, all in one step. */
  readonly folder: string;
}

/** What the shards of an index are made in. */
interface SplitPlace {
  readonly work: WorkFolder;
  /** By the number of the shard. */
  readonly names: readonly string[];
  /** Is called before the finished shards, by the places that they are to have, are put there. */
  readonly onMade?: (shards: Replacements) => void;
}

interface WrittenShard {
  readonly path: string;
  readonly generation: string;
  readonly ownPageCount: number;
  /** Pages of other shards that it names. */
  readonly elsewhereCount: number;
}

export interface SplitReport {
  readonly source: string;
  readonly pageCount: number;
  readonly shards: readonly WrittenShard[];
}

/**
 * Errors  InputError AKIN_ERR_OPTION for an index that is a shard, or one of signatures, and where the folder has shards of
 *         another number; as `openWhole`.
 *
 * Memory  a byte a page, and 2 bits a page and shard, beside what gathering takes.
 */
export async function splitIndex(options: SplitOptions, listener: BuildListener): Promise<SplitReport> {
  const { source, shardCount, folder: target } = options;
  using reader = openWhole(source);
  requireSplittable(reader);
  makeFolder(target);
  const names = Array.from({ length: shardCount }, (_, number) => shardName(number, shardCount));
  requireNoOthers(target, names);
  const order = splitOrder(options);
  const work = WorkFolder.open(workPlace(target), buildKey(order), Date.now());
  try {
    const report = await splitIn({ work, names }, options, reader, listener);
    work.discard();
    return report;
  } catch (error) {
    work.release();
    throw asStoreError(error, target);
  }
}

/** Beside it stands the work folder of all that changes the shards of a folder, so that one does at a time. */
export function workPlace(folder: string): string {
  return join(folder, 'shards');
}

function splitOrder(options: SplitOptions) {
  return { ...readStoredOptions(options.source), ...options, ...indexAlone(options.source) };
}

/** `splitIndex` where the work folder is there already. */
export async function splitIn(
  { work, names, onMade }: SplitPlace,
  options: SplitOptions,
  reader: IndexReader,
  listener: BuildListener,
): Promise<SplitReport> {
  const { source, shardCount, folder: target } = options;
  const order = splitOrder(options);
  const { input, resources, task } = dividedOptions({ ...order, target });
  const stages = new StageRunner(work, resources, listener);
  const { pageCount } = await gatherPages(input, task, stages, BUCKETS);
  const made = work.file(MADE);
  const shards = await stages.run(
    'shards',
    { unit: 'shards', total: shardCount },
    (progress) => {
      rmSync(made, { recursive: true, force: true });
      mkdirSync(made);
      const folders = new Splitter(reader, work, shardCount, pageCount).fill();
      return folders.map((folder, number) => {
        const name = names[number]!;
        const written = make(folder, join(made, name), reader, options);
        progress(number + 1);
        return { path: join(target, name), ...written };
      });
    },
    () => pageCount,
  );
  if (existsSync(made)) onMade?.(new Map(names.map((name) => [join(target, name), join(made, name)])));
  publishShards(made, target);
  return { source, pageCount, shards };
}

/** Errors  InputError AKIN_ERR_OPTION where there can be none. */
function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true });
  } catch (cause) {
    throw optionFault(
      `cannot write in ${path}: ${(cause as Error).message}`,
      'give --to a folder that you can write to',
      cause,
    );
  }
}

function requireSplittable(reader: IndexReader): void {
  const { relations } = reader.card();
  if (relations.every(({ measure, name }) => measure === 'exact' || name !== TOPIC.name)) return;
  throw optionFault(
    `${reader.path} compares pages by signatures, which have no shards`,
    'build it with --profile akin',
  );
}

/** Errors  InputError AKIN_ERR_OPTION where a folder has shards that the new ones would not take the places of. */
function requireNoOthers(folder: string, names: readonly string[]): void {
  const other = readdirSync(folder).find((name) => SHARD_NAME.test(name) && !names.includes(name));
  if (other === undefined) return;
  throw optionFault(
    `the folder ${folder} has shards of another number: ${other}`,
    'split into a new folder, or into as many shards; pages, rules and judgements that wait beside the old ones stay there',
  );
}

function make(
  folder: ShardFolder,
  path: string,
  reader: IndexReader,
  { memoryBytes }: SplitOptions,
): Omit<WrittenShard, 'path'> {
  const generation = writeShard(folder, path, { builtAtMs: reader.card().builtAtMs, memoryBytes });
  folder.discard();
  using written = IndexReader.open(path);
  const { ownPageCount, pageCount } = written;
  return { generation, ownPageCount, elsewhereCount: pageCount - ownPageCount };
}
