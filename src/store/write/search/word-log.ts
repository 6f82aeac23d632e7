import { lexiconGeneration, makeRoom } from '../../../text/lexicon.ts';
import { searchWords } from '../../../text/search/search-words.ts';
import { ENTRY_LIMIT, internTokens, NO_ENTRY, SPAN_SIZE } from '../../../text/text-kernel.ts';
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
/** The head of the places of a page, when words are given out: id and two counts. */
const HEAD_SIZE = 3;
const PAGE_BYTES = 4 * HEAD_SIZE;
/** Numbers that are kept of a word, and where: side by side, as all are asked for at each of its places. */
const COUNTS = 4;
/** How often it stands anywhere; when words are given out, where its entries end so far. */
const HITS = 0;
/** On how many pages, and the last of them by its number in the log, + 1. */
const PAGES = 1;
const LAST_PAGE = 2;
/** Its head in the page that it was met in last. */
const HEAD = 3;
/** Of pages one after the other: one block that grew would be copied over and over. */
const BLOCK_TOKENS = 1 << 18;
/** What is a word as it stands, but for capitals. */
const PLAIN = /^[a-z\d]{1,64}$/i;

/**
 * Words of pages in the order they come, to be given out by word. Places count from the first word of the title; the text
 * begins one place behind the title, so that no phrase lies across.
 *
 * Memory  8 bytes a word of a text, 12 for each page that has a word, 160 a distinct one.
 */
export class WordLog {
  readonly #numbers = new Map<string, number>();
  /** Of the page at hand. */
  #tokens = new Uint32Array(1 << 12);
  #tokenCount = 0;
  /** Of all pages, and of each where they stand in a block. */
  #block = new Uint32Array(0);
  #blockCount = 0;
  readonly #pages: Uint32Array[] = [];
  #count = 0;
  readonly #pageIds: number[] = [];
  readonly #titleCounts: number[] = [];
  /** `COUNTS` of each word. */
  #counts = new Uint32Array(COUNTS << 12);
  #pageSum = 0;
  /** Of each token of the kernel: its word + 1; -1 - i where it is `#sequences[i]`; 0 where that is not known. */
  readonly #ofEntry = new Int32Array(ENTRY_LIMIT);
  readonly #sequences: (readonly number[])[] = [];
  #generation = lexiconGeneration();

  get sizeBytes(): number {
    return WORD_BYTES * this.#numbers.size + TOKEN_BYTES * this.#count + PAGE_BYTES * this.#pageSum;
  }

  /** Returns how many words it has. */
  add(pageId: number, title: string, text: string): number {
    makeRoom();
    if (lexiconGeneration() !== this.#generation) this.#forgetEntries();
    this.#tokenCount = 0;
    this.#pageIds.push(pageId);
    this.#read(title);
    this.#titleCounts.push(this.#tokenCount);
    this.#read(text);
    this.#keepTokens();
    return this.#tokenCount;
  }

  #keepTokens(): void {
    const count = this.#tokenCount;
    if (this.#blockCount + count > this.#block.length) {
      this.#block = new Uint32Array(Math.max(BLOCK_TOKENS, count));
      this.#blockCount = 0;
    }
    const kept = this.#block.subarray(this.#blockCount, this.#blockCount + count);
    kept.set(this.#tokens.subarray(0, count));
    this.#pages.push(kept);
    this.#blockCount += count;
    this.#count += count;
  }

  #read(text: string): void {
    const spans = internTokens(text);
    const ofEntry = this.#ofEntry;
    this.#reserve(spans.length / SPAN_SIZE);
    for (let at = 0; at < spans.length; at += SPAN_SIZE) {
      const entry = spans[at + 2]!;
      const known = entry === NO_ENTRY ? 0 : ofEntry[entry]!;
      if (known > 0) this.#push(known - 1);
      else this.#pushAll(this.#sequenceOf(text, spans, at), (spans.length - at) / SPAN_SIZE);
    }
  }

