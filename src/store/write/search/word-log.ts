import { KeyTable, key53 } from '../../../lib/keys/key-table.ts';
import { createOwnMemory, growMemory, startKernel } from '../../../lib/wasm.ts';
import { lexiconGeneration, makeRoom } from '../../../text/lexicon.ts';
import { searchWords } from '../../../text/search/search-words.ts';
import { ENTRY_LIMIT, internTokens, NO_ENTRY, SPAN_SIZE } from '../../../text/text-kernel.ts';
import { SEARCH_KERNEL_BASE64 } from './search-kernel-bytes.ts';
import { inOrder } from './word-order.ts';

/** What one word says of pages: of each its id, how often the title has it, how often title and text, and the places. */
export interface WordPages {
  readonly word: string;
  /** Good until the next word. */
  readonly entries: Uint32Array;
}

/** A word in the map, its number, its string and what is counted of it. */
const WORD_BYTES = 160;
/** A number in the log and, when words are given out, the place. */
const TOKEN_BYTES = 8;
/** Before the places of a page, when words are given out: id and two counts. */
export const HEAD_VALUES = 3;
const PAGE_BYTES = 4 * HEAD_VALUES;
/** Kept of a word while pages come and when it is given out, see kernels/search/word-log.ts. */
const COUNT_BYTES = 16;
/** The kernel finds entries by addresses of 32 bits. */
const MAX_BYTES = 2 ** 31;
const SPAN_BYTES = 4 * SPAN_SIZE;
/** Of pages one after the other: one block that grew would be copied over and over. */
const BLOCK_TOKENS = 1 << 18;
/** What is a word as it stands, but for capitals. */
const PLAIN = /^[a-z\d]{1,64}$/i;

/** Arguments are byte positions and counts, see kernels/search/word-log.ts. */
interface Kernel {
  readonly numbersEnd: { value: number };
  takeNumbers(spans: number, end: number, words: number): number;
  countWords(numbers: number, end: number, counts: number, page: number): number;
  startEntries(counts: number, wordCount: number, entries: number): number;
  placePage(
    numbers: number,
    titleEnd: number,
    end: number,
    counts: number,
    page: number,
    pageId: number,
  ): void;
}

/** Where the counts of words begin, behind what is known of each token of the text kernel. */
const COUNTS_AT = 4 * ENTRY_LIMIT;
const FIRST_WORDS = 1 << 8;
const FIRST_PAGE_BYTES = 1 << 12;

/**
 * Words of pages in the order they come, to be given out by word. Places count from the first word of the title; the text
 * begins one place behind the title, so that no phrase lies across.
 *
 *   | words by token | counts by word | the page at hand | entries by word, when they are given out
 *
 * Memory  8 bytes a word of a text, 12 for each page that has a word, 160 a distinct one; 10 bytes a unit of the largest page.
 */
export class WordLog {
  readonly #memory = createOwnMemory(COUNTS_AT + COUNT_BYTES * FIRST_WORDS + FIRST_PAGE_BYTES);
  readonly #kernel = startKernel<Kernel>(SEARCH_KERNEL_BASE64, this.#memory);
  #values = new Uint32Array(this.#memory.buffer);
  #countRoom = FIRST_WORDS;
  /** Where the page at hand begins: its numbers, then its spans. */
  #pageAt = COUNTS_AT + COUNT_BYTES * FIRST_WORDS;
  #numbers = new KeyTable();
  #words: string[] = [];
  /** Of all pages, and of each where they stand in a block. */
  #block = new Uint32Array(0);
  #blockCount = 0;
  readonly #pages: Uint32Array[] = [];
  #count = 0;
  #mostTokens = 0;
  readonly #pageIds: number[] = [];
  readonly #titleCounts: number[] = [];
  #pageSum = 0;
  /** Of a token that is not one word: at place i where the kernel keeps -1 - i of it. */
  readonly #sequences: (readonly number[])[] = [];
  #generation = lexiconGeneration();

  get sizeBytes(): number {
    return WORD_BYTES * this.#words.length + TOKEN_BYTES * this.#count + PAGE_BYTES * this.#pageSum;
  }

  /** Whether it is to be given out before it takes another page. */
  isFull(memoryBytes: number): boolean {
    return this.sizeBytes >= Math.min(memoryBytes, MAX_BYTES);
  }

