/** The body of GET /search, made on a thread: a word of every other page is weighed in each of them. */

import { COPY } from '../../../relations/copy.ts';
import type { SearchFilter } from '../../../store/read/search-reader.ts';
import { hostOf, siteOf } from '../../../url/site.ts';
import type { Generation } from '../../held/generation.ts';
import { checkedUrl } from '../../held/stored-catalog.ts';
import { Problem, parameterProblem } from '../../http/problem.ts';
import { makeCursor } from '../../http/request-key.ts';
import type { SearchQuery } from '../../schemas/parameters.ts';
import type { SearchAnswer, SearchResultAnswer } from '../../schemas/search-answers.ts';
import { type CopySource, copySource, templateOf } from '../copies/copy-source.ts';
import { NearCopies, NearCopySource } from '../copies/near-copies.ts';
import { cardFields } from '../pages/card-fields.ts';
import { parseSearch, type SearchWords } from './search-words.ts';
import { searchedPart, snippetOf } from './snippet.ts';
import { templateRanges } from './template-ranges.ts';

/** Results that can be paged to. */
const MAX_RESULTS = 1000;
/** Pages from which they are folded. */
const MAX_FOLDED = 4 * MAX_RESULTS;
/** Pages that are weighed for one query: 70 ms of them. */
const MAX_WEIGHED = 20_000;

/** Of these at least, copies are counted, however short the list: reading the wording of all takes longer than the search. */
const LEAST_FOLDED = 200;

/** A search as it was asked, its place in the list found. */
export interface SearchJob {
  readonly query: SearchQuery;
  readonly offset: number;
  readonly hash: string;
}

interface Hit {
  readonly pageId: number;
  copies: number;
}

/** Errors  Problem `invalid-parameters` where there is no word to look for. */
export function readSearch({ q, site }: SearchQuery): SearchWords {
  const words = parseSearch(q);
  if (words.match === null) {
    throw parameterProblem('q', 'has no word to look for', q, 'words, "phrases", -word, site:host');
  }
  if (site === undefined) return words;
  const { hosts } = parseSearch(`site:${site}`);
  if (hosts.length === 0) throw parameterProblem('site', 'must be a host name', site, 'such as example.org');
  return { ...words, hosts: [...hosts] };
}

/** Errors  Problem `search-not-in-index`. */
export function requireSearch({ reader }: Generation): void {
  if (reader.search.isKept) return;
  throw new Problem('search-not-in-index', 'this index was built without full-text search');
}

export function searchAnswer(generation: Generation, { query, offset, hash }: SearchJob): string {
  const words = readSearch(query);
  const copies = generation.holds(COPY.name) ? copySource(generation) : null;
  const end = offset + query.limit;
  const { hits, total, complete } = findHits(generation, words, query, end);
  const answer: SearchAnswer = {
    query: query.q,
    generation: generation.id,
    total,
    complete,
    results: hits.slice(offset, end).map((hit) => resultOf(generation, copies, hit, words)),
    next: hits.length > end ? makeCursor(generation.id, hash, end) : null,
  };
  return JSON.stringify(answer);
}

/** More than `end` of them where there are so many, up to `MAX_RESULTS`; more pages are read where many are folded. */
function findHits(generation: Generation, words: SearchWords, query: SearchQuery, end: number) {
  const found = (most: number) => {
    const { pageIds, ...figures } = findPages(generation, words, query, most);
    const hits = query.group === 'copies' ? withoutCopies(generation, pageIds, end) : pageIds.map(hitOf);
    return { ...figures, isAll: pageIds.length < most, hits: hits.slice(0, MAX_RESULTS) };
  };
  const first = found(MAX_RESULTS);
  const isEnough = first.isAll || first.hits.length > end || first.hits.length === MAX_RESULTS;
  return isEnough ? first : found(MAX_FOLDED);
}

/** At most `most` of the pages that have the words. */
function findPages({ reader }: Generation, words: SearchWords, { lang }: SearchQuery, most: number) {
  const filter = filterOf(words, lang, (site) => reader.findSite(site));
  if (filter === null) return { pageIds: [], total: 0, complete: true };
  const { pages, total } = reader.search.find(words.match!, most, MAX_WEIGHED, filter);
  const complete = total < MAX_WEIGHED;
  if (complete) return { pageIds: pages.map(({ pageId }) => pageId), total, complete };
  // Of words that are nearly everywhere the pages come first that are about them.
  const titled = reader.search.find(words.titleMatch!, most, MAX_WEIGHED, filter);
  const pageIds = new Set([...titled.pages, ...pages].map(({ pageId }) => pageId));
  return { pageIds: [...pageIds].slice(0, most), total, complete };
}

/** Null where no page can pass. */
function filterOf(
  { hosts }: SearchWords,
  lang: string | undefined,
  findSite: (site: string) => number,
): SearchFilter | null {
  const filter: SearchFilter = lang === undefined ? {} : { lang };
  if (hosts.length === 0) return filter;
  const sites = new Set(hosts.map((host) => siteOf(`http://${host}/`)));
  if (sites.size > 1) return { ...filter, hosts };
  const [site] = sites;
  const siteId = findSite(site!);
  if (siteId < 0) return null;
  return { ...filter, siteId, ...(hosts.some((host) => host === site) ? {} : { hosts }) };
}

function hitOf(pageId: number): Hit {
  return { pageId, copies: 0 };
}

/** The first hits, more than `end` of them where there are so many. Near copies of a page before them are counted there. */
function withoutCopies(generation: Generation, pageIds: readonly number[], end: number): Hit[] {
  const before = new NearCopies(new NearCopySource(generation));
  if (generation.readsAhead) for (const pageId of pageIds.slice(0, LEAST_FOLDED)) before.readAhead(pageId);
  const hits = new Map<number, Hit>();
  for (const [rank, pageId] of pageIds.entries()) {
    if (rank >= LEAST_FOLDED && hits.size > end) break;
    const original = hits.get(before.originalOf(pageId));
    if (original !== undefined) {
      original.copies++;
      continue;
    }
    before.add(pageId);
    hits.set(pageId, hitOf(pageId));
  }
  return [...hits.values()];
}

function resultOf(
  generation: Generation,
  source: CopySource | null,
  { pageId, copies }: Hit,
  { phrases }: SearchWords,
): SearchResultAnswer {
  const { reader } = generation;
  const page = reader.page(pageId);
  const versionId = reader.versions.current(pageId);
  const kept = versionId < 0 ? null : reader.versions.text(versionId);
  const card = cardFields(generation, pageId);
  const text = kept?.text ?? card.description ?? '';
  const template =
    source === null || kept === null
      ? []
      : templateRanges(searchedPart(text), templateOf(source, hostOf(page.url)), source.options.shingleSize);
  return {
    url: checkedUrl(page.url),
    title: page.title,
    site: page.site,
    lang: page.lang,
    fetched: page.fetched,
    snippet: snippetOf(text, phrases, template),
    copies,
    ...card,
  };
}
