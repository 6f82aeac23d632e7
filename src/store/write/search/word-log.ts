import { lexiconGeneration, makeRoom } from '../../../text/lexicon.ts';
import { searchWords } from '../../../text/search-words.ts';
import { ENTRY_LIMIT, internTokens, NO_ENTRY, SPAN_SIZE } from '../../../text/text-kernel.ts';

/** What one word says of pages: of each its id, how often the title has it, how often title and text, and the places. */
export interface WordPages {
  readonly word: string;
  /** Good until the next word. */
  readonly entries: Uint32Array;
}

/** A word in the map, its number and its string. */
const WORD_BYTES = 120;
/** A number in the log, and its place when words are sorted. */
const TOKEN_BYTES = 8;

/**
 * Words of pages in the order they come, to be given out by word. Places count from the first word of the title; the text
 * begins one place behind the title, so that no phrase lies across.
 *
 * Memory  8 bytes a word of a text, 120 a distinct one.
 */
export class WordLog {
  readonly #numbers = new Map<string, number>();
  #tokens = new Uint32Array(1 << 16);
  #count = 0;
  readonly #pageIds: number[] = [];
  readonly #starts: number[] = [];
  readonly #titleCounts: number[] = [];
  /** Of each token of the kernel: its word + 1; -1 - i where it is `#sequences[i]`; 0 where that is not known. */
  readonly #ofEntry = new Int32Array(ENTRY_LIMIT);
  readonly #sequences: (readonly number[])[] = [];
  #generation = lexiconGeneration();

  get sizeBytes(): number {
    return WORD_BYTES * this.#numbers.size + TOKEN_BYTES * this.#count;
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
        // No letter outside of a span has a part in its words.
        const numbers = searchWords(text.slice(spans[at]!, spans[at + 1]!)).map(({ word }) =>
          this.#numberOf(word),
        );
        for (const number of numbers) this.#push(number);
        if (entry !== NO_ENTRY) {
          this.#ofEntry[entry] = numbers.length === 1 ? numbers[0]! + 1 : -this.#sequences.push(numbers);
        }
      }
    }
  }

  #numberOf(word: string): number {
    let number = this.#numbers.get(word);
    if (number === undefined) this.#numbers.set(word, (number = this.#numbers.size));
    return number;
  }

  #push(number: number): void {
    if (this.#count === this.#tokens.length) {
      const larger = new Uint32Array(2 * this.#count);
      larger.set(this.#tokens);
      this.#tokens = larger;
    }
    this.#tokens[this.#count++] = number;
  }

  /** By word, in the order of UTF-16 units; of each the pages as they came. */
  *words(): IterableIterator<WordPages> {
    const { places, ends } = this.#sorted();
    const starts = Uint32Array.from([...this.#starts, this.#count]);
    let entries = new Uint32Array(1 << 12);
    for (const word of [...this.#numbers.keys()].sort()) {
      const number = this.#numbers.get(word)!;
      const from = number === 0 ? 0 : ends[number - 1]!;
      const to = ends[number]!;
      if (4 * (to - from) > entries.length) entries = new Uint32Array(8 * (to - from));
      let length = 0;
      let head = 0;
      let page = -1;
      let end = 0;
      for (let i = from; i < to; i++) {
        const token = places[i]!;
        if (token >= end) {
          page = pageOf(starts, token, page + 1);
          end = starts[page + 1]!;
          head = length;
          entries[length] = this.#pageIds[page]!;
          entries[length + 1] = 0;
          entries[length + 2] = 0;
          length += 3;
        }
        const place = token - starts[page]!;
        const isInTitle = place < this.#titleCounts[page]!;
        if (isInTitle) entries[head + 1]!++;
        entries[head + 2]!++;
        entries[length++] = isInTitle ? place : place + 1;
      }
      yield { word, entries: entries.subarray(0, length) };
    }
  }

  /** Places in the log by word, and where those of each word end. */
  #sorted(): { readonly places: Uint32Array; readonly ends: Uint32Array } {
    const ends = new Uint32Array(this.#numbers.size);
    const tokens = this.#tokens.subarray(0, this.#count);
    for (const number of tokens) ends[number]!++;
    for (let number = 0, sum = 0; number < ends.length; number++) {
      const count = ends[number]!;
      ends[number] = sum;
      sum += count;
    }
    const places = new Uint32Array(this.#count);
    for (let i = 0; i < tokens.length; i++) places[ends[tokens[i]!]!++] = i;
    return { places, ends };
  }

  clear(): void {
    this.#numbers.clear();
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

/** The page at or behind `from` in which a token lies: it is near where a word is frequent. */
function pageOf(starts: Uint32Array, token: number, from: number): number {
  let low = from;
  let step = 1;
  while (low + step < starts.length && starts[low + step]! <= token) {
    low += step;
    step *= 2;
  }
  let high = Math.min(low + step, starts.length - 1);
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (starts[middle]! <= token) low = middle;
    else high = middle;
  }
  return low;
}
