/**
 * One HTTP response out of an archive: its head is read, then its body taken, or read past where it
 * cannot become a page. WARC and ARC share this.
 */

import { cutText } from '../../lib/cut-text.ts';
import type { StreamReader } from '../bytes/stream-reader.ts';
import {
  damageFault,
  faultOf,
  type Place,
  robotsFault,
  statusFault,
  tooLargeFault,
} from '../record/fault.ts';
import { type Capture, NOTHING_BESIDE, type SourceItem } from '../record/record.ts';
import {
  canonicalLink,
  decodeHeaderText,
  firstValue,
  type Headers,
  joinedValue,
  parseContentType,
  parseHeaderLines,
} from './headers.ts';
import { dechunk, decodeHttpBody } from './http-body.ts';
import type { RecordDigest } from './record-digest.ts';

const MAX_HEAD_BYTES = 65_536;
/** Statuses that lead elsewhere where a Location says to; 304 and its like are no redirects. */
export const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** Media types of pages. */
export const PAGE_TYPES: ReadonlySet<string> = new Set(['text/html', 'application/xhtml+xml', 'text/plain']);

/** What the archive says around the block. */
interface BlockContext extends Place {
  readonly url: string;
  readonly fetchedAtMs: number | null;
  readonly maxPageBytes: number;
  /** Of the body. */
  readonly payloadDigest?: RecordDigest | null;
  /** What a page is whose record has a head alone. */
  readonly standsFor?: (headers: Headers) => SourceItem;
}

/**
 * Takes exactly `sizeBytes` from the reader.
 * @returns null if the input ends, or has a gap, inside the block.
 */
export async function readHttpBlock(
  reader: StreamReader,
  sizeBytes: number,
  context: BlockContext,
): Promise<SourceItem | null> {
  const head = await reader.peek(Math.min(sizeBytes, MAX_HEAD_BYTES));
  const headBytes = headLength(head);
  const status = statusOf(head);
  if (status === null || (headBytes > head.length && sizeBytes > head.length)) {
    const fault = faultOf('unreadable', context, 'no HTTP response head');
    return (await reader.skip(sizeBytes)) ? fault : null;
  }
  const lines = decodeHeaderText(head.subarray(0, headBytes)).split('\n');
  const headers = parseHeaderLines(lines.slice(1));
  const bodyBytes = Math.max(0, sizeBytes - headBytes);
  await reader.skip(sizeBytes - bodyBytes);

  const verdict = judgeHead(status, headers, context);
  if (verdict !== null) return (await reader.skip(bodyBytes)) ? verdict : null;
  if (context.standsFor !== undefined)
    return (await reader.skip(bodyBytes)) ? context.standsFor(headers) : null;
  // The size lines of tiny chunks may outweigh the content.
  const isChunked = /chunked/i.test(joinedValue(headers, 'transfer-encoding') ?? '');
  return takeBody(reader, bodyBytes, context, {
    headers,
    maxEncodedBytes: context.maxPageBytes * (isChunked ? 2 : 1),
  });
}

/** A block that is the page itself, without an HTTP head. */
export async function readPlainBlock(
  reader: StreamReader,
  sizeBytes: number,
  contentType: string | null,
  context: BlockContext,
): Promise<SourceItem | null> {
  const headers: Headers = new Map(contentType === null ? [] : [['content-type', [contentType]]]);
  const verdict = judgeHead(200, headers, context);
  if (verdict !== null) return (await reader.skip(sizeBytes)) ? verdict : null;
  return takeBody(reader, sizeBytes, context, { headers, maxEncodedBytes: context.maxPageBytes });
}

/** What can be said without the body: a redirect, a fault, or null for a page. */
function judgeHead(status: number, headers: Headers, context: BlockContext): SourceItem | null {
  const location = firstValue(headers, 'location');
  if (REDIRECTS.has(status) && location !== null)
    return captureOf(context, headers, status, new Uint8Array());
  if (status !== 200) return statusFault(status, context, context.fetchedAtMs);
  const { mediaType } = parseContentType(firstValue(headers, 'content-type'));
  if (mediaType !== null && !PAGE_TYPES.has(mediaType)) return faultOf('media_type', context, mediaType);
  return robotsFault(context.url, context);
}

async function takeBody(
  reader: StreamReader,
  sizeBytes: number,
  context: BlockContext,
  how: { headers: Headers; maxEncodedBytes: number },
): Promise<SourceItem | null> {
  if (sizeBytes > how.maxEncodedBytes) {
    const fault = tooLargeFault(sizeBytes, context.maxPageBytes, context);
    return (await reader.skip(sizeBytes)) ? fault : null;
  }
  const encoded = await reader.read(sizeBytes);
  if (encoded === null) return null;
  const digest = context.payloadDigest ?? null;
  if (digest !== null && !digest.isOfBytes(encoded) && !digest.isOfBytes(dechunk(encoded))) {
    const detail = `the body has other bytes than its WARC-Payload-Digest says (${cutText(digest.text, 60)})`;
    return damageFault('digest', context, detail);
  }
  const decoded = decodeHttpBody(encoded, how.headers, context.maxPageBytes);
  if (decoded.fault !== null) return faultOf(decoded.fault, context, decoded.detail);
  if (decoded.body.length === 0) return faultOf('empty', context, 'no body');
  // node:zlib gives small results out of a shared pool, and a chunk is a view of its block.
  const isOwn = decoded.body.buffer.byteLength === decoded.body.length;
  return captureOf(context, how.headers, 200, isOwn ? decoded.body : new Uint8Array(decoded.body));
}

/** A page with the body of another one: as if the server had led there. */
export function sameAs(url: string, context: BlockContext, headers: Headers): Capture {
  return { ...captureOf(context, headers, 301, new Uint8Array()), location: url };
}

function captureOf(context: BlockContext, headers: Headers, status: number, body: Uint8Array): Capture {
  return {
    kind: 'capture',
    url: context.url,
    status,
    ...parseContentType(firstValue(headers, 'content-type')),
    location: status === 200 ? null : firstValue(headers, 'location'),
    canonical: canonicalLink(headers),
    robots: headers.get('x-robots-tag') ?? [],
    lang: firstValue(headers, 'content-language'),
    fetchedAtMs: context.fetchedAtMs,
    body,
    ...NOTHING_BESIDE,
    fileUrl: null,
  };
}

/** With its empty line; more than there is where no empty line was found. */
function headLength(head: Buffer): number {
  for (let newline = head.indexOf(10); newline >= 0; newline = head.indexOf(10, newline + 1)) {
    let end = newline + 1;
    while (head[end] === 13) end++;
    if (head[end] === 10) return end + 1;
  }
  return head.length + 1;
}

function statusOf(head: Buffer): number | null {
  const line = /^HTTP\/\d+(?:\.\d+)?\s+(\d{3})(?:\D|$)/.exec(head.toString('latin1', 0, 32));
  return line === null ? null : Number(line[1]);
}
