/** AssemblyScript: words of pages by number in the order they come, and by word the pages that have it. */

// @ts-nocheck: compiled by asc, not by tsc.

const NO_ENTRY: u32 = 0xffff_ffff;
/** Start, end, entry. */
const SPAN_BYTES: usize = 12;

/** Kept of each word side by side, as all is asked for at each of its places (u32). */
const WORD_SHIFT: usize = 4;
/** How often it stands anywhere; when entries are placed, where those of it end so far. */
const HITS: usize = 0;
/** On how many pages, and the last of them by its number, from 1 on. */
const PAGES: usize = 4;
const LAST_PAGE: usize = 8;
/** Its entry of that page. */
const ENTRY: usize = 12;

/** Before the places of an entry: the id of the page, how often the title has the word, how often title and text. */
const HEAD_BYTES: usize = 12;

/** Where the next number goes; the caller sets it before a page, and adds what it finds itself. */
export let numbersEnd: usize = 0;

/**
 * Writes the numbers of the words of spans, as `internTokens` gives them. `words` has for each entry its number + 1; 0 where
 * that is not known, less where there is not one word. Returns the first span of which that is so; `end` where none is left.
 */
export function takeNumbers(spans: usize, end: usize, words: usize): usize {
  let span = spans;
  let at = numbersEnd;
  for (; span < end; span += SPAN_BYTES) {
    const entry = load<u32>(span, 8);
    if (entry === NO_ENTRY) break;
    const word = load<i32>(words + ((<usize>entry) << 2));
    if (word <= 0) break;
    store<u32>(at, word - 1);
    at += 4;
  }
  numbersEnd = at;
  return span;
}

/** Counts the words of a page, whose numbers stand from `numbers` to `end`; returns how many of them are distinct. */
export function countWords(numbers: usize, end: usize, counts: usize, page: u32): u32 {
  let distinct: u32 = 0;
  for (let at = numbers; at < end; at += 4) {
    const word = counts + ((<usize>load<u32>(at)) << WORD_SHIFT);
    store<u32>(word, load<u32>(word, HITS) + 1, HITS);
    if (load<u32>(word, LAST_PAGE) === page) continue;
    store<u32>(word, page, LAST_PAGE);
    store<u32>(word, load<u32>(word, PAGES) + 1, PAGES);
    ++distinct;
  }
  return distinct;
}

/** Of `wordCount` words, says where the entries begin: end to end from `entries` on. Returns where all end. */
export function startEntries(counts: usize, wordCount: u32, entries: usize): usize {
  let end = entries;
  let word = counts;
  for (let i: u32 = 0; i < wordCount; ++i) {
    const size = HEAD_BYTES * load<u32>(word, PAGES) + ((<usize>load<u32>(word, HITS)) << 2);
    store<u32>(word, end, HITS);
    store<u32>(word, 0, LAST_PAGE);
    end += size;
    word += 1 << WORD_SHIFT;
  }
  return end;
}

/**
 * Adds the words of a page, as for `countWords`, to their entries. Places count from the first word of the title, which has
 * the words before `titleEnd`; those of the text are one more.
 */
export function placePage(
  numbers: usize,
  titleEnd: usize,
  end: usize,
  counts: usize,
  page: u32,
  pageId: u32,
): void {
  let place: u32 = 0;
  for (let at = numbers; at < end; at += 4) {
    const word = counts + ((<usize>load<u32>(at)) << WORD_SHIFT);
    let to = load<u32>(word, HITS);
    let entry = load<u32>(word, ENTRY);
    if (load<u32>(word, LAST_PAGE) !== page) {
      entry = to;
      store<u32>(word, page, LAST_PAGE);
      store<u32>(word, entry, ENTRY);
      store<u32>(entry, pageId);
      store<u64>(entry, 0, 4);
      to += <u32>HEAD_BYTES;
    }
    const inTitle = <u32>(at < titleEnd);
    store<u32>(entry, load<u32>(entry, 4) + inTitle, 4);
    store<u32>(entry, load<u32>(entry, 8) + 1, 8);
    store<u32>(to, place + 1 - inTitle);
    store<u32>(word, to + 4, HITS);
    ++place;
  }
}
