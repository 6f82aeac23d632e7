/**
 * What a page says of itself and of the pages it links to, as counts of stems.
 *
 * The text is tokenized once. The anchor window of a link is the words of its anchor and `windowWords`
 * words on either side, stop words counted as words but not kept, credited to the link's target.
 *
 *   text      … the best  ⟨guide⟩  to growing roses in …
 *   window 2      └─┴────────┴─────┴──┘          guide best grow
 *
 * Source  Haveliwala, Gionis, Indyk 2000, section 2 (anchor windows of 8 words on either side).
 */
import type { ExtractedPage, PageLink } from '../page/extracted-page.ts';
import { internTokens } from '../text/text-kernel.ts';
import { TokenSequence } from '../text/token-sequence.ts';
import { takeTokens } from '../text/tokens.ts';
import { takeWords, WordSequence } from '../text/word-sequence.ts';
import type { Analyzer } from './analyzer.ts';
import { type StemCounts, StemTally } from './stem-tally.ts';

/** Where the anchor of a link stands in the text; one that is not to be followed gets no window. */
export type AnchorSpan = Pick<PageLink, 'start' | 'end' | 'nofollow'>;

/** The window of one link; `link` is its index in the links. */
interface AnchorFragment {
  readonly link: number;
  readonly counts: StemCounts;
}

/** Valid until the next page is counted. */
export interface PageCounts {
  /** Stem to term frequency, stop words left out. */
  readonly content: StemCounts;
  readonly title: StemCounts;
  /** Words of the text, stop words included. */
  readonly wordCount: number;
  /** In link order; links to be followed whose window has a word that is no stop word. */
  readonly fragments: readonly AnchorFragment[];
  /** The canonical tokens of the text, read in the same pass. */
  readonly tokens: TokenSequence;
  /** The words that the `firsts` of the counts point to: of the text, of the title. */
  readonly words: WordSequence;
  readonly titleWords: WordSequence;
}

const tokens = new TokenSequence();
const words = new WordSequence();
const titleWords = new WordSequence();
const tally = new StemTally();
let stems = new Int32Array(1024);

/**
 * Counts the stems of a page's text, title and anchor windows. English stemming is for pages that are in
 * English or do not say.
 *
 * Cost    O(words + links · window).
 */
export function countPage(
  page: Pick<ExtractedPage, 'title' | 'text' | 'lang'>,
  links: readonly AnchorSpan[],
  analyzer: Analyzer,
  options: { readonly windowWords: number },
): PageCounts {
  const { windowWords } = options;
  const english = page.lang === null || page.lang === 'en';
  analyzer.beginPage();
  takeWords(page.title, internTokens(page.title), titleWords);
  const spans = internTokens(page.text);
  takeTokens(page.text, spans, tokens);
  takeWords(page.text, spans, words);
  tally.begin(analyzer);
  const { count, starts, ends } = words;
  analyzer.takeStems(words, english, stemRoom(count));
  const content = tally.count(stems, 0, count);
  const fragments: AnchorFragment[] = [];
  let first = 0;
  for (const [link, { start, end, nofollow }] of links.entries()) {
    if (nofollow) continue;
    // The first word that ends behind the anchor's start; links stand in the order of the text, except on odd pages.
    if (first > 0 && ends[first - 1]! > start) first = firstAbove(ends, first, start);
    while (first < count && ends[first]! <= start) first++;
    let next = first;
    while (next < count && starts[next]! < end) next++;
    const counts = tally.count(stems, Math.max(0, first - windowWords), Math.min(count, next + windowWords));
    if (counts.size > 0) fragments.push({ link, counts });
  }
  analyzer.takeStems(titleWords, english, stemRoom(titleWords.count));
  const title = tally.count(stems, 0, titleWords.count);
  return { content, title, wordCount: count, fragments, tokens, words, titleWords };
}

function stemRoom(count: number): Int32Array {
  if (count > stems.length) stems = new Int32Array(2 * count);
  return stems;
}

/** Index of the first of `count` ascending values that is above `bound`. */
function firstAbove(ascending: Uint32Array, count: number, bound: number): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ascending[middle]! > bound) high = middle;
    else low = middle + 1;
  }
  return low;
}
