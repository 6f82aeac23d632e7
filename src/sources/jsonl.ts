/**
 * One JSON object a line: `{"url", "html" | "text", "title"?, "lang"?, "fetched_at"?, "links"?, "image"?, "description"?,
 * "published_at"?, "modified_at"?, "features"?, "vectors"?, "fields"?, "canonical"?, "robots"?, "file_url"?,
 * "media_type"?}`; see features/own-features.ts, features/vectors.ts
 * and page/fields/page-fields.ts.
 *
 * `fetched_at` is an ISO date, or seconds or milliseconds since 1970. A line may stand for a response
 * that is no page: `status`, with `location` for a redirect. Further members are named, not looked at; nor are those of
 * the card and `lang` where they are no texts.
 */

import { isUtf8 } from 'node:buffer';
import { packFeatures, readFeatures } from '../features/own-features.ts';
import { packVectors, readVectors } from '../features/vectors.ts';
import { cutText } from '../lib/cut-text.ts';
import { utcMs } from '../lib/utc-ms.ts';
import { cardDate } from '../page/card/page-card.ts';
import { isBinaryText, mayBeBinary } from '../page/decode.ts';
import { packFields, readFields } from '../page/fields/page-fields.ts';
import { type JsonPage, loadJsonPage } from '../page/html/html-kernel.ts';
import { canonicalUrl } from '../url/canonical-url.ts';
import { siteOf } from '../url/site.ts';
import type { StreamReader } from './bytes/stream-reader.ts';
import { REDIRECTS } from './http/http-block.ts';
import { damageFault, faultOf, type Place, statusFault, tooLargeFault } from './record/fault.ts';
import type { Capture, Fault, GivenCard, JsonLine, SourceItem } from './record/record.ts';

/** Seconds since 1970 stay below this until the year 5138; milliseconds are above it since 1973. */
const FIRST_MILLISECONDS = 1e11;
/** The end of time for a Date. */
export const LAST_MILLISECOND = 8.64e15;
/** Room for the other fields of a line whose page is just small enough. */
const MAX_OTHER_FIELDS_BYTES = 65_536;
/** A shorter page may as well be read with its line. */
const MIN_PAGE_BYTES = 256;
const HTML_NAME = '"html"';
const MAX_MEMBER_BYTES = 32;
const HTML_MEMBER = /^"html"[ \t]*:[ \t]*"/;
/** A letter of the name, as it may be written, too. */
const ESCAPED_LETTER = /\\u00[67]/i;
/** What a line must be. */
export const NOT_UTF8 = 'the line is not valid UTF-8';

const LINE_ENDS = 'lines end with LF (\\n) or CRLF';

interface JsonlContext {
  readonly name: string;
  readonly maxPageBytes: number;
}

/** JSON may need two bytes for one (\n, \"); the page itself is measured once it is decoded. */
export function maxLineBytes(maxPageBytes: number): number {
  return 2 * maxPageBytes + MAX_OTHER_FIELDS_BYTES;
}

/** What stands for a capture while its body is text. */
interface TextCapture extends Omit<Capture, 'body'> {
  readonly text: string | JsonPage;
  /** Of its UTF-8. */
  readonly bodyBytes: number;
}

export async function* jsonlItems(reader: StreamReader, context: JsonlContext): AsyncGenerator<SourceItem> {
  for await (const line of jsonLines(reader, context)) {
    const record = line.kind === 'line' ? lineRecord(line.bytes, line.number, context) : line;
    if (record !== null) yield withBody(record);
  }
}

/** The lines of the input as they are, none of them empty; `lineRecord` reads them. */
export async function* jsonLines(
  reader: StreamReader,
  context: JsonlContext,
): AsyncGenerator<JsonLine | Fault> {
  const maxBytes = maxLineBytes(context.maxPageBytes);
  for (let number = 1; ; number++) {
    const line = await reader.readLine(maxBytes);
    if (reader.gap !== null) {
      const gap = reader.gap;
      reader.resume();
      yield damageFault(gap.reason, placeOf(number, context), gap.detail);
    } else if (line === null) {
      return;
    } else if (line === 'too_long') {
      const detail = `a line of more than ${maxBytes} bytes; ${LINE_ENDS}`;
      yield faultOf('too_large', placeOf(number, context), detail);
    } else if (line.length > 0) {
      yield { kind: 'line', number, bytes: line };
    }
  }
}

