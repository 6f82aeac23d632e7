/** The index of archives by URL and time, CDXJ: `org,example)/path 20260131120000 {"url":..., "offset":..., ...}`, a line a capture. */
import { createHash } from 'node:crypto';
import { base32 } from '../../lib/base32.ts';
import {
  decodeHeaderText,
  firstValue,
  type Headers,
  parseContentType,
  parseHeaderLines,
} from '../../sources/http/headers.ts';
import { urlKey } from '../../url/archive-key.ts';
import type { ArchiveMember } from './archive-members.ts';

/** What replay asks of one capture. */
export interface ArchivedCapture {
  readonly url: string;
  /** As the record has it. */
  readonly date: string;
  readonly status: string;
  readonly mediaType: string | null;
  readonly line: string;
}

const END = Buffer.from('\r\n\r\n');
const INDEXED: ReadonlySet<string> = new Set(['response', 'revisit']);

/** Null for a record that is no capture. @param fileName of the archive. */
export function archivedCapture(
  { record, offset, lengthBytes }: ArchiveMember,
  fileName: string,
): ArchivedCapture | null {
  const [headers, block] = split(record);
  const type = firstValue(headers, 'warc-type') ?? '';
  const url = firstValue(headers, 'warc-target-uri');
  const date = firstValue(headers, 'warc-date');
  if (!INDEXED.has(type) || url === null || date === null) return null;
  const size = Number(firstValue(headers, 'content-length'));
  const [http, body, first] = split(block.subarray(0, size));
  const status = /^HTTP\/\S+ (\d{3})/.exec(first)?.[1] ?? '-';
  const given = firstValue(http, 'content-type');
  const mediaType = type === 'revisit' ? 'warc/revisit' : parseContentType(given).mediaType;
  const fields = {
    url,
    mime: type === 'revisit' ? mediaType : (given?.split(/[;\s]/, 1)[0] ?? undefined),
    status,
    digest: firstValue(headers, 'warc-payload-digest') ?? digestOf(body),
    length: String(lengthBytes),
    offset: String(offset),
    filename: fileName,
  };
  const line = `${urlKey(url)} ${date.replace(/\D/g, '').slice(0, 14)} ${JSON.stringify(fields)}\n`;
  return { url, date, status, mediaType, line };
}

function split(bytes: Buffer): [headers: Headers, rest: Buffer, firstLine: string] {
  const end = bytes.indexOf(END);
  const head = decodeHeaderText(end < 0 ? bytes : bytes.subarray(0, end));
  const [first = '', ...lines] = head.split('\r\n');
  return [parseHeaderLines(lines), end < 0 ? Buffer.alloc(0) : bytes.subarray(end + END.length), first];
}

function digestOf(body: Buffer): string {
  return `sha1:${base32(createHash('sha1').update(body).digest())}`;
}
