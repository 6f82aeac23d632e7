/** What the parts of an answer are asked of a shard by: pages by their whole ids, versions by the shard's own ids. */
import type { Bag } from '../../features/bag.ts';
import type { NeighborList } from '../../join/pairs/neighbor-table.ts';
import type { PageCard } from '../../page/page-card.ts';
import type { ShingleSketch } from '../../sketch/shingle-sketch.ts';
import type { StoredSweep } from '../../store/read/card.ts';
import type { ClusterSlice } from '../../store/read/cluster-reader.ts';
import type { SearchExpression } from '../../store/read/search-reader.ts';
import type { SearchWeights } from '../../store/read/search-weights.ts';
import type { CurrentPages, SharedShingles } from '../../store/read/version-reader.ts';
import type {
  AliasRecord,
  CaptureRecord,
  ClusterRecord,
  FeatureRecord,
  FoundPage,
  IndexCard,
  MemberRecord,
  StoredPage,
  VersionRecord,
} from '../../store/records.ts';

/** What is asked of the pages of a list, one by one, where a shard searches for them: by the names of filters. */
export type StoredFilter = Readonly<Record<string, unknown>>;

export interface NearestRead {
  readonly relationId: number;
  readonly bag: Bag;
  readonly count: number;
  readonly filter: StoredFilter | null;
  /** Whole id of a page that is left out; -1 for none. */
  readonly skip: number;
  readonly exact: boolean;
}

interface SearchRead {
  readonly expression: SearchExpression;
  /** Of all shards. */
  readonly weights: SearchWeights;
  readonly limit: number;
  readonly mostWeighed: number;
  readonly site: string | null;
  readonly hosts: readonly string[];
  readonly lang: string | null;
}

/** What lists show of a page; a shard knows it of pages of other shards too. */
export type NamedPage = Pick<StoredPage, 'url' | 'title' | 'site' | 'lang' | 'fetched'> & {
  readonly id: number;
};

/** A page by its URL; over the network, also what is asked next of most. */
export interface FoundUrl {
  /** Whole id; -1 where the shard has neither the page nor an alias. */
  readonly pageId: number;
  readonly page: StoredPage | null;
  readonly neighbors: { readonly relationId: number; readonly list: NeighborList } | null;
  /** Its nearest pages. */
  readonly named: readonly NamedPage[];
}

/** All links of a shard: page i has targets[ends[i - 1]] .. targets[ends[i] - 1]. */
interface ShardLinks {
  readonly pages: Uint32Array;
  readonly ends: Uint32Array;
  readonly targets: Uint32Array;
}

/** What a shard is. */
export interface ShardCard {
  readonly card: IndexCard;
  readonly sweeps: readonly StoredSweep[];
  readonly versionCount: number;
  readonly hasSearch: boolean;
  readonly hasLinks: boolean;
  /** Of its own pages, ascending. */
  readonly wholeIds: Uint32Array;
}

/** Name, arguments and result of each read. */
export interface ShardReads {
  describe(): ShardCard;
  find(url: string): FoundUrl;
  /** Its whole id alone, or -1. */
  idOf(url: string): number;
  alias(url: string): { readonly pageId: number; readonly kind: AliasRecord['kind'] } | null;
  goneIn(url: string): number | null;
  aliases(page: number): readonly AliasRecord[];
  /** Of own pages. */
  page(page: number): StoredPage | null;
  /** Of those of other shards, too. */
  named(page: number): NamedPage | null;
  neighbors(relationId: number, page: number): NeighborList;
  bag(relationId: number, page: number): Bag;
  captures(page: number): readonly CaptureRecord[];
  linkTargets(page: number): Uint32Array;
  allLinks(): ShardLinks;
  isGone(page: number): boolean;
  successor(page: number): number;
  pageCard(page: number): PageCard | null;
  feature(relationId: number, feature: number): FeatureRecord;
  findFeature(relationId: number, part: string, stem: string): FeatureRecord | null;
  partPageCount(relationId: number, part: string): number;
  nearestUrls(url: string, count: number): readonly { readonly pageId: number; readonly url: string }[];
  clustersOf(relationId: number, page: number): readonly ClusterRecord[];
  clusterByKey(key: string): ClusterRecord | null;
  children(cluster: ClusterRecord, limit: number): readonly ClusterRecord[];
  members(clusterId: number, limit: number): readonly (MemberRecord & { readonly isCenter: boolean })[];
  /** With the kind of each center, by which lists are ordered. */
  clusterList(
    relationId: number,
    slice: ClusterSlice,
  ): readonly { readonly cluster: ClusterRecord; readonly isCenterFetched: boolean }[];
  clusterTotal(relationId: number, level: number): number;
  version(version: number): VersionRecord;
  sketch(version: number): { readonly shingleDigest: string; readonly sketch: ShingleSketch };
  currentVersion(page: number): number;
  versionText(version: number): { title: string; text: string } | null;
  currentPagesOf(version: number, limit: number): CurrentPages;
  pagesOfText(textDigest: string): readonly { readonly pageId: number; readonly sweepId: number }[];
  template(host: string): Float64Array;
  withShingle(keys: Float64Array): SharedShingles;
  searchWeights(phrases: readonly string[]): SearchWeights;
  search(query: SearchRead): { readonly pages: readonly FoundPage[]; readonly total: number };
  nearest(query: NearestRead): NeighborList;
}

export type ReadName = keyof ShardReads;
export type ReadArguments<Name extends ReadName> = Parameters<ShardReads[Name]>;
export type ReadResult<Name extends ReadName> = ReturnType<ShardReads[Name]>;

/** Reads that take longer than a look-up: a shard answers them on a thread. */
export const LONG_READS: ReadonlySet<string> = new Set<ReadName>([
  'allLinks',
  'withShingle',
  'searchWeights',
  'search',
  'nearest',
]);

/** The shards of one index, of one generation each. */
export interface ShardSet {
  readonly count: number;
  /** False for a shard of which nothing is known yet. */
  readonly known: readonly boolean[];
  /**
   * What a shard says; `otherwise` where it cannot be asked. A set that asks over the network gives `otherwise` at first,
   * or throws where that is undefined, and is called again with the answer at hand.
   */
  read<Name extends ReadName>(
    shard: number,
    name: Name,
    args: ReadArguments<Name>,
    otherwise: ReadResult<Name> | undefined,
  ): ReadResult<Name>;
  /** Whether a shard can be asked. */
  isLost(shard: number): boolean;
  /** Notes that an answer lacks what a shard has. */
  miss(shard: number): void;
  close(): void;
}
