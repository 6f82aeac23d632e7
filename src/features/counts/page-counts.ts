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
import { longer } from '../../lib/columns/longer.ts';
import { firstNotBelow } from '../../lib/sorted.ts';
import { firstLine } from '../../page/extract-text.ts';
import type { ExtractedPage, PageLink, TextSpan } from '../../page/extracted-page.ts';
import type { WeightSpan } from '../../page/marks/marks.ts';
import { takeWords } from '../../text/take-words.ts';
import { internTokens, takeTokens } from '../../text/text-kernel.ts';
import { TokenSequence } from '../../text/token-sequence.ts';
import { WordSequence } from '../../text/word-sequence.ts';
import { type Analyzer, STOP_WORD } from './analyzer.ts';
import { languageOf } from './language.ts';
import { type PairCounts, PairTally } from './pair-tally.ts';
import { type StemCounts, StemTally } from './stem-tally.ts';

/** Where the anchor of a link stands in the text; one that is not to be followed gets no window. */
type AnchorSpan = Pick<PageLink, 'start' | 'end' | 'nofollow'>;

/** What of a page is counted. */
type CountedPage = Pick<ExtractedPage, 'title' | 'text' | 'lang'> &
  Partial<Pick<ExtractedPage, 'headings' | 'isPlain' | 'weights'>>;

/** The window of one link; `link` is its index in the links. */
interface AnchorFragment {
  readonly link: number;
  readonly counts: StemCounts;
}

/** Valid until the next page is counted. */
export interface PageCounts {
  /** Stem to term frequency, stop words left out; words of a part with a weight count as often as it says. */
  readonly content: StemCounts;
  readonly title: StemCounts;
  /** Words of headings; empty where they are not asked for. */
  readonly heading: StemCounts;
  /** Pairs of neighboring words of the text; null where they are not asked for. */
  readonly bigram: PairCounts | null;
  /** Words of the text, stop words included. */
  readonly wordCount: number;
  /** In link order; links to be followed whose window has a word that is no stop word. */
  readonly fragments: readonly AnchorFragment[];
  /** The canonical tokens of the text, read in the same pass; none where they are not asked for. */
  readonly tokens: TokenSequence;
  /** The words that the `firsts` of the counts point to: of the text (headings are in it), of the title. */
  readonly words: WordSequence;
  readonly titleWords: WordSequence;
}

const tokens = new TokenSequence();
const words = new WordSequence();
const titleWords = new WordSequence();
const tally = new StemTally();
const pairs = new PairTally();
const NO_SPANS: readonly TextSpan[] = [];
let stems = new Int32Array(1024);

interface CountOptions {
  readonly windowWords: number;
  /** What not every index has a use for. */
  readonly headings?: boolean;
  readonly bigrams?: boolean;
  readonly tokens?: boolean;
}

/**
 * Counts the stems of a page's text, title, headings and anchor windows, and its pairs of words. The first line of a plain
 * text in place of a title is none.
 *
 * Cost    O(words + links · window).
 */
export function countPage(
  page: CountedPage,
  links: readonly AnchorSpan[],
  analyzer: Analyzer,
  { windowWords, headings = false, bigrams = false, tokens: withTokens = true }: CountOptions,
): PageCounts {
  const language = languageOf(page.lang);
  analyzer.beginPage();
  const title = page.isPlain === true && page.title === firstLine(page.text) ? '' : page.title;
  takeWords(title, internTokens(title), titleWords);
  const tokenSpans = internTokens(page.text);
  if (withTokens) takeTokens(page.text, tokenSpans, tokens);
  else tokens.count = 0;
  takeWords(page.text, tokenSpans, words);
  tally.begin(analyzer);
  const { count, starts, ends } = words;
  analyzer.takeStems(words, language, stemRoom(count));
  const content = tally.count(stems, 0, page.weights === undefined ? count : repeated(page.weights, words));
  const bigram = bigrams
    ? pairs.count(page.text, stems, words, (stem) => tally.placeIn(content, stem))
    : null;
  const fragments: AnchorFragment[] = [];
  let first = 0;
  for (let link = 0; link < links.length; link++) {
    const { start, end, nofollow } = links[link]!;
    if (nofollow || start > page.text.length) continue;
    // The first word that ends behind the anchor's start; links stand in the order of the text, except on odd pages.
    if (first > 0 && ends[first - 1]! > start) first = firstNotBelow(ends, start + 1, 0, first);
    while (first < count && ends[first]! <= start) first++;
    let next = first;
    while (next < count && starts[next]! < end) next++;
    const counts = tally.count(stems, Math.max(0, first - windowWords), Math.min(count, next + windowWords));
    if (counts.size > 0) fragments.push({ link, counts });
  }
  const spans = (headings && page.headings) || NO_SPANS;
  const heading = tally.count(stems, 0, spans.length === 0 ? 0 : keepWithin(spans, words));
  analyzer.takeStems(titleWords, language, stemRoom(titleWords.count));
  const titleCounts = tally.count(stems, 0, titleWords.count);
  return {
    content,
    title: titleCounts,
    heading,
    bigram,
    wordCount: count,
    fragments,
    tokens,
    words,
    titleWords,
  };
}

/** Makes the stems of all words that stand outside the spans those of stop words; returns how many words there are. */
function keepWithin(spans: readonly TextSpan[], { count, starts, ends }: WordSequence): number {
  let next = 0;
  for (let word = 0; word < count; word++) {
    while (next < spans.length && spans[next]!.end <= starts[word]!) next++;
    if (next === spans.length || ends[word]! <= spans[next]!.start) stems[word] = STOP_WORD;
  }
  return count;
}

/** Appends the stems of words in spans with a weight, as often as they count beyond once; returns how many stems there are. */
function repeated(spans: readonly WeightSpan[], { count, starts, ends }: WordSequence): number {
  let length = count;
  let word = 0;
  for (const { start, end, weight } of spans) {
    while (word < count && ends[word]! <= start) word++;
    const first = word;
    while (word < count && starts[word]! < end) word++;
    for (let time = 1; time < weight; time++) {
      const room = stemRoom(length + word - first);
      for (let i = first; i < word; i++) room[length++] = room[i]!;
    }
  }
  return length;
}

function stemRoom(count: number): Int32Array {
  if (count > stems.length) stems = longer(stems, 2 * count);
  return stems;
}
