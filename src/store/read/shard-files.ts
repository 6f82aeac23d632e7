import { readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { optionFault } from '../../errors.ts';
import { isIndexFile } from '../database.ts';
import { finishShards, INDEX_NAME } from '../publish-shards.ts';
import type { ShardPlace } from '../records.ts';
import { IndexReader } from './reader.ts';

/** What `akin split` names its files, and all others that are looked for in a folder. */

/** The files of shards in the order of their numbers; what is no shard comes first, and stays as it is. Errors  as `IndexReader.open`. */
export function inShardOrder(paths: readonly string[]): readonly string[] {
  if (paths.length < 2) return paths;
  const numbers = new Map(paths.map((path) => [path, placeOf(path)?.number ?? -1]));
  return paths.toSorted((a, b) => numbers.get(a)! - numbers.get(b)!);
}

/**
 * The files of the shards in a folder, in the order of their numbers, once they are in place.
 *
 * Errors  InputError AKIN_ERR_OPTION where it does not have just those of one index; as `finishShards`, `IndexReader.open`.
 */
export function shardsIn(folder: string): string[] {
  finishShards(folder);
  const paths = readdirSync(folder)
    .filter((name) => INDEX_NAME.test(name))
    .map((name) => join(folder, name));
  const shards = paths.filter(isIndexFile).flatMap((path) => {
    const place = placeOf(path);
    return place === null ? [] : [{ path, place }];
  });
  const indexes = new Set(shards.map(({ place }) => `${place.index} in ${place.count}`));
  const count = shards[0]?.place.count ?? 0;
  const numbers = new Set(shards.map(({ place }) => place.number));
  const isOne = indexes.size === 1 && shards.length === count && numbers.size === count;
  if (isOne) return shards.sort((a, b) => a.place.number - b.place.number).map(({ path }) => path);
  const what =
    shards.length === 0
      ? 'no shard of an index'
      : indexes.size > 1
        ? 'shards of several indexes'
        : shards.length > numbers.size
          ? 'a shard twice'
          : `${shards.length} of the ${count} shards of an index`;
  throw optionFault(
    `the folder ${folder} has ${what}`,
    'give a folder with all shards of one index, each once, as akin split makes it',
  );
}

/** Whether a path is that of shards. */
export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Opens an index that is no shard. Errors  as `requireWhole`, for a folder of shards, too; as `IndexReader.open`. */
export function openWhole(path: string): IndexReader {
  if (isFolder(path) && readdirSync(path).some((name) => INDEX_NAME.test(name))) {
    throw optionFault(`${path} is a folder of shards, not one index`, wholeHint(path));
  }
  const reader = IndexReader.open(path);
  try {
    requireWhole(reader);
    return reader;
  } catch (error) {
    reader.close();
    throw error;
  }
}

/** Errors  InputError AKIN_ERR_OPTION for a shard: it merely names the pages of others, and has not what these are to its own. */
export function requireWhole({ shard, path }: Pick<IndexReader, 'shard' | 'path'>): void {
  if (shard === null) return;
  throw optionFault(
    `${path} is shard ${shard.number} of ${shard.count} of an index`,
    wholeHint(dirname(path)),
  );
}

/** What to give in place of shards. */
export function wholeHint(folder: string): string {
  return `give the index that was split, or one of all its shards, built with its settings: akin index ${join(folder, '*.akin')} --to whole.akin`;
}

function placeOf(path: string): ShardPlace | null {
  using reader = IndexReader.open(path);
  return reader.shard;
}
