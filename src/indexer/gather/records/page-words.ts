import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { CorruptError } from '../../../errors.ts';
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
