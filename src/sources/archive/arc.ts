/**
 * ARC, the Internet Archive's format before WARC (versions 1 and 2): one line of fields, then as many
 * bytes as its last field says, which for the web is an HTTP response. The first record, `filedesc:`,
 * describes the file. warcio does not read ARC.
 *
 *     URL IP-address Archive-date Content-type Archive-length                               version 1
 *     URL IP-address Archive-date Content-type Result-code Checksum ... Archive-length      version 2
 */

import { cutText } from '../../lib/cut-text.ts';
import { utcMs } from '../../lib/utc-ms.ts';
import type { StreamReader } from '../bytes/stream-reader.ts';
import { decodeHeaderText } from '../http/headers.ts';
import { readHttpBlock } from '../http/http-block.ts';
import { faultOf, type Place } from '../record/fault.ts';
import type { SourceItem } from '../record/record.ts';
import { type ArchiveContext, archiveItems, lostRecord, type RecordOutcome } from './archive-records.ts';

const MAX_LINE_BYTES = 65_536;

/** @param reader stands at the start of the archive. */
export function arcItems(reader: StreamReader, context: ArchiveContext): AsyncGenerator<SourceItem> {
  return archiveItems(reader, context, (ordinal) => readRecord(reader, context, ordinal));
}

async function readRecord(
  reader: StreamReader,
  context: ArchiveContext,
  ordinal: number,
): Promise<RecordOutcome | null> {
  let place: Place = { where: `${context.name} record ${ordinal}`, url: null };
  const line = await reader.readFilledLine(MAX_LINE_BYTES);
  if (line === null) return null;
  const text = line === 'too_long' ? '' : decodeHeaderText(line);
  const fields = fieldsOf(text);
  const isCut = fields === null && /^[a-z]+:\/\//i.test(text) && (await reader.peek(1)).length === 0;
  if (isCut || reader.gap !== null) return { outcome: 'ended', place };
  if (fields === null) return { outcome: 'noise', place };
  const { url, date, lengthText } = fields;
  place = { ...place, url };
  if (!/^\d{1,15}$/.test(lengthText)) {
    const detail = `Archive-length is ${JSON.stringify(cutText(lengthText, 60))}, expected a number of bytes`;
    return lostRecord(place, detail);
  }
  const sizeBytes = Number(lengthText);
  if (!/^https?:/i.test(url)) {
    const isNote = /^(dns|whois|filedesc|warcinfo|metadata):/i.test(url);
    const outcome = isNote ? 'passed' : faultOf('url', place, 'neither http nor https');
    return { outcome: (await reader.skip(sizeBytes)) ? outcome : 'ended', place };
  }
  const block = { ...place, url, maxPageBytes: context.maxPageBytes, fetchedAtMs: archiveDateMs(date) };
  return { outcome: (await readHttpBlock(reader, sizeBytes, block)) ?? 'ended', place };
}

/**
 * What a line says of its record; null where it is none. A URL may hold spaces: it ends before the first address with a
 * date behind it. Lenient in the date and the length, so that a bad one is a fault of its record and not noise.
 */
function fieldsOf(line: string): { url: string; date: string; lengthText: string } | null {
  const words = line.split(' ');
  if (!/^[a-z][a-z0-9+.-]*:/i.test(words[0]!)) return null;
  const at = words.findIndex(
    (word, i) => i > 0 && /^[0-9a-f.:]+$/i.test(word) && /^\d{8,20}$/.test(words[i + 1] ?? ''),
  );
  const lengthText =
    at < 0
      ? ''
      : words
          .slice(at + 2)
          .join(' ')
          .trim()
          .split(/\s+/)
          .at(-1)!;
  return lengthText === '' ? null : { url: words.slice(0, at).join(' '), date: words[at + 1]!, lengthText };
}

/** YYYYMMDDhhmmss, UTC; more digits are fractions of a second, which are dropped. */
function archiveDateMs(date: string): number | null {
  const parts = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)/.exec(date);
  if (parts === null) return null;
  const [, year, month, day, hour, minute, second] = parts;
  const dateMs = utcMs(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(dateMs) ? null : dateMs;
}
