/**
 * What a page says of itself and of the pages it links to, as counts of stems.
 *
 * The text is tokenised once. The anchor window of a link is the words of its anchor and `windowWords`
 * words on either side, stop words counted as words but not kept, credited to the link's target.
 *
 *   text      … the best  ⟨guide⟩  to growing roses in …
 *   window 2      └─┴────────┴─────┴──┘          guide best grow
 *
 * Source  Haveliwala, Gionis, Indyk 2000, section 2 (anchor windows of 8 words on either side).
 */
import type { ExtractedPage } from '../page/extracted-page.ts';
import type { Analyzer } from './analyzer.ts';
import { forEachWord } from './words.ts';

/** The window of one link; `link` is its index in the page's links. */
export interface AnchorFragment {
  readonly link: number;
  readonly counts: Map<string, number>;
}

export interface PageCounts {
  /** Stem to term frequency, stop words left out. */
  readonly content: Map<string, number>;
  readonly title: Map<string, number>;
  /** Words of the text, stop words included. */
  readonly wordCount: number;
  /** In link order; links to be followed whose window has a word that is no stop word. */
  readonly fragments: readonly AnchorFragment[];
}

/** The words of a text in order: their stems ('' for a stop word) and where they stand. */
interface WordTable {
  readonly stems: string[];
  readonly starts: number[];
  readonly ends: number[];
}

/**
 * Counts the stems of a page's text, title and anchor windows. English stemming is for pages that are in
 * English or do not say.
 *
 * Cost    O(words + links · (log words + window)).
 */
export function countPage(
  page: ExtractedPage,
  analyzer: Analyzer,
  options: { readonly windowWords: number },
): PageCounts {
  const english = page.lang === null || page.lang === 'en';
  const words = tabulate(page.text, analyzer, english);
  const fragments: AnchorFragment[] = [];
  if (!page.nofollow) {
    for (const [link, { start, end, nofollow }] of page.links.entries()) {
      if (nofollow) continue;
      const first = firstAbove(words.ends, start);
      const next = Math.max(first, firstAbove(words.starts, end - 1));
      const from = Math.max(0, first - options.windowWords);
      const counts = countStems(words.stems, from, Math.min(words.stems.length, next + options.windowWords));
      if (counts.size > 0) fragments.push({ link, counts });
    }
  }
  const title = tabulate(page.title, analyzer, english).stems;
  return {
    content: countStems(words.stems, 0, words.stems.length),
    title: countStems(title, 0, title.length),
    wordCount: words.stems.length,
    fragments,
  };
}

function tabulate(text: string, analyzer: Analyzer, english: boolean): WordTable {
  const table: WordTable = { stems: [], starts: [], ends: [] };
  forEachWord(text, (word, start, end) => {
    table.stems.push(analyzer.stem(word, english));
    table.starts.push(start);
    table.ends.push(end);
  });
  return table;
}

function countStems(stems: readonly string[], from: number, to: number): Map<string, number> {
  const counts = new Map<string, number>();
  for (let i = from; i < to; i++) {
    const stem = stems[i]!;
    if (stem !== '') counts.set(stem, (counts.get(stem) ?? 0) + 1);
  }
  return counts;
}

/** Index of the first of ascending values that is above `bound`. */
function firstAbove(ascending: readonly number[], bound: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ascending[middle]! > bound) high = middle;
    else low = middle + 1;
  }
  return low;
}
