import type { ByteReader, ByteWriter } from '../files/bytes.ts';
import type { CountsBuffer } from './counts-buffer.ts';
import {
  type Counts,
  type PageFacts,
  type PageRecord,
  readCounts,
  readFacts,
  readPage,
  skipCounts,
  skipText,
  skipToWords,
  writeCounts,
  writePage,
} from './page-record.ts';

/** A URL of the index with all that is known of it: the record after collapsing. */
export interface CollapsedRecord {
  readonly url: string;
  /** Null where it is known by links alone. */
  readonly page: PageRecord | null;
  /** The page's title, or the most frequent anchor text. */
  readonly title: string;
  readonly anchor: Counts;
}

export function writeCollapsed(out: ByteWriter, record: CollapsedRecord): void {
  writeCollapsedHead(out, record);
  if (record.page !== null) writePage(out, record.page);
}

/** What stands before the page, which follows where there is one. */
export function writeCollapsedHead(
  out: ByteWriter,
  record: Omit<CollapsedRecord, 'page'> & { readonly page: unknown },
): void {
  out.text(record.url);
  out.text(record.title);
  writeCounts(out, record.anchor);
  out.u8(record.page === null ? 0 : 1);
}

/** The same without words. */
export type CollapsedFacts = Pick<CollapsedRecord, 'url' | 'title'> & { readonly page: PageFacts | null };

export function readCollapsedFacts(from: ByteReader): CollapsedFacts {
  const url = from.ascii();
  const title = from.text();
  skipCounts(from);
  if (from.u8() === 0) return { url, title, page: null };
  from.skip(1);
  skipText(from);
  return { url, title, page: readFacts(url, from) };
}

/** The words of a record alone; nothing stays of those of the record before. */
export function readCollapsedWords(
  from: ByteReader,
  words: { readonly anchor: CountsBuffer; readonly content: CountsBuffer; readonly title: CountsBuffer },
): void {
  skipText(from);
  skipText(from);
  words.anchor.read(from);
  words.content.length = 0;
  words.title.length = 0;
  if (from.u8() === 0) return;
  skipToWords(from);
  words.content.read(from);
  words.title.read(from);
}

export function readCollapsed(from: ByteReader): CollapsedRecord {
  const url = from.text();
  const title = from.text();
  const anchor = readCounts(from);
  if (from.u8() === 0) return { url, title, anchor, page: null };
  from.skip(1);
  skipText(from);
  return { url, title, anchor, page: readPage(url, from) };
}
