/** The pages that wait, as a search finds them: by words and phrases, weighed as those of the index. */

import { numberIn } from '../../../lib/kept.ts';
import { NumberLists } from '../../../lib/keys/number-lists.ts';
import { passes } from '../../../page/fields/field-condition.ts';
import { lengthShare, TITLE_WEIGHT, termScore } from '../../../store/read/search/score.ts';
import type {
  CountedWord,
  Facet,
  SearchOrder,
  SearchResult,
} from '../../../store/read/search/search-reader.ts';
import type { SearchTerm } from '../../../store/read/search/term-matches.ts';
import { mostTypos, TypoMeter } from '../../../text/search/typos.ts';
import { hostOf, isAtHosts, siteOf } from '../../../url/site.ts';
import type { AskedWord, SearchCounts } from '../read-table.ts';
import type { PageSaid, PageWords } from './page-said.ts';
import type { Segment, SegmentPage } from './segment.ts';

/** Of a term: by place in the segment how often a page has it, a hit in the title counted as five. */
interface TermHits {
  readonly own: ReadonlyMap<number, number>;
  /** Of words that stand for it. */
  readonly others: ReadonlyMap<number, number>;
}

const NONE: ReadonlyMap<number, number> = new Map();

/** Reads the words of pages when the next search comes. Memory  some 12 bytes a word of a page. */
export class SegmentSearch {
  readonly #segment: Segment;
  /** Words that were met, and their numbers. */
  readonly #words = new Map<string, number>();
  /** By number of a word: the place of a page, and which of its words it is; in any order. */
  readonly #postings = new NumberLists(2);
  readonly #read: (PageSaid | null)[] = [];
  #wordCount = 0;
  #pageCount = 0;

  constructor(segment: Segment) {
    this.#segment = segment;
  }

