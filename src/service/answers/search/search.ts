/** The body of GET /search, made on a thread: a word of every other page is looked up in each of them. */

import { parseCondition } from '../../../page/fields/field-condition.ts';
import { COPY } from '../../../relations/copy.ts';
import {
  FACETS,
  type Facet,
  type SearchOrder,
  type SearchResult,
  type WeighedTerm,
} from '../../../store/read/search/search-reader.ts';
import { hostOf, isAtHosts, isPublicSuffix, siteOf } from '../../../url/site.ts';
import { checkedUrl } from '../../http/checked-url.ts';
import { Problem, parameterProblem } from '../../http/problems/problem.ts';
import { type ListQuestion, makeCursor } from '../../http/question/request-key.ts';
import type { IndexFacts } from '../../reads/facts.ts';
import type { Reads } from '../../reads/reads.ts';
import type { FacetAnswer, SearchAnswer, SearchResultAnswer } from '../../schemas/answers/search-answers.ts';
import type { SearchQuery } from '../../schemas/parameters/parameters.ts';
import { type CopySource, copySource, templateOf } from '../copies/copy-source.ts';
import { NearCopies, NearCopySource } from '../copies/near-copies.ts';
import { fieldFacets } from '../lists/list-facets.ts';
import { requireConditions, requireFields } from '../lists/selection/field-names.ts';
import { cardFields } from '../pages/card-fields.ts';
import { type SoughtPhrase, searchedPart, snippetOf } from '../passages/snippet.ts';
import { templateRanges } from '../passages/template-ranges.ts';
import { type ParsedSearch, parseSearch } from './parse-search.ts';
import { weighTerms } from './weigh-terms.ts';

/** Results that can be paged to. */
const MAX_RESULTS = 1000;
/** Pages from which they are folded. */
const MAX_FOLDED = 4 * MAX_RESULTS;
/** Values of a facet that are listed. */
const MAX_VALUES = 100;
/** Of these at least, copies are counted, however short the list: reading the wording of all takes longer than the search. */
const LEAST_FOLDED = 200;

interface Hit {
  readonly pageId: number;
  copies: number;
}

/** Errors  Problem `invalid-parameters` where there is no word to look for. */
export function readSearch({ q, site }: Pick<SearchQuery, 'q' | 'site'>): ParsedSearch {
  const parsed = parseSearch(q);
  if (parsed.terms.length === 0) {
    throw parameterProblem(
      'q',
      'has no word to look for',
      q,
      'words, "phrases", -word, site:host, -site:host',
    );
  }
  return site === undefined ? parsed : withinSite(parsed, site);
}

/** With the hosts of one site alone, those that the query names where it names some of it. */
export function withinSite(parsed: ParsedSearch, site: string): ParsedSearch {
  const { hosts, unwantedHosts } = parsed;
  const inside = hosts.filter((host) => isAtHosts(host, [site], []));
  if (inside.length > 0) return { ...parsed, hosts: inside };
  // Where all that it names is elsewhere, no page of the site is meant.
  const isMeant = isAtHosts(site, hosts, []);
  return { ...parsed, hosts: [site], unwantedHosts: isMeant ? unwantedHosts : [site] };
}

/** Errors  Problem `search-not-in-index`. */
export function requireSearch({ hasSearch }: IndexFacts): void {
  if (hasSearch) return;
  throw new Problem('search-not-in-index', 'this index was built without full-text search');
}

export async function searchAnswer(
  reads: Reads,
  { query, offset, hash }: ListQuestion<SearchQuery>,
): Promise<SearchAnswer> {
  requireConditions(reads.facts, query.field, query.within);
  const facetNames = [...new Set(query.facets)];
  const fieldNames = facetNames.filter((name) => !isFacet(name));
  requireFields(reads.facts, 'facets', fieldNames, query.within);
  const parsed = readSearch(query);
  const copies = reads.facts.holds(COPY.name) ? copySource(reads) : null;
  const end = offset + query.limit;
  const place = placeOf(parsed, query.site !== undefined);
  // A caller may be held to a site or a field: no word is named that only pages elsewhere have.
  const mayName = async (word: string) => {
    if (query.within !== undefined) return false;
    const isEverywhere = parsed.hosts.length + parsed.unwantedHosts.length === 0;
    return isEverywhere || (await pagesWith(reads, `"${word}"`, place)) > 0;
  };
  const { corrected, ...weighed } = await weighTerms(reads, parsed.terms, mayName);
  const order = {
    ...weighed,
    unwanted: parsed.unwanted.map((term) => ({ ...term, instead: null })),
    ...place,
    lang: query.lang ?? null,
    fields: [...query.field, query.within ?? []].flat().map((text) => {
      const { name, tests } = parseCondition(text)!;
      return { name, tests: tests! };
    }),
    facets: facetNames.filter(isFacet),
  };
  const { hits, total, pageIds, facets } = await findHits(reads, order, query, end);
  const ofFields = await fieldFacets(reads, fieldNames, pageIds.slice(0, MAX_RESULTS));
  const phrases = weighed.terms.flatMap(soughtPhrases);
  return {
    query: query.q,
    generation: reads.facts.id,
    total,
    corrected: [...corrected],
    ...(parsed.leftOut.length > 0 && { left_out: [...parsed.leftOut] }),
    ...(facetNames.length > 0 && {
      facets: facetNames.map((name) =>
        isFacet(name) ? facetOf(name, facets[name]!) : ofFields[fieldNames.indexOf(name)]!,
      ),
    }),
    results: await Promise.all(hits.slice(offset, end).map((hit) => resultOf(reads, copies, hit, phrases))),
    next: hits.length > end ? makeCursor(reads.facts.state, hash, end) : null,
  };
}

