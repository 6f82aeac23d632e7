/**
 * Blobs of the search. Numbers are varints; places of words are bits, see place-bits.ts.
 *
 *     search_word.words         of each word: letters (UTF-16 units) shared with the one before, bytes of the rest, the rest,
 *                               pages that have it, bytes of its posting
 *     search_posting.postings   the postings of the words of some blocks, end to end
 *     search_part.pages         of each page an entry
 *     search_part.positions     of each page the places of the word
 *
 * An entry is 8 gap + code, the gap being the pages passed over since the entry before. The code says how often the word
 * stands in the page: 0 to 5 for once to six times in its text; 6 for more often, and by how much (from 0) follows;
 * 7 where it is in the title, and how often it is there and in the text follows.
 *
 * The posting of a word on at most PART_PAGES pages is its entries, then its places. That of any other names the parts it
 * stands in: how many, the row of the first, and of each its first page (as difference) and its pages.
 */
import { longer } from '../../lib/columns/longer.ts';
import { isHighSurrogate } from '../../text/search/search-words.ts';
import { brokenBlob, VarintReader, writeVarint } from './varint.ts';

/** Pages of a part, but the last; a word on more pages has its posting in parts. */
export const PART_PAGES = 4096;

/** Pages of a row of `search_page`. */
export const SEARCH_BLOCK_PAGES = 1 << 16;

const MORE = 6;

const FEW_BYTES = 32;

/** Bytes that grow at their end. */
export class Bytes {
  #bytes = new Uint8Array(1 << 10);
  length = 0;

  varint(value: number): void {
    this.#room(8);
    this.length = writeVarint(this.#bytes, this.length, value);
  }

  append(bytes: Uint8Array): void {
    this.#room(bytes.length);
    this.#bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  /** Those from .. to - 1: few are added as they are, without a view. */
  appendPart(bytes: Uint8Array, from: number, to: number): void {
    if (to - from > FEW_BYTES) {
      this.append(bytes.subarray(from, to));
      return;
    }
    this.#room(FEW_BYTES);
    for (let i = from; i < to; i++) this.#bytes[this.length++] = bytes[i]!;
  }

  text(text: string): void {
    const bytes = Buffer.from(text);
    this.varint(bytes.length);
    this.append(bytes);
  }

  /** Good until something is added. */
  view(): Uint8Array {
    return this.#bytes.subarray(0, this.length);
  }

  #room(count: number): void {
    const length = this.length + count;
    if (length > this.#bytes.length) this.#bytes = longer(this.#bytes, 2 * length);
  }
}

/** On how many pages a word is, and how often on each. */
export interface PagesOfWord {
  /** Ids, ascending. */
  readonly pages: Uint32Array;
  readonly titleHits: Uint32Array;
  readonly textHits: Uint32Array;
}

/** The entries at the beginning of `blob`, and where they end. Errors  CorruptError. */
export function readEntries(
  blob: Uint8Array,
  count: number,
): { readonly found: PagesOfWord; readonly end: number } {
  if (count > blob.length) throw brokenBlob('a search');
  const pages = new Uint32Array(count);
  const titleHits = new Uint32Array(count);
  const textHits = new Uint32Array(count);
  const from = new VarintReader(blob);
  for (let i = 0, next = 0; i < count; i++) {
    const entry = from.next();
    const code = entry & 7;
    pages[i] = next += Math.floor(entry / 8);
    next++;
    if (code < MORE) textHits[i] = code + 1;
    else if (code === MORE) textHits[i] = from.next() + MORE + 1;
    else {
      titleHits[i] = from.next();
      textHits[i] = from.next();
    }
  }
  if (from.at > blob.length) throw brokenBlob('a search');
  return { found: { pages, titleHits, textHits }, end: from.at };
}

/** Whether all pages of the entries at the beginning of `blob` pass a test. Errors  CorruptError. */
export function everyPage(blob: Uint8Array, count: number, test: (page: number) => boolean): boolean {
  const from = new VarintReader(blob);
  for (let i = 0, next = 0; i < count; i++) {
    const entry = from.next();
    next += Math.floor(entry / 8);
    if (!test(next++)) return false;
    const code = entry & 7;
    for (let more = Math.max(0, code - MORE + 1); more > 0; more--) from.next();
  }
  if (from.at > blob.length) throw brokenBlob('a search');
  return true;
}

/** A word of the dictionary. */
export interface BlockWord {
  readonly word: string;
  /** Pages that have it. */
  readonly pageCount: number;
  /** Where in a row of postings its own stands. */
  readonly from: number;
  readonly to: number;
}

export function writeWord(
  into: Bytes,
  before: string,
  word: string,
  pageCount: number,
  postingBytes: number,
): void {
  const most = Math.min(before.length, word.length);
  let shared = 0;
  while (shared < most && before.charCodeAt(shared) === word.charCodeAt(shared)) shared++;
  if (shared > 0 && isHighSurrogate(word.charCodeAt(shared - 1))) shared--;
  into.varint(shared);
  into.text(word.slice(shared));
  into.varint(pageCount);
  into.varint(postingBytes);
}

/** Of a block whose postings begin at `start`. Errors  CorruptError. */
export function readWords(blob: Uint8Array, start = 0): BlockWord[] {
  const words: BlockWord[] = [];
  visitWords(blob, start, (word) => {
    words.push(word);
    return 0;
  });
  return words;
}

/** The same one by one: `visit` returns how many letters rule out the words that share them, or 0. Errors  CorruptError. */
export function visitWords(blob: Uint8Array, start: number, visit: (word: BlockWord) => number): void {
  const text = Buffer.from(blob.buffer, blob.byteOffset, blob.byteLength);
  const from = new VarintReader(blob);
  let before = '';
  let end = start;
  let dead = 0;
  while (from.at < blob.length) {
    const shared = from.next();
    const size = from.next();
    const at = from.at;
    from.at += size;
    const pageCount = from.next();
    const begin = end;
    end += from.next();
    // Of such a word, no letters are asked for but those that it shares.
    if (dead > 0 && shared >= dead) continue;
    before = before.slice(0, shared) + text.toString('utf8', at, at + size);
    dead = visit({ word: before, pageCount, from: begin, to: end });
  }
  if (from.at !== blob.length) throw brokenBlob('a dictionary');
}

/** A part of the posting of a long word. */
export interface PostingPart {
  readonly row: number;
  readonly firstPage: number;
  readonly pageCount: number;
}

export function writeParts(into: Bytes, parts: readonly PostingPart[]): void {
  into.varint(parts.length);
  into.varint(parts[0]!.row);
  let before = 0;
  for (const { firstPage, pageCount } of parts) {
    into.varint(firstPage - before);
    into.varint(pageCount);
    before = firstPage;
  }
}

/** Errors  CorruptError. */
export function readParts(blob: Uint8Array): PostingPart[] {
  const from = new VarintReader(blob);
  const count = from.next();
  if (count > blob.length) throw brokenBlob('a search');
  const row = from.next();
  let firstPage = 0;
  const parts = Array.from({ length: count }, (_, i): PostingPart => {
    firstPage += from.next();
    return { row: row + i, firstPage, pageCount: from.next() };
  });
  if (from.at !== blob.length) throw brokenBlob('a search');
  return parts;
}