function placeOf(number: number, { name }: JsonlContext): Place {
  return { where: `${name}:${number}`, url: null };
}

/** What a line stands for; null for a blank one. `number` is its own in the input, from 1. */
export function lineRecord(
  { buffer, byteOffset, length }: Uint8Array,
  number: number,
  context: JsonlContext,
): TextCapture | Fault | null {
  const line = Buffer.from(buffer, byteOffset, length);
  const place = placeOf(number, context);
  if (!isUtf8(line)) return faultOf('unreadable', place, NOT_UTF8);
  const page = jsonPageOf(line);
  if (page !== null) return recordOf(page.row, place, context.maxPageBytes, page.html);
  const text = line.toString('utf8');
  if (text.trim() === '') return null;
  try {
    return recordOf(parseLine(text), place, context.maxPageBytes);
  } catch (error) {
    return faultOf('unreadable', place, (error as Error).message);
  }
}

/** Errors  SyntaxError that says what is wrong with the line. */
export function parseLine(text: string): unknown {
  try {
    // A byte order mark is no part of a text.
    return JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  } catch (error) {
    const hint = text.includes('\r') ? `; ${LINE_ENDS}, and this one has a CR in it` : '';
    throw new SyntaxError(`not JSON: ${(error as Error).message}${hint}`);
  }
}

/**
 * A line whose `html` the kernel has, and its row with '' in place of it: no string is made of a page. Null for a line that
 * is read whole: a short one, one that may name `html` twice, and all that is unusual.
 */
function jsonPageOf(line: Buffer): { readonly row: object; readonly html: JsonPage } | null {
  const at = line.indexOf(HTML_NAME);
  const member = at < 0 ? null : HTML_MEMBER.exec(line.toString('latin1', at, at + MAX_MEMBER_BYTES));
  if (member === null) return null;
  const start = at + member[0].length;
  if (line.length - start < MIN_PAGE_BYTES) return null;
  const html = loadJsonPage(line, start);
  if (html === null || mayBeBinary(html)) return null;
  const rest = line.toString('utf8', 0, start) + line.toString('utf8', html.end);
  if (rest.indexOf(HTML_NAME) !== rest.lastIndexOf(HTML_NAME) || ESCAPED_LETTER.test(rest)) return null;
  try {
    const row: unknown = JSON.parse(rest);
    return typeof row === 'object' && row !== null && (row as Fields).html === '' ? { row, html } : null;
  } catch {
    return null;
  }
}

/** What a record stands for, as a line of JSON or in a program. */
export function recordItem(row: unknown, place: Place, maxPageBytes: number): SourceItem {
  return withBody(recordOf(row, place, maxPageBytes));
}

function withBody(record: TextCapture | Fault): SourceItem {
  if (record.kind === 'fault') return record;
  const { text, bodyBytes: _size, ...capture } = record;
  return { ...capture, body: new TextEncoder().encode(String(text)) };
}

/** @param page what stands for the `html` of the row, where it is ''. */
function recordOf(
  row: unknown,
  place: Place,
  maxPageBytes: number,
  page: JsonPage | null = null,
): TextCapture | Fault {
  if (typeof row !== 'object' || row === null || Array.isArray(row)) {
    return faultOf('unreadable', place, `expected a JSON object, got ${kindOf(row)}`);
  }
  const fields = row as Fields;
  const wrong = wrongField(fields);
  const url = typeof fields.url === 'string' ? fields.url : null;
  if (wrong !== null) return faultOf('unreadable', { ...place, url }, wrong);
  const item = captureOf(row as Row, { ...place, url }, maxPageBytes, page);
  const unknown = unknownMembers(row);
  return unknown.length === 0 || item.kind === 'fault' ? item : { ...item, unknownMembers: unknown };
}

/** What is wrong with a member that is not read, in words. */
export function unknownFault(name: string): string {
  return `${cutText(name, 60)}: no member of a record; it has ${MEMBERS.join(', ')}`;
}

