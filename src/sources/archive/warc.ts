/**
 * WARC (ISO 28500), plain or compressed, as written by Heritrix, wget, wpull, warcio and Common Crawl.
 *
 * `response`, `resource` and `conversion` records become captures. So does a `revisit` that has the payload of another URL:
 * it leads there like a redirect, and is an alias in the index until the URL has a payload of its own again. Any other
 * `revisit`, and `continuation`, is a fault, for what it stands for is elsewhere: who knows the visit before may take a revisit of the URL itself as that, unless
 * its head is a redirect or an error: these have a body in common, often none, with what was there before. `warcinfo`, `request` and `metadata` are passed over (but
 * for what our own crawls say at their end of the hosts that they covered), as are records of what is not the web (`dns:` and a crawler's own notes). Any other type is a fault: the word may be damaged.
 *
 * A record whose bytes are not those of its block digest, or of its payload digest where it has no other, is damaged.
 *
 * The framing is read here because warcio (2.4) never returns from a truncated record, reads over the
 * end of records without an HTTP head, and holds a whole header block whatever its size; the tests
 * compare the two on whole archives.
 */

import { cutText } from '../../lib/cut-text.ts';
import { utcMs } from '../../lib/utc-ms.ts';
import type { StreamReader } from '../bytes/stream-reader.ts';
import { decodeHeaderText, firstValue, type Headers, parseHeaderLines } from '../http/headers.ts';
import { readHttpBlock, readPlainBlock, sameAs } from '../http/http-block.ts';
import { RecordDigest } from '../http/record-digest.ts';
import { damageFault, faultOf, type Place } from '../record/fault.ts';
import { COVERAGE_URI, type CrawlCoverage, type Fault, type SourceItem } from '../record/record.ts';
import { type ArchiveContext, archiveItems, lostRecord, type RecordOutcome } from './archive-records.ts';

const MAX_LINE_BYTES = 65_536;
const MAX_HEADER_LINES = 512;
const MAX_HEADER_BYTES = 262_144;
/** Of a crawl of a million hosts, as they are written. */
const MAX_COVERAGE_BYTES = 32 << 20;
const PAGE_RECORD_TYPES: ReadonlySet<string> = new Set(['response', 'resource', 'conversion']);
const NO_PAGE: ReadonlySet<string> = new Set(['warcinfo', 'request', 'metadata']);
/** What crawlers write about themselves under the record types of pages. */
const NOT_THE_WEB = /^(dns|whois|filedesc|warcinfo|metadata|urn):/i;

/** @param reader stands at the start of the archive. */
export function warcItems(reader: StreamReader, context: ArchiveContext): AsyncGenerator<SourceItem> {
  let waiting: Headers | null = null;
  return archiveItems(reader, context, async (ordinal) => {
    const place: Place = { where: `${context.name} record ${ordinal}`, url: null };
    const headers = waiting ?? (await readHead(reader, place));
    waiting = null;
    if (headers === null || 'outcome' in headers) return headers;
    if (!('next' in headers)) return readBody(reader, context, headers, place);
    waiting = headers.next;
    const detail = 'the record ends inside its headers, and the next one begins there';
    return { outcome: damageFault('truncated', place, detail), place };
  });
}

/** Where a record is cut inside its headers, those of the next one. */
interface CutHeaders {
  readonly next: Headers;
}

async function readHead(
  reader: StreamReader,
  place: Place,
): Promise<Headers | CutHeaders | RecordOutcome | null> {
  const version = await reader.readFilledLine(MAX_LINE_BYTES);
  if (version === null) return null;
  const versionText = version === 'too_long' ? '' : version.toString('latin1');
  const isCut = 'WARC/'.startsWith(versionText) && (await reader.peek(1)).length === 0;
  if (isCut || reader.gap !== null) return { outcome: 'ended', place };
  const isTwice = /^WARC\/[\s\S]*WARC\/\d+\.\d+$/.test(versionText);
  if (!isTwice && !/^WARC\/\d/.test(versionText)) return { outcome: 'noise', place };

  const headers = await readHeaders(reader);
  if (headers === 'ended') return { outcome: 'ended', place };
  if (headers === 'too_long') return lostRecord(place, 'endless WARC headers');
  return isTwice && !('next' in headers) ? { next: headers } : headers;
}

