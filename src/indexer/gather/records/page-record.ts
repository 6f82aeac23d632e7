/**
 * The records that extraction hands on. All of them begin with a kind and the URL they speak of, so that a record
 * can be sent to its bucket without being read further.
 *
 * Word counts are pairs of a 53-bit key (`key53` of the stem) and a number: the stems themselves travel once,
 * in the vocabulary.
 */

import type { AnswerOrigin } from '../../../sources/record/answers.ts';
import { ByteReader, ByteWriter } from '../../files/records/bytes.ts';
import {
  ascii,
  bytes,
  digest,
  doubles,
  type Field,
  f64,
  RecordForm,
  type RecordOf,
  text,
  varint,
} from '../../files/records/record-form.ts';

export const PAGE_RECORD = 1;
export const FRAGMENT_RECORD = 2;
export const GONE_RECORD = 3;
export const NOINDEX_RECORD = 4;

/** Word counts of one part of a page: key i occurs `tfs[i]` times. */
export interface Counts {
  readonly keys: Float64Array;
  readonly tfs: Uint32Array;
}

/** Counts of words that the page itself uses: `forms[i]` is the `formHash` of the form in which stem i comes first. */
export interface FormCounts extends Counts {
  readonly forms: Uint32Array;
}

/** Word counts: all keys, then all numbers, so that a reader takes the keys in one copy. Read by `CountsBuffer`. */
export const counts: Field<Counts> = {
  write: (out, value) => writeCounts(out, value),
  read: (from) => {
    const keys = from.f64s(from.varint());
    return { keys, tfs: Uint32Array.from(keys, () => from.varint()) };
  },
  skip: skipCounts,
};

/** Counts, then four bytes a form. */
const formCounts: Field<FormCounts> = {
  write: (out, value) => {
    writeCounts(out, value);
    const { forms } = value;
    out.raw(new Uint8Array(forms.buffer, forms.byteOffset, forms.byteLength));
  },
  read: (from) => {
    const read = counts.read(from);
    const { length } = read.keys;
    return { ...read, forms: new Uint32Array(Uint8Array.from(from.raw(4 * length)).buffer) };
  },
  skip: (from) => from.skip(4 * skipCounts(from)),
};

const FIELDS = {
  kind: varint,
  /** The URL that it speaks for. */
  url: ascii,
  /** Its own URL, where it names another one as its canonical URL; else ''. */
  ownUrl: ascii,
  /** Position of the capture in the input, over all inputs. */
  sequence: varint,
  sweepId: varint,
  fetchedAtMs: f64,
  title: text,
  lang: text,
  mediaType: text,
  charset: text,
  bodyBytes: varint,
  textDigest: digest,
  wordCount: varint,
  /** As `packVectors` packs them. */
  vectors: text,
  /** As `packFields` packs them. */
  fields: text,
  /** What rel=canonical says, or ''. */
  canonical: text,
  /** `key53` of the canonical URL of each link, in document order. */
  links: doubles,
  /** As `packSpans` packs them: where each link stands, and each heading. */
  spans: bytes,
  /** As `packWords` packs them, where the text is not kept; else empty. */
  words: bytes,
  /** As `packCard` packs it. */
  card: bytes,
  /** As `packCopy` makes it; empty in an index without copies. */
  copy: bytes,
  /** As `packFeatures` packs them. */
  features: text,
  // Words stand last: they are counted one by one, and most readers do not ask for them.
  content: formCounts,
  titleWords: formCounts,
  /** Words of headings; empty where no part is made of them. */
  headings: counts,
  /** As `packBigrams` packs them; empty where no part is made of them. */
  bigrams: bytes,
} as const;
const PAGE = new RecordForm(FIELDS);

/** One capture of a page. Bytes are views, valid as long as those that they are read from. */
export type PageRecord = Omit<RecordOf<typeof FIELDS>, 'kind'>;

/** One anchor window, credited to its target; behind it stand the sequences of the captures that have it. */
const FRAGMENT = { kind: varint, url: ascii, anchorText: text, words: counts } as const;
const fragments = new RecordForm(FRAGMENT);

/** The words of a window are those from .. to - 1 of some counts. */
export interface Window {
  readonly url: string;
  readonly anchorText: string;
  readonly words: Counts;
  readonly from: number;
  readonly to: number;
}
const gone = new RecordForm({ kind: varint, url: ascii });
const noindex = new RecordForm({ kind: varint, url: ascii, ownUrl: ascii, sequence: varint });

