import { CorruptError } from '../../../errors.ts';
import { zstdPack, zstdUnpack } from '../../../store/blobs/zstd.ts';
import { ByteReader, ByteWriter } from '../../files/records/bytes.ts';
import { listOf, RecordForm, type RecordOf, text, varint } from '../../files/records/record-form.ts';

const USE = { form: text, tf: varint };
const uses = listOf(new RecordForm(USE));
/** The anchor window of one link: its place among the links of the page. */
const WINDOW = { link: varint, anchorText: text, words: uses };
const WORDS = { wordCount: varint, content: uses, title: uses, windows: listOf(new RecordForm(WINDOW)) };
/** Behind the others, where there are some; the form of a pair of words is that of its first use. */
const MORE_WORDS = { headings: uses, bigrams: uses };
/** Stands behind all words. */
const UNTITLED = 1;
const words = new RecordForm(WORDS);
const moreWords = new RecordForm(MORE_WORDS);

export type FormUse = RecordOf<typeof USE>;

/**
 * Words of a page whose text is not kept, so that its bags can be made again: of each stem the form that comes first, and
 * how often the stem is used.
 */
export type PageWords = RecordOf<typeof WORDS> &
  RecordOf<typeof MORE_WORDS> & {
    /** The page has no title: the index shows what a link to it says. */
    readonly isUntitled: boolean;
  };

const out = new ByteWriter();

export function packWords(page: PageWords): Uint8Array {
  out.clear();
  words.write(out, page);
  if (page.headings.length + page.bigrams.length > 0 || page.isUntitled) moreWords.write(out, page);
  if (page.isUntitled) out.u8(UNTITLED);
  return zstdPack(out.view());
}

/** Errors  CorruptError AKIN_ERR_INDEX_CORRUPT where the bytes are none that `packWords` made. */
export function unpackWords(bytes: Uint8Array): PageWords {
  try {
    const from = new ByteReader(zstdUnpack(bytes));
    const known = words.read(from);
    const more = from.done ? { headings: [], bigrams: [] } : moreWords.read(from);
    return { ...known, ...more, isUntitled: !from.done };
  } catch (cause) {
    throw new CorruptError('AKIN_ERR_INDEX_CORRUPT', 'the words of a page cannot be read', {
      hint: 'run: akin check FILE; then build the index again from its source',
      cause,
    });
  }
}
