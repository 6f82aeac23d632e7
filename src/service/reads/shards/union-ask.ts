/** Which of several shards are asked for what; what they say is put together by `union-reads.ts`. */
import { NO_BAG } from '../../../features/bag.ts';
import type { LinkGraph } from '../../../join/links/link-graph.ts';
import type { VersionRecord } from '../../../store/records.ts';
import { shardOf } from '../../../url/shard.ts';
import type { IndexFacts } from '../facts.ts';
import type { Found } from '../found.ts';
import type { ReadArguments, ReadName, ReadResult, ReadRows } from '../read-table.ts';
import { NO_VERSION } from '../reads.ts';
import type { ShardSet } from './shard-set.ts';
import type { UnionFacts } from './union-facts.ts';

type Otherwise = { readonly [Name in ReadName]?: ReadResult<Name> };

/** Reads that the shard of a page answers, whose id is their last argument; and what is said where it cannot be asked. */
const AT_HOME = {
  aliases: [],
  bag: NO_BAG,
  links: new Uint32Array(0),
  isGone: false,
  lostIn: 0,
  pageCard: null,
  ownFeatures: '',
  vector: new Int8Array(0),
  pageFields: {},
  clusters: [],
} satisfies Otherwise;
/** Those that the shard of a URL answers. */
const BY_URL = { idOf: -1, alias: null, otherAnswer: null } satisfies Otherwise;
/**
 * Those that the shard of a version answers, whose id is their first argument: of the pages that read now as it, its own, as others
 * have the text as a version of their own.
 */
const BY_VERSION = {
  version: NO_VERSION,
  sketch: NO_VERSION,
  versionText: null,
  currentPages: { pageIds: [], moreCount: 0 },
} satisfies Otherwise;
/** What all shards have alike. */
const OF_ANY = {
  feature: { id: 0, part: 'content', stem: '', term: '', pageCount: 1 },
  findFeature: null,
  partPageCount: 1,
} satisfies Otherwise;

/** What the reads of all answers from one generation share. */
export interface UnionState {
  readonly facts: IndexFacts;
  readonly union: UnionFacts;
  /** Numbers of sites by name, given as they are met. */
  readonly sites: Map<string, number>;
  readonly found: Found;
  linkGraph(): Promise<LinkGraph>;
}

class UnionAsk {
  protected readonly shards: ShardSet;
  protected readonly state: UnionState;
  protected readonly homes: Uint8Array;

  constructor(shards: ShardSet, state: UnionState) {
    this.shards = shards;
    this.state = state;
    this.homes = state.union.homes;
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

  /** Reads from the first shard that can be asked; the others are not missed. */
  protected async ofAny<Name extends ReadName>(
    name: Name,
    ...args: ReadArguments<Name>
  ): Promise<ReadResult<Name> | undefined> {
    for (let shard = 0; shard < this.shards.count; shard++) {
      const said = await this.shards.readIfThere(shard, name, ...args);
      if (said !== undefined) return said;
    }
    this.missLost();
    return undefined;
  }

  /** Notes that an answer lacks what the shards that cannot be asked may have; says which these are. */
  protected missLost(): number[] {
    return [...this.shards.known.keys()].filter((shard) => this.shards.isLost(shard));
  }

  static {
    type Ask = (of: UnionAsk, name: ReadName, args: ReadArguments<ReadName>) => Promise<unknown>;
    const define = (rows: Otherwise, ask: Ask) => {
      for (const [name, otherwise] of Object.entries(rows)) {
        const read = async function (this: UnionAsk, ...args: ReadArguments<ReadName>) {
          const said = await ask(this, name as ReadName, args);
          return said === undefined ? otherwise : said;
        };
        Object.defineProperty(UnionAsk.prototype, name, { value: read });
      }
    };
    define(AT_HOME, (of, name, args) => of.ofHome(args.at(-1) as number, name, ...args));
    define(BY_URL, (of, name, args) =>
      of.shards.read(shardOf(args[0] as string, of.shards.count), name, ...args),
    );
    define(BY_VERSION, async (of, name, [versionId, ...args]) => {
      const { versionStarts } = of.state.union;
      const last = versionStarts.findLastIndex((start) => start <= (versionId as number));
      const shard = Math.max(0, Math.min(last, of.shards.count - 1));
      const own = [(versionId as number) - versionStarts[shard]!, ...args] as ReadArguments<ReadName>;
      const said = await of.shards.read(shard, name, ...own);
      return name === 'version' ? { ...((said ?? NO_VERSION) as VersionRecord), id: versionId } : said;
    });
    define(OF_ANY, (of, name, args) => of.ofAny(name, ...args));
  }
}

type RowName = keyof typeof AT_HOME | keyof typeof BY_URL | keyof typeof BY_VERSION | keyof typeof OF_ANY;

/** Has the reads of the tables above. */
export const UnionRows = UnionAsk as unknown as new (
  ...args: ConstructorParameters<typeof UnionAsk>
) => UnionAsk & Pick<ReadRows, RowName>;