function writeCounts(out: ByteWriter, { keys, tfs }: Counts, from = 0, to = keys.length): void {
  out.varint(to - from);
  out.f64s(keys, from, to);
  out.varints(tfs, from, to);
}

export function skipText(from: ByteReader): void {
  from.skip(from.varint());
}

/** Returns how many there were. */
function skipCounts(from: ByteReader): number {
  const n = from.varint();
  from.skip(8 * n);
  for (let i = 0; i < n; i++) from.varint();
  return n;
}

export function writePage(out: ByteWriter, page: PageRecord): void {
  PAGE.write(out, { ...page, kind: PAGE_RECORD });
}

/** What a collapse asks of a page record. */
export const readPageHead = PAGE.reader('url', 'ownUrl', 'sequence', 'sweepId', 'fetchedAtMs');

const skipToSweep = PAGE.skipTo('sweepId');

/** The record of a page that a later sweep met as it was. */
export function atVisit(record: Uint8Array, { sweepId, fetchedAtMs }: AnswerOrigin): Uint8Array {
  const from = new ByteReader(record);
  skipToSweep(from);
  const out = new ByteWriter(record.length + 8);
  out.raw(record.subarray(0, from.at));
  out.varint(sweepId);
  out.f64(fetchedAtMs);
  from.varint();
  from.f64();
  out.raw(record.subarray(from.at));
  return out.take();
}

/** What tells two states of a page apart, and where they are kept. */
export const readState = PAGE.reader('textDigest', 'canonical');

const readTitle = PAGE.reader('title');

/** The title in a page record. */
export function titleOfPage(record: Uint8Array): string {
  return readTitle(new ByteReader(record)).title;
}

/** A page without its words. */
export type PageFacts = Omit<PageRecord, 'content' | 'titleWords' | 'headings' | 'bigrams'>;

/** Reads a page without its words. */
export const readFacts: (from: ByteReader) => PageFacts = PAGE.readerWithout(
  'kind',
  'content',
  'titleWords',
  'headings',
  'bigrams',
);

/** What a page is to links. */
export const readLinks = PAGE.reader('ownUrl', 'sweepId', 'title', 'links', 'spans');

/** What a page is to the copy relation. */
export const readCopy = PAGE.reader('lang', 'textDigest', 'copy');

/** Passes over all that stands before the features and the words behind them. */
export const skipToFeatures = PAGE.skipTo('features');

/** A fragment up to its captures. As its form writes it, field by field: most records are fragments. */
export function writeWindow(out: ByteWriter, { url, anchorText, words, from, to }: Window): void {
  out.varint(FRAGMENT_RECORD);
  out.text(url);
  out.text(anchorText);
  writeCounts(out, words, from, to);
}

/** The rest of a fragment. A capture that has the window twice stands twice. */
export function writeCaptures(out: ByteWriter, sequences: readonly number[]): void {
  out.varint(sequences.length);
  for (const sequence of sequences) out.varint(sequence);
}

/** All that stands before the anchor text of a fragment. */
export const readFragmentHead = fragments.reader('kind', 'url');

/** A URL that is gone: links make no page of it. */
export function writeGone(out: ByteWriter, url: string): void {
  gone.write(out, { kind: GONE_RECORD, url });
}

/** A capture that asks not to be indexed: while it is the answer of its URL links make no page of that, and earlier captures leave nothing. */
export function writeNoindex(out: ByteWriter, url: string, sequence: number): void {
  noindex.write(out, { kind: NOINDEX_RECORD, url, ownUrl: '', sequence });
}

export const readNoindex = noindex.reader('ownUrl', 'sequence');

/** A record under the URL that speaks for its own; what is no fragment keeps that as `ownUrl`. */
export function writeUnderUrl(out: ByteWriter, record: Uint8Array, url: string): void {
  const from = new ByteReader(record);
  const kind = from.u8();
  const ownUrl = from.ascii();
  out.u8(kind);
  out.text(url);
  if (kind !== FRAGMENT_RECORD) {
    out.text(ownUrl);
    skipText(from);
  }
  out.raw(record.subarray(from.at));
}
