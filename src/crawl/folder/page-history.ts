/** What a crawl remembers of a page from visit to visit. */
import type { Exchange } from '../../net/exchange.ts';
import { firstValue, type Headers } from '../../sources/headers.ts';
import type { FetchedPage, QueuedUrl } from '../../store/frontier/records.ts';
import type { Original } from './warc-record.ts';

/**
 * The page whose record already has the content of this response; null where the content is new.
 *
 * @param known the same URL at its last visit.
 * @param sameContent a page of the host with the same content, where the response has content.
 */
export function originalOf(
  { status }: Exchange,
  digest: Uint8Array,
  known: FetchedPage | null,
  sameContent: FetchedPage | null,
): Original | null {
  if (status === 304 && known !== null) {
    return { url: known.url, fetchedAtMs: known.fetchedAtMs, profile: 'server-not-modified' };
  }
  if (sameContent === null) return null;
  const { url, fetchedAtMs } =
    known !== null && Buffer.compare(known.digest, digest) === 0 ? known : sameContent;
  return { url, fetchedAtMs, profile: 'identical-payload-digest' };
}

/** By the share of visits that found a change; what was visited once is in the middle. */
export function revisitPriority({ visits, changes }: FetchedPage): number {
  if (visits < 2) return 1;
  const share = changes / (visits - 1);
  if (share >= 0.5) return 0;
  if (share > 0) return 1;
  return visits < 4 ? 2 : 3;
}

/** What is known of a page after a visit: the date is that of the record that has its content. */
export function pageAfter(
  { url, depth }: QueuedUrl,
  exchange: Exchange,
  headers: Headers,
  digest: Uint8Array,
  original: Original | null,
  known: FetchedPage | null,
): FetchedPage {
  const isSame = original !== null && original.url === url;
  const { startedAtMs } = exchange;
  return {
    url,
    depth,
    fetchedAtMs: isSame ? original.fetchedAtMs : startedAtMs,
    etag: firstValue(headers, 'etag') ?? (isSame ? (known?.etag ?? null) : null),
    lastModified: firstValue(headers, 'last-modified') ?? (isSame ? (known?.lastModified ?? null) : null),
    digest: exchange.status === 304 ? known!.digest : digest,
    visits: (known?.visits ?? 0) + 1,
    changes: (known?.changes ?? 0) + (known === null || isSame ? 0 : 1),
    firstAtMs: known?.firstAtMs ?? startedAtMs,
  };
}
