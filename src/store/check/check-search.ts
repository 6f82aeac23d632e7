import { hash64 } from '../../lib/hash.ts';
import { searchWords } from '../../text/search/search-words.ts';
import type { IndexReader } from '../read/reader.ts';
import type { KnownWord } from '../read/search/dictionary.ts';
import type { Faults } from './relation/check-relation.ts';

/** Lengths are stored up to here. */
const MAX_LENGTH = 0xffff;
/** Odd, so that a place times a word tells places apart. */
const FACTOR = 0x9e3779b1;

const lanes = new Uint32Array(2);

/**
 * The search has the words of every page that is there, each at its place, and no other. Words with their places are
 * summed up by page from the postings, and again from the texts.
 *
 * Memory  16 bytes a page.   Cost  200 ns a word of a text.
 */
export function checkSearch(reader: IndexReader, faults: Faults): void {
  const rows = [...reader.file.tuples<number[]>('SELECT page_count, word_count FROM search_total')];
  const isWanted = reader.card().parameters['search'] === true;
  if (rows.length !== (isWanted ? 1 : 0)) faults.push(`search_total has ${rows.length} rows`);
  if (!isWanted) return;
  const expected = new PageSums(reader.pageCount);
  const totals = { pages: 0, words: 0 };
  for (let id = 0; id < reader.pageCount; id++) {
    const isSearched = id < reader.ownPageCount && !reader.isGone(id);
    const length = isSearched ? addText(expected, reader, id) : 0;
    if (isSearched) totals.pages++;
    totals.words += length;
    checkPage(reader, id, isSearched, length, faults);
  }
  const [pages, words] = rows[0] ?? [];
  if (pages !== totals.pages || words !== totals.words) {
    faults.push(`${pages} pages of ${words} words are counted, there are ${totals.pages} of ${totals.words}`);
  }
  // Without the lengths of pages no place can be read.
  if (faults.length > 0) return;
  const found = sumsOfPostings(reader, faults);
  for (let id = 0; id < reader.pageCount; id++) {
    if (!found.equals(expected, id)) faults.push(`page ${id} is found by other words than it has`);
  }
}

function checkPage(
  reader: IndexReader,
  id: number,
  isSearched: boolean,
  length: number,
  faults: Faults,
): void {
  const { pages } = reader.search;
  if (pages.length(id) !== Math.min(length, MAX_LENGTH))
    faults.push(`page ${id} has not ${pages.length(id)} words`);
  if (!isSearched) return;
  const { siteId, lang } = reader.page(id);
  if (pages.siteId(id) !== siteId) faults.push(`page ${id} is not of site ${pages.siteId(id)}`);
  const stored = pages.lang(pages.langNumber(id));
  if (stored !== lang) faults.push(`page ${id} is not in the language ${stored}`);
}

/** Places count from the title, the text one behind it. Returns how many words there are. */
function addText(sums: PageSums, reader: IndexReader, id: number): number {
  const version = reader.versions.current(id);
  const text = version < 0 ? '' : (reader.versions.text(version)?.text ?? '');
  const title = searchWords(reader.page(id).fullTitle);
  for (const [place, { word }] of title.entries()) sums.add(id, word, place, true);
  const words = searchWords(text);
  for (const [i, { word }] of words.entries()) sums.add(id, word, title.length + 1 + i, false);
  return title.length + words.length;
}

function sumsOfPostings(reader: IndexReader, faults: Faults): PageSums {
  const sums = new PageSums(reader.pageCount);
  let before = '';
  for (const words of reader.search.dictionary.blocks()) {
    for (const known of words) {
      if (known.word <= before) faults.push(`the word "${known.word}" is out of order`);
      before = known.word;
      const count = addPostings(sums, reader, known);
      if (count !== known.pageCount)
        faults.push(`"${known.word}" is on ${count} pages, not on ${known.pageCount}`);
    }
  }
  return sums;
}

/** Returns on how many pages the word is. */
function addPostings(sums: PageSums, reader: IndexReader, known: KnownWord): number {
  let count = 0;
  for (const { pages, titleHits, places, ends } of reader.search.postings.placedParts(known)) {
    let at = 0;
    for (let i = 0; i < pages.length; i++) {
      const titleEnd = at + titleHits[i]!;
      for (; at < ends[i]!; at++) sums.add(pages[i]!, known.word, places[at]!, at < titleEnd);
    }
    count += pages.length;
  }
  return count;
}

/** Of each page two sums over its words, their places and fields: equal for equal words by accident once in 2^64. */
class PageSums {
  readonly #first: Uint32Array;
  readonly #second: Uint32Array;

  constructor(pageCount: number) {
    this.#first = new Uint32Array(pageCount);
    this.#second = new Uint32Array(pageCount);
  }

  add(page: number, word: string, place: number, isInTitle: boolean): void {
    hash64(word, lanes);
    const mixed = Math.imul(2 * place + (isInTitle ? 1 : 2), FACTOR);
    this.#first[page]! += Math.imul(lanes[0]! ^ mixed, FACTOR);
    this.#second[page]! += Math.imul(lanes[1]! + mixed, FACTOR | 2);
  }

  equals(other: PageSums, page: number): boolean {
    return this.#first[page] === other.#first[page] && this.#second[page] === other.#second[page];
  }
}
