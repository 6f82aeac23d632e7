import type { ClusterReader } from '../../store/read/cluster-reader.ts';
import type { PageCardReader } from '../../store/read/page-card-reader.ts';
import type { IndexReader } from '../../store/read/reader.ts';
import type { FoundPages, SearchExpression, SearchFilter } from '../../store/read/search-reader.ts';
import type { VersionReader } from '../../store/read/version-reader.ts';

/** What answers ask of an index: one file, or several that are served as one. */
export interface ServedIndex
  extends Pick<
    IndexReader,
    | 'path'
    | 'generation'
    | 'pageCount'
    | 'alias'
    | 'aliases'
    | 'allLinks'
    | 'bag'
    | 'captures'
    | 'close'
    | 'feature'
    | 'findFeature'
    | 'findPage'
    | 'findSite'
    | 'goneIn'
    | 'hasLinks'
    | 'isGone'
    | 'links'
    | 'nearestUrls'
    | 'neighbors'
    | 'page'
    | 'partPageCount'
    | 'signatures'
    | 'successor'
    | 'sweeps'
  > {
  /** Null where all of the index is there. */
  readonly shard: IndexReader['shard'];
  readonly ownPageCount: number;
  readonly clusters: Pick<ClusterReader, 'byKey' | 'children' | 'ofPage' | 'members' | 'list' | 'total'>;
  readonly versions: ServedVersions;
  readonly pageCards: Pick<PageCardReader, 'get'>;
  readonly search: ServedSearch;
}

export interface ServedSearch {
  readonly isKept: boolean;
  /** As that of `SearchReader`. */
  find(expression: SearchExpression, limit: number, mostWeighed: number, filter?: SearchFilter): FoundPages;
}

export type ServedVersions = Pick<
  VersionReader,
  | 'count'
  | 'current'
  | 'currentPagesOf'
  | 'get'
  | 'pagesOf'
  | 'sketchOf'
  | 'templateOf'
  | 'text'
  | 'withShingle'
>;
