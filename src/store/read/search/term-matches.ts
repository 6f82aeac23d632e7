import { firstNotBelow } from '../../../lib/sorted.ts';
import type { PagesOfWord } from '../../blobs/search-blobs.ts';
import type { Dictionary, KnownWord } from './dictionary.ts';
import type { PostingReader } from './posting-reader.ts';
import { TITLE_WEIGHT } from './score.ts';

/** What a page is to have: a word, or several in a row. */
export interface SearchTerm {
  /** As `searchWords` gives them; one at least. */
  readonly words: readonly string[];
  /** Words that begin with the last one stand for it, too. */
  readonly isPrefix: boolean;
  /** Of a single word: another that stands for it, too; null for none. */
  readonly instead: string | null;
}

/** Pages that have a term, and how often: a hit in the title counts as five. */
export interface TermMatches {
  /** Ascending. */
  readonly pages: Uint32Array;
  /** Of the term itself. */
  readonly own: Uint32Array;
  /** Of words that stand for it. */
  readonly others: Uint32Array;
}

/** Pages with words in a row, and how often. */
type Hits = Pick<TermMatches, 'pages' | 'own'>;

/** Places at which words in a row begin, of pages that have all of them. */
interface Starts {
  readonly pages: Uint32Array;
  /** By page, ascending. */
  readonly starts: readonly ArrayLike<number>[];
  /** Of each page the last place of the first word in its title; -1 where there is none. */
  readonly titleStarts: readonly number[];
}

export class TermMatcher {
  readonly #dictionary: Dictionary;
  readonly #postings: PostingReader;
  readonly #pageCount: number;

  constructor(dictionary: Dictionary, postings: PostingReader, pageCount: number) {
    this.#dictionary = dictionary;
    this.#postings = postings;
    this.#pageCount = pageCount;
  }

  /** Words of the index that stand for the last one of a term beside itself. */
  others({ words, isPrefix, instead }: SearchTerm): KnownWord[] {
    const word = words.at(-1)!;
    const longer = isPrefix ? [...this.#dictionary.from(word)].filter((known) => known.word !== word) : [];
    const other = instead === null ? null : this.#dictionary.find(instead);
    if (other !== null && !longer.some((known) => known.word === other.word)) longer.push(other);
    return longer;
  }

  /** Pages that are looked at for a term, about. */
  cost(term: SearchTerm): number {
    const counts = term.words.map((word) => this.#dictionary.find(word)?.pageCount ?? 0);
    const last = counts.pop()! + this.others(term).reduce((sum, { pageCount }) => sum + pageCount, 0);
    return Math.min(...counts, last);
  }

  /** Pages with a term, or those of `among` (ascending). */
  match(term: SearchTerm, among: Uint32Array | null): TermMatches {
    const own = this.#hits(term.words, among);
    const words = this.others(term);
    if (words.length === 0) return { ...own, others: new Uint32Array(own.pages.length) };
    const others = this.#othersHits(term.words.slice(0, -1), words, among);
    return among === null ? this.#anywhere(own, others) : this.#among(own, others, among);
  }

  /** Of each word behind those before, which are looked for once. */
  *#othersHits(before: readonly string[], words: readonly KnownWord[], among: Uint32Array | null) {
    const starts = before.length === 0 ? null : this.#starts(before, among);
    for (const known of words) {
      yield starts === null ? this.#word(known.word, among) : this.#hitsBehind(starts, before.length, known);
    }
  }

  #hits(words: readonly string[], among: Uint32Array | null): Hits {
    return words.length === 1 ? this.#word(words[0]!, among) : hitsAt(this.#starts(words, among));
  }

  #word(word: string, among: Uint32Array | null): Hits {
    const known = this.#dictionary.find(word);
    const found = known === null ? [] : [...this.#postings.parts(known, among)];
    const parts = among === null ? found : found.map((part) => partAmong(part, among));
    return { pages: joined(parts.map(({ pages }) => pages)), own: joined(parts.map(weighed)) };
  }

  /** Where words stand in a row. */
  #starts(words: readonly string[], among: Uint32Array | null): Starts {
    const known = words.map((word) => this.#dictionary.find(word));
    let candidates = among;
    // Rarest first, so that the others are looked for on few pages.
    for (const one of known.toSorted((a, b) => (a?.pageCount ?? 0) - (b?.pageCount ?? 0))) {
      candidates = one === null ? new Uint32Array(0) : this.#word(one.word, candidates).pages;
    }
    const pages = candidates!;
    if (pages.length === 0) return { pages, starts: [], titleStarts: [] };
    const [first, ...rest] = known as [KnownWord, ...KnownWord[]];
    const placed = this.#placesIn(first, pages);
    let starts: readonly ArrayLike<number>[] = placed.map(({ places }) => places);
    for (const [i, one] of rest.entries()) {
      const behind = this.#placesIn(one, pages);
      starts = starts.map((before, page) => startsBefore(before, behind[page]!.places, i + 1));
    }
    const titleStarts = placed.map(({ titleHits, places }) =>
      titleHits === 0 ? -1 : places[titleHits - 1]!,
    );
    return { pages, starts, titleStarts };
  }

