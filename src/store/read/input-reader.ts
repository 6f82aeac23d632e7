import { packVectors } from '../../features/vectors.ts';
import type { PageCard } from '../../page/card/page-card.ts';
import { decodeWords } from '../blobs/blobs.ts';
import { decodeLinkUrls, featuresOfPageInput, LINK_URLS_A_BLOCK } from '../blobs/page-input.ts';
import type { IndexFile } from '../index-file.ts';
import { type CaptureRecord, UNDATED_MS } from '../records.ts';
import { rowShape } from '../stored-values.ts';
import { CARD_KINDS } from './page-card-reader.ts';
import { placeOfUrl } from './pages/url-place.ts';
import { StoredInputs } from './stored/stored-inputs.ts';
import { StoredTexts } from './stored/stored-texts.ts';
import type { VectorReader } from './vector-reader.ts';

/** URLs held at once, by blocks, to follow links by page ids: a link leads near the one before, as a rule. */
const HELD_BLOCKS = 256;
const BLOCK_PAGES = 512;

/** What the copy relation keeps of a text, as it is stored. */
export interface StoredSketch {
  readonly tokenDigest: Uint8Array;
  readonly shingleDigest: Uint8Array;
  readonly tokenCount: number;
  readonly shingleCount: number;
  /** Infinity where all keys are kept. */
  readonly limit: number;
  /** As `encodeKeys` packs them. */
  readonly keys: Uint8Array;
  readonly simhash: Uint32Array | null;
}

/** One capture of a page, with all that the build asks of it. */
export interface StoredCapture extends Omit<CaptureRecord, 'sweep' | 'versionId'> {
  readonly pageId: number;
  readonly url: string;
  readonly title: string;
  readonly lang: string | null;
  readonly textDigest: Uint8Array;
  readonly wordCount: number;
  /** Of a past capture that named another URL as its canonical one: its own; else null. */
  readonly ownUrl: string | null;
  /** Null in an index without copies. */
  readonly sketch: StoredSketch | null;
  /** Of the page; `NO_CARD` where it says nothing. */
  readonly card: PageCard;
  /** As `packFields` packs them, of the page. */
  readonly fields: string;
  /** As `packVectors` packs them, of the page; '' for a capture that does not speak for it now. */
  readonly vectors: string;
  /** As `decodeText` reads it; null where texts are not kept. */
  readonly text: Uint8Array | null;
  /** As `decodePageInput` reads it; null for a capture that does not speak for the page now. */
  readonly input: Uint8Array | null;
}

/** What readers give of an answer. */
export type OtherAnswer = Pick<StoredAnswer, 'kind' | 'sweepId' | 'fetchedAtMs'>;

/** The last answer of a URL that has no page of its own. */
export interface StoredAnswer {
  readonly id: number;
  readonly url: string;
  readonly kind: 'page' | 'redirect' | 'gone' | 'noindex';
  readonly sweepId: number;
  readonly fetchedAtMs: number;
  readonly record: Uint8Array;
}

type CaptureRow = Omit<StoredCapture, 'sketch' | 'card' | 'text' | 'vectors' | 'input'> &
  PageCard & {
    versionId: number | null;
    /** 1 where the capture speaks for the page, or did last. */
    isSpeaking: number;
  } & {
    [Name in keyof Omit<StoredSketch, 'limit' | 'simhash'>]: StoredSketch[Name] | null;
  } & { limit: number | null; simhash: Uint8Array | null };

