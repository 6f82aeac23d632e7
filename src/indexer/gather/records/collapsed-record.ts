import { ByteReader, type ByteWriter } from '../../files/bytes.ts';
import { BigramsBuffer } from './bigram-record.ts';
import { CountsBuffer } from './counts-buffer.ts';
import {
  type Counts,
  type PageFacts,
  readFacts,
  skipCounts,
  skipText,
  skipToWords,
  writeCounts,
} from './page-record.ts';

/**
 * A URL of the index with all that is known of it: the record after collapsing.
 *
 *   url, title, anchor words | page? | captures of earlier sweeps | captures that name it as their canonical URL
 */
export interface CollapsedFacts {
  readonly url: string;
  /** The page's title, or the most frequent anchor text. */
  readonly title: string;
  /** The capture that speaks; null where the URL is known by links alone, or its page is gone. */
  readonly page: PageFacts | null;
  /** Captures of other sweeps, in the order of sweeps. */
  readonly past: readonly PageFacts[];
  /** Captures under URLs of their own that another capture speaks for. */
  readonly folded: readonly PageFacts[];
}

/** Whole page records, as bytes. */
export interface CapturesOfUrl {
  readonly page: Uint8Array | null;
  readonly past: readonly Uint8Array[];
  readonly folded: readonly Uint8Array[];
}

export function writeCollapsed(
  out: ByteWriter,
  { url, title, anchor }: { readonly url: string; readonly title: string; readonly anchor: Counts },
  { page, past, folded }: CapturesOfUrl,
): void {
  out.text(url);
  out.text(title);
  writeCounts(out, anchor);
  for (const records of [page === null ? [] : [page], past, folded]) {
    out.varint(records.length);
    for (const record of records) {
      out.varint(record.length);
      out.raw(record);
    }
  }
}

/** All but the words. */
export function readCollapsedFacts(from: ByteReader): CollapsedFacts {
  const url = from.ascii();
  const title = from.text();
  skipCounts(from);
  const [page] = readRecords(from);
  return { url, title, page: page ?? null, past: readRecords(from), folded: readRecords(from) };
}

function readRecords(from: ByteReader): PageFacts[] {
  return Array.from({ length: from.varint() }, () => {
    const size = from.varint();
    return readFacts(new ByteReader(from.raw(size)));
  });
}

/** The words of one page after the other. */
export class CollapsedWords {
  readonly content = new CountsBuffer();
  readonly title = new CountsBuffer();
  readonly heading = new CountsBuffer();
  readonly bigram = new BigramsBuffer();
  readonly anchor = new CountsBuffer();
}

/** The words of a record, and its own features as they are packed; nothing stays of those of the record before. */
export function readCollapsedWords(from: ByteReader, words: CollapsedWords): string {
  skipText(from);
  skipText(from);
  words.anchor.read(from);
  for (const part of [words.content, words.title, words.heading, words.bigram]) part.length = 0;
  if (from.varint() === 0) return '';
  from.varint();
  skipToWords(from);
  words.content.readWithForms(from);
  words.title.readWithForms(from);
  words.heading.read(from);
  const bigramBytes = from.varint();
  if (bigramBytes > 0) words.bigram.unpack(from, bigramBytes, words.content);
  return from.text();
}
