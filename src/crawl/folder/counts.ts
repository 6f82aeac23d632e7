/** What a crawl has counted so far; kept with it, so that a crawl in several runs is counted as one. */
import type { FailureReason } from '../../net/exchange.ts';
import type { Trap } from '../rules/trap-rules.ts';

/** Why a URL was not fetched, or a host was given up. */
export type RefusalReason =
  | 'robots' // robots.txt forbids it
  | 'depth' // more links from a seed than allowed
  | 'redirects' // too many in a row
  | 'copies' // its branch was given up
  | 'per_host' // the host has had its share
  | 'unreachable' // its server failed again and again, or its robots.txt could not be had
  | 'address' // the host is at an address that is not public
  | `trap_${Trap}`;

/** For these a URL stays queued: the next run asks for it. */
export const OF_A_RUN = ['per_host', 'unreachable', 'address'] as const satisfies readonly RefusalReason[];

export interface CrawlCounts {
  /** Responses for URLs that were queued as pages, whatever their status. */
  responses: number;
  /** Responses of status 200 with text. */
  pages: number;
  /** Responses that are no page, of URLs that were none in an earlier sweep. Missing where there were none. */
  withoutPage?: number;
  redirects: number;
  /** Revisits: content that the archive has already. */
  revisits: number;
  sitemaps: number;
  /** Fetches of robots.txt. */
  robots: number;
  /** As they came over the wire, without heads. */
  bytes: number;
  /** URLs queued. */
  queued: number;
  /** URLs written down for other parts. */
  forwarded: number;
  /** Fetches that were tried once more. */
  retries: number;
  /** Servers given up in the last run: what failed again and again, and hosts that had their share. */
  retiredHosts: number;
  /** Responses by status. */
  readonly statuses: Record<string, number>;
  /** Fetches without response. */
  readonly failures: Partial<Record<FailureReason, number>>;
  readonly skipped: Partial<Record<RefusalReason, number>>;
}

export function noCounts(): CrawlCounts {
  return {
    ...{ responses: 0, pages: 0, redirects: 0, revisits: 0, sitemaps: 0, robots: 0, bytes: 0 },
    ...{ queued: 0, forwarded: 0, retries: 0, retiredHosts: 0 },
    ...{ statuses: {}, failures: {}, skipped: {} },
  };
}

export function countOne<Key extends string>(counts: Partial<Record<Key, number>>, key: Key, by = 1): void {
  if (by > 0) counts[key] = (counts[key] ?? 0) + by;
}