const CAPTURE_INPUT_ROW = rowShape<CaptureRow>(
  `capture JOIN page ON page.id = capture.page_id JOIN encoding ON encoding.id = encoding_id
   LEFT JOIN card ON card.page_id = capture.page_id
   LEFT JOIN page_field ON page_field.page_id = capture.page_id
   LEFT JOIN named_capture ON named_capture.page_id = capture.page_id
     AND named_capture.sweep_id = capture.sweep_id
   LEFT JOIN version ON version.id = capture.version_id`,
  {
    pageId: ['count', 'capture.page_id'],
    url: 'url',
    sweepId: ['count', 'capture.sweep_id'],
    fetchedAtMs: 'time',
    title: ['text', 'coalesce(full_title, title)'],
    lang: 'text or null',
    mediaType: 'text',
    charset: 'text',
    bodyBytes: 'count',
    textDigest: ['bytes', 'capture.text_digest'],
    ownUrl: 'text or null',
    wordCount: 'count',
    versionId: ['count or null', 'capture.version_id'],
    isSpeaking: ['count', 'coalesce(capture.sweep_id = page.sweep_id, 0)'],
    tokenDigest: 'bytes or null',
    shingleDigest: 'bytes or null',
    tokenCount: 'count or null',
    shingleCount: 'count or null',
    limit: ['count or null', 'key_limit'],
    keys: 'bytes or null',
    simhash: ['bytes or null', 'word_simhash'],
    ...CARD_KINDS,
    fields: ['text', "coalesce(fields, '')"],
  },
);
const TEXTS_SQL = `SELECT page.id, url, coalesce(full_title, title), text_digest FROM page
  LEFT JOIN capture ON capture.page_id = page.id AND capture.sweep_id = page.sweep_id
  WHERE page.id < ? AND page.id NOT IN (SELECT page_id FROM gone) ORDER BY page.id`;
const URL_ROW = rowShape<{ url: string }>('page', { url: 'text' });
const OTHER_ROW = rowShape<StoredAnswer>('other_input', {
  id: 'count',
  url: 'url',
  kind: 'text',
  sweepId: 'count',
  fetchedAtMs: 'time',
  record: 'bytes',
});

/** Reads an index as what it was made of. */
export class InputReader {
  readonly otherCount: number;
  readonly #file: IndexFile;
  readonly #texts: StoredTexts;
  readonly #inputs: StoredInputs;
  readonly #vectors: VectorReader;
  readonly #blocks = new Map<string, string[]>();

  constructor(file: IndexFile, vectors: VectorReader) {
    this.#file = file;
    this.#vectors = vectors;
    this.#texts = new StoredTexts(file);
    this.#inputs = new StoredInputs(file);
    this.otherCount = file.rowCount('other_input');
  }

