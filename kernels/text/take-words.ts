/** AssemblyScript: the words of a text whose tokens are known. */

// @ts-nocheck: compiled by asc, not by tsc.

import { ENTRY_SHIFT, NO_ENTRY, PLACE, WORD } from './entry';

/** Of an entry: its word was not looked for; there is none in it; it has the one of number `word - FIRST_WORD`; it has several. */
const UNKNOWN: i32 = 0;
const NO_WORD: i32 = 1;
const FIRST_WORD: i32 = 2;

/** How many words `takeWords` has written; the caller adds what it finds itself, and sets it to 0 before a text. */
export let wordCount: u32 = 0;

/**
 * Writes the words of spans, as `internTokens` gives them, from span `from` on: number, start and end (u32), each in a column of
 * `room` from `words` on, behind those that are there. Returns the first span whose word is not known, or that is not one
 * word; `spanCount` where none is left.
 */
export function takeWords(
  spans: usize,
  from: u32,
  spanCount: u32,
  entries: usize,
  words: usize,
  room: u32,
): u32 {
  const column = (<usize>room) << 2;
  let at = words + ((<usize>wordCount) << 2);
  let i = from;
  for (; i < spanCount; ++i) {
    const span = spans + <usize>i * 12;
    const entry = load<u32>(span, 8);
    if (entry === NO_ENTRY) break;
    const known = entries + ((<usize>entry) << ENTRY_SHIFT);
    const word = load<i32>(known + WORD);
    if (word <= UNKNOWN) break;
    // Where there is no word, the next one is written over it.
    const start = load<u32>(span);
    const place = load<u32>(known + PLACE);
    store<u32>(at, word - FIRST_WORD);
    store<u32>(at + column, start + (place & 15));
    store<u32>(at + 2 * column, start + (place >>> 4) + 1);
    at += word === NO_WORD ? 0 : 4;
  }
  wordCount = <u32>((at - words) >>> 2);
  return i;
}
