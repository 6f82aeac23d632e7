/**
 * What somebody types into a search box, as an expression of SQLite's full-text search that is always valid.
 *
 *   words "a phrase" -word site:host
 *
 * Each word and phrase becomes a quoted string, so that nothing of it is syntax; what has no letter and no digit is left
 * out. A word such as `foo-bar` is a phrase of its parts. A word of a script without spaces is all its pairs of characters,
 * as pages are compared by them: nothing says where its words end. In quotes it is a phrase.
 */

import { tidyLine } from '../../../page/page-text.ts';
import type { SearchExpression } from '../../../store/read/search-reader.ts';
import { searchText, spaceOut } from '../../../text/space-out.ts';

/** Words and phrases of a query that are looked at; what follows is left out. */
const MAX_WORDS = 16;
const MAX_HOSTS = 4;

/** What SQLite's unicode61 takes for a word of a `searchText`. */
const PART = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;
const PIECE = /(-?)(?:"([^"]*)(?:"|$)|(\S+))/g;
const HOST = /^[a-z0-9-]+(\.[a-z0-9-]+)*$/;

export interface SearchWords {
  /** Pages that have all words and none of those to be left out. Null where there is no word. */
  readonly match: SearchExpression | null;
  /** The same, all words being in the title. */
  readonly titleMatch: SearchExpression | null;
  /** Words in the form that snippets compare, in the order of each phrase. */
  readonly phrases: readonly (readonly string[])[];
  readonly hosts: readonly string[];
}

export function parseSearch(query: string): SearchWords {
  const wanted: string[] = [];
  const unwanted: string[] = [];
  const hosts: string[] = [];
  // Tidied as titles and texts are; SQLite ends an expression at the first zero.
  for (const [, sign, phrase, word] of tidyLine(query).matchAll(PIECE)) {
    const host = word === undefined || sign !== '' ? null : hostAfter(word);
    if (host !== null) {
      if (hosts.length < MAX_HOSTS) hosts.push(host);
      continue;
    }
    const text = phrase ?? word!;
    if (text.match(PART) === null || wanted.length + unwanted.length >= MAX_WORDS) continue;
    if (sign === '-') unwanted.push(text);
    else wanted.push(...(phrase === undefined ? pairsOf(text) : [text]));
  }
  // With nothing to look for, what was to be left out is looked for.
  const sought = wanted.length > 0 ? wanted : unwanted.splice(0);
  const without = unwanted.length > 0 ? ` NOT (${unwanted.map(quoted).join(' OR ')})` : '';
  const all = sought.map(quoted).join(' ');
  return {
    match: all === '' ? null : { match: `(${all})${without}`, phrases: sought.map(quoted) },
    titleMatch:
      all === ''
        ? null
        : {
            match: `({title} : (${all}))${without}`,
            phrases: sought.map((text) => `{title} : ${quoted(text)}`),
          },
    phrases: sought.map((text) => wordsOf(text).map(({ word }) => word)),
    hosts,
  };
}

/** The host of `site:host`, of a URL behind it too; null for any other word. */
function hostAfter(word: string): string | null {
  const given = /^site:(?:https?:\/\/)?([^/]+)/i.exec(word)?.[1];
  if (given === undefined || !URL.canParse(`http://${given}/`)) return null;
  const { hostname } = new URL(`http://${given}/`);
  return HOST.test(hostname) ? hostname : null;
}

/** Pairs of neighboring characters, where the word is of a script without spaces. */
function pairsOf(word: string): string[] {
  const spaced = spaceOut(word);
  const parts = spaced.match(PART) ?? [];
  if (spaced === word || parts.length === 1) return [word];
  return parts.slice(1).map((part, i) => `${parts[i]} ${part}`);
}

function quoted(text: string): string {
  return `"${searchText(text).replaceAll('"', '""')}"`;
}

export interface TextWord {
  /** Without case and accents. */
  readonly word: string;
  /** UTF-16 offsets. */
  readonly start: number;
  readonly end: number;
}

export function wordsOf(text: string): TextWord[] {
  const words: TextWord[] = [];
  for (const { 0: run, index } of text.matchAll(PART)) {
    let start = index;
    // Only spaces are added, so lengths add up to the place.
    for (const word of spaceOut(run).split(' ')) {
      const end = start + word.length;
      words.push({ word: folded(word), start, end });
      start = end;
    }
  }
  return words;
}

function folded(word: string): string {
  const lower = word.toLowerCase();
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the test is whether it is ASCII
  return /^[\u0000-\u007f]*$/.test(lower) ? lower : lower.normalize('NFD').replace(/\p{M}/gu, '');
}
