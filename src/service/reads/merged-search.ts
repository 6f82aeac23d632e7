/** What shards say of words and facets, as one index says it: their pages are apart, so counts are sums. */

import type { SiteCount } from '../../store/read/pages/site-pages.ts';
import type {
  CountedWord,
  Facet,
  SearchOrder,
  SearchResult,
  WordCounts,
} from '../../store/read/search/search-reader.ts';
import { sum } from './merge.ts';
import type { ReadRows, SearchCounts } from './read-table.ts';

export function mergedCounts(all: readonly SearchCounts[]): SearchCounts {
  return {
    pageCount: sum(all, ({ pageCount }) => pageCount),
    wordCount: sum(all, ({ wordCount }) => wordCount),
    words: all[0]!.words.map((_, i) => mergedWord(all.map(({ words }) => words[i]!))),
  };
}

/** Words with the fewest typos in any shard: one that has none of them has only words with more. */
function mergedWord(all: readonly WordCounts[]): WordCounts {
  const found = all.filter(({ similar }) => similar.length > 0);
  const typos = Math.min(...(found.length > 0 ? found : all).map((one) => one.typos));
  return {
    pageCount: sum(all, ({ pageCount }) => pageCount),
    longerPageCount: sum(all, ({ longerPageCount }) => longerPageCount),
    similar: mergedWords(found.flatMap((one) => (one.typos === typos ? one.similar : []))),
    typos,
  };
}

/** Each word once, in the order of words. */
function mergedWords(words: readonly CountedWord[]): CountedWord[] {
  const counts = new Map<string, number>();
  for (const { word, pageCount } of words) counts.set(word, (counts.get(word) ?? 0) + pageCount);
  return Array.from(counts, ([word, pageCount]) => ({ word, pageCount })).sort((a, b) =>
    a.word < b.word ? -1 : 1,
  );
}

/** The most frequent of words that are the most frequent somewhere, counted over all that is read; ties in the order of words. */
export async function mostFrequent(
  reads: Pick<ReadRows, 'searchCounts'>,
  named: readonly string[],
  limit: number,
): Promise<CountedWord[]> {
  const words = [...new Set(named)].sort();
  const asked = words.map((word) => ({ word, isPrefix: false, withSimilar: false }));
  const counts = (await reads.searchCounts(asked)).words;
  return words
    .map((word, i) => ({ word, pageCount: counts[i]!.pageCount }))
    .sort((a, b) => b.pageCount - a.pageCount)
    .slice(0, limit);
}

/** What was found by one order. */
export function mergedFound(
  { limit, facets }: Pick<SearchOrder, 'limit' | 'facets'>,
  all: readonly SearchResult[],
): SearchResult {
  return {
    pages: all
      .flatMap(({ pages }) => pages)
      .sort((a, b) => b.score - a.score || a.pageId - b.pageId)
      .slice(0, limit),
    total: sum(all, ({ total }) => total),
    facets: mergedFacets(
      facets,
      all.map((one) => one.facets),
    ),
  };
}

function mergedFacets(
  names: readonly Facet[],
  all: readonly SearchResult['facets'][],
): SearchResult['facets'] {
  const merged = names.map((name) => {
    const counts = new Map<string | null, number>();
    for (const facets of all) {
      for (const [value, count] of facets[name] ?? []) counts.set(value, (counts.get(value) ?? 0) + count);
    }
    return [name, [...counts]] as const;
  });
  return Object.fromEntries(merged);
}

/** Each site once, in the order of their names. */
export function mergedSites(counts: readonly SiteCount[]): SiteCount[] {
  const bySite = Map.groupBy(counts, ({ site }) => site);
  return Array.from(bySite, ([site, all]) => ({
    site,
    pageCount: sum(all, ({ pageCount }) => pageCount),
    fetchedCount: sum(all, ({ fetchedCount }) => fetchedCount),
  })).sort((a, b) => (a.site < b.site ? -1 : 1));
}