/** Members of a record that are not read. */
export function unknownMembers(row: object): string[] {
  return Object.keys(row).filter((name) => !(MEMBERS as readonly string[]).includes(name));
}

interface Row {
  readonly url: string;
  readonly html?: string | null;
  readonly text?: string | null;
  readonly title?: string | null;
  readonly fetched_at?: string | number | null;
  readonly links?: readonly string[] | null;
  readonly lang?: unknown;
  readonly status?: number | null;
  readonly location?: string | null;
  readonly features?: unknown;
  readonly vectors?: unknown;
  readonly fields?: unknown;
  readonly image?: unknown;
  readonly description?: unknown;
  readonly published_at?: unknown;
  readonly modified_at?: unknown;
  readonly canonical?: string | null;
  readonly robots?: string | null;
  readonly file_url?: string | null;
  readonly media_type?: string | null;
}

const MEMBERS: readonly (keyof Row)[] = [
  ...(['url', 'html', 'text', 'title', 'fetched_at', 'links', 'lang', 'status', 'location'] as const),
  ...(['features', 'vectors', 'fields', 'image', 'description', 'published_at', 'modified_at'] as const),
  ...(['canonical', 'robots', 'file_url', 'media_type'] as const),
];
/** How `html` may be read. */
const HTML_TYPES: readonly unknown[] = ['text/html', 'application/xhtml+xml'];

type Fields = { readonly [Name in keyof Row]?: unknown };

/** Names the first field that is not what it should be; null if all are. */
function wrongField(fields: Fields): string | null {
  const url = fields.url;
  if (typeof url !== 'string' || url === '') {
    const inside =
      '_source' in fields ? '; what stands in _source is not read (docs/recipes/elasticsearch.md)' : '';
    return `url: expected a string, got ${kindOf(url)}${inside}`;
  }
  for (const name of ['html', 'text', 'title', 'location', 'canonical', 'robots', 'file_url'] as const) {
    const value = fields[name] ?? null;
    if (value !== null && typeof value !== 'string')
      return `${name}: expected a string, got ${kindOf(value)}`;
  }
  const fileUrl = (fields.file_url ?? '') as string;
  if (fileUrl !== '' && !isOfSameSite(fileUrl, url))
    return `file_url: expected a URL of the site of the page, got ${shown(fileUrl)}`;
  const type = fields.media_type ?? null;
  if (type !== null && !HTML_TYPES.includes(type))
    return `media_type: expected ${HTML_TYPES.join(' or ')}, got ${shown(type)}`;
  if (type !== null && typeof fields.html !== 'string') return 'media_type: goes with html';
  const status = fields.status ?? null;
  if (status !== null && !Number.isInteger(status))
    return `status: expected a number such as 404, got ${shown(status)}`;
  const links = fields.links ?? null;
  if (links !== null && !Array.isArray(links))
    return `links: expected an array of strings, got ${kindOf(links)}`;
  const otherAt = links?.findIndex((link) => typeof link !== 'string') ?? -1;
  if (otherAt >= 0) return `links: expected an array of strings, got one with ${kindOf(links![otherAt])}`;
  const fetchedAt = fields.fetched_at ?? null;
  if (fetchedAt !== null && timeMs(fetchedAt) === null) {
    return `fetched_at: expected an ISO date or a number since 1970, got ${shown(fetchedAt)}`;
  }
  return null;
}

/** Whoever hands over pages of a site says where URLs of that site lead, and of no other. */
function isOfSameSite(given: string, pageUrl: string): boolean {
  const [file, page] = [canonicalUrl(given), canonicalUrl(pageUrl)];
  return page === null || (file !== null && siteOf(file) === siteOf(page));
}

