/**
 * The records that stages hand on. All of them begin with a kind and the URL they speak of, so that a record
 * can be sent to its bucket without being read further.
 *
 * Word counts are pairs of a 53-bit key (`key53` of the stem) and a number: the stems themselves travel once,
 * in the vocabulary.
 */
import { ByteReader, type ByteWriter } from '../files/bytes.ts';

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

/** All keys, then all numbers: a reader takes the keys in one copy. */
export function writeCounts(out: ByteWriter, counts: Counts): void {
  const { keys, tfs } = counts;
  out.varint(keys.length);
  out.f64s(keys);
  for (let i = 0; i < tfs.length; i++) out.varint(tfs[i]!);
}

export function readCounts(from: ByteReader): Counts {
  const n = from.varint();
  const keys = from.f64s(n);
  const tfs = new Uint32Array(n);
  for (let i = 0; i < n; i++) tfs[i] = from.varint();
  return { keys, tfs };
}

export function skipText(from: ByteReader): void {
  from.skip(from.varint());
}

export function skipCounts(from: ByteReader): void {
  const n = from.varint();
  from.skip(8 * n);
  for (let i = 0; i < n; i++) from.varint();
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
  out.f64s(page.links);
  out.varint(page.copy.length);
  out.raw(page.copy);
}

/** The title in a page record. */
export function titleOfPage(record: Uint8Array): string {
  const from = new ByteReader(record);
  from.skip(1);
  from.skip(from.varint());
  from.varint();
  from.f64();
  return from.text();
}

/** A page without its words. */
export type PageFacts = Omit<PageRecord, 'content' | 'titleWords'>;

/** Reads what follows the kind and the URL. */
export function readPage(url: string, from: ByteReader): PageRecord {
  return {
    ...readHead(url, from),
    content: readCounts(from),
    titleWords: readCounts(from),
    ...readTail(from),
  };
}

/** The same without the words. */
export function readFacts(url: string, from: ByteReader): PageFacts {
  const head = readHead(url, from);
  skipCounts(from);
  skipCounts(from);
  return { ...head, ...readTail(from) };
}

function readHead(url: string, from: ByteReader): Omit<PageFacts, 'links' | 'copy'> {
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
  };
}

function readTail(from: ByteReader): Pick<PageFacts, 'links' | 'copy'> {
  return { links: from.f64s(from.varint()), copy: from.raw(from.varint()) };
}

/** Passes over kind, URL and what `readHead` reads: to the words. */
export function skipToWords(from: ByteReader): void {
  from.skip(1);
  skipText(from);
  from.varint();
  from.skip(8);
  for (let text = 0; text < 4; text++) skipText(from);
  from.varint();
  from.skip(8);
  from.varint();
}

export function writeFragment(out: ByteWriter, fragment: FragmentRecord): void {
  out.u8(FRAGMENT);
  out.text(fragment.url);
  out.varint(fragment.sequence);
  out.text(fragment.anchorText);
  writeCounts(out, fragment.words);
}

/** A URL that was asked for and is not there, or does not want to be indexed: links make no page of it. */
export function writeGone(out: ByteWriter, url: string): void {
  out.u8(GONE);
  out.text(url);
}
