/** The body of GET /search/suggest: how the last word of a query may go on. */
import { replaceWords } from '../../../text/replace-words.ts';
import type { Reads } from '../../reads/reads.ts';
import type { SuggestAnswer } from '../../schemas/answers/search-answers.ts';
import type { SuggestQuery } from '../../schemas/parameters/parameters.ts';
import { parseSearch } from './parse-search.ts';
import { pagesWith, placeOf, withinSite } from './search.ts';
import { weighTerms } from './weigh-terms.ts';

/** Words that are looked at for each that may be suggested, the most frequent first; then, where too few are on a page with the words before, or of the site. */
const CANDIDATES = [4, 16];
/** Half a word at the end of a query: no quote, no sign before it. */
// bounded: a query has at most 500 characters
const BEGUN = /(?<=^|\s)[\p{L}\p{N}][\p{L}\p{N}\p{M}]*$/u;

/** Words by the number of pages that have all words of the query then, most first; none where no word is begun. */
export async function suggestAnswer(reads: Reads, { q, site, limit }: SuggestQuery): Promise<SuggestAnswer> {
  const { id } = reads.facts;
  const begun = BEGUN.exec(q);
  const [last] = begun === null ? [] : parseSearch(begun[0]).terms;
  if (begun === null || last === undefined) return { query: q, generation: id, suggestions: [] };
  const before = await corrected(reads, q.slice(0, begun.index));
  const place = site === undefined ? undefined : placeOf(withinSite(parseSearch(q), site), true);
  const suggestions: SuggestAnswer['suggestions'] = [];
  let lookedAt = 0;
  for (const factor of CANDIDATES) {
    const words = await candidates(reads, last.words[0]!, factor * limit);
    const counted = words.slice(lookedAt).map(async (word) => {
      return { text: before + word, pages: await pagesWith(reads, `${before}"${word}"`, place) };
    });
    suggestions.push(...(await Promise.all(counted)).filter(({ pages }) => pages > 0));
    lookedAt = words.length;
    if (suggestions.length >= limit || lookedAt < factor * limit) break;
  }
  suggestions.sort((a, b) => b.pages - a.pages);
  return { query: q, generation: id, suggestions: suggestions.slice(0, limit) };
}

/** A text with the words that a search names in place of typos. */
async function corrected(reads: Reads, text: string): Promise<string> {
  const { terms } = parseSearch(text);
  if (terms.length === 0) return text;
  const { corrected: words } = await weighTerms(reads, terms);
  return replaceWords(text, new Map(words.map(({ word, instead }) => [word, instead])));
}

/** Words that begin so; where there is none, the nearest. */
async function candidates(reads: Reads, start: string, most: number): Promise<string[]> {
  const found = await reads.frequentWords(start, most);
  if (found.length > 0) return found.map(({ word }) => word);
  const { words } = await reads.searchCounts([{ word: start, isPrefix: false, withSimilar: true }]);
  const similar = words[0]!.similar.toSorted((a, b) => b.pageCount - a.pageCount);
  return similar.slice(0, most).map(({ word }) => word);
}
