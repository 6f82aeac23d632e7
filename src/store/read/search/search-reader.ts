import { BoundedHeap } from '../../../lib/bounded-heap.ts';
import type { FieldTest } from '../../../page/fields/field-condition.ts';
import { hostOf, isAtHosts } from '../../../url/site.ts';
import type { IndexFile } from '../../index-file.ts';
import type { FoundPage } from '../../records.ts';
import { rowShape } from '../../stored-values.ts';
import type { FieldReader } from '../field-reader.ts';
import { Dictionary } from './dictionary.ts';
import { PostingReader } from './posting-reader.ts';
import { lengthShare, termScore, UNREAD_SHARE } from './score.ts';
import { SearchedPages } from './searched-pages.ts';
import { type SearchTerm, TermMatcher, type TermMatches } from './term-matches.ts';

/** A search takes what it takes. */
const ON_A_THREAD = { spend: () => {} };
const TOTAL_ROW = rowShape<SearchTotal>('search_total', { pageCount: 'count', wordCount: 'count' });

const SEARCH_TABLES = ['search_page', 'search_word', 'search_posting', 'search_part'];

/** Of all that is searched. */
export interface SearchTotal {
  readonly pageCount: number;
  /** Of titles and texts. */
  readonly wordCount: number;
}

/** How many pages have a word, and which words could be meant by it. */
export interface WordCounts {
  readonly pageCount: number;
  /** Sum over the words that begin with it, itself left out; 0 where those are not asked for. */
  readonly longerPageCount: number;
  /** Those with the fewest typos in comparison, all with as many; empty where they are not asked for. */
  readonly similar: readonly CountedWord[];
  readonly typos: number;
}

export interface CountedWord {
  readonly word: string;
  readonly pageCount: number;
}

/** A term with what it says of a page that has it; each comes from the figures of all that is searched. */
export interface WeighedTerm extends SearchTerm {
  readonly weight: number;
  /** Of a page that has only words which stand for it. */
  readonly otherWeight: number;
}

export const FACETS = ['site', 'lang'] as const;
export type Facet = (typeof FACETS)[number];

export interface SearchOrder {
  /** All of which a page is to have; one at least. */
  readonly terms: readonly WeighedTerm[];
  /** None of which it is to have. */
  readonly unwanted: readonly SearchTerm[];
  /** Words of a page, on average over all that is searched. */
  readonly averageLength: number;
  readonly limit: number;
  readonly site: string | null;
  /** Host names, those of their subdomains included. */
  readonly hosts: readonly string[];
  /** As `hosts`: none of these. */
  readonly unwantedHosts: readonly string[];
  readonly lang: string | null;
  /** Fields of each of which a page has a value that passes. */
  readonly fields: readonly { readonly name: string; readonly tests: readonly FieldTest[] }[];
  readonly facets: readonly Facet[];
}

export interface SearchResult {
  /** Best first, ties by id. */
  readonly pages: readonly FoundPage[];
  /** Pages that match. */
  readonly total: number;
  /** Of each facet that was asked for, its values (null for no language) and how many of the pages have each. */
  readonly facets: {
    readonly [Name in Facet]?: readonly (readonly [value: string | null, pageCount: number])[];
  };
}

/** Finds pages of one open index by the words of their titles and texts. */
export class SearchReader {
  /** Whether the index was built with search; without it nothing is found. */
  readonly isKept: boolean;
  readonly pages: SearchedPages;
  readonly dictionary: Dictionary;
  readonly postings: PostingReader;
  readonly #file: IndexFile;
  readonly #matcher: TermMatcher;
  readonly #fields: FieldReader;
  #total: SearchTotal | undefined;

  constructor(file: IndexFile, fields: FieldReader) {
    this.#file = file;
    this.#fields = fields;
    this.isKept = file.rowCount('search_total') > 0;
    this.pages = new SearchedPages(file);
    this.dictionary = new Dictionary(file);
    this.postings = new PostingReader(file, this.pages);
    this.#matcher = new TermMatcher(this.dictionary, this.postings, file.pageCount);
  }

