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
  #tokens = new Uint32Array(1 << 16);
  #count = 0;
  readonly #pageIds: number[] = [];
  readonly #starts: number[] = [];
  readonly #titleCounts: number[] = [];
  /** Of each word: how often it stands anywhere, on how many pages, and the last of them by its number in the log, + 1. */
  #hits = new Uint32Array(1 << 12);
  #pages = new Uint32Array(1 << 12);
  #lastPage = new Uint32Array(1 << 12);
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
    const start = this.#count;
    this.#pageIds.push(pageId);
    this.#starts.push(start);
    this.#read(title);
    this.#titleCounts.push(this.#count - start);
    this.#read(text);
    return this.#count - start;
  }

  #read(text: string): void {
    const spans = internTokens(text);
    for (let at = 0; at < spans.length; at += SPAN_SIZE) {
      const entry = spans[at + 2]!;
      const known = entry === NO_ENTRY ? 0 : this.#ofEntry[entry]!;
      if (known > 0) this.#push(known - 1);
      else if (known < 0) for (const number of this.#sequences[-1 - known]!) this.#push(number);
      else {
        const numbers = this.#numbersOf(text.slice(spans[at]!, spans[at + 1]!));
        for (const number of numbers) this.#push(number);
        if (entry !== NO_ENTRY) {
          this.#ofEntry[entry] = numbers.length === 1 ? numbers[0]! + 1 : -this.#sequences.push(numbers);
        }
      }
    }
  }

  /** Of a span: no letter outside of it has a part in its words. */
  #numbersOf(span: string): number[] {
    if (PLAIN.test(span)) return [this.#numberOf(span.toLowerCase())];
    return searchWords(span).map(({ word }) => this.#numberOf(word));
  }

  #numberOf(word: string): number {
    const known = this.#numbers.get(word);
    if (known !== undefined) return known;
    const number = this.#numbers.size;
    // A slice of 13 units or more keeps its whole text alive.
    this.#numbers.set(word.length < 13 ? word : ` ${word}`.slice(1), number);
    if (number === this.#hits.length) {
      [this.#hits, this.#pages, this.#lastPage] = [this.#hits, this.#pages, this.#lastPage].map(doubled) as [
        Uint32Array<ArrayBuffer>,
        Uint32Array<ArrayBuffer>,
        Uint32Array<ArrayBuffer>,
      ];
    }
    return number;
  }

  #push(number: number): void {
    if (this.#count === this.#tokens.length) this.#tokens = doubled(this.#tokens);
    this.#tokens[this.#count++] = number;
    this.#hits[number]!++;
    if (this.#lastPage[number] === this.#pageIds.length) return;
    this.#lastPage[number] = this.#pageIds.length;
    this.#pages[number]!++;
    this.#pageSum++;
  }

  /** By word, in the order of UTF-16 units; of each the pages as they came. */
  *words(): IterableIterator<WordPages> {
    const { entries, ends } = this.#byWord();
    const words = [...this.#numbers.keys()];
    for (const number of inOrder(words)) {
      const start = number === 0 ? 0 : ends[number - 1]!;
      yield { word: words[number]!, entries: entries.subarray(start, ends[number]!) };
    }
  }

  /** The entries of all words end to end by number, and where those of each end. */
  #byWord(): { readonly entries: Uint32Array; readonly ends: Uint32Array } {
    const wordCount = this.#numbers.size;
    const ends = new Uint32Array(wordCount);
    for (let number = 0, sum = 0; number < wordCount; number++) {
      ends[number] = sum;
      sum += HEAD_SIZE * this.#pages[number]! + this.#hits[number]!;
    }
    const entries = new Uint32Array(HEAD_SIZE * this.#pageSum + this.#count);
    /** Of each word, its head in the page that it was met in last; that page is in `lastPage`. */
    const heads = new Uint32Array(wordCount);
    const lastPage = this.#lastPage.fill(0, 0, wordCount);
    const tokens = this.#tokens;
    for (const [page, start] of this.#starts.entries()) {
      const end = this.#starts[page + 1] ?? this.#count;
      const titleEnd = start + this.#titleCounts[page]!;
      for (let at = start; at < end; at++) {
        const number = tokens[at]!;
        if (lastPage[number] !== page + 1) {
          lastPage[number] = page + 1;
          heads[number] = ends[number]!;
          entries[ends[number]!] = this.#pageIds[page]!;
          ends[number]! += HEAD_SIZE;
        }
        const head = heads[number]!;
        const isInTitle = at < titleEnd;
        if (isInTitle) entries[head + 1]!++;
        entries[head + 2]!++;
        entries[ends[number]!++] = isInTitle ? at - start : at - start + 1;
      }
    }
    return { entries, ends };
  }

  clear(): void {
    for (const counts of [this.#hits, this.#pages, this.#lastPage]) counts.fill(0, 0, this.#numbers.size);
    this.#numbers.clear();
    this.#pageSum = 0;
    this.#count = 0;
    this.#pageIds.length = 0;
    this.#starts.length = 0;
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