  /** Of all pages, in id order. */
  *urls(): IterableIterator<string> {
    for (const { url } of this.#file.rows(URL_ROW, 'ORDER BY id')) yield url;
  }

  /**
   * Of the pages that are there and their own, in id order: URL, title and the digest of title and text, which is null where a
   * page is known by links alone.
   */
  texts(): IterableIterator<[pageId: number, url: string, title: string, textDigest: Uint8Array | null]> {
    return this.#file.tuples(TEXTS_SQL, this.#file.ownPageCount);
  }

  /** As `StoredTexts`. */
  packedAs(block: Uint8Array): Uint8Array | null {
    return this.#texts.packedAs(block);
  }

  /** Captures of the pages `from` .. `to - 1`. */
  captureCount(from: number, to: number): number {
    const sql = 'SELECT count(*) FROM capture WHERE page_id >= ? AND page_id < ?';
    return this.#file.value<number>(sql, from, to)!;
  }

  /** Captures of the pages `from` .. `to - 1`, page by page, in the order of sweeps. */
  *captures(from: number, to: number): IterableIterator<StoredCapture> {
    const rows = this.#file.rows(
      CAPTURE_INPUT_ROW,
      'WHERE capture.page_id >= ? AND capture.page_id < ? ORDER BY capture.page_id, capture.sweep_id',
      from,
      to,
    );
    for (const row of rows) {
      const input = row.isSpeaking === 1 ? this.#inputs.get(row.pageId) : null;
      const { keys, limit, simhash, image, description, publishedAt, modifiedAt, siteName } = row;
      yield {
        ...row,
        input,
        vectors: input === null ? '' : packVectors(this.#vectors.ofPage(row.pageId)),
        text: row.versionId === null ? null : this.#texts.get(row.versionId),
        card: { image, description, publishedAt, modifiedAt, siteName },
        sketch:
          keys === null
            ? null
            : {
                tokenDigest: row.tokenDigest!,
                shingleDigest: row.shingleDigest!,
                tokenCount: row.tokenCount!,
                shingleCount: row.shingleCount!,
                limit: limit ?? Number.POSITIVE_INFINITY,
                keys,
                simhash: simhash === null ? null : decodeWords(simhash),
              },
      };
    }
  }

  /** Of all pages that are there, as `decodePageInput` reads them, in id order. */
  records(): IterableIterator<{ readonly pageId: number; readonly record: Uint8Array }> {
    return this.#inputs.all();
  }

  /** Whether a page is there: it was read, and is not gone. */
  isThere(pageId: number): boolean {
    return this.#inputs.get(pageId) !== null;
  }

  /** What the owner of a page says of it, as `packFeatures` packs it; '' where that is nothing. */
  ownFeatures(pageId: number): string {
    const record = this.#inputs.get(pageId);
    return record === null
      ? ''
      : this.#file.decode(`the features of page ${pageId}`, () => featuresOfPageInput(record));
  }

  /** Of all pages that have any, as `ownFeatures`, in id order; of a shard those of its own pages. */
  *allOwnFeatures(): IterableIterator<{ readonly pageId: number; readonly features: string }> {
    for (const { pageId, record } of this.records()) {
      const features = this.#file.decode(`the features of page ${pageId}`, () => featuresOfPageInput(record));
      if (features !== '') yield { pageId: this.#file.pageId(pageId), features };
    }
  }

  /** Answers of the ids `from` .. `to - 1`, in order. */
  others(from: number, to: number): IterableIterator<StoredAnswer> {
    return this.#file.rows(OTHER_ROW, 'WHERE id >= ? AND id < ? ORDER BY id', from, to);
  }

  /** The last answer of a URL that has no page of its own; null where none came. */
  other(url: string): StoredAnswer | null {
    const id = placeOfUrl(this.#file, 'other_input', url, 0, this.otherCount);
    const [found] = this.others(id, id + 1);
    return found?.url === url ? found : null;
  }

  /** When the last answer of a URL without a page of its own came; `UNDATED_MS` where that is not known, or there is none. */
  otherDateMs(url: string): number {
    return this.other(url)?.fetchedAtMs ?? UNDATED_MS;
  }

  /**
   * The URL that a target of a link stands for; see blobs/page-input.ts.
   *
   * Errors  CorruptError where there is none.
   */
  urlOfTarget(target: number): string {
    const isPage = target % 2 === 0;
    const id = isPage ? target / 2 : (target - 1) / 2;
    const blockSize = isPage ? BLOCK_PAGES : LINK_URLS_A_BLOCK;
    const first = id - (id % blockSize);
    const block = isPage ? this.#held(`page ${first}`, () => this.#pageUrls(first)) : this.#linkUrls(first);
    const url = block[id - first];
    if (url === undefined) throw this.#file.corrupt(`a link leads to target ${target}, which is not there`);
    return url;
  }

  #pageUrls(first: number): string[] {
    const sql = 'SELECT url FROM page WHERE id >= ? AND id < ? ORDER BY id';
    return this.#file.values<string>(sql, first, first + BLOCK_PAGES);
  }

  #linkUrls(first: number): string[] {
    return this.#held(`link ${first}`, () => {
      const urls = this.#file.value<Uint8Array>('SELECT urls FROM link_url WHERE first_id = ?', first);
      return urls === undefined ? [] : this.#file.decode('link URLs', () => decodeLinkUrls(urls));
    });
  }

  #held(name: string, read: () => string[]): string[] {
    const known = this.#blocks.get(name);
    if (known !== undefined) return known;
    if (this.#blocks.size === HELD_BLOCKS) this.#blocks.delete(this.#blocks.keys().next().value!);
    const urls = read();
    this.#blocks.set(name, urls);
    return urls;
  }
}
