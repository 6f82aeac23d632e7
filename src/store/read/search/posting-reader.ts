import { PlaceReader } from '../../blobs/place-bits.ts';
import {
  PART_PAGES,
  type PagesOfWord,
  type PostingPart,
  readEntries,
  readParts,
} from '../../blobs/search-blobs.ts';
import type { IndexFile } from '../../index-file.ts';
import type { KnownWord } from './dictionary.ts';
import type { SearchedPages } from './searched-pages.ts';

/** Pages of a word that stand together, and where the word stands in them. */
interface PagesWithPlaces extends PagesOfWord {
  /** Of the i-th page: from `ends[i - 1]` to `ends[i]`, ascending. */
  readonly places: Uint32Array;
  readonly ends: Uint32Array;
}

/** A posting, or a part of it. */
export interface Stretch {
  readonly found: PagesOfWord;
  /** As `PlaceReader` reads them. */
  readonly places: () => Uint8Array;
}

/** Reads which pages have a word. */
export class PostingReader {
  readonly #file: IndexFile;
  readonly #pages: SearchedPages;
  /** The row that was read last. */
  #row: { readonly id: number; readonly blob: Uint8Array } | null = null;

  constructor(file: IndexFile, pages: SearchedPages) {
    this.#file = file;
    this.#pages = pages;
  }

  /** Pages with a word, in order; parts in which none of `among` (ascending) can be are passed over. */
  *parts(known: KnownWord, among: Uint32Array | null = null): IterableIterator<PagesOfWord> {
    for (const { found } of this.stretches(known, among)) yield found;
  }

  /** The same with the places. */
  *placedParts(known: KnownWord, among: Uint32Array | null = null): IterableIterator<PagesWithPlaces> {
    for (const stretch of this.stretches(known, among)) yield this.placed(known, stretch);
  }

  /** A stretch of the posting of a word with its places. */
  placed(known: KnownWord, { found, places }: Stretch): PagesWithPlaces {
    return this.#file.decode(`the places of "${known.word}"`, () => this.#placed(found, places()));
  }

  #placed(found: PagesOfWord, bits: Uint8Array): PagesWithPlaces {
    const { pages, titleHits, textHits } = found;
    const ends = new Uint32Array(pages.length);
    let count = 0;
    for (let i = 0; i < pages.length; i++) ends[i] = count += titleHits[i]! + textHits[i]!;
    // A place takes a bit at least.
    if (count > 8 * bits.length) throw this.#file.corrupt('a search names more places than there are');
    const places = new Uint32Array(count);
    const reader = new PlaceReader(bits);
    for (let i = 0, from = 0; i < pages.length; from = ends[i++]!) {
      reader.read(ends[i]! - from, this.#pages.length(pages[i]!), places, from);
    }
    reader.end();
    return { ...found, places, ends };
  }

  /** The posting of a word as it is packed. */
  packed({ word, row, from, to }: KnownWord): Uint8Array {
    const blob = this.#rowOf(row);
    if (to > blob.length) throw this.#file.corrupt(`the pages with "${word}" are missing`);
    return blob.subarray(from, to);
  }

  /** Words that begin alike are in one. */
  #rowOf(row: number): Uint8Array {
    if (this.#row?.id === row) return this.#row.blob;
    const blob = this.#file.value<Uint8Array>('SELECT postings FROM search_posting WHERE id = ?', row);
    if (!(blob instanceof Uint8Array)) throw this.#file.corrupt(`row ${row} of search_posting is missing`);
    this.#row = { id: row, blob };
    return blob;
  }

  /** As `parts`, with the places as they are packed. */
  *stretches(known: KnownWord, among: Uint32Array | null = null): IterableIterator<Stretch> {
    const { word, pageCount } = known;
    const posting = this.packed(known);
    if (pageCount <= PART_PAGES) {
      const { found, end } = this.#entries(word, posting, pageCount);
      yield { found, places: () => posting.subarray(end) };
      return;
    }
    const parts = this.#file.decode(`the pages with "${word}"`, () => readParts(posting));
    let at = 0;
    for (const [i, part] of parts.entries()) {
      const next = parts[i + 1]?.firstPage ?? Number.POSITIVE_INFINITY;
      if (among !== null) {
        while (at < among.length && among[at]! < part.firstPage) at++;
        if (at === among.length) return;
        if (among[at]! >= next) continue;
      }
      yield this.#part(word, part);
    }
  }

  #part(word: string, { row, pageCount }: PostingPart): Stretch {
    const pages = this.#file.value<Uint8Array>('SELECT pages FROM search_part WHERE id = ?', row);
    if (!(pages instanceof Uint8Array)) throw this.#file.corrupt(`pages with "${word}" are missing`);
    const places = () => {
      const bits = this.#file.value<Uint8Array>('SELECT positions FROM search_part WHERE id = ?', row);
      if (!(bits instanceof Uint8Array)) throw this.#file.corrupt(`places of "${word}" are missing`);
      return bits;
    };
    return { found: this.#entries(word, pages, pageCount).found, places };
  }

  #entries(word: string, blob: Uint8Array, pageCount: number): ReturnType<typeof readEntries> {
    const read = this.#file.decode(`the pages with "${word}"`, () => readEntries(blob, pageCount));
    const last = read.found.pages.at(-1);
    if (last !== undefined) this.#file.pageId(last);
    return read;
  }
}