  /** Words of a span, before so many others. Apart from the loop, which is compiled anew where it meets what it has not met before. */
  #pushAll(numbers: readonly number[], spanCount: number): void {
    this.#reserve(numbers.length + spanCount);
    for (let i = 0; i < numbers.length; i++) this.#push(numbers[i]!);
  }

  #sequenceOf(text: string, spans: Uint32Array, at: number): readonly number[] {
    const entry = spans[at + 2]!;
    const known = entry === NO_ENTRY ? 0 : this.#ofEntry[entry]!;
    if (known < 0) return this.#sequences[-1 - known]!;
    const numbers = this.#numbersOf(text.slice(spans[at]!, spans[at + 1]!));
    if (entry !== NO_ENTRY) {
      this.#ofEntry[entry] = numbers.length === 1 ? numbers[0]! + 1 : -this.#sequences.push(numbers);
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
    const known = this.#numbers.get(word);
    if (known !== undefined) return known;
    const number = this.#numbers.size;
    // A slice of 13 units or more keeps its whole text alive.
    this.#numbers.set(word.length < 13 ? word : ` ${word}`.slice(1), number);
    if (COUNTS * number === this.#counts.length) this.#counts = doubled(this.#counts);
    return number;
  }

  /** Makes room for so many words more. */
  #reserve(count: number): void {
    while (this.#tokenCount + count > this.#tokens.length) this.#tokens = doubled(this.#tokens);
  }

  #push(number: number): void {
    this.#tokens[this.#tokenCount++] = number;
    const counts = this.#counts;
    const at = COUNTS * number;
    counts[at + HITS]!++;
    if (counts[at + LAST_PAGE] === this.#pageIds.length) return;
    counts[at + LAST_PAGE] = this.#pageIds.length;
    counts[at + PAGES]!++;
    this.#pageSum++;
  }

  /** By word, in the order of UTF-16 units; of each the pages as they came. Nothing is added before it is cleared. */
  *words(): IterableIterator<WordPages> {
    const words = [...this.#numbers.keys()];
    const starts = this.#startEntries();
    const entries = new Uint32Array(HEAD_SIZE * this.#pageSum + this.#count);
    for (let page = 0; page < this.#pages.length; page++) this.#placePage(page, entries);
    const counts = this.#counts;
    for (const number of inOrder(words)) {
      yield {
        word: words[number]!,
        entries: entries.subarray(starts[number]!, counts[COUNTS * number + HITS]!),
      };
    }
  }

  /** Where the entries of each word begin, end to end by number: as far as they reach, none being placed. */
  #startEntries(): Uint32Array {
    const counts = this.#counts;
    const starts = new Uint32Array(this.#numbers.size);
    let sum = 0;
    for (let number = 0, at = 0; number < starts.length; number++, at += COUNTS) {
      starts[number] = sum;
      sum += HEAD_SIZE * counts[at + PAGES]! + counts[at + HITS]!;
      counts[at + HITS] = starts[number]!;
      counts[at + LAST_PAGE] = 0;
    }
    return starts;
  }

  /** Adds the words of a page to their entries. */
  #placePage(page: number, entries: Uint32Array): void {
    const counts = this.#counts;
    const tokens = this.#pages[page]!;
    const titleCount = this.#titleCounts[page]!;
    for (let i = 0; i < tokens.length; i++) {
      const at = COUNTS * tokens[i]!;
      if (counts[at + LAST_PAGE] !== page + 1) {
        counts[at + LAST_PAGE] = page + 1;
        counts[at + HEAD] = counts[at + HITS]!;
        entries[counts[at + HEAD]!] = this.#pageIds[page]!;
        counts[at + HITS]! += HEAD_SIZE;
      }
      const head = counts[at + HEAD]!;
      const isInTitle = i < titleCount;
      if (isInTitle) entries[head + 1]!++;
      entries[head + 2]!++;
      entries[counts[at + HITS]!++] = isInTitle ? i : i + 1;
    }
  }

  clear(): void {
    this.#counts.fill(0, 0, COUNTS * this.#numbers.size);
    this.#numbers.clear();
    this.#pageSum = 0;
    this.#count = 0;
    this.#blockCount = 0;
    this.#pageIds.length = 0;
    this.#pages.length = 0;
    this.#titleCounts.length = 0;
    this.#forgetEntries();
  }

  #forgetEntries(): void {
    this.#ofEntry.fill(0);
    this.#sequences.length = 0;
    this.#generation = lexiconGeneration();
  }
}

function doubled(numbers: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(2 * numbers.length);
  larger.set(numbers);
  return larger;
}
