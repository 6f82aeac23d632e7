import { cutPlace, cutText } from '../../../lib/cut-text.ts';
import { listIn } from '../../../lib/kept.ts';
import { asWritten, searchWords, type TextWord } from '../../../text/search/search-words.ts';
import { spaceOut } from '../../../text/space-out.ts';
import type { TextRange } from './template-ranges.ts';

/** Letters of a snippet, without the words that its ends fall into. */
const SNIPPET_CHARS = 220;
/** Letters before the first marked word. */
const LEAD_CHARS = 60;
/** A longer text is searched for the best passage so far only, some 4 ms of it; where it has none there, from the first place as it is written. */
const MAX_SEARCHED_CHARS = 40_000;
const LETTER = '[\\p{L}\\p{N}\\p{M}]';

/** A passage of a text, and the UTF-16 ranges in it that are to be marked, start inclusive, end exclusive. */
interface Snippet {
  readonly text: string;
  readonly marks: [start: number, end: number][];
}

/** What is marked: words in a row, with `isPrefix` those whose last one begins so. */
export interface SoughtPhrase {
  readonly words: readonly string[];
  readonly isPrefix: boolean;
}

interface Match {
  readonly phrase: number;
  readonly start: number;
  readonly end: number;
}

/**
 * The passage with the most of the phrases; the beginning of the text where it has none. Of passages with as many, one of
 * the page's own text goes before its `template`, and the beginning is that of its own text.
 */
export function snippetOf(
  text: string,
  phrases: readonly SoughtPhrase[],
  template: readonly TextRange[] = [],
): Snippet {
  const searched = searchedPart(text);
  const words = searchWords(searched);
  const matches = matchesIn(words, phrases);
  if (matches.length === 0 && text.length > searched.length) {
    const later = laterSnippet(text, phrases);
    if (later !== null) return later;
  }
  const isOwn = ({ start }: Match | TextWord) => !template.some(([from, to]) => start >= from && start < to);
  const place = matches[bestStart(matches, matches.map(isOwn))]?.start ?? words.find(isOwn)?.start ?? 0;
  // Without a match, the beginning with all that stands before the first word.
  const isWhole = matches.length === 0 && place === words[0]?.start;
  const lead = Math.max(0, place - LEAD_CHARS, ...endsBefore(template, place));
  const from = isWhole ? 0 : startAt(words, lead, searched);
  const to = endAt(words, from + SNIPPET_CHARS, searched);
  const before = from > 0 ? '… ' : '';
  const passage = searched.slice(from, to).replace(/\s/g, ' ').trimEnd();
  const marks = mergedRanges(
    matches.filter(({ start, end }) => start >= from && end <= from + passage.length),
  );
  const shift = before.length - from;
  return {
    text: `${before}${passage}${to < text.trimEnd().length ? ' …' : ''}`,
    marks: marks.map(([start, end]) => [start + shift, end + shift]),
  };
}

/** Around the first place behind what is searched where a phrase stands; null for none. Time  some 5 to 20 ms a million letters. */
function laterSnippet(text: string, phrases: readonly SoughtPhrase[]): Snippet | null {
  // bounded: words in a row with no letter between them, so that a text is passed over once
  const written = new RegExp(phrases.map(phraseAsWritten).join('|'), 'iu');
  const place = text.slice(MAX_SEARCHED_CHARS).search(written);
  if (place < 0) return null;
  const snippet = snippetOf(text.slice(MAX_SEARCHED_CHARS + place - 2 * LEAD_CHARS), phrases);
  return snippet.marks.length > 0 ? snippet : null;
}

function phraseAsWritten({ words, isPrefix }: SoughtPhrase): string {
  // Words of scripts without spaces stand beside other letters.
  const isApart = spaceOut(`a${words[0]}`) === `a${words[0]}`;
  const phrase = words.map(asWritten).join('[^\\p{L}\\p{N}]*');
  return `${isApart ? `(?<!${LETTER})` : ''}${phrase}${isApart && !isPrefix ? `(?!${LETTER})` : ''}`;
}

/** As much of a text as is looked at. */
export function searchedPart(text: string): string {
  return cutText(text, MAX_SEARCHED_CHARS);
}

function endsBefore(ranges: readonly TextRange[], place: number): number[] {
  return ranges.map(([, end]) => end).filter((end) => end <= place);
}

function matchesIn(words: readonly TextWord[], phrases: readonly SoughtPhrase[]): Match[] {
  const byFirst = new Map<string, number[]>();
  const begun: number[] = [];
  for (const [i, phrase] of phrases.entries()) {
    const first = phrase.words[0]!;
    if (phrase.isPrefix && phrase.words.length === 1) begun.push(i);
    else listIn(byFirst, first).push(i);
  }
  const matches: Match[] = [];
  for (const [at, { word, start, end }] of words.entries()) {
    for (const i of begun)
      if (word.startsWith(phrases[i]!.words[0]!)) matches.push({ phrase: i, start, end });
    for (const i of byFirst.get(word) ?? []) {
      const { words: phrase, isPrefix } = phrases[i]!;
      const last = words[at + phrase.length - 1];
      if (!phrase.slice(0, -1).every((one, offset) => words[at + offset]?.word === one)) continue;
      if (last?.word !== phrase.at(-1) && !(isPrefix && last?.word.startsWith(phrase.at(-1)!))) continue;
      matches.push({ phrase: i, start, end: last.end });
    }
  }
  return matches;
}

/** Position of the match from which on a snippet has the most different phrases, then the most matches, own ones first. */
function bestStart(matches: readonly Match[], isOwn: readonly boolean[]): number {
  let best = 0;
  let bestRank = -1;
  for (let first = 0; first < matches.length; first++) {
    const limit = matches[first]!.start + SNIPPET_CHARS - LEAD_CHARS;
    const phrases = new Set<number>();
    let count = 0;
    let ownCount = 0;
    for (let at = first; at < matches.length && matches[at]!.end <= limit; at++) {
      phrases.add(matches[at]!.phrase);
      count++;
      if (isOwn[at]) ownCount++;
    }
    const rank = phrases.size * 1e6 + ownCount * 1000 + count;
    if (rank > bestRank) [best, bestRank] = [first, rank];
  }
  return best;
}

/** Where the first word at or behind a place begins. */
function startAt(words: readonly TextWord[], place: number, text: string): number {
  if (place === 0) return 0;
  return words.find(({ start }) => start >= place)?.start ?? cutPlace(text, place);
}

/** A place that is in no word; one in a word of hundreds of letters is used as it is. */
function endAt(words: readonly TextWord[], place: number, text: string): number {
  if (place >= text.length) return text.length;
  const inside = words.find(({ start, end }) => start < place && end > place);
  const isLong = inside === undefined || place - inside.start >= SNIPPET_CHARS / 2;
  return isLong ? cutPlace(text, place) : inside.start;
}

function mergedRanges(matches: readonly Match[]): [number, number][] {
  const merged: [number, number][] = [];
  for (const { start, end } of matches) {
    const last = merged.at(-1);
    if (last !== undefined && start < last[1]) last[1] = Math.max(last[1], end);
    else merged.push([start, end]);
  }
  return merged;
}
