import type { StoredSweep } from '../../store/read/card.ts';
import type { IndexCard } from '../../store/records.ts';
import type { ReadArguments, ReadName, ReadResult, ShardSet } from './shard-reads.ts';

/** What stays the same from request to request. */
export interface UnionFacts {
  readonly card: IndexCard;
  readonly sweeps: readonly StoredSweep[];
  /** The shard of each page; 255 where it is not known. */
  readonly homes: Uint8Array;
  /** Numbers of sites by name, given as they are met. */
  readonly sites: Map<string, number>;
  readonly hasLinks: boolean;
  readonly hasSearch: boolean;
  /** Before the versions of each shard, how many others have; the last is all. */
  readonly versionStarts: readonly number[];
}

/** Whom of several shards to ask. */
export class UnionReads {
  readonly shards: ShardSet;
  readonly facts: UnionFacts;

  constructor(shards: ShardSet, facts: UnionFacts) {
    this.shards = shards;
    this.facts = facts;
  }

  /** Numbers of the shards that cannot be asked. */
  lostShards(): number[] {
    return [...this.shards.known.keys()].filter((shard) => this.shards.isLost(shard));
  }

  /** Reads from the shard that has a page. */
  atHome<Name extends ReadName>(
    pageId: number,
    name: Name,
    args: ReadArguments<Name>,
    otherwise: ReadResult<Name>,
  ): ReadResult<Name> {
    const home = this.facts.homes[pageId]!;
    if (home < this.shards.count) return this.shards.read(home, name, args, otherwise);
    this.missUnknown();
    return otherwise;
  }

  /** Notes that an answer lacks the shards that nothing is known of. */
  missUnknown(): void {
    for (const [shard, isKnown] of this.shards.known.entries()) if (!isKnown) this.shards.miss(shard);
  }

  /** Reads from every shard that can be asked, in their order. */
  ofAll<Name extends ReadName>(
    name: Name,
    args: ReadArguments<Name>,
    otherwise: ReadResult<Name>,
  ): ReadResult<Name>[] {
    return Array.from({ length: this.shards.count }, (_, shard) =>
      this.shards.read(shard, name, args, otherwise),
    );
  }

  /** Reads what all shards have alike: of the first that can be asked. */
  ofAny<Name extends ReadName>(
    name: Name,
    args: ReadArguments<Name>,
    otherwise: ReadResult<Name>,
  ): ReadResult<Name> {
    for (let shard = 0; shard < this.shards.count; shard++) {
      if (!this.shards.isLost(shard)) return this.shards.read(shard, name, args, otherwise);
    }
    return otherwise;
  }
}