  counts(words: readonly AskedWord[]): SearchCounts {
    this.#catchUp();
    return {
      pageCount: this.#pageCount,
      wordCount: this.#wordCount,
      words: words.map(({ word, isPrefix, withSimilar }) => ({
        pageCount: this.#countOf(word),
        longerPageCount: isPrefix ? this.#longer(word).reduce((sum, one) => sum + this.#countOf(one), 0) : 0,
        ...(withSimilar ? this.#similar(word) : { similar: [], typos: 0 }),
      })),
    };
  }

  /** Words that begin so. */
  from(start: string): string[] {
    this.#catchUp();
    return [...this.#words.keys()].filter((word) => word.startsWith(start) && this.#countOf(word) > 0);
  }

  find(order: SearchOrder): SearchResult {
    this.#catchUp();
    const { terms, unwanted, averageLength, limit, facets } = order;
    const hits = terms.map((term) => this.#hits(term));
    const without = unwanted.map((term) => this.#hits(term));
    const has = ({ own, others }: TermHits, place: number) => own.has(place) || others.has(place);
    const [first, ...more] = hits as [TermHits, ...TermHits[]];
    const found = [...new Set([...first.own.keys(), ...first.others.keys()])].filter(
      (place) =>
        more.every((one) => has(one, place)) &&
        !without.some((one) => has(one, place)) &&
        isWanted(this.#segment.pages[place]!, order),
    );
    const pages = found.map((place) => {
      const share = lengthShare(this.#wordsOf(place).length, averageLength);
      const score = hits.reduce(
        (sum, { own, others }, i) =>
          sum + termScore(terms[i]!, own.get(place) ?? 0, others.get(place) ?? 0, share),
        0,
      );
      return { pageId: this.#segment.pages[place]!.id, score };
    });
    return {
      pages: pages.sort((a, b) => b.score - a.score || a.pageId - b.pageId).slice(0, limit),
      total: found.length,
      facets: Object.fromEntries(facets.map((name) => [name, this.#facet(name, found)])),
    };
  }

  #facet(name: Facet, places: readonly number[]): [string | null, number][] {
    const counts = new Map<string | null, number>();
    for (const place of places) {
      const { url, said } = this.#segment.pages[place]!;
      const value = name === 'site' ? siteOf(url) : said!.facts.lang;
      counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    return [...counts];
  }

  #longer(start: string): string[] {
    return this.from(start).filter((word) => word !== start);
  }

  /** As `Dictionary.similar`. */
  #similar(word: string): { readonly similar: CountedWord[]; readonly typos: number } {
    let typos = mostTypos(word);
    let similar: CountedWord[] = [];
    if (typos === 0) return { similar, typos };
    const meter = new TypoMeter(word, typos);
    for (const candidate of this.#words.keys()) {
      const { distance } = meter.measure(candidate);
      const isOther = distance <= typos && distance > 0 && mostTypos(candidate) > 0;
      if (!isOther || this.#countOf(candidate) === 0) continue;
      if (distance < typos) similar = [];
      typos = distance;
      similar.push({ word: candidate, pageCount: this.#countOf(candidate) });
    }
    return { similar, typos };
  }

  #hits({ words, isPrefix, instead }: SearchTerm): TermHits {
    const others = new Set(isPrefix ? this.#longer(words.at(-1)!) : []);
    if (instead !== null) others.add(instead);
    const sums = new Map<number, number>();
    for (const other of others) {
      for (const [place, hits] of this.#hitsOf([...words.slice(0, -1), other]))
        sums.set(place, (sums.get(place) ?? 0) + hits);
    }
    return { own: this.#hitsOf(words), others: sums };
  }

  #hitsOf(words: readonly string[]): ReadonlyMap<number, number> {
    return words.length === 1 ? this.#wordHits(words[0]!) : this.#phraseHits(words);
  }

  #wordHits(word: string): ReadonlyMap<number, number> {
    if (this.#countOf(word) === 0) return NONE;
    return new Map(
      this.#entriesOf(word).map(([place, at]) => {
        const { ends, titleHits } = this.#wordsOf(place);
        const hits = ends[at]! - (at === 0 ? 0 : ends[at - 1]!);
        return [place, hits + (TITLE_WEIGHT - 1) * titleHits[at]!];
      }),
    );
  }

  #phraseHits(words: readonly string[]): ReadonlyMap<number, number> {
    const found = new Map<number, number>();
    const postings = words.map((word) => new Map(this.#entriesOf(word)));
    for (const [place, at] of postings[0]!) {
      if (!postings.every((posting) => posting.has(place))) continue;
      const page = this.#wordsOf(place);
      const rest = postings.slice(1).map((posting) => new Set(placesOf(page, posting.get(place)!)));
      const starts = placesOf(page, at);
      const titleEnd = starts[page.titleHits[at]! - 1] ?? -1;
      let hits = 0;
      for (const start of starts) {
        if (!rest.every((places, i) => places.has(start + i + 1))) continue;
        hits += start <= titleEnd ? TITLE_WEIGHT : 1;
      }
      if (hits > 0) found.set(place, hits);
    }
    return found;
  }

  #catchUp(): void {
    for (const { place, said } of this.#segment.pages) {
      const before = this.#read[place] ?? null;
      if (said === before) continue;
      if (before !== null)
        this.#count(before, -1, (word) => this.#postings.remove(this.#words.get(word)!, place));
      if (said !== null)
        this.#count(said, 1, (word, at) => this.#postings.add(numberIn(this.#words, word), place, at));
      this.#read[place] = said;
    }
  }

  #count(page: PageSaid, sign: 1 | -1, each: (word: string, at: number) => void): void {
    const { text, ends, length } = page.words!;
    this.#pageCount += sign;
    this.#wordCount += sign * length;
    if (ends.length > 0) Buffer.from(text).toString('utf8').split(' ').forEach(each);
  }

  #wordsOf(place: number): PageWords {
    return this.#read[place]!.words!;
  }

  #countOf(word: string): number {
    const number = this.#words.get(word);
    return number === undefined ? 0 : this.#postings.count(number);
  }

  #entriesOf(word: string): [place: number, at: number][] {
    const number = this.#words.get(word);
    if (number === undefined) return [];
    const list = this.#postings.find(number);
    const { pool } = this.#postings;
    const start = this.#postings.start(list);
    return Array.from({ length: this.#postings.count(number) }, (_, i) => [
      pool[start + 2 * i]!,
      pool[start + 2 * i + 1]!,
    ]);
  }
}

function placesOf({ ends, places }: PageWords, at: number): Uint32Array {
  return places.subarray(at === 0 ? 0 : ends[at - 1]!, ends[at]!);
}

function isWanted(
  { url, said }: SegmentPage,
  { site, lang, hosts, unwantedHosts, fields }: SearchOrder,
): boolean {
  if (site !== null && siteOf(url) !== site) return false;
  if (lang !== null && said!.facts.lang !== lang) return false;
  if (!fields.every(({ name, tests }) => passes(said!.facts.fields, name, tests))) return false;
  return isAtHosts(hostOf(url), hosts, unwantedHosts);
}