  /** Whether all that leads from words to pages is what was written. It is read whole: 60 ms for 20,000 pages of a crawl. */
  isAsWritten(): boolean {
    return SEARCH_TABLES.every((table) => this.#file.isAsWritten(table));
  }

  total(): SearchTotal {
    return (this.#total ??= this.#file.get(TOTAL_ROW, '') ?? { pageCount: 0, wordCount: 0 });
  }

  /** Of a word as `searchWords` gives it. */
  counts(word: string, isPrefix: boolean, withSimilar: boolean): WordCounts {
    const longer = isPrefix ? this.#matcher.others({ words: [word], isPrefix, instead: null }) : [];
    const { typos, words } = withSimilar ? this.dictionary.similar(word) : { typos: 0, words: [] };
    return {
      pageCount: this.dictionary.find(word)?.pageCount ?? 0,
      longerPageCount: longer.reduce((sum, { pageCount }) => sum + pageCount, 0),
      similar: words.map(counted),
      typos,
    };
  }

  /** The most frequent of the words that begin with `start`, ties in the order of words. */
  frequent(start: string, limit: number): CountedWord[] {
    const found = Array.from(this.dictionary.from(start), counted);
    return found.sort((a, b) => b.pageCount - a.pageCount).slice(0, limit);
  }

  /**
   * Pages by BM25: of each term, in the order of the question, its weight by how often the page has it. One that is known by links
   * alone counts half. Hidden ones are left out.
   *
   * Cost    20 ns for each page of the rarest term, and of another for each of 4,096 pages among which one of these is.
   */
  find(order: SearchOrder, isHidden: ((pageId: number) => boolean) | null = null): SearchResult {
    const { terms, averageLength, limit } = order;
    const { pages, hits } = this.#matches(order, isHidden);
    const best = new BoundedHeap(Math.min(limit, pages.length));
    for (let i = 0; i < pages.length; i++) {
      const share = lengthShare(this.pages.length(pages[i]!), averageLength);
      let score = 0;
      for (let term = 0; term < terms.length; term++) {
        score += termScore(terms[term]!, hits[term]!.own[i]!, hits[term]!.others[i]!, share);
      }
      // One look-up for each page that may be among the best, not for all.
      if (score >= best.bound(0) && !this.pages.isRead(pages[i]!)) score *= UNREAD_SHARE;
      best.offer(score, pages[i]!, 0);
    }
    best.sort();
    const found = Array.from(best.ids.subarray(0, best.size), (pageId, i) => ({
      pageId,
      score: best.scores[i]!,
    }));
    return { pages: found, total: pages.length, facets: this.#facets(pages, order.facets) };
  }

  /** Pages that match, and of each term how often they have it. */
  #matches(
    order: SearchOrder,
    isHidden: ((pageId: number) => boolean) | null,
  ): { readonly pages: Uint32Array; readonly hits: readonly Hits[] } {
    const { terms } = order;
    const hits: Hits[] = [];
    let pages: Uint32Array | null = null;
    const costs = terms.map((term) => this.#matcher.cost(term));
    const rarestFirst = [...terms.keys()].sort((a, b) => costs[a]! - costs[b]!);
    for (const [step, term] of rarestFirst.entries()) {
      const found: TermMatches = this.#matcher.match(terms[term]!, pages);
      const before: Uint32Array | null = pages;
      const done = rarestFirst.slice(0, step);
      if (before !== null) for (const one of done) hits[one] = hitsAmong(hits[one]!, before, found.pages);
      hits[term] = found;
      pages = step === 0 ? this.#accepted(found.pages, order, isHidden) : found.pages;
      if (pages.length === found.pages.length) continue;
      hits[term] = hitsAmong(found, found.pages, pages);
    }
    for (const term of order.unwanted) {
      const before: Uint32Array = pages!;
      const without = new Set(this.#matcher.match(term, before).pages);
      if (without.size === 0) continue;
      pages = before.filter((page) => !without.has(page));
      for (const one of hits.keys()) hits[one] = hitsAmong(hits[one]!, before, pages);
    }
    return { pages: pages!, hits };
  }

  /** Those that the filters let pass. */
  #accepted(
    pages: Uint32Array,
    { site, lang, hosts, unwantedHosts, fields }: SearchOrder,
    isHidden: ((pageId: number) => boolean) | null,
  ): Uint32Array {
    let kept = isHidden === null ? pages : pages.filter((page) => !isHidden(page));
    if (site !== null) {
      const id = this.#file.value<number>('SELECT id FROM site WHERE name = ?', site) ?? -1;
      kept = kept.filter((page) => this.pages.siteId(page) === id);
    }
    if (lang !== null) {
      const number = this.pages.numberOfLang(lang);
      kept = kept.filter((page) => this.pages.langNumber(page) === number);
    }
    for (const { name, tests } of fields) {
      const has = this.#fields.test(name, tests, ON_A_THREAD);
      kept = kept.filter(has);
    }
    if (hosts.length + unwantedHosts.length === 0) return kept;
    return kept.filter((page) => {
      const url = this.#file.value<string>('SELECT url FROM page WHERE id = ?', page) ?? '';
      return isAtHosts(hostOf(url), hosts, unwantedHosts);
    });
  }

  #facets(pages: Uint32Array, asked: readonly Facet[]): SearchResult['facets'] {
    const numberOf = {
      site: (page: number) => this.pages.siteId(page),
      lang: (page: number) => this.pages.langNumber(page),
    };
    const nameOf = {
      site: (id: number) => this.#file.value<string>('SELECT name FROM site WHERE id = ?', id) ?? null,
      lang: (number: number) => this.pages.lang(number),
    };
    return Object.fromEntries(
      asked.map((name) => {
        const counts = new Map<number, number>();
        for (const page of pages) {
          const number = numberOf[name](page);
          counts.set(number, (counts.get(number) ?? 0) + 1);
        }
        return [name, Array.from(counts, ([number, count]) => [nameOf[name](number), count] as const)];
      }),
    );
  }
}

type Hits = Pick<TermMatches, 'own' | 'others'>;

/** Of those of `before` that are in `after`, both ascending. */
function hitsAmong({ own, others }: Hits, before: Uint32Array, after: Uint32Array): Hits {
  if (before.length === after.length) return { own, others };
  const kept = new Uint32Array(after.length);
  for (let i = 0, at = 0; at < after.length; i++) if (before[i] === after[at]) kept[at++] = i;
  return { own: kept.map((i) => own[i]!), others: kept.map((i) => others[i]!) };
}

function counted({ word, pageCount }: CountedWord): CountedWord {
  return { word, pageCount };
}
