import type { PostingWriter } from './posting-writer.ts';
import { HEAD_VALUES, type WordPages } from './word-log.ts';

/** Entries of one word, whose pages ascend, from one array after the other. */
export class EntryRuns {
  /** Of the entry at hand; infinite behind the last. */
  page = Number.POSITIVE_INFINITY;
  readonly #arrays: Iterator<Uint32Array>;
  #entries: Uint32Array = new Uint32Array(0);
  #at = 0;

  constructor(arrays: Iterable<Uint32Array>) {
    this.#arrays = arrays[Symbol.iterator]();
    this.#toNext();
  }

  /** The entry at hand, and those behind it whose pages are below `limit`, as far as they stand together. */
  takeBelow(limit: number): Uint32Array {
    const entries = this.#entries;
    const from = this.#at;
    let to = from;
    do to += HEAD_VALUES + entries[to + 2]!;
    while (to < entries.length && entries[to]! < limit);
    this.#at = to;
    this.#toNext();
    return entries.subarray(from, to);
  }

  #toNext(): void {
    while (this.#at === this.#entries.length) {
      const { done, value } = this.#arrays.next();
      if (done === true) {
        this.page = Number.POSITIVE_INFINITY;
        return;
      }
      this.#entries = value;
      this.#at = 0;
    }
    this.page = this.#entries[this.#at]!;
  }
}

/** Words in their order, each with its pages from one run after the other. */
export class WordCursor {
  /** The word at hand; null behind the last. */
  word: string | null = null;
  readonly #source: Iterator<WordPages>;
  #entries: Uint32Array = new Uint32Array(0);

  constructor(words: Iterable<WordPages>) {
    this.#source = words[Symbol.iterator]();
    this.#next();
  }

  /** Passes the word at hand. */
  *take(): IterableIterator<Uint32Array> {
    for (const { word } = this; word !== null && this.word === word; ) {
      const entries = this.#entries;
      this.#next();
      yield entries;
    }
  }

  /** Passes the word at hand. */
  write(writer: PostingWriter): void {
    const word = this.word!;
    for (const entries of this.take()) writer.add({ word, entries });
  }

  #next(): void {
    const { done, value } = this.#source.next();
    this.word = done === true ? null : value.word;
    if (done !== true) this.#entries = value.entries;
  }
}
