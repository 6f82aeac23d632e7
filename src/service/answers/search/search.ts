/** The body of GET /search, made on a thread: a word of every other page is weighed in each of them. */

import { COPY } from '../../../relations/copy.ts';
import { hostOf, siteOf } from '../../../url/site.ts';
import { checkedUrl } from '../../http/checked-url.ts';
import { Problem, parameterProblem } from '../../http/problems/problem.ts';
import { makeCursor } from '../../http/question/request-key.ts';
import type { IndexFacts } from '../../reads/facts.ts';
import type { Reads } from '../../reads/reads.ts';
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
interface SearchJob {
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
export function requireSearch({ hasSearch }: IndexFacts): void {
  if (hasSearch) return;
  throw new Problem('search-not-in-index', 'this index was built without full-text search');
}

export async function searchAnswer(reads: Reads, { query, offset, hash }: SearchJob): Promise<SearchAnswer> {
  const words = readSearch(query);
  const copies = reads.facts.holds(COPY.name) ? copySource(reads) : null;
  const end = offset + query.limit;
  const { hits, total, complete } = await findHits(reads, words, query, end);
  return {
    query: query.q,
    generation: reads.facts.id,
    total,
    complete,
    results: await Promise.all(hits.slice(offset, end).map((hit) => resultOf(reads, copies, hit, words))),
    next: hits.length > end ? makeCursor(reads.facts.id, hash, end) : null,
  };
}

/** More than `end` of them where there are so many, up to `MAX_RESULTS`; more pages are read where many are folded. */
async function findHits(reads: Reads, words: SearchWords, query: SearchQuery, end: number) {
  const found = async (most: number) => {
    const { pageIds, ...figures } = await findPages(reads, words, query, most);
    const hits = query.group === 'copies' ? await withoutCopies(reads, pageIds, end) : pageIds.map(hitOf);
    return { ...figures, isAll: pageIds.length < most, hits: hits.slice(0, MAX_RESULTS) };
  };
  const first = await found(MAX_RESULTS);
  const isEnough = first.isAll || first.hits.length > end || first.hits.length === MAX_RESULTS;
  return isEnough ? first : found(MAX_FOLDED);
}

/** At most `most` of the pages that have the words. */
async function findPages(reads: Reads, words: SearchWords, { lang }: SearchQuery, most: number) {
  const asked = {
    weights: null,
    limit: most,
    mostWeighed: MAX_WEIGHED,
    ...placeOf(words),
    lang: lang ?? null,
  };
  const { pages, total } = await reads.search({ expression: words.match!, ...asked });
  const complete = total < MAX_WEIGHED;
  if (complete) return { pageIds: pages.map(({ pageId }) => pageId), total, complete };
  // Of words that are nearly everywhere the pages come first that are about them.
  const titled = await reads.search({ expression: words.titleMatch!, ...asked });
  const pageIds = new Set([...titled.pages, ...pages].map(({ pageId }) => pageId));
  return { pageIds: [...pageIds].slice(0, most), total, complete };
}

/** The site, where all hosts are of one, and the hosts, where they are not all of it. */
function placeOf({ hosts }: SearchWords): {
  readonly site: string | null;
  readonly hosts: readonly string[];
} {
  const sites = new Set(hosts.map((host) => siteOf(`http://${host}/`)));
  const [site] = sites;
  if (site === undefined || sites.size > 1) return { site: null, hosts };
  return { site, hosts: hosts.some((host) => host === site) ? [] : hosts };
}

function hitOf(pageId: number): Hit {
  return { pageId, copies: 0 };
}

/** The first hits, more than `end` of them where there are so many. Near copies of a page before them are counted there. */
async function withoutCopies(reads: Reads, pageIds: readonly number[], end: number): Promise<Hit[]> {
  const source = new NearCopySource(reads);
  const before = new NearCopies(source);
  if (reads.readAhead > 1) await source.readAhead(pageIds.slice(0, LEAST_FOLDED));
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
  { phrases }: SearchWords,
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
