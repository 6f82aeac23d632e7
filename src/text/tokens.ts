/**
 * The canonical token sequence of a text: what two texts must share to be called lexically equivalent,
 * and what shingles are cut from.
 *
 * A token is a run of letters, digits and combining marks, in lower case; all else separates. No
 * stemming, no stop words: copies are about wording. As for words, an apostrophe, soft hyphen or joiner
 * inside a token is dropped; unlike words, a script written without spaces gives one token a character.
 * Code points are folded one by one, without Unicode normalization: the composed and the decomposed
 * spelling of an accented word are different tokens.
 *
 * Each token is kept as a 64-bit fingerprint in two lanes, hashed in place: no string is made. Where the words of the
 * same text are looked up in the lexicon, their fingerprints come from there.
 * Cost: see sketch/shingle-sketch.ts, which is what tokens are for.
 */
import { mix32 } from '../lib/hash.ts';
import { foldOf, IGNORED, SINGLE } from './fold.ts';
import { lanesOfEntry } from './lexicon.ts';
import { NO_ENTRY, SPAN_SIZE } from './text-kernel.ts';
import { TokenSequence } from './token-sequence.ts';

/** What stands in the table for a unit not met yet. */
const UNKNOWN = 0;

/** Fold of each UTF-16 unit, filled as units are met, surrogates left out. */
const folds = new Uint16Array(65536);
for (let unit = 0; unit < 128; unit++) folds[unit] = foldOf(unit);

const HIGH_SEED = 0x6a09e667;
const LOW_SEED = 0x2f0b4c47;
const FACTOR = 0xc2b2ae3d;

/**
 * Reads the tokens of a text into `into` and returns it.
 *
 * Units   offsets are UTF-16 units of `text`.     Cost  O(length), no allocation once `into` has grown.
 * Source  Broder, Glassman, Manasse, Zweig, WWW6 1997, section 2 ("canonical sequence of tokens").
 */
export function readTokens(text: string, into: TokenSequence = new TokenSequence()): TokenSequence {
  into.count = 0;
  readSpan(text, 0, text.length, into);
  return into;
}

/** The same where words are wanted too: `spans` is what `internTokens` gave for the text. */
export function takeTokens(text: string, spans: Uint32Array, into: TokenSequence): void {
  const spanCount = spans.length / SPAN_SIZE;
  into.count = 0;
  into.grow(spanCount);
  let { high, low, starts, ends } = into;
  const lanes = lanesOfEntry;
  let count = 0;
  for (let i = 0, at = 0; i < spanCount; i++, at += SPAN_SIZE) {
    const start = spans[at]!;
    const end = spans[at + 1]!;
    const entry = spans[at + 2]!;
    if (entry !== NO_ENTRY) {
      const upper = lanes[2 * entry]!;
      const lower = lanes[2 * entry + 1]!;
      if ((upper | lower) !== 0) {
        high[count] = upper;
        low[count] = lower;
        starts[count] = start;
        ends[count++] = end;
        continue;
      }
    }
    into.count = count;
    readSpan(text, start, end, into);
    const isWhole = into.count === count + 1 && into.starts[count] === start && into.ends[count] === end;
    if (entry !== NO_ENTRY && isWhole) {
      lanes[2 * entry] = into.high[count]!;
      lanes[2 * entry + 1] = into.low[count]!;
    }
    count = into.count;
    into.grow(count + spanCount - i);
    ({ high, low, starts, ends } = into);
  }
  into.count = count;
}

let units = new Uint16Array(1 << 15);

/** The units of `text.slice(from, to)`, which are read faster than a string, and a separator behind them. */
function load(text: string, from: number, to: number): Uint16Array {
  const length = to - from;
  if (length >= units.length) units = new Uint16Array(2 * length + 1);
  if (length < 64) for (let i = 0; i < length; i++) units[i] = text.charCodeAt(from + i);
  else Buffer.from(units.buffer).write(text.slice(from, to), 0, 'utf16le');
  units[length] = 0x20;
  return units;
}

/** Adds the tokens of `text.slice(from, to)`, unit by unit: what a token is. */
function readSpan(text: string, from: number, to: number, into: TokenSequence): void {
  // A token to every other unit; only unspaced scripts can want more.
  into.grow(into.count + ((to - from) >> 1) + 1);
  let { high, low, starts, ends } = into;
  const source = load(text, from, to);
  const length = to - from;
  let { count } = into;
  let start = 0;
  let end = 0;
  let upper = HIGH_SEED;
  let lower = LOW_SEED;
  for (let i = 0; i <= length; i++) {
    let codePoint = source[i]!;
    let fold = folds[codePoint]!;
    // The second lane runs over all states of the first: both agree only by two accidents.
    if (fold > SINGLE) {
      upper = Math.imul(((upper << 11) | (upper >>> 21)) ^ fold, FACTOR);
      lower = (((lower << 5) | (lower >>> 27)) + upper) | 0;
      end = i + 1;
      continue;
    }
    let width = 1;
    if (fold === UNKNOWN) {
      codePoint = text.codePointAt(from + i)!;
      width = codePoint > 0xffff ? 2 : 1;
      fold = foldOf(codePoint);
      if (width === 1 && !isSurrogate(codePoint)) folds[codePoint] = fold;
      if (fold > SINGLE) {
        upper = Math.imul(((upper << 11) | (upper >>> 21)) ^ fold, FACTOR);
        lower = (((lower << 5) | (lower >>> 27)) + upper) | 0;
        i += width - 1;
        end = i + 1;
        continue;
      }
    }
    // An apostrophe goes on with the token it stands in; two in a row are quotation marks.
    if (fold === IGNORED && end === i && end > start) continue;
    if (end > start) {
      high[count] = mix32(upper);
      low[count] = mix32(lower ^ upper);
      starts[count] = from + start;
      ends[count++] = from + end;
      upper = HIGH_SEED;
      lower = LOW_SEED;
    }
    if (fold === SINGLE) {
      const single = Math.imul(HIGH_SEED ^ codePoint, FACTOR);
      into.grow(count + length - i + 1);
      ({ high, low, starts, ends } = into);
      high[count] = mix32(single);
      low[count] = mix32(LOW_SEED + single);
      starts[count] = from + i;
      ends[count++] = from + i + width;
    }
    i += width - 1;
    start = i + 1;
  }
  into.count = count;
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}
