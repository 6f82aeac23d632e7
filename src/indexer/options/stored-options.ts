import { dirname } from 'node:path';
import { optionFault } from '../../errors.ts';
import { IndexReader } from '../../store/read/reader.ts';
import { isFolder, shardsIn } from '../../store/read/shard-files.ts';
import type { StoredSweep } from '../../store/records.ts';
import type { Resources } from '../files/budget.ts';
import type { BuildInput, BuildOptions, InputOrder, ShapingOptions } from './build-options.ts';
import { storedOptions } from './parameters.ts';

/** Of an index, or of that whose shards are in a folder. Errors  as `shardsIn`; InputError AKIN_ERR_OPTION for a shard. */
export function readStoredOptions(path: string): ShapingOptions {
  using reader = IndexReader.open(filesOf(path)[0]!);
  const { shard } = reader;
  if (isFolder(path) || shard === null) return storedOptions(reader);
  throw optionFault(
    `${path} is shard ${shard.number} of ${shard.count} of an index`,
    `give the folder of all its shards: ${dirname(path)}`,
  );
}

interface DatedSweep extends StoredSweep {
  /** When its captures were fetched, the first and the last; undefined where it has none. */
  readonly fetchedAtMs: readonly [first: number, last: number] | undefined;
}

/** The sweeps of an index, or of that whose shards are in a folder. Errors  as `shardsIn`. */
export function storedSweeps(path: string): DatedSweep[] {
  using reader = IndexReader.open(filesOf(path)[0]!);
  const times = reader.captureTimes();
  return reader.sweeps().map((sweep) => ({ ...sweep, fetchedAtMs: times.get(sweep.id) }));
}

/** What `akin add` and `akin forget` say besides the options that the index was built with. */
export interface ChangeOptions extends Resources, Partial<ShapingOptions> {
  /** The index, or the folder of its shards: it is an input, and is replaced. */
  readonly target: string;
}

/**
 * The build that adds sweeps to an index: of the index and of what is new.
 *
 * Errors  as `readStoredOptions`.
 */
export function additionTo(change: ChangeOptions & InputOrder): BuildOptions {
  const { target } = change;
  const inputs = [...indexAlone(target).inputs, ...change.inputs];
  return { ...readStoredOptions(target), ...change, inputs };
}

/** An index, or all shards in a folder, and nothing else: no sweep is new. Errors  as `shardsIn`. */
export function indexAlone(path: string): InputOrder {
  return { inputs: filesOf(path).map((file): BuildInput => ({ path: file, baseUrl: null, format: null })) };
}

/** The index file at a path, or all shards in the folder there. Errors  as `shardsIn`. */
export function filesOf(path: string): string[] {
  return isFolder(path) ? shardsIn(path) : [path];
}