function captureOf(
  row: Row,
  place: Place,
  maxPageBytes: number,
  loaded: JsonPage | null,
): TextCapture | Fault {
  const status = row.status ?? 200;
  const isRedirect = REDIRECTS.has(status) && Boolean(row.location);
  if (status !== 200 && !isRedirect) return statusFault(status, place, timeMs(row.fetched_at));
  const own = { ...featuresOf(row), ...vectorsOf(row) };
  const isSet = own.features !== '' || own.vectors !== '';
  // A page may be its features or its vectors alone.
  const page = loaded ?? row.html ?? row.text ?? (isSet ? '' : null);
  if (page === null && !isRedirect)
    return faultOf('unreadable', place, 'neither html nor text, features nor vectors');
  const text = isRedirect ? '' : page!;
  const bodyBytes = typeof text === 'string' ? Buffer.byteLength(text) : text.bodyBytes;
  if (bodyBytes > maxPageBytes) return tooLargeFault(bodyBytes, maxPageBytes, place);
  // A picture under the name of a page, as crawls have them; what is given as text is text.
  if (typeof row.html === 'string' && typeof text === 'string' && isBinaryText(text))
    return faultOf('binary', place, 'html: it is not text');
  return {
    kind: 'capture',
    url: row.url,
    status,
    mediaType: typeof row.html === 'string' ? (row.media_type ?? 'text/html') : 'text/plain',
    charset: 'utf-8',
    isText: true,
    location: isRedirect ? row.location! : null,
    canonical: row.canonical ?? null,
    fileUrl: row.file_url ?? null,
    robots: row.robots ? [row.robots] : [],
    lang: typeof row.lang === 'string' ? row.lang : null,
    fetchedAtMs: timeMs(row.fetched_at),
    text,
    bodyBytes,
    title: row.title ?? null,
    links: row.links ?? [],
    ...own,
    ...fieldsOf(row),
    card: cardOf(row),
    badDates: wrongDate(row),
  };
}

/** Bad ones cost the record its features, not its page. */
function featuresOf({ features = null }: Row): Pick<Capture, 'features' | 'badFeatures'> {
  const read = features === null ? {} : readFeatures(features);
  if (typeof read === 'string') return { features: '', badFeatures: read };
  return { features: packFeatures(read), badFeatures: null };
}

/** A bad one costs the record that vector alone. */
function vectorsOf({ vectors = null }: Row): Pick<Capture, 'vectors' | 'badVectors'> {
  const read = vectors === null ? { vectors: {}, fault: null } : readVectors(vectors);
  return { vectors: packVectors(read.vectors), badVectors: read.fault };
}

/** As features, of fields. */
function fieldsOf({ fields = null }: Row): Pick<Capture, 'fields' | 'badFields'> {
  const read = fields === null ? {} : readFields(fields);
  if (typeof read === 'string') return { fields: '', badFields: read };
  return { fields: packFields(read), badFields: null };
}

function cardOf({
  image,
  description,
  published_at: published,
  modified_at: modified,
}: Row): GivenCard | null {
  const [imageText, descriptionText, publishedAt, modifiedAt] = [image, description, published, modified].map(
    (value) => (typeof value === 'string' ? value : null),
  );
  const card = {
    image: imageText!,
    description: descriptionText!,
    publishedAt: publishedAt!,
    modifiedAt: modifiedAt!,
  };
  return Object.values(card).some((value) => value !== null) ? card : null;
}

/** What is wrong with the first date that a card could not show; null where nothing is. An empty text is none. */
function wrongDate(row: Row): string | null {
  for (const name of ['published_at', 'modified_at'] as const) {
    const value = row[name] ?? '';
    if (value === '' || (typeof value === 'string' && cardDate(value) !== null)) continue;
    return `${name}: expected an ISO date such as 2026-05-01, got ${shown(value)}`;
  }
  return null;
}

function timeMs(value: unknown): number | null {
  if (typeof value === 'number') {
    const ms = Math.round(value < FIRST_MILLISECONDS ? value * 1000 : value);
    return ms >= 0 && ms <= LAST_MILLISECOND ? ms : null;
  }
  const dateMs = typeof value === 'string' ? utcMs(value) : Number.NaN;
  return Number.isNaN(dateMs) ? null : dateMs;
}

/** The beginning of a text, a number, or what the value is. */
function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(cutText(value, 60));
  return typeof value === 'number' ? String(value) : kindOf(value);
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (typeof value === 'object') return Array.isArray(value) ? 'an array' : 'an object';
  return value === '' ? 'an empty string' : `a ${typeof value}`;
}
