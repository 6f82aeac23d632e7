/** The pages that wait, as a search finds them: by words and phrases, weighed as those of the index. */

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
import { hostOf, siteOf } from '../../../url/site.ts';
import type { AskedWord, SearchCounts } from '../read-table.ts';
import type { PageWords } from './pending-page.ts';
import type { Segment, SegmentPage } from './segment.ts';

/** Of a term: by place in the segment how often a page has it, a hit in the title counted as five. */
interface TermHits {
  readonly own: ReadonlyMap<number, number>;
  /** Of words that stand for it. */
  readonly others: ReadonlyMap<number, number>;
}

const NONE: ReadonlyMap<number, number> = new Map();

/** Reads the words of pages when the next search comes. Memory  some 100 bytes a word of a page. */
export class SegmentSearch {
  readonly #segment: Segment;
  /** Word to places of pages, and which of the words of the page it is. */
  readonly #postings = new Map<string, Map<number, number>>();
  readonly #read: (PageWords | null)[] = [];
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
        pageCount: this.#postings.get(word)?.size ?? 0,
        longerPageCount: isPrefix
          ? this.#longer(word).reduce((sum, one) => sum + this.#postings.get(one)!.size, 0)
          : 0,
        ...(withSimilar ? this.#similar(word) : { similar: [], typos: 0 }),
      })),
    };
  }

  /** Words that begin so, with the pages that have them. */
  from(start: string): CountedWord[] {
    this.#catchUp();
    return Array.from(this.#postings, ([word, pages]) => ({ word, pageCount: pages.size })).filter(
      ({ word }) => word.startsWith(start),
    );
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
      const share = lengthShare(this.#read[place]!.length, averageLength);
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
      const value = name === 'site' ? siteOf(url) : said!.lang;
      counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    return [...counts];
  }

  #longer(start: string): string[] {
    return [...this.#postings.keys()].filter((word) => word !== start && word.startsWith(start));
  }

  /** As `Dictionary.similar`. */
  #similar(word: string): { readonly similar: CountedWord[]; readonly typos: number } {
    let typos = mostTypos(word);
    let similar: CountedWord[] = [];
    if (typos === 0) return { similar, typos };
    const meter = new TypoMeter(word, typos);
    for (const [candidate, { size }] of this.#postings) {
      const { distance } = meter.measure(candidate);
      if (distance > typos || distance === 0 || mostTypos(candidate) === 0) continue;
      if (distance < typos) similar = [];
      typos = distance;
      similar.push({ word: candidate, pageCount: size });
    }
    return { similar, typos };
  }

  #hits({ words, isPrefix, instead }: SearchTerm): TermHits {
    const [word] = words as [string];
    const others = new Set(isPrefix ? this.#longer(word) : []);
    if (instead !== null) others.add(instead);
    const sums = new Map<number, number>();
    for (const other of others) {
      for (const [place, hits] of this.#wordHits(other)) sums.set(place, (sums.get(place) ?? 0) + hits);
    }
    return { own: words.length === 1 ? this.#wordHits(word) : this.#phraseHits(words), others: sums };
  }

  #wordHits(word: string): ReadonlyMap<number, number> {
    const posting = this.#postings.get(word);
    if (posting === undefined) return NONE;
    return new Map(
      Array.from(posting, ([place, at]) => {
        const { ends, titleHits } = this.#read[place]!;
        const hits = ends[at]! - (at === 0 ? 0 : ends[at - 1]!);
        return [place, hits + (TITLE_WEIGHT - 1) * titleHits[at]!];
      }),
    );
  }

  #phraseHits(words: readonly string[]): ReadonlyMap<number, number> {
    const found = new Map<number, number>();
    const postings = words.map((word) => this.#postings.get(word));
    for (const [place, at] of postings[0] ?? []) {
      if (!postings.every((posting) => posting?.has(place))) continue;
      const page = this.#read[place]!;
      const rest = postings.slice(1).map((posting) => new Set(placesOf(page, posting!.get(place)!)));
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
      const words = said?.words ?? null;
      const before = this.#read[place] ?? null;
      if (words === before) continue;
      if (before !== null) this.#count(before, -1, (word) => this.#remove(word, place));
      if (words !== null) this.#count(words, 1, (word, at) => this.#add(word, place, at));
      this.#read[place] = words;
    }
  }

  #count(page: PageWords, sign: 1 | -1, each: (word: string, at: number) => void): void {
    this.#pageCount += sign;
    this.#wordCount += sign * page.length;
    if (page.ends.length > 0) Buffer.from(page.text).toString('utf8').split(' ').forEach(each);
  }

  #add(word: string, place: number, at: number): void {
    const posting = this.#postings.get(word);
    if (posting === undefined) this.#postings.set(word, new Map([[place, at]]));
    else posting.set(place, at);
  }

  #remove(word: string, place: number): void {
    const posting = this.#postings.get(word)!;
    posting.delete(place);
    if (posting.size === 0) this.#postings.delete(word);
  }
}

function placesOf({ ends, places }: PageWords, at: number): Uint32Array {
  return places.subarray(at === 0 ? 0 : ends[at - 1]!, ends[at]!);
}

function isWanted({ url, said }: SegmentPage, { site, lang, hosts, fields }: SearchOrder): boolean {
  if (site !== null && siteOf(url) !== site) return false;
  if (lang !== null && said!.lang !== lang) return false;
  if (!fields.every(({ name, tests }) => passes(said!.fields, name, tests))) return false;
  const host = hostOf(url);
  return hosts.length === 0 || hosts.some((one) => host === one || host.endsWith(`.${one}`));
}
