import type { ReadArguments, ReadName, ReadResult } from '../read-table.ts';

/** The shards of one index, of one generation each, as one answer asks them: pages by ids of the whole, versions by their own. */
export interface ShardSet {
  readonly count: number;
  /** False for a shard of which nothing is known yet. */
  readonly known: readonly boolean[];
  /** Numbers of those that would have been asked so far, and could not be; ascending. */
  readonly lost: readonly number[];
  /** See `Reads`. */
  readonly readAhead: number;
  /** What a shard says; undefined where it cannot be asked, which is noted. Errors  Problem `overloaded`. */
  read<Name extends ReadName>(
    shard: number,
    name: Name,
    ...args: ReadArguments<Name>
  ): Promise<ReadResult<Name> | undefined>;
  /** The same, for what another shard may say as well: one that is known to be lost is not missed. */
  readIfThere<Name extends ReadName>(
    shard: number,
    name: Name,
    ...args: ReadArguments<Name>
  ): Promise<ReadResult<Name> | undefined>;
  /** Whether a shard cannot be asked, which is noted. */
  isLost(shard: number): boolean;
  /** Notes that an answer lacks what a shard has. */
  miss(shard: number): void;
}
