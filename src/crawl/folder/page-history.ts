/** What a crawl remembers of a page from visit to visit. */
import type { Exchange } from '../../net/exchange.ts';
import { firstValue, type Headers } from '../../sources/http/headers.ts';
import { REDIRECTS } from '../../sources/http/http-block.ts';
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
  if (status === 304 && known !== null && isArchived(known)) {
    return { url: known.url, fetchedAtMs: known.fetchedAtMs, profile: 'server-not-modified' };
  }
  if (sameContent === null) return null;
  const { url, fetchedAtMs } =
    known !== null && isArchived(known) && Buffer.compare(known.digest, digest) === 0 ? known : sameContent;
  return { url, fetchedAtMs, profile: 'identical-payload-digest' };
}

/** Whether the archive has a record of the page that holds its content, or refers to one that does. */
export function isArchived({ fetchedAtMs }: FetchedPage): boolean {
  return fetchedAtMs > 0;
}

/** Whether the next visit of a page may answer that it is as it was. */
export function isAskedIfChanged(known: FetchedPage): boolean {
  return isArchived(known) && known.lastModified !== '';
}

/**
 * Whether the page has another content than before, or none any more. Records of other pages that refer to the one
 * before are then those of nothing that is there.
 *
 * @param wholeDigest of the content, where all of it has come.
 */
export function isReplaced(
  known: FetchedPage,
  { status }: Exchange,
  wholeDigest: Uint8Array | null,
): boolean {
  if (!isArchived(known) || known.digest.length === 0) return false;
  if (wholeDigest !== null) return Buffer.compare(known.digest, wholeDigest) !== 0;
  return status === 404 || status === 410 || REDIRECTS.has(status);
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
  const isChanged = known !== null && !isSame && Buffer.compare(known.digest, digest) !== 0;
  const { startedAtMs } = exchange;
  return {
    url,
    depth,
    fetchedAtMs: isSame ? original.fetchedAtMs : startedAtMs,
    etag: firstValue(headers, 'etag') ?? (isSame ? (known?.etag ?? null) : null),
    lastModified: firstValue(headers, 'last-modified') ?? (isSame ? known?.lastModified || null : null),
    digest: exchange.status === 304 ? known!.digest : digest,
    visits: (known?.visits ?? 0) + 1,
    changes: (known?.changes ?? 0) + (isChanged ? 1 : 0),
    firstAtMs: known?.firstAtMs ?? startedAtMs,
  };
}
