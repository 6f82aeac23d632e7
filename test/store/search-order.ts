import type { SearchOrder } from '../../src/store/read/search/search-reader.ts';
import { searchWords } from '../../src/text/search/search-words.ts';

/** Asks for the pages that have a phrase, each word and page weighed alike. */
export function phraseOrder(phrase: string, limit = 10): SearchOrder {
  const words = searchWords(phrase).map(({ word }) => word);
  const term = { words, isPrefix: false, instead: null, weight: 1, otherWeight: 0 };
  const filters = { site: null, hosts: [], unwantedHosts: [], lang: null, fields: [], facets: [] };
  return { terms: [term], unwanted: [], averageLength: 100, limit, ...filters };
}
