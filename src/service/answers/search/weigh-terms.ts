import type { WeighedTerm, WordCounts } from '../../../store/read/search/search-reader.ts';
import { mostTypos } from '../../../text/search/typos.ts';
import type { Reads } from '../../reads/reads.ts';
import type { AskedTerm } from './parse-search.ts';

/** A word on no more pages may be a slip of the fingers; on one or two, if another is on so many times as many. */
const FEW_PAGES = 2;
const MUCH_MORE = 50;
/** What a page counts that has no word of the query itself, but one that begins with it. */
const OTHER_SHARE = 0.2;

/** A word of the query that another stands for, too, or where no page has it, alone. */
interface CorrectedWord {
  /** As it was typed. */
  readonly word: string;
  readonly instead: string;
}

interface Weighed {
  readonly terms: readonly WeighedTerm[];
  readonly averageLength: number;
  readonly corrected: readonly CorrectedWord[];
}

/**
 * What each term says of a page that has it: a phrase as much as all its words.
 *
 * @param mayName whether a word of the index may be named in place of a typo.
 */
export async function weighTerms(
  reads: Reads,
  asked: readonly AskedTerm[],
  mayName: (word: string) => Promise<boolean> = async () => true,
): Promise<Weighed> {
  const words = asked.flatMap((term) =>
    term.words.map((word, i) => {
      return { word, isPrefix: term.isPrefix && i === term.words.length - 1, withSimilar: false };
    }),
  );
  const { pageCount, wordCount, words: counts } = await reads.searchCounts(words);
  const idf = (count: number) => Math.log(1 + (pageCount - count + 0.5) / (count + 0.5));
  const corrections = await correctionsOf(reads, asked, counts, mayName);
  const corrected: CorrectedWord[] = [];
  let at = 0;
  const terms = asked.map(({ given, words, isPrefix }, i): WeighedTerm => {
    const own = counts.slice(at, at + words.length);
    at += words.length;
    const { pageCount: lastCount, longerPageCount } = own.at(-1)!;
    const correction = corrections[i] ?? null;
    if (correction !== null) corrected.push({ word: given, instead: correction.word });
    const otherCount = Math.min(pageCount, longerPageCount + (correction?.pageCount ?? 0));
    const before = own.slice(0, -1).reduce((sum, word) => sum + idf(word.pageCount), 0);
    return {
      words,
      isPrefix,
      instead: correction?.word ?? null,
      weight: before + idf(lastCount),
      otherWeight: (lastCount > 0 ? OTHER_SHARE : 1) * (before + idf(otherCount)),
    };
  });
  return { terms, averageLength: Math.max(1, wordCount) / Math.max(1, pageCount), corrected };
}

/** By the number of a term: the most frequent word of those with the fewest typos. */
async function correctionsOf(
  reads: Reads,
  asked: readonly AskedTerm[],
  counts: readonly WordCounts[],
  mayName: (word: string) => Promise<boolean>,
) {
  const rare: { readonly term: number; readonly word: string; readonly pageCount: number }[] = [];
  let at = 0;
  for (const [term, { words, mayBeTypo }] of asked.entries()) {
    const { pageCount, longerPageCount } = counts[at]!;
    at += words.length;
    const [word] = words as [string];
    const count = pageCount + longerPageCount;
    if (mayBeTypo && count <= FEW_PAGES && mostTypos(word) > 0) rare.push({ term, word, pageCount: count });
  }
  const corrections: (WordCounts['similar'][number] | undefined)[] = [];
  if (rare.length === 0) return corrections;
  const found = await reads.searchCounts(
    rare.map(({ word }) => ({ word, isPrefix: false, withSimilar: true })),
  );
  for (const [i, { term, pageCount }] of rare.entries()) {
    const [best] = found.words[i]!.similar.toSorted((a, b) => b.pageCount - a.pageCount);
    if (best === undefined || best.pageCount < MUCH_MORE * pageCount) continue;
    if (await mayName(best.word)) corrections[term] = best;
  }
  return corrections;
}
