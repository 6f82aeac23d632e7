/** Rows of a frontier as the crawler gives and gets them. */

/** A sitemap lists pages; it is not a page itself. */
export type UrlKind = 'page' | 'sitemap';

export interface NewUrl {
  readonly url: string;
  readonly kind: UrlKind;
  /** 0 is fetched first. */
  readonly priority: number;
  readonly depth: number;
  /** Redirects in a row that led here. */
  readonly redirects: number;
}

export interface QueuedUrl extends NewUrl {
  readonly seq: number;
  /** Fetches that failed and may be tried again. */
  readonly attempts: number;
}

/** Why pages of a host may have been missed: the bits of a set. */
export const PARTIAL = {
  /** What was asked for in this sweep did not come, or not whole. */
  fetches: 1,
  /** Links were left out of pages that came whole. */
  links: 2,
  /** As `links`, of pages that came in an earlier sweep, and may have answered 304 since. */
  earlierLinks: 4,
} as const;

export interface HostRecord {
  readonly id: number;
  readonly name: string;
  readonly queued: number;
  readonly nextAtMs: number;
  readonly fetched: number;
  /** Why no more is fetched from it; null while more may be. */
  readonly retired: string | null;
}

/** The last fetch of a page that had content. */
export interface FetchedPage {
  readonly url: string;
  /** Date of the record that has its content; 0 where there is none that stands for it any more. */
  readonly fetchedAtMs: number;
  readonly etag: string | null;
  /** '' where the page is asked for whole at its next visit. */
  readonly lastModified: string | null;
  /** SHA-1 of the content, and of what the head of its response says of it. */
  readonly digest: Uint8Array;
  readonly depth: number;
  readonly visits: number;
  /** Visits that found other content than the visit before. */
  readonly changes: number;
  readonly firstAtMs: number;
}
