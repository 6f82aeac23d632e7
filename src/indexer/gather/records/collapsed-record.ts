import { ByteReader, type ByteWriter } from '../../files/records/bytes.ts';
import { ascii, bytes, listOf, RecordForm, type RecordOf, text } from '../../files/records/record-form.ts';
import { BigramsBuffer } from './bigram-record.ts';
import { CountsBuffer } from './counts-buffer.ts';
import { counts, type PageFacts, readCopy, readFacts, readLinks, skipToFeatures } from './page-record.ts';

const FIELDS = {
  url: ascii,
  /** The page's title, or the most frequent anchor text. */
  title: text,
  anchor: counts,
  /** Whole page records: that which speaks, where there is one; */
  page: listOf(bytes),
  /** those of other sweeps, in the order of sweeps; */
  past: listOf(bytes),
  /** those under URLs of their own that another capture speaks for. */
  folded: listOf(bytes),
} as const;

/** A URL of the index with all that is known of it: the record after collapsing. */
const COLLAPSED = new RecordForm(FIELDS);
const skipToAnchor = COLLAPSED.skipTo('anchor');

/** A URL with what is read of its captures. */
interface Collapsed<Page> {
  readonly url: string;
  readonly title: string;
  /** Null where the URL is known by links alone, or its page is gone. */
  readonly page: Page | null;
  readonly past: readonly Page[];
  readonly folded: readonly Page[];
}

export type CollapsedFacts = Collapsed<PageFacts>;

/** Whole page records, as bytes. */
export interface CapturesOfUrl {
  readonly page: Uint8Array | null;
  readonly past: readonly Uint8Array[];
  readonly folded: readonly Uint8Array[];
}

export function writeCollapsed(
  out: ByteWriter,
  head: Pick<RecordOf<typeof FIELDS>, 'url' | 'title' | 'anchor'>,
  { page, past, folded }: CapturesOfUrl,
): void {
  COLLAPSED.write(out, { ...head, page: page === null ? [] : [page], past, folded });
}

/** URL and title. */
export function readCollapsedHead(from: ByteReader): { url: string; title: string } {
  return { url: from.ascii(), title: from.text() };
}

const NONE: readonly never[] = [];

/** As the form reads it, field by field: most URLs are known by links alone. */
function collapsedReader<Page>(readPage: (from: ByteReader) => Page) {
  const readPages = (from: ByteReader): readonly Page[] => {
    const count = from.varint();
    if (count === 0) return NONE;
    const pages: Page[] = [];
    while (pages.length < count) pages.push(readPage(new ByteReader(from.raw(from.varint()))));
    return pages;
  };
  return (from: ByteReader): Collapsed<Page> => {
    const { url, title } = readCollapsedHead(from);
    counts.skip(from);
    const [page = null] = readPages(from);
    return { url, title, page, past: readPages(from), folded: readPages(from) };
  };
}

/** All but the words. */
export const readCollapsedFacts = collapsedReader(readFacts);

/** Where the links of each capture lead, and what its URL, sweep and title are. */
export const readCollapsedLinks = collapsedReader(readLinks);
export type CollapsedLinks = ReturnType<typeof readCollapsedLinks>;

/** What each capture is to the copy relation, and what it is searched by. */
export const readCollapsedCopies = collapsedReader(readCopy);
export type CollapsedCopies = ReturnType<typeof readCollapsedCopies>;

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
  skipToAnchor(from);
  words.anchor.read(from);
  for (const part of [words.content, words.title, words.heading, words.bigram]) part.length = 0;
  if (from.varint() === 0) return '';
  from.varint();
  skipToFeatures(from);
  const features = from.text();
  words.content.readWithForms(from);
  words.title.readWithForms(from);
  words.heading.read(from);
  if (from.varint() > 0) words.bigram.unpack(from, words.content);
  return features;
}
