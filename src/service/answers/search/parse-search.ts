/**
 * What somebody types into a search box:
 *
 *   words "a phrase" -word site:host -site:host begin*
 *
 * All else is no syntax; what has no letter and no digit is left out. A word such as `foo-bar` is a phrase of its parts, of which the last may be begun. A
 * word of a script without spaces is all its pairs of characters, as pages are compared by them: nothing says where its
 * words end. In quotes it is a phrase.
 *
 * The last word stands for those that begin with it, too, unless it is in quotes or a space follows: it may be half typed. So does
 * each word of Hangul.
 */
import { tidyLine } from '../../../page/html/page-text.ts';
import { searchWords } from '../../../text/search/search-words.ts';
import { spaceOut } from '../../../text/space-out.ts';
import { hostNamed } from '../../../url/site.ts';

/** Words and phrases of a query that are looked at. */
const MAX_TERMS = 16;
/** Of each kind. */
const MAX_HOSTS = 16;
/** Letters of a word from which on it stands for longer ones; of a syllable of Hangul each. */
const MIN_PREFIX_LENGTH = 3;

/** Particles are written behind it, as endings of one word: 서버 is 서버를, 서버의. */
const KOREAN = /^\p{sc=Hangul}{2,}$/u;

const PIECE = /(-?)(?:"([^"]*)(?:"|$)|(\S+))/g;

/** A word or a phrase of a query. */
export interface AskedTerm {
  /** As it was typed. */
  readonly given: string;
  /** Of the page that is sought, in a row; one at least. */
  readonly words: readonly string[];
  /** Whether the last of them stands for those that begin with it, too. */
  readonly isPrefix: boolean;
  /** Whether another word may have been meant: not in quotes. */
  readonly mayBeTypo: boolean;
}

export interface ParsedSearch {
  /** Pages have all of them. None where there is no word. */
  readonly terms: readonly AskedTerm[];
  /** Pages have none of them. */
  readonly unwanted: readonly AskedTerm[];
  /** Pages are of one of them, where there are any. */
  readonly hosts: readonly string[];
  /** Pages are of none of them. */
  readonly unwantedHosts: readonly string[];
  /** What stands behind as many as are looked at, as it was typed. */
  readonly leftOut: readonly string[];
}

export function parseSearch(query: string): ParsedSearch {
  const wanted: AskedTerm[] = [];
  const unwanted: AskedTerm[] = [];
  const hosts: string[] = [];
  const unwantedHosts: string[] = [];
  const leftOut: string[] = [];
  const line = tidyLine(query);
  const isHalfTyped = !/\s$/.test(query);
  for (const { index, 0: piece, 1: sign, 2: phrase, 3: word } of line.matchAll(PIECE)) {
    const host = /^site:/i.test(word ?? '') ? hostNamed(word!.slice('site:'.length)) : null;
    if (host !== null) {
      const named = sign === '-' ? unwantedHosts : hosts;
      if (named.length < MAX_HOSTS) named.push(host);
      else leftOut.push(piece);
      continue;
    }
    if (wanted.length + unwanted.length >= MAX_TERMS) {
      if (searchWords(phrase ?? word!).length > 0) leftOut.push(piece);
      continue;
    }
    const isLast = index + piece.length === line.length;
    if (sign === '-') unwanted.push(...phraseOf(phrase ?? word!));
    else if (phrase !== undefined) wanted.push(...phraseOf(phrase));
    else wanted.push(...wordOf(word!, word!.endsWith('*') || (isLast && isHalfTyped)));
  }
  // With nothing to look for, what was to be left out is looked for.
  const terms = wanted.length > 0 ? wanted : unwanted.splice(0);
  return { terms, unwanted, hosts, unwantedHosts, leftOut };
}

function phraseOf(given: string): AskedTerm[] {
  const words = searchWords(given).map(({ word }) => word);
  return words.length === 0 ? [] : [{ given, words, isPrefix: false, mayBeTypo: false }];
}

function standsForLonger(word: string): boolean {
  return word.normalize('NFD').length >= MIN_PREFIX_LENGTH;
}

function wordOf(given: string, isBegun: boolean): AskedTerm[] {
  const words = searchWords(given).map(({ word }) => word);
  const last = words.at(-1);
  if (last === undefined) return [];
  const isAlone = words.length === 1;
  if (isAlone || spaceOut(given) === given) {
    const isPrefix = KOREAN.test(last) || (isBegun && standsForLonger(last));
    return [{ given, words, isPrefix, mayBeTypo: isAlone }];
  }
  return words.slice(1).map((next, i) => {
    return { given, words: [words[i]!, next], isPrefix: false, mayBeTypo: false };
  });
}
