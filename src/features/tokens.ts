/**
 * The canonical token sequence of a text: what two texts must share to be called lexically equivalent,
 * and what shingles are cut from.
 *
 * A token is a run of letters, digits and combining marks, in lower case; all else separates. No
 * stemming, no stop words: copies are about wording. As for words, an apostrophe, soft hyphen or joiner
 * inside a token is dropped; unlike words, a script written without spaces gives one token a character.
 * Code points are folded one by one, without Unicode normalisation: the composed and the decomposed
 * spelling of an accented word are different tokens.
 *
 * Each token is kept as a 64-bit fingerprint in two lanes, hashed in place: no string is made.
 * Cost: see shingle.ts, which is what tokens are for.
 */
import { mix32 } from '../lib/hash.ts';
import { characterClass, DROPPED, SEPARATOR as NO_LETTER, UNSPACED } from './character-class.ts';

/** What stands in the table for a unit not met yet. */
const UNKNOWN = 0;
const SEPARATOR = 1;
const IGNORED = 2;
const SINGLE = 3;

const IS_NUMBER = /^\p{N}$/u;

/**
 * Class or lower-case form of each UTF-16 unit, filled as units are met, surrogates left out. Values up to SINGLE are
 * classes; the lower-case forms begin at 48 ('0').
 */
const fold = new Uint16Array(65536);

function foldOf(codePoint: number): number {
  const kind = characterClass(codePoint);
  if (kind === DROPPED) return IGNORED;
  if (kind === UNSPACED) return SINGLE;
  const character = String.fromCodePoint(codePoint);
  if (kind === NO_LETTER && !IS_NUMBER.test(character)) return SEPARATOR;
  return character.toLowerCase().codePointAt(0)!;
}

function learn(unit: number): number {
  return (fold[unit] = foldOf(unit));
}

for (let unit = 0; unit < 128; unit++) learn(unit);

/**
 * Tokens of one text, in order. The arrays are longer than `count`, and are written over by the next
 * `readTokens` into the same sequence.
 */
export class TokenSequence {
  count = 0;
  /** Fingerprint lanes: token i is `high[i]`, `low[i]`. */
  high = new Int32Array(1024);
  low = new Int32Array(1024);
  /** Token i is `text.slice(starts[i], ends[i])`, before folding. */
  starts = new Uint32Array(1024);
  ends = new Uint32Array(1024);

  /** Makes room for `capacity` tokens; what is there stays. */
  grow(capacity: number): void {
    if (capacity <= this.high.length) return;
    const length = Math.max(capacity, 2 * this.high.length);
    this.high = copyInto(new Int32Array(length), this.high);
    this.low = copyInto(new Int32Array(length), this.low);
    this.starts = copyInto(new Uint32Array(length), this.starts);
    this.ends = copyInto(new Uint32Array(length), this.ends);
  }
}

function copyInto<T extends Int32Array | Uint32Array>(target: T, source: T): T {
  target.set(source);
  return target;
}

const HIGH_SEED = 0x6a09e667;
const LOW_SEED = 0x2f0b4c47;
const FACTOR = 0xc2b2ae3d;

let units = new Uint16Array(1 << 15);

/** Copies a text to `units`, which is read faster than a string, and ends it with a separator. */
function load(text: string): void {
  if (text.length >= units.length) units = new Uint16Array(2 * text.length + 1);
  Buffer.from(units.buffer).write(text, 0, 'utf16le');
  units[text.length] = 0x20;
}

/**
 * Reads the tokens of a text into `into` and returns it.
 *
 * Units   offsets are UTF-16 units of `text`.     Cost  O(length), no allocation once `into` has grown.
 * Source  Broder, Glassman, Manasse, Zweig, WWW6 1997, section 2 ("canonical sequence of tokens").
 */
export function readTokens(text: string, into: TokenSequence = new TokenSequence()): TokenSequence {
  const length = text.length;
  load(text);
  const source = units;
  // A token to every other unit; only unspaced scripts can want more.
  into.grow((length >> 1) + 1);
  let { high, low, starts, ends } = into;
  let count = 0;
  let start = 0;
  let end = 0;
  let upper = HIGH_SEED;
  let lower = LOW_SEED;
  for (let i = 0; i <= length; i++) {
    let folded = fold[source[i]!]!;
    // The second lane runs over all states of the first: both agree only by two accidents.
    if (folded > SINGLE) {
      upper = Math.imul(((upper << 11) | (upper >>> 21)) ^ folded, FACTOR);
      lower = (((lower << 5) | (lower >>> 27)) + upper) | 0;
      end = i + 1;
      continue;
    }
    let width = 1;
    if (folded !== SEPARATOR) {
      if (folded === UNKNOWN) {
        const codePoint = codePointAt(source, i, length);
        if (codePoint > 0xffff) width = 2;
        folded = (codePoint & 0x1ff800) === 0xd800 || width === 2 ? foldOf(codePoint) : learn(codePoint);
      }
      if (folded > SINGLE) {
        upper = Math.imul(((upper << 11) | (upper >>> 21)) ^ folded, FACTOR);
        lower = (((lower << 5) | (lower >>> 27)) + upper) | 0;
        i += width - 1;
        end = i + 1;
        continue;
      }
      // An apostrophe goes on with the token it stands in; two in a row are quotation marks.
      if (folded === IGNORED && end === i && end > start) continue;
    }
    if (end > start) {
      high[count] = mix32(upper);
      low[count] = mix32(lower ^ upper);
      starts[count] = start;
      ends[count] = end;
      count++;
      upper = HIGH_SEED;
      lower = LOW_SEED;
    }
    if (folded === SINGLE) {
      const codePoint = codePointAt(source, i, length);
      const single = Math.imul(HIGH_SEED ^ codePoint, FACTOR);
      into.grow(count + length - i + 1);
      ({ high, low, starts, ends } = into);
      high[count] = mix32(single);
      low[count] = mix32(LOW_SEED + single);
      starts[count] = i;
      ends[count] = i + width;
      count++;
    }
    start = i + width;
    i += width - 1;
  }
  into.count = count;
  return into;
}

function codePointAt(source: Uint16Array, i: number, length: number): number {
  const unit = source[i]!;
  if (unit < 0xd800 || unit > 0xdbff || i + 1 >= length) return unit;
  const next = source[i + 1]!;
  return next < 0xdc00 || next > 0xdfff ? unit : 0x10000 + ((unit - 0xd800) << 10) + (next - 0xdc00);
}
