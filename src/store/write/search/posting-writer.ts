import { PlaceWriter } from '../../blobs/place-bits.ts';
import {
  Bytes,
  PART_PAGES,
  type PagesOfWord,
  type PostingPart,
  writeEntry,
  writeParts,
  writeWord,
} from '../../blobs/search-blobs.ts';
import type { WordPages } from './word-log.ts';

/** Words of a block: SQLite puts seven of them on a page. */
const BLOCK_WORDS = 128;
/** A row of postings ends with the first block behind so many: of a smaller one SQLite leaves much of a page empty. */
const POSTING_BYTES = 64 << 10;

/** Takes the rows of the dictionary and its postings, each table in the order of its keys. */
interface SearchRows {
  /** `start` is where in the row of postings those of the block begin. */
  searchWords(block: number, firstWord: string, posting: number, start: number, words: Uint8Array): void;
  searchPosting(posting: number, postings: Uint8Array): void;
  searchPart(row: number, pages: Uint8Array, positions: Uint8Array): void;
}

/** Packs words with their pages, which come in order. Bytes given out are good until the next row. */
export class PostingWriter {
  readonly #rows: SearchRows;
  readonly #lengthOf: (page: number) => number;
  readonly #words = new Bytes();
  readonly #postings = new Bytes();
  #block = 0;
  #posting = 0;
  #blockStart = 0;
  #wordCount = 0;
  #firstWord = '';
  #wordBefore = '';
  #partRow = 0;
  /** The word at hand. */
  #word: string | null = null;
  #pageCount = 0;
  #parts: PostingPart[] = [];
  readonly #entries = new Bytes();
  readonly #places = new PlaceWriter();
  #nextPage = 0;
  #firstPage = 0;
  #partCount = 0;

  /** `lengthOf` a page: how many words it has, as stored. */
  constructor(rows: SearchRows, lengthOf: (page: number) => number) {
    this.#rows = rows;
    this.#lengthOf = lengthOf;
  }

  /** A word, or more pages of the one before. */
  add({ word, entries }: WordPages): void {
    if (word !== this.#word) {
      this.#endWord();
      this.#word = word;
    }
    for (let at = 0; at < entries.length; ) {
      const page = entries[at]!;
      const titleHits = entries[at + 1]!;
      const hits = entries[at + 2]!;
      if (this.#partCount === PART_PAGES) this.#endPart();
      if (this.#partCount++ === 0) this.#firstPage = page;
      this.#nextPage = writeEntry(this.#entries, this.#nextPage, page, titleHits, hits - titleHits);
      this.#places.add(entries, at + 3, at + 3 + hits, this.#lengthOf(page));
      this.#pageCount++;
      at += 3 + hits;
    }
  }

  /** A word whose entries are `pages` of it and whose places are packed already: those of each stretch, but the last, fill a part. */
  keep(
    word: string,
    stretches: readonly { readonly found: PagesOfWord; readonly places: Uint8Array }[],
  ): void {
    this.#endWord();
    this.#word = word;
    for (const { found, places } of stretches) {
      const { pages, titleHits, textHits } = found;
      if (this.#partCount > 0) this.#endPart();
      this.#firstPage = pages[0]!;
      for (let i = 0; i < pages.length; i++) {
        this.#nextPage = writeEntry(this.#entries, this.#nextPage, pages[i]!, titleHits[i]!, textHits[i]!);
      }
      this.#places.take(places);
      this.#partCount = pages.length;
      this.#pageCount += pages.length;
    }
  }

  /** A word whose posting, not in parts, is packed already. */
  copy(word: string, pageCount: number, posting: Uint8Array): void {
    this.#endWord();
    this.#word = word;
    this.#pageCount = pageCount;
    this.#entries.append(posting);
  }

  finish(): void {
    this.#endWord();
    this.#endBlock();
    if (this.#postings.length > 0) this.#endPostings();
  }

  #endPostings(): void {
    this.#rows.searchPosting(this.#posting++, this.#postings.view());
    this.#postings.length = 0;
    this.#blockStart = 0;
  }

  #endPart(): void {
    const part = { row: this.#partRow++, firstPage: this.#firstPage, pageCount: this.#partCount };
    this.#rows.searchPart(part.row, this.#entries.view(), this.#places.view());
    this.#parts.push(part);
    this.#beginPart();
  }

  #beginPart(): void {
    this.#entries.length = 0;
    this.#places.clear();
    this.#nextPage = 0;
    this.#partCount = 0;
  }

  #endWord(): void {
    if (this.#word === null) return;
    if (this.#wordCount === 0) {
      this.#firstWord = this.#word;
      this.#wordBefore = '';
    }
    const start = this.#postings.length;
    if (this.#parts.length > 0) {
      this.#endPart();
      writeParts(this.#postings, this.#parts);
    } else {
      this.#postings.append(this.#entries.view());
      this.#postings.append(this.#places.view());
    }
    writeWord(this.#words, this.#wordBefore, this.#word, this.#pageCount, this.#postings.length - start);
    this.#wordBefore = this.#word;
    this.#wordCount++;
    this.#parts = [];
    this.#pageCount = 0;
    this.#beginPart();
    if (this.#wordCount === BLOCK_WORDS) this.#endBlock();
  }

  #endBlock(): void {
    if (this.#wordCount === 0) return;
    const words = this.#words.view();
    this.#rows.searchWords(this.#block++, this.#firstWord, this.#posting, this.#blockStart, words);
    this.#words.length = 0;
    this.#wordCount = 0;
    this.#blockStart = this.#postings.length;
    if (this.#postings.length >= POSTING_BYTES) this.#endPostings();
  }
}
