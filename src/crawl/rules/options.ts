/** Options of a crawl. The settings are kept with the crawl and apply again when it is resumed. */
import type { UrlKind } from '../../store/frontier/records.ts';

export const SCOPES = ['site', 'host', 'any'] as const;
type ScopeName = (typeof SCOPES)[number];

export interface CrawlSettings {
  /** Fetches at once. */
  readonly slots: number;
  /** Least gap of a host, from the end of a fetch to the next one. 0: no gap but what robots.txt asks for. */
  readonly delayMs: number;
  /** Pages fetched in all, and from one host; 0 is no limit. */
  readonly maxPages: number;
  readonly perHost: number;
  /** Links followed from a seed. */
  readonly maxDepth: number;
  readonly scope: ScopeName;
  /** Regular expressions of URLs; '' is none. */
  readonly include: string;
  readonly exclude: string;
  /** Addresses and ranges that may be connected to though they are not public. */
  readonly allowedAddresses: readonly string[];
  /** This process takes the hosts of part `part` of `parts`, 1 .. parts. */
  readonly part: number;
  readonly parts: number;
  /** Product token, also looked for in robots.txt. */
  readonly userAgent: string;
  /** URL or mail address at which somebody answers for the crawl; '' is none. */
  readonly contact: string;
  readonly maxPageBytes: number;
  /** Of one fetch. */
  readonly timeLimitMs: number;
  readonly requireTrust: boolean;
  /** Whether a branch of copies is given up; see copy-stop.ts. */
  readonly stopsAtCopies: boolean;
  /** An archive file is closed beyond this. */
  readonly archiveBytes: number;
}

/** What the crawler calls itself in each request. */
export function userAgentHeader({ userAgent, contact }: CrawlSettings): string {
  return contact === '' ? userAgent : `${userAgent} (${contact})`;
}

/** Where a crawl begins, or a URL handed on by the crawl of another part. */
export interface Seed {
  readonly url: string;
  readonly kind: UrlKind;
  readonly depth: number;
}

/** Parts of the world that a test replaces. */
export interface CrawlWorld {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** In [0, 1). */
  readonly random: () => number;
  /** Wait before a failed host is tried again; it doubles with each failure. Default 10 s. */
  readonly retryMs: number;
}