/** More than `end` of them where there are so many, up to `MAX_RESULTS`; more pages are read where many are folded. */
async function findHits(
  reads: Reads,
  order: Omit<SearchOrder, 'limit'>,
  { group }: SearchQuery,
  end: number,
) {
  const found = async (limit: number) => {
    const { pages, total, facets } = await reads.search({ ...order, limit });
    const pageIds = pages.map(({ pageId }) => pageId);
    const hits = group === 'copies' ? await withoutCopies(reads, pageIds, end) : pageIds.map(hitOf);
    return { total, facets, pageIds, isAll: pageIds.length === total, hits: hits.slice(0, MAX_RESULTS) };
  };
  const first = await found(MAX_RESULTS);
  const isEnough = first.isAll || first.hits.length > end || first.hits.length === MAX_RESULTS;
  return isEnough ? first : found(MAX_FOLDED);
}

function soughtPhrases({ words, isPrefix, instead }: WeighedTerm): SoughtPhrase[] {
  const phrase = { words, isPrefix };
  return instead === null ? [phrase] : [phrase, { words: [instead], isPrefix: false }];
}

function isFacet(name: string): name is Facet {
  return (FACETS as readonly string[]).includes(name);
}

/** The most frequent values. */
function facetOf(name: Facet, counts: NonNullable<SearchResult['facets'][Facet]>): FacetAnswer {
  const values = counts
    .map(([value, pages]) => ({ value, pages }))
    .sort((a, b) => b.pages - a.pages || ((a.value ?? '') < (b.value ?? '') ? -1 : 1));
  const rest = values.splice(MAX_VALUES).reduce((sum, { pages }) => sum + pages, 0);
  return { name, values, rest };
}

/**
 * The site, where all hosts are of one, and the hosts, where they are not all of it. What sites end with names all of them, but not
 * where one site is asked for by name: a key may hold its caller to that.
 */
export function placeOf(
  { hosts, unwantedHosts }: Pick<ParsedSearch, 'hosts' | 'unwantedHosts'>,
  isOneSite: boolean,
): Pick<SearchOrder, 'site' | 'hosts' | 'unwantedHosts'> {
  const sites = new Set(hosts.map((host) => siteOf(`http://${host}/`)));
  const [site] = sites;
  const isOfMany = sites.size > 1 || (!isOneSite && hosts.some(isPublicSuffix));
  if (site === undefined || isOfMany) return { site: null, hosts, unwantedHosts };
  return { site, hosts: hosts.some((host) => host === site) ? [] : hosts, unwantedHosts };
}

/** How many pages a query finds, at `place` in place of the hosts that it names. */
export async function pagesWith(
  reads: Reads,
  query: string,
  place?: ReturnType<typeof placeOf>,
): Promise<number> {
  const parsed = parseSearch(query);
  const { corrected: _none, ...weighed } = await weighTerms(reads, parsed.terms);
  const { total } = await reads.search({
    ...weighed,
    unwanted: parsed.unwanted.map((term) => ({ ...term, instead: null })),
    ...(place ?? placeOf(parsed, false)),
    limit: 0,
    lang: null,
    fields: [],
    facets: [],
  });
  return total;
}

function hitOf(pageId: number): Hit {
  return { pageId, copies: 0 };
}

/** The first hits, more than `end` of them where there are so many. Near copies of a page before them are counted there. */
async function withoutCopies(reads: Reads, pageIds: readonly number[], end: number): Promise<Hit[]> {
  const source = new NearCopySource(reads);
  const before = new NearCopies(source);
  if (reads.readAhead > 1) await source.readAhead([], pageIds.slice(0, LEAST_FOLDED));
  const hits = new Map<number, Hit>();
  for (const [rank, pageId] of pageIds.entries()) {
    if (rank >= LEAST_FOLDED && hits.size > end) break;
    const original = hits.get(await before.originalOf(pageId));
    if (original !== undefined) {
      original.copies++;
      continue;
    }
    await before.add(pageId);
    hits.set(pageId, hitOf(pageId));
  }
  return [...hits.values()];
}

async function resultOf(
  reads: Reads,
  source: CopySource | null,
  { pageId, copies }: Hit,
  phrases: readonly SoughtPhrase[],
): Promise<SearchResultAnswer> {
  const [page, kept, [card]] = await Promise.all([
    reads.page(pageId),
    currentText(reads, pageId),
    cardFields(reads, [pageId]),
  ]);
  const text = kept?.text ?? card!.description ?? '';
  const template =
    source === null || kept === null
      ? []
      : templateRanges(
          searchedPart(text),
          await templateOf(source, hostOf(page.url)),
          source.options.shingleSize,
        );
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

async function currentText(reads: Reads, pageId: number): Promise<{ readonly text: string } | null> {
  const versionId = await reads.currentVersion(pageId);
  return versionId < 0 ? null : reads.versionText(versionId);
}