async function readBody(
  reader: StreamReader,
  context: ArchiveContext,
  headers: Headers,
  nowhere: Place,
): Promise<RecordOutcome> {
  const url = targetOf(headers, 'warc-target-uri');
  const place = { ...nowhere, url };
  const lengthText = firstValue(headers, 'content-length') ?? '';
  if (!/^\d{1,15}$/.test(lengthText)) {
    const detail = `Content-Length is ${JSON.stringify(cutText(lengthText, 60))}, expected a number of bytes`;
    return lostRecord(place, detail);
  }
  const digest = blockDigest(headers);
  const hash = digest?.begin() ?? null;
  reader.watch(hash);
  const block = await readBlock(reader, headers, Number(lengthText), place, context);
  reader.watch(null);
  if (block === null) return { outcome: 'ended', place };
  if (digest === null || digest.isOf(hash!)) return { outcome: block, place };
  const detail = `the record has other bytes than its WARC-Block-Digest says (${cutText(digest.text, 60)})`;
  return { outcome: damageFault('digest', place, detail), place, losesTrack: true };
}

async function readHeaders(reader: StreamReader): Promise<Headers | CutHeaders | 'ended' | 'too_long'> {
  const lines: string[] = [];
  const start = reader.offset;
  for (;;) {
    const line = await reader.readLine(MAX_LINE_BYTES);
    if (line === null || reader.gap !== null) return 'ended';
    const isTooLong = line === 'too_long' || lines.length === MAX_HEADER_LINES;
    if (isTooLong || reader.offset - start > MAX_HEADER_BYTES) return 'too_long';
    if (line.length === 0) return splitHeaders(lines);
    lines.push(decodeHeaderText(line));
  }
}

/**
 * A record cut inside its headers has those of the next one behind its own, and the version line of that one at the end
 * of its last line. A value may end like a version; but no field stands twice in one record.
 */
function splitHeaders(lines: readonly string[]): Headers | CutHeaders {
  const cut = lines.findLastIndex((line) => /WARC\/\d+\.\d+$/.test(line));
  if (cut < 0) return parseHeaderLines(lines);
  const next = parseHeaderLines(lines.slice(cut + 1));
  const before = parseHeaderLines(lines.slice(0, cut + 1));
  const isCut = !lines[cut]!.includes(':') || [...before.keys()].some((name) => next.has(name));
  return isCut ? { next } : parseHeaderLines(lines);
}

/** Whose payload a revisit has, byte for byte, where it is that of another URL. */
function otherUrlOf(headers: Headers, url: string | null): string | null {
  const other = targetOf(headers, 'warc-refers-to-target-uri');
  return isIdentical(headers) && other !== null && other !== url ? other : null;
}

function isIdentical(headers: Headers): boolean {
  return /identical-payload-digest$/i.test(firstValue(headers, 'warc-profile') ?? '');
}

/** Of a revisit without the payload of another URL. */
function revisitFault(headers: Headers, place: Place): Fault {
  const fault = faultOf('revisit', place, 'the payload is in another record');
  const isSame = /(identical-payload-digest|server-not-modified)$/i.test(
    firstValue(headers, 'warc-profile') ?? '',
  );
  const of = targetOf(headers, 'warc-refers-to-target-uri');
  if (!isSame || (of !== null && of !== place.url)) return fault;
  const refersToMs = dateOf(headers, 'warc-refers-to-date');
  return { ...fault, fetchedAtMs: dateOf(headers), isAsBefore: true, refersToMs };
}

/** Whether a revisit says by itself that it is no page: whose body has the same bytes may have led elsewhere, or been there, before. */
function isOtherAnswer(item: SourceItem): boolean {
  if (item.kind === 'capture' || item.reason === 'empty') return true;
  return item.reason === 'status' && item.isAsBefore !== true;
}

/** Whether the payload of a revisit is none, as that of a redirect mostly is. */
function isOfNoBytes(headers: Headers): boolean {
  return RecordDigest.of(headers, 'warc-payload-digest')?.isOfBytes(new Uint8Array()) === true;
}

/** Null where it is not known. */
function dateOf(headers: Headers, name = 'warc-date'): number | null {
  const dateMs = utcMs(firstValue(headers, name) ?? '');
  return Number.isNaN(dateMs) ? null : dateMs;
}

