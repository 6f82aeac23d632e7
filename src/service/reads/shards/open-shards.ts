import { dirname } from 'node:path';
import { optionFault } from '../../../errors.ts';
import { finishShards } from '../../../store/publish-shards.ts';
import { rulesPathOf } from '../../../store/rules-file.ts';
import { rulesIn } from '../../rules/kept-rules.ts';
import type { Rules } from '../../rules/rules.ts';
import type { Accept } from '../accept.ts';
import { FileReads } from '../file/file-reads.ts';
import { indexOfFile } from '../file/index-of-file.ts';
import { OpenFile, type OpenOptions } from '../file/open-file.ts';
import type { OpenIndex } from '../file/open-index.ts';
import type { ReadArguments, ReadName, ReadResult } from '../read-table.ts';
import type { Work } from '../work.ts';
import type { ShardSet } from './shard-set.ts';
import { unionFacts } from './union-facts.ts';
import { indexOfShards } from './union-index.ts';

/** Shards whose files this process has open: none is ever lost. */
class OpenShards implements ShardSet {
  readonly count: number;
  readonly known: readonly boolean[];
  readonly lost: readonly number[] = [];
  readonly readAhead = 1;
  readonly #shards: readonly FileReads[];

  constructor(shards: readonly FileReads[]) {
    this.count = shards.length;
    this.known = shards.map(() => true);
    this.#shards = shards;
  }

  read<Name extends ReadName>(
    shard: number,
    name: Name,
    ...args: ReadArguments<Name>
  ): Promise<ReadResult<Name>> {
    const reads = this.#shards[shard]!;
    const read = reads[name] as (this: FileReads, ...given: typeof args) => Promise<ReadResult<Name>>;
    return read.apply(reads, args);
  }

  readIfThere<Name extends ReadName>(
    shard: number,
    name: Name,
    ...args: ReadArguments<Name>
  ): Promise<ReadResult<Name>> {
    return this.read(shard, name, ...args);
  }

  isLost(): boolean {
    return false;
  }

  miss(): void {}
}

interface IndexOptions extends OpenOptions {
  /** Default: those beside the first shard. */
  readonly rules?: Rules;
}

/**
 * One index file, or those of all shards of an index, in any order, as one index, with its rules.
 *
 * Errors  as `finishShards`, `rulesIn`, `OpenFile.open`; InputError AKIN_ERR_OPTION where they are not the shards of one index.
 */
export async function openIndex(
  paths: readonly string[],
  { rules, ...options }: IndexOptions = {},
): Promise<OpenIndex> {
  for (const folder of new Set(paths.map(dirname))) finishShards(folder);
  const index = await openFiles(paths, options);
  try {
    index.facts.rules = rules ?? rulesIn(rulesPathOf(index.local!.path));
    return index;
  } catch (error) {
    index.close();
    throw error;
  }
}

async function openFiles(paths: readonly string[], options: OpenOptions): Promise<OpenIndex> {
  const [path, ...others] = paths;
  if (others.length === 0) return indexOfFile(await OpenFile.open(path!, options));
  const files: OpenFile[] = [];
  const close = () => {
    for (const file of files) file.close();
  };
  try {
    for (const one of paths) {
      files.push(await OpenFile.open(one, { ...options, preload: false }));
      requireNewShard(files, one);
    }
    files.sort((a, b) => a.facts.shard!.number - b.facts.shard!.number);
    const shards = (work?: Work, isHidden?: Accept) =>
      files.map((file) => new FileReads(file, work, file.wholeIds, isHidden));
    const facts = unionFacts(await Promise.all(shards().map((shard) => shard.describe())));
    return indexOfShards(facts, (...given) => new OpenShards(shards(...given)), close, files);
  } catch (error) {
    close();
    throw error;
  }
}

function requireNewShard(files: readonly OpenFile[], path: string): void {
  const { shard } = files.at(-1)!.facts;
  const [first] = files as [OpenFile];
  const others = files.slice(0, -1);
  const what =
    shard === null
      ? 'is a whole index, no shard'
      : first.facts.shard!.index !== shard.index
        ? `is a shard of another index than ${first.reader.path}`
        : others.some(({ facts }) => facts.shard!.number === shard.number)
          ? `is shard ${shard.number}, which is given already`
          : null;
  if (what === null) return;
  throw optionFault(`${path} ${what}`, 'give one whole index, or all shards of one index');
}
