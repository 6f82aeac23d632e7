/**
 * The records that stages hand on. All of them begin with a kind and the URL they speak of, so that a record
 * can be sent to its bucket without being read further.
 *
 * Word counts are pairs of a 53-bit key (`key53` of the stem) and a number: the stems themselves travel once,
 * in the vocabulary.
 */
import type { ByteReader, ByteWriter } from './bytes.ts';

export const PAGE = 1;
export const FRAGMENT = 2;
export const GONE = 3;

/** Word counts of one part of a page: key i occurs `tfs[i]` times. */
export interface Counts {
  readonly keys: Float64Array;
  readonly tfs: Uint32Array;
}

/** A fetched page. */
export interface PageRecord {
  readonly url: string;
  /** Position of its capture in the input, over all inputs. */
  readonly sequence: number;
  readonly fetchedAtMs: number;
  readonly title: string;
  readonly lang: string;
  readonly mediaType: string;
  readonly charset: string;
  readonly bodyBytes: number;
  readonly textDigest: Uint8Array;
  readonly wordCount: number;
  readonly content: Counts;
  readonly titleWords: Counts;
  /** `key53` of the canonical URL of each link, in document order. */
  readonly links: Float64Array;
  /**
   * As `packCopy` makes it; empty in an index without copies, and where the text is known already. A view, valid as
   * long as the bytes it is read from.
   */
  readonly copy: Uint8Array;
}

/** One anchor window, credited to its target. */
export interface FragmentRecord {
  readonly url: string;
  /** Sequence of the page it stands on. */
  readonly sequence: number;
  readonly anchorText: string;
  readonly words: Counts;
}

export function writeCounts(out: ByteWriter, counts: Counts): void {
  const { keys, tfs } = counts;
  out.varint(keys.length);
  for (let i = 0; i < keys.length; i++) {
    out.f64(keys[i]!);
    out.varint(tfs[i]!);
  }
}

export function readCounts(from: ByteReader): Counts {
  const n = from.varint();
  const keys = new Float64Array(n);
  const tfs = new Uint32Array(n);
  for (let i = 0; i < n; i++) {
    keys[i] = from.f64();
    tfs[i] = from.varint();
  }
  return { keys, tfs };
}

export function writePage(out: ByteWriter, page: PageRecord): void {
  out.u8(PAGE);
  out.text(page.url);
  out.varint(page.sequence);
  out.f64(page.fetchedAtMs);
  out.text(page.title);
  out.text(page.lang);
  out.text(page.mediaType);
  out.text(page.charset);
  out.varint(page.bodyBytes);
  out.raw(page.textDigest);
  out.varint(page.wordCount);
  writeCounts(out, page.content);
  writeCounts(out, page.titleWords);
  out.varint(page.links.length);
  for (const key of page.links) out.f64(key);
  out.varint(page.copy.length);
  out.raw(page.copy);
}

/** Reads what follows the kind and the URL. */
export function readPage(url: string, from: ByteReader): PageRecord {
  return {
    url,
    sequence: from.varint(),
    fetchedAtMs: from.f64(),
    title: from.text(),
    lang: from.text(),
    mediaType: from.text(),
    charset: from.text(),
    bodyBytes: from.varint(),
    textDigest: Uint8Array.from(from.raw(8)),
    wordCount: from.varint(),
    content: readCounts(from),
    titleWords: readCounts(from),
    links: readKeys(from),
    copy: from.raw(from.varint()),
  };
}

function readKeys(from: ByteReader): Float64Array {
  const keys = new Float64Array(from.varint());
  for (let i = 0; i < keys.length; i++) keys[i] = from.f64();
  return keys;
}

export function writeFragment(out: ByteWriter, fragment: FragmentRecord): void {
  out.u8(FRAGMENT);
  out.text(fragment.url);
  out.varint(fragment.sequence);
  out.text(fragment.anchorText);
  writeCounts(out, fragment.words);
}

export function readFragment(url: string, from: ByteReader): FragmentRecord {
  return { url, sequence: from.varint(), anchorText: from.text(), words: readCounts(from) };
}

/** A URL that was asked for and is not there, or does not want to be indexed: links make no page of it. */
export function writeGone(out: ByteWriter, url: string): void {
  out.u8(GONE);
  out.text(url);
}

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
  out.text(record.url);
  out.text(record.title);
  writeCounts(out, record.anchor);
  out.u8(record.page === null ? 0 : 1);
  if (record.page !== null) writePage(out, record.page);
}

export function readCollapsed(from: ByteReader): CollapsedRecord {
  const url = from.text();
  const title = from.text();
  const anchor = readCounts(from);
  if (from.u8() === 0) return { url, title, anchor, page: null };
  from.u8();
  from.text();
  return { url, title, anchor, page: readPage(url, from) };
}
