import { readdirSync } from 'node:fs';
import { join } from 'node:path';
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

/** Errors  InputError AKIN_ERR_OPTION for a shard: it merely names the pages of others, and has not what these are to its own. */
export function requireWhole({ shard, path }: Pick<IndexReader, 'shard' | 'path'>): void {
  if (shard === null) return;
  throw optionFault(
    `${path} is shard ${shard.number} of ${shard.count} of an index`,
    'give the folder of all its shards to akin add or akin forget, and the whole index to any other command',
  );
}

function placeOf(path: string): ShardPlace | null {
  using reader = IndexReader.open(path);
  return reader.shard;
}
