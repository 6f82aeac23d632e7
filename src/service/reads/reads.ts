import type { LinkGraph } from '../../join/links/link-graph.ts';
import type { NeighborList } from '../../join/pairs/neighbor-table.ts';
import type { OrLater } from '../../lib/or-later.ts';
import type { StoredPage, VersionRecord } from '../../store/records.ts';
import type { Accept, StoredFilter } from './accept.ts';
import type { IndexFacts } from './facts.ts';
import type { Found } from './found.ts';
import type { ReadRows } from './read-table.ts';
import type { Work } from './work.ts';

/** What every list shows of a page, or asks of it. */
export type Head = Pick<StoredPage, 'url' | 'title' | 'siteId' | 'lang' | 'fetched'>;

/** Whether each of some pages may be in a list. */
export type AcceptAll = (pageIds: ArrayLike<number>) => Promise<boolean[]>;

/**
 * An index as one answer reads it: one file, or several files or servers as one. A read of a file resolves at once; reads of
 * servers that are asked for in one turn of the event loop go out together, so an answer asks for what does not depend
 * on one another before it waits.
 */
export interface Reads extends ReadRows {
  readonly facts: IndexFacts;
  /** What the answer may do, and has done: answers spend on it what takes long beside reads. */
  readonly work: Work;
  readonly found: Found;
  /** Numbers of the shards that would have been asked so far, and could not be; ascending. */
  readonly lost: readonly number[];
  /** Reads of a list that is walked are asked for so many at a time: 1 where a read costs no round trip. */
  readonly readAhead: number;
  /** False where a page may be of a shard that cannot be asked, and known to no other (`isNamed`). */
  readonly namesAll: boolean;
  /**
   * Has the answer be none where the shard of a page that is asked about cannot be asked, now or before it is made; `url` is what it
   * was asked about by.
   *
   * Errors  Problem `shard-unavailable`.
   */
  requireHome(pageId: number, url: string): void;
  /** Whether nothing can be read of a page but what lists show of it: its shard cannot be asked. */
  isOutOfReach(pageId: number): boolean;
  /** Which of the pages that links name are gone; null where none is. */
  goneIn(links: LinkGraph): Accept | null;
  /** Whether a page that waits for a fold has a text that shares some keys of a sketch. */
  isNearWaiting(keys: Float64Array): boolean;
  /** URLs that a page which waits for a fold links to, of whatever pages; null of any other, whose `links` are known. */
  saidLinks(pageId: number): string[] | null;
  heads(pageIds: ArrayLike<number>): OrLater<Head[]>;
  /** All that are stored; with a `count` those nearest may do, at least so many where there are more. */
  neighbors(relationId: number, pageId: number, count?: number): OrLater<NeighborList>;
  /** Tells of pages which of them are what a filter asks for. */
  accepting(filter: StoredFilter): AcceptAll;
  /** Number of a site by its name; -1 where no page is of it. */
  siteId(name: string): Promise<number>;
  /** How many sites pages are of. */
  siteTotal(): Promise<number>;
  /** All links, in memory. Errors  Problem `shard-unavailable` where some cannot be read. */
  linkGraph(): Promise<LinkGraph>;
  /** The pairs of a page as printed, by signatures: the `count` nearest pages that pass. */
  printed(
    relationId: number,
    pageId: number,
    count: number,
    filter: StoredFilter | null,
  ): Promise<NeighborList>;
}

/** Stands for a page that no shard at hand can name. */
export const NO_NAME = { url: 'http://unknown.invalid/', title: '', site: '', lang: null, fetched: false };

/** Stands for a text that is not at hand. */
export const NO_VERSION: VersionRecord = {
  id: 0,
  textDigest: '',
  tokenDigest: '',
  shingleDigest: '',
  tokenCount: 0,
  simhash: null,
  sketch: { keys: new Float64Array(0), limit: Number.POSITIVE_INFINITY, shingleCount: 0 },
};

/** URLs of pages, in their order; without those that no shard at hand can name. */
export async function urlsOf(reads: Pick<Reads, 'heads'>, pageIds: ArrayLike<number>): Promise<string[]> {
  return (await reads.heads(pageIds)).filter(isNamed).map(({ url }) => url);
}

/** False for a page of a shard that cannot be asked, of which nothing is known. */
export function isNamed({ url }: Pick<Head, 'url'>): boolean {
  return url !== NO_NAME.url;
}
