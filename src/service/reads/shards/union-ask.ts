/** Which of several shards are asked for what; what they say is put together by `union-reads.ts`. */
import type { LinkGraph } from '../../../join/links/link-graph.ts';
import { shardOf } from '../../../url/shard.ts';
import type { IndexFacts } from '../facts.ts';
import type { Found } from '../found.ts';
import type { ReadArguments, ReadName, ReadResult } from '../read-table.ts';
import type { ShardSet } from './shard-set.ts';
import type { UnionFacts } from './union-facts.ts';

/** What the reads of all answers from one generation share. */
export interface UnionState {
  readonly facts: IndexFacts;
  readonly union: UnionFacts;
  /** Numbers of sites by name, given as they are met. */
  readonly sites: Map<string, number>;
  readonly found: Found;
  linkGraph(): Promise<LinkGraph>;
}

export class UnionAsk {
  protected readonly shards: ShardSet;
  protected readonly state: UnionState;
  protected readonly homes: Uint8Array;

  constructor(shards: ShardSet, state: UnionState) {
    this.shards = shards;
    this.state = state;
    this.homes = state.union.homes;
  }

  /** Reads from the shard that a URL belongs to. */
  protected async byUrl<Name extends 'idOf' | 'alias' | 'goneIn'>(
    url: string,
    name: Name,
    otherwise: ReadResult<Name>,
  ): Promise<ReadResult<Name>> {
    const args = [url] as ReadArguments<Name>;
    const said = await this.shards.read(shardOf(url, this.shards.count), name, ...args);
    return said === undefined ? otherwise : said;
  }

  /** Reads from the shard that has a page; undefined where it cannot be asked. */
  protected async ofHome<Name extends ReadName>(
    page: number,
    name: Name,
    ...args: ReadArguments<Name>
  ): Promise<ReadResult<Name> | undefined> {
    const home = this.homes[page]!;
    if (home < this.shards.count) return this.shards.read(home, name, ...args);
    this.missUnknown();
    return undefined;
  }

  protected async atHome<Name extends ReadName>(
    page: number,
    otherwise: ReadResult<Name>,
    name: Name,
    ...args: ReadArguments<Name>
  ): Promise<ReadResult<Name>> {
    const said = await this.ofHome(page, name, ...args);
    return said === undefined ? otherwise : said;
  }

  /** Notes that an answer lacks the shards that nothing is known of. */
  protected missUnknown(): void {
    for (const [shard, isKnown] of this.shards.known.entries()) if (!isKnown) this.shards.miss(shard);
  }

  /** Reads from every shard, in their order; `otherwise` of those that cannot be asked. */
  protected ofAll<Name extends ReadName>(
    otherwise: ReadResult<Name>,
    name: Name,
    ...args: ReadArguments<Name>
  ): Promise<ReadResult<Name>[]> {
    return Promise.all(
      Array.from({ length: this.shards.count }, async (_, shard) => {
        const said = await this.shards.read(shard, name, ...args);
        return said === undefined ? otherwise : said;
      }),
    );
  }

  /** Reads what all shards have alike: of the first that can be asked. */
  protected async ofAny<Name extends ReadName>(
    otherwise: ReadResult<Name>,
    name: Name,
    ...args: ReadArguments<Name>
  ): Promise<ReadResult<Name>> {
    for (let shard = 0; shard < this.shards.count; shard++) {
      if (this.shards.isLost(shard)) continue;
      const said = await this.shards.read(shard, name, ...args);
      if (said !== undefined) return said;
    }
    return otherwise;
  }
}