/** A URL that old archives put in angle brackets. */
function targetOf(headers: Headers, name: string): string | null {
  return firstValue(headers, name)?.replace(/^<(.*)>$/, '$1') ?? null;
}

/** None where the block is not what our crawls write. */
function coverageOf(block: Uint8Array): CrawlCoverage[] {
  try {
    const { hosts, fileCount, crawl = '' } = JSON.parse(Buffer.from(block).toString()) as CrawlCoverage;
    const isOurs = Array.isArray(hosts) && [...hosts, crawl].every((text) => typeof text === 'string');
    return isOurs && Number.isSafeInteger(fileCount) ? [{ hosts, fileCount, crawl }] : [];
  } catch {
    return [];
  }
}

/** What a block is compared by. GNU Wget (1.21, `--warc-dedup`) gives a revisit the digest of no bytes, though a head stands in it. */
function blockDigest(headers: Headers): RecordDigest | null {
  const digest = RecordDigest.of(headers, 'warc-block-digest');
  const isRevisit = firstValue(headers, 'warc-type')?.toLowerCase() === 'revisit';
  return isRevisit && digest?.isOfBytes(new Uint8Array()) === true ? null : digest;
}

/** What the payload is compared by: of a block that was compared, and of one that was cut by its crawler, nothing. */
function payloadDigest(headers: Headers): RecordDigest | null {
  const isKnown = RecordDigest.of(headers, 'warc-block-digest') !== null || headers.has('warc-truncated');
  return isKnown ? null : RecordDigest.of(headers, 'warc-payload-digest');
}

/** Takes the block whatever it is; null if the input ends inside it. */
async function readBlock(
  reader: StreamReader,
  headers: Headers,
  sizeBytes: number,
  place: Place,
  { maxPageBytes, covered }: ArchiveContext,
): Promise<SourceItem | 'passed' | null> {
  const skipped = async <T>(result: T) => ((await reader.skip(sizeBytes)) ? result : null);
  const { url } = place;
  const type = firstValue(headers, 'warc-type')?.toLowerCase() ?? '';
  const bodyAt = type === 'revisit' && sizeBytes > 0 ? otherUrlOf(headers, url) : null;
  const asBefore = type === 'revisit' && bodyAt === null ? revisitFault(headers, place) : null;
  if (asBefore !== null && (url === null || !asBefore.isAsBefore)) return skipped(asBefore);
  if (type === 'continuation') {
    return skipped(faultOf('unreadable', place, 'a part of a segmented record; segments are not joined'));
  }
  if (type === '') return skipped(faultOf('unreadable', place, 'no WARC-Type'));
  if (type === 'metadata' && url === COVERAGE_URI && sizeBytes <= MAX_COVERAGE_BYTES) {
    const block = await reader.read(sizeBytes);
    if (block !== null) covered.push(...coverageOf(block));
    return block === null ? null : 'passed';
  }
  if (NO_PAGE.has(type)) return skipped('passed');
  if (type !== 'revisit' && !PAGE_RECORD_TYPES.has(type)) {
    return skipped(faultOf('unreadable', place, `unknown WARC-Type ${JSON.stringify(cutText(type, 60))}`));
  }
  if (url === null) return skipped(faultOf('url', place, 'no WARC-Target-URI'));
  if (NOT_THE_WEB.test(url)) return skipped('passed');
  if (!/^https?:/i.test(url)) return skipped(faultOf('url', place, 'neither http nor https'));

  const block = {
    ...place,
    url,
    maxPageBytes,
    fetchedAtMs: dateOf(headers),
    payloadDigest: payloadDigest(headers),
  };
  const contentType = firstValue(headers, 'content-type');
  if (type === 'revisit') {
    const isEmpty = isIdentical(headers) && isOfNoBytes(headers);
    const standsFor = (head: Headers) =>
      isEmpty ? faultOf('empty', place, 'no body') : (asBefore ?? sameAs(bodyAt!, block, head));
    const item = await readHttpBlock(reader, sizeBytes, { ...block, standsFor });
    return item === null || asBefore === null || isOtherAnswer(item) ? item : asBefore;
  }
  if (type === 'response') return readHttpBlock(reader, sizeBytes, block);
  return readPlainBlock(reader, sizeBytes, contentType, block);
}
