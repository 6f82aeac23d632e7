import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { CorruptError } from '../../../errors.ts';
import type { TextSpan } from '../../../page/extracted-page.ts';
import { ByteReader, ByteWriter } from '../../files/bytes.ts';

/**
 * Words of a page whose text is not kept, so that its bags can be made again: of each stem the form that comes first, and
 * how often the stem is used.
 */
export interface PageWords {
  readonly wordCount: number;
  readonly content: readonly FormUse[];
  readonly title: readonly FormUse[];
  readonly headings: readonly FormUse[];
  /** The form of a pair of words is that of its first use. */
  readonly bigrams: readonly FormUse[];
  readonly windows: readonly WindowWords[];
}

export interface FormUse {
  readonly form: string;
  readonly tf: number;
}

/** The anchor window of one link. */
interface WindowWords {
  /** Its place among the links of the page. */
  readonly link: number;
  readonly anchorText: string;
  readonly words: readonly FormUse[];
}

const out = new ByteWriter();

export function packWords({ wordCount, content, title, headings, bigrams, windows }: PageWords): Uint8Array {
  out.clear();
  out.varint(wordCount);
  writeUses(content);
  writeUses(title);
  out.varint(windows.length);
  for (const { link, anchorText, words } of windows) {
    out.varint(link);
    out.text(anchorText);
    writeUses(words);
  }
  if (headings.length + bigrams.length > 0) {
    writeUses(headings);
    writeUses(bigrams);
  }
  return zstdCompressSync(out.view());
}

function writeUses(uses: readonly FormUse[]): void {
  out.varint(uses.length);
  for (const { form, tf } of uses) {
    out.text(form);
    out.varint(tf);
  }
}

/** Errors  CorruptError AKIN_ERR_INDEX_CORRUPT where the bytes are none that `packWords` made. */
export function unpackWords(bytes: Uint8Array): PageWords {
  try {
    const from = new ByteReader(zstdDecompressSync(bytes));
    const words = {
      wordCount: from.varint(),
      content: readUses(from),
      title: readUses(from),
      windows: Array.from({ length: from.varint() }, () => ({
        link: from.varint(),
        anchorText: from.text(),
        words: readUses(from),
      })),
    };
    const [headings, bigrams] = from.done ? [[], []] : [readUses(from), readUses(from)];
    return { ...words, headings, bigrams };
  } catch (cause) {
    throw new CorruptError('AKIN_ERR_INDEX_CORRUPT', 'the words of a page cannot be read', {
      hint: 'run: akin check FILE; then build the index again from its source',
      cause,
    });
  }
}

function readUses(from: ByteReader): FormUse[] {
  return Array.from({ length: from.varint() }, () => ({ form: from.text(), tf: from.varint() }));
}

/**
 * Where the links of a page stand, each behind the one before: start, length, and whether it credits nobody. Behind them
 * where headings stand: how far behind the end of the one before, and length.
 */
export function packSpans(
  links: readonly (TextSpan & { readonly nofollow: boolean })[],
  headings: readonly TextSpan[],
): Uint8Array {
  out.clear();
  let before = 0;
  for (const { start, end, nofollow } of links) {
    const d = start - before;
    out.varint(d >= 0 ? 2 * d : -2 * d - 1);
    out.varint(2 * (end - start) + (nofollow ? 1 : 0));
    before = start;
  }
  before = 0;
  for (const { start, end } of headings) {
    out.varint(start - before);
    out.varint(end - start);
    before = end;
  }
  return Uint8Array.from(out.view());
}

/** The keys of the links that credit their targets. */
export function followedLinks({
  links,
  spans,
}: {
  readonly links: Float64Array;
  readonly spans: Uint8Array;
}): Float64Array {
  const from = new ByteReader(spans);
  return links.filter(() => {
    from.varint();
    return from.varint() % 2 === 0;
  });
}

/** `linkCount` links and the headings, as `packSpans` packed them. */
export function unpackSpans(
  bytes: Uint8Array,
  linkCount: number,
): { readonly links: (TextSpan & { readonly nofollow: boolean })[]; readonly headings: TextSpan[] } {
  const from = new ByteReader(bytes);
  let start = 0;
  const links = Array.from({ length: linkCount }, () => {
    const d = from.varint();
    start += d % 2 === 0 ? d / 2 : -(d + 1) / 2;
    const length = from.varint();
    return { start, end: start + (length >>> 1), nofollow: length % 2 === 1 };
  });
  const headings: TextSpan[] = [];
  for (let at = 0; !from.done; ) {
    at += from.varint();
    const length = from.varint();
    headings.push({ start: at, end: at + length });
    at += length;
  }
  return { links, headings };
}