  /** Returns how many words it has. */
  add(pageId: number, title: string, text: string): number {
    makeRoom();
    if (lexiconGeneration() !== this.#generation) this.#forgetEntries();
    const spansAt = this.#pageAt + 4 * (title.length + text.length);
    this.#reserve(spansAt + SPAN_BYTES * (1 + (Math.max(title.length, text.length) >> 1)));
    this.#kernel.numbersEnd.value = this.#pageAt;
    this.#read(title, spansAt);
    this.#titleCounts.push(this.#tokenCount());
    this.#read(text, spansAt);
    this.#pageIds.push(pageId);
    return this.#keepTokens();
  }

  #tokenCount(): number {
    return (this.#kernel.numbersEnd.value - this.#pageAt) / 4;
  }

  #keepTokens(): number {
    const count = this.#tokenCount();
    if (this.#blockCount + count > this.#block.length) {
      this.#block = new Uint32Array(Math.max(BLOCK_TOKENS, count));
      this.#blockCount = 0;
    }
    const kept = this.#block.subarray(this.#blockCount, this.#blockCount + count);
    kept.set(this.#values.subarray(this.#pageAt / 4, this.#pageAt / 4 + count));
    this.#pages.push(kept);
    this.#blockCount += count;
    this.#count += count;
    this.#mostTokens = Math.max(this.#mostTokens, count);
    if (this.#words.length > this.#countRoom) {
      this.#growCounts();
      this.#values.set(kept, this.#pageAt / 4);
    }
    const end = this.#pageAt + 4 * count;
    this.#pageSum += this.#kernel.countWords(this.#pageAt, end, COUNTS_AT, this.#pages.length);
    return count;
  }

  /** The page at hand is not kept. */
  #growCounts(): void {
    while (this.#countRoom < this.#words.length) this.#countRoom *= 2;
    const end = COUNTS_AT + COUNT_BYTES * this.#countRoom;
    this.#reserve(end + 4 * this.#mostTokens);
    this.#values.fill(0, this.#pageAt / 4, end / 4);
    this.#pageAt = end;
  }

  /** Makes room for what is before `end`. */
  #reserve(end: number): void {
    if (end <= this.#memory.buffer.byteLength) return;
    growMemory(this.#memory, end);
    this.#values = new Uint32Array(this.#memory.buffer);
  }

  #read(text: string, spansAt: number): void {
    const spans = internTokens(text);
    this.#values.set(spans, spansAt / 4);
    const end = spansAt + spans.byteLength;
    for (let at = spansAt; (at = this.#kernel.takeNumbers(at, end, 0)) < end; at += SPAN_BYTES) {
      const numbers = this.#sequenceOf(text, at / 4);
      this.#values.set(numbers, this.#kernel.numbersEnd.value / 4);
      this.#kernel.numbersEnd.value += 4 * numbers.length;
    }
  }

  /** Words of the span at `at`, which the kernel does not know as one. */
  #sequenceOf(text: string, at: number): readonly number[] {
    const entry = this.#values[at + 2]!;
    const known = entry === NO_ENTRY ? 0 : this.#values[entry]! | 0;
    if (known < 0) return this.#sequences[-1 - known]!;
    const numbers = this.#numbersOf(text.slice(this.#values[at], this.#values[at + 1]));
    if (entry !== NO_ENTRY) {
      this.#values[entry] = numbers.length === 1 ? numbers[0]! + 1 : -this.#sequences.push(numbers);
    }
    return numbers;
  }

  /** Of a span: no letter outside of it has a part in its words. */
  #numbersOf(span: string): number[] {
    if (PLAIN.test(span)) return [this.#numberOf(span.toLowerCase())];
    const numbers: number[] = [];
    for (const { word } of searchWords(span)) numbers.push(this.#numberOf(word));
    return numbers;
  }

  #numberOf(word: string): number {
    const count = this.#words.length;
    let key = key53(word);
    let known = this.#numbers.get(key, count);
    // Two words may have one key.
    while (known < count && this.#words[known] !== word) known = this.#numbers.get(++key, count);
    if (known < count) return known;
    this.#numbers.set(key, count);
    // A slice of 13 units or more keeps its whole text alive.
    return this.#words.push(word.length < 13 ? word : ` ${word}`.slice(1)) - 1;
  }

  /** By word, in the order of UTF-16 units; of each the pages as they came. Nothing is added before it is cleared. */
  *words(): IterableIterator<WordPages> {
    const words = this.#words;
    const entriesAt = this.#pageAt + 4 * this.#mostTokens;
    this.#reserve(entriesAt + PAGE_BYTES * this.#pageSum + 4 * this.#count);
    this.#kernel.startEntries(COUNTS_AT, words.length, entriesAt);
    for (let page = 0; page < this.#pages.length; page++) this.#placePage(page);
    const values = this.#values;
    const endOf = (number: number) => values[(COUNTS_AT + COUNT_BYTES * number) / 4]! / 4;
    for (const number of inOrder(words)) {
      const from = number === 0 ? entriesAt / 4 : endOf(number - 1);
      yield { word: words[number]!, entries: values.subarray(from, endOf(number)) };
    }
  }

  /** Adds the words of a page to their entries. */
  #placePage(page: number): void {
    const at = this.#pageAt;
    const tokens = this.#pages[page]!;
    this.#values.set(tokens, at / 4);
    const titleEnd = at + 4 * this.#titleCounts[page]!;
    this.#kernel.placePage(at, titleEnd, at + tokens.byteLength, COUNTS_AT, page + 1, this.#pageIds[page]!);
  }

  clear(): void {
    this.#values.fill(0, COUNTS_AT / 4, (COUNTS_AT + COUNT_BYTES * this.#words.length) / 4);
    this.#numbers = new KeyTable();
    this.#words = [];
    this.#pageSum = 0;
    this.#count = 0;
    this.#blockCount = 0;
    this.#pageIds.length = 0;
    this.#pages.length = 0;
    this.#titleCounts.length = 0;
    this.#forgetEntries();
  }

  #forgetEntries(): void {
    this.#values.fill(0, 0, ENTRY_LIMIT);
    this.#sequences.length = 0;
    this.#generation = lexiconGeneration();
  }
}
