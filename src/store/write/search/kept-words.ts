import { NONE } from '../../../lib/columns/indexes.ts';
import { everyPage, PART_PAGES } from '../../blobs/search-blobs.ts';
import type { KnownWord } from '../../read/search/dictionary.ts';
import type { Stretch } from '../../read/search/posting-reader.ts';
import type { SearchReader } from '../../read/search/search-reader.ts';
import { EntryRuns, WordCursor } from './entry-runs.ts';
import type { PostingWriter } from './posting-writer.ts';
import { HEAD_VALUES, type WordPages } from './word-log.ts';

/** Lengths are stored up to here. */
const CAPPED_LENGTH = 0xffff;

/**
 * What the search of another index says of pages that are as they were there, in place of their texts. The places of a word
 * stay packed where all its pages are kept and no other has it, and so do its pages where they have the ids that they had.
 *
 * Memory  4 bytes a page of that index, and 12 for each page of one word.
 */
export class KeptWords {
  readonly #search: SearchReader;
  /** By the id of a page there, its id here, or NONE. */
  readonly #ids: Uint32Array;

  constructor(search: SearchReader, pageCount: number) {
    this.#search = search;
    this.#ids = new Uint32Array(pageCount).fill(NONE);
  }

  /** Returns how many words the page has, or -1 where that is not known, so that it is not kept. Ids ascend, here as there. */
  keep(formerId: number, id: number): number {
    const length = this.#search.pages.length(formerId);
    if (length === CAPPED_LENGTH) return -1;
    this.#ids[formerId] = id;
    return length;
  }

  /** Writes all words in their order: those of the kept pages, and `more` of others. */
  writeWith(more: Iterable<WordPages>, writer: PostingWriter): void {
    const others = new WordCursor(more);
    for (const known of this.#words()) {
      while (others.word !== null && others.word < known.word) others.write(writer);
      const { word, pageCount } = known;
      const isAlone = others.word !== word;
      if (isAlone && pageCount <= PART_PAGES) {
        const posting = this.#search.postings.packed(known);
        if (everyPage(posting, pageCount, (page) => this.#ids[page] === page)) {
          writer.copy(word, pageCount, posting);
          continue;
        }
      }
      const stretches = [...this.#search.postings.stretches(known)];
      if (isAlone && this.#areKept(stretches)) {
        const kept = stretches.map(({ found, places }) => ({
          found: { ...found, pages: found.pages.map((page) => this.#ids[page]!) },
          places: places(),
        }));
        writer.keep(word, kept);
        continue;
      }
      const own = new EntryRuns(this.#entries(known, stretches));
      const added = new EntryRuns(isAlone ? [] : others.take());
      while (own.page !== added.page) {
        const [first, second] = own.page < added.page ? [own, added] : [added, own];
        writer.add({ word, entries: first.takeBelow(second.page) });
      }
    }
    while (others.word !== null) others.write(writer);
  }

  *#words(): IterableIterator<KnownWord> {
    for (const words of this.#search.dictionary.blocks()) yield* words;
  }

  #areKept(stretches: readonly Stretch[]): boolean {
    return stretches.every(({ found }) => found.pages.every((page) => this.#ids[page] !== NONE));
  }

  /** What a word says of the kept pages, as a log of words has it. */
  *#entries(known: KnownWord, stretches: readonly Stretch[]): IterableIterator<Uint32Array> {
    for (const stretch of stretches) {
      const { pages, titleHits, textHits, places, ends } = this.#search.postings.placed(known, stretch);
      const entries = new Uint32Array(HEAD_VALUES * pages.length + places.length);
      let size = 0;
      for (let i = 0, from = 0; i < pages.length; from = ends[i++]!) {
        const id = this.#ids[pages[i]!]!;
        if (id === NONE) continue;
        entries[size] = id;
        entries[size + 1] = titleHits[i]!;
        entries[size + 2] = titleHits[i]! + textHits[i]!;
        for (let at = from; at < ends[i]!; at++) entries[size + HEAD_VALUES + at - from] = places[at]!;
        size += HEAD_VALUES + ends[i]! - from;
      }
      yield entries.subarray(0, size);
    }
  }
}
