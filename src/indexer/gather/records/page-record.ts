/**
 * The records that extraction hands on. All of them begin with a kind and the URL they speak of, so that a record
 * can be sent to its bucket without being read further.
 *
 * Word counts are pairs of a 53-bit key (`key53` of the stem) and a number: the stems themselves travel once,
 * in the vocabulary.
 */
import { ByteReader, type ByteWriter } from '../../files/bytes.ts';

export const PAGE_RECORD = 1;
export const FRAGMENT_RECORD = 2;
const GONE_RECORD = 3;
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

/** One capture of a page. */
export interface PageRecord {
  /** The URL that it speaks for. */
  readonly url: string;
  /** Its own URL, where it names another one as its canonical URL; else ''. */
  readonly ownUrl: string;
  /** Position of the capture in the input, over all inputs. */
  readonly sequence: number;
  readonly sweepId: number;
  readonly fetchedAtMs: number;
  readonly title: string;
  readonly lang: string;
  readonly mediaType: string;
  readonly charset: string;
  readonly bodyBytes: number;
  readonly textDigest: Uint8Array;
  readonly wordCount: number;
  readonly content: FormCounts;
  readonly titleWords: FormCounts;
  /** Words of headings; empty where no part is made of them. */
  readonly headings: Counts;
  /** As `packBigrams` packs them; empty where no part is made of them. */
  readonly bigrams: Uint8Array;
  /** As `packFeatures` packs them. */
  readonly features: string;
  /** What rel=canonical says, or ''. */
  readonly canonical: string;
  /** `key53` of the canonical URL of each link, in document order. */
  readonly links: Float64Array;
  /** As `encodeSpans` packs them: where each link stands, and each heading. */
  readonly spans: Uint8Array;
  /** As `packWords` packs them, where the text is not kept; else empty. */
  readonly words: Uint8Array;
  /** As `packCard` packs it. */
  readonly card: Uint8Array;
  /**
   * As `packCopy` makes it; empty in an index without copies. A view, valid as long as the bytes it is read from; so are
   * `spans`, `words` and `card`.
   */
  readonly copy: Uint8Array;
}

/** One anchor window, credited to its target. */
interface FragmentRecord {
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

export function skipText(from: ByteReader): void {
  from.skip(from.varint());
}

export function skipCounts(from: ByteReader): void {
  const n = from.varint();
  from.skip(8 * n);
  for (let i = 0; i < n; i++) from.varint();
}

/** Counts, then four bytes a form. */
function writeFormCounts(out: ByteWriter, counts: FormCounts): void {
  writeCounts(out, counts);
  const { forms } = counts;
  out.raw(new Uint8Array(forms.buffer, forms.byteOffset, forms.byteLength));
}

function skipFormCounts(from: ByteReader): void {
  const n = from.varint();
  from.skip(8 * n);
  for (let i = 0; i < n; i++) from.varint();
  from.skip(4 * n);
}

export function writePage(out: ByteWriter, page: PageRecord): void {
  out.u8(PAGE_RECORD);
  out.text(page.url);
  out.text(page.ownUrl);
  out.varint(page.sequence);
  out.varint(page.sweepId);
  out.f64(page.fetchedAtMs);
  out.text(page.title);
  out.text(page.lang);
  out.text(page.mediaType);
  out.text(page.charset);
  out.varint(page.bodyBytes);
  out.raw(page.textDigest);
  out.varint(page.wordCount);
  writeFormCounts(out, page.content);
  writeFormCounts(out, page.titleWords);
  writeCounts(out, page.headings);
  out.varint(page.bigrams.length);
  out.raw(page.bigrams);
  out.text(page.features);
  out.text(page.canonical);
  out.varint(page.links.length);
  out.f64s(page.links);
  for (const bytes of [page.spans, page.words, page.card, page.copy]) {
    out.varint(bytes.length);
    out.raw(bytes);
  }
}

/** What a collapse asks of a page record; `from` stands behind the kind and the URL. */
export function readPageHead(from: ByteReader): Pick<PageRecord, 'sequence' | 'sweepId' | 'fetchedAtMs'> {
  skipText(from);
  return { sequence: from.varint(), sweepId: from.varint(), fetchedAtMs: from.f64() };
}

/** The title in a page record. */
export function titleOfPage(record: Uint8Array): string {
  const from = new ByteReader(record);
  from.skip(1);
  skipText(from);
  readPageHead(from);
  return from.text();
}

/** A page without its words. */
export type PageFacts = Omit<PageRecord, 'content' | 'titleWords' | 'headings' | 'bigrams'>;

/** Reads a page without its words. */
export function readFacts(from: ByteReader): PageFacts {
  from.skip(1);
  const head = {
    url: from.ascii(),
    ownUrl: from.ascii(),
    sequence: from.varint(),
    sweepId: from.varint(),
    fetchedAtMs: from.f64(),
    title: from.text(),
    lang: from.text(),
    mediaType: from.text(),
    charset: from.text(),
    bodyBytes: from.varint(),
    textDigest: Uint8Array.from(from.raw(8)),
    wordCount: from.varint(),
  };
  skipFormCounts(from);
  skipFormCounts(from);
  skipCounts(from);
  skipText(from);
  const features = from.text();
  const canonical = from.text();
  const links = from.f64s(from.varint());
  const [spans, words, card, copy] = [0, 1, 2, 3].map(() => from.raw(from.varint()));
  return { ...head, features, canonical, links, spans: spans!, words: words!, card: card!, copy: copy! };
}

/** Passes over all that stands before the words. */
export function skipToWords(from: ByteReader): void {
  from.skip(1);
  skipText(from);
  readPageHead(from);
  for (let text = 0; text < 4; text++) skipText(from);
  from.varint();
  from.skip(8);
  from.varint();
}

export function writeFragment(out: ByteWriter, fragment: FragmentRecord): void {
  out.u8(FRAGMENT_RECORD);
  out.text(fragment.url);
  out.varint(fragment.sequence);
  out.text(fragment.anchorText);
  writeCounts(out, fragment.words);
}

/** A URL that was asked for and is not there: links make no page of it. */
export function writeGone(out: ByteWriter, url: string): void {
  out.u8(GONE_RECORD);
  out.text(url);
}

/** A capture that asks not to be indexed: links make no page of its URL, and nothing stays of earlier captures. */
export function writeNoindex(out: ByteWriter, url: string, sequence: number): void {
  out.u8(NOINDEX_RECORD);
  out.text(url);
  out.varint(sequence);
}

/** A page or fragment record under the URL that speaks for its own; a page keeps that as `ownUrl`. */
export function writeUnderUrl(out: ByteWriter, record: Uint8Array, url: string): void {
  const from = new ByteReader(record);
  const kind = from.u8();
  const ownUrl = from.ascii();
  out.u8(kind);
  out.text(url);
  if (kind === PAGE_RECORD) {
    out.text(ownUrl);
    skipText(from);
  }
  out.raw(record.subarray(from.at));
}
