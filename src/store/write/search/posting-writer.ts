import {
  Bytes,
  PART_PAGES,
  type PagesOfWord,
  type PostingPart,
  writeParts,
  writeWord,
} from '../../blobs/search-blobs.ts';
import { brokenBlob } from '../../blobs/varint.ts';
import { PartPacker } from './part-packer.ts';
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
  #parts: PostingPart[] = [];
  readonly #part: PartPacker;

  /** `lengths` as for `PartPacker`. */
  constructor(rows: SearchRows, lengths: readonly Uint16Array[]) {
    this.#rows = rows;
    this.#part = new PartPacker(lengths);
  }

  /** A word, or more pages of the one before. */
  add({ word, entries }: WordPages): void {
    if (word !== this.#word) {
      this.#endWord();
      this.#word = word;
    }
    for (let at = 0; (at = this.#part.add(entries, at)) < entries.length; ) {
      this.#putPart(this.#part.end());
    }
  }

  /** A word whose entries are `pages` of it and whose places are packed already: those of each stretch, but the last, fill a part. */
  keep(
    word: string,
    stretches: readonly { readonly found: PagesOfWord; readonly places: Uint8Array }[],
  ): void {
    this.#endWord();
    this.#word = word;
    for (const [i, { found, places }] of stretches.entries()) {
      if (found.pages.length > PART_PAGES) throw brokenBlob('a search');
      if (i > 0) this.#putPart(this.#part.end());
      this.#part.take(found, places);
    }
  }

  /** A word whose posting, not in parts, is packed already. */
  copy(word: string, pageCount: number, posting: Uint8Array): void {
    this.#endWord();
    const start = this.#postings.length;
    this.#postings.append(posting);
    this.#putWord(word, pageCount, start);
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

  #putPart(pageCount: number): void {
    const part = { row: this.#partRow++, firstPage: this.#part.firstPage, pageCount };
    this.#rows.searchPart(part.row, this.#part.pages(), this.#part.places());
    this.#parts.push(part);
    this.#part.begin();
  }

  #endWord(): void {
    const word = this.#word;
    if (word === null) return;
    this.#word = null;
    const start = this.#postings.length;
    let pageCount = this.#part.end();
    if (this.#parts.length === 0) {
      this.#part.write(this.#postings);
      this.#part.begin();
    } else {
      this.#putPart(pageCount);
      writeParts(this.#postings, this.#parts);
      pageCount = this.#parts.reduce((sum, part) => sum + part.pageCount, 0);
      this.#parts = [];
    }
    this.#putWord(word, pageCount, start);
  }

  /** Of a word whose posting begins at `start`. */
  #putWord(word: string, pageCount: number, start: number): void {
    if (this.#wordCount === 0) {
      this.#firstWord = word;
      this.#wordBefore = '';
    }
    writeWord(this.#words, this.#wordBefore, word, pageCount, this.#postings.length - start);
    this.#wordBefore = word;
    this.#wordCount++;
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