  /** Of words in a row with another one behind them. */
  #hitsBehind({ pages, starts, titleStarts }: Starts, wordCount: number, known: KnownWord): Hits {
    const both = this.#word(known.word, pages).pages;
    const at = Array.from(both, (page) => firstNotBelow(pages, page));
    const behind = this.#placesIn(known, both);
    return hitsAt({
      pages: both,
      starts: at.map((i, page) => startsBefore(starts[i]!, behind[page]!.places, wordCount)),
      titleStarts: at.map((i) => titleStarts[i]!),
    });
  }

  /** Of each candidate, all of which have the word. */
  #placesIn(known: KnownWord, candidates: Uint32Array) {
    const found: { readonly titleHits: number; readonly places: Uint32Array }[] = [];
    for (const { pages, titleHits, places, ends } of this.#postings.placedParts(known, candidates)) {
      for (let i = 0; i < pages.length && found.length < candidates.length; i++) {
        if (pages[i] !== candidates[found.length]) continue;
        found.push({
          titleHits: titleHits[i]!,
          places: places.subarray(i === 0 ? 0 : ends[i - 1]!, ends[i]!),
        });
      }
    }
    return found;
  }

  /** Any page may have one of the words: counted in a table of all pages. */
  #anywhere(own: Hits, others: Iterable<Hits>) {
    const ownHits = new Uint32Array(this.#pageCount);
    const otherHits = new Uint32Array(this.#pageCount);
    for (let i = 0; i < own.pages.length; i++) ownHits[own.pages[i]!] = own.own[i]!;
    for (const { pages, own: hits } of others) {
      for (let i = 0; i < hits.length; i++) otherHits[pages[i]!]! += hits[i]!;
    }
    let count = 0;
    for (let page = 0; page < this.#pageCount; page++) if ((ownHits[page]! | otherHits[page]!) !== 0) count++;
    const pages = new Uint32Array(count);
    for (let page = 0, at = 0; at < count; page++) {
      if ((ownHits[page]! | otherHits[page]!) !== 0) pages[at++] = page;
    }
    return { pages, own: pages.map((page) => ownHits[page]!), others: pages.map((page) => otherHits[page]!) };
  }

  #among(own: Hits, others: Iterable<Hits>, among: Uint32Array): TermMatches {
    const ownHits = new Uint32Array(among.length);
    const otherHits = new Uint32Array(among.length);
    addHits(ownHits, own.pages, own.own, among);
    for (const { pages, own: hits } of others) addHits(otherHits, pages, hits, among);
    const has = (_: number, i: number) => (ownHits[i]! | otherHits[i]!) !== 0;
    return {
      pages: among.filter(has),
      own: ownHits.filter(has),
      others: otherHits.filter((_, i) => has(0, i)),
    };
  }
}

/** Adds the hits of pages that are among others, both ascending. */
function addHits(sums: Uint32Array, pages: Uint32Array, hits: Uint32Array, among: Uint32Array): void {
  for (let i = 0, at = 0; i < pages.length && at < among.length; ) {
    const page = pages[i]!;
    if (page < among[at]!) i++;
    else if (page > among[at]!) at++;
    else sums[at++]! += hits[i++]!;
  }
}

function partAmong({ pages, titleHits, textHits }: PagesOfWord, among: Uint32Array): PagesOfWord {
  const kept = new Uint32Array(Math.min(pages.length, among.length));
  let count = 0;
  let at = firstNotBelow(among, pages[0] ?? 0);
  for (let i = 0; i < pages.length && at < among.length; ) {
    if (pages[i]! < among[at]!) i++;
    else if (pages[i]! > among[at]!) at++;
    else {
      kept[count++] = i++;
      at++;
    }
  }
  const places = kept.subarray(0, count);
  const of = (values: Uint32Array) => places.map((i) => values[i]!);
  return { pages: of(pages), titleHits: of(titleHits), textHits: of(textHits) };
}

/** Of the pages that have a start at all. */
function hitsAt({ pages, starts, titleStarts }: Starts): Hits {
  const hits = starts.map((places, i) =>
    Array.from(places).reduce((sum, place) => sum + (place <= titleStarts[i]! ? TITLE_WEIGHT : 1), 0),
  );
  return {
    pages: pages.filter((_, i) => hits[i]! > 0),
    own: Uint32Array.from(hits.filter((count) => count > 0)),
  };
}

/** Starts of a phrase of which the word `offset` words behind stands at one of `places`; both ascend. */
function startsBefore(starts: ArrayLike<number>, places: Uint32Array, offset: number): number[] {
  const kept: number[] = [];
  let at = 0;
  for (let i = 0; i < starts.length; i++) {
    const start = starts[i]!;
    while (at < places.length && places[at]! < start + offset) at++;
    if (places[at] === start + offset) kept.push(start);
  }
  return kept;
}

function weighed({ titleHits, textHits }: PagesOfWord): Uint32Array {
  return textHits.map((hits, i) => hits + TITLE_WEIGHT * titleHits[i]!);
}

function joined(parts: readonly Uint32Array[]): Uint32Array {
  if (parts.length === 1) return parts[0]!;
  const all = new Uint32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
