/** AssemblyScript: the tokens of a text with their fingerprints, unit by unit. */

// @ts-nocheck: compiled by asc, not by tsc.

import { mix32 } from '../mix32';
import { ENTRY_SHIFT, LANES, NO_ENTRY } from './entry';

/** What a unit is to tokens; other folds are the lower-case form that it counts as. See src/text/fold.ts. */
const UNKNOWN: u32 = 0;
const IGNORED: u32 = 2;
const SINGLE: u32 = 3;
const HIGH_SEED: u32 = 0x6a09e667;
const LOW_SEED: u32 = 0x2f0b4c47;
const FOLD_FACTOR: u32 = 0xc2b2ae3d;
const FIRST_HALF_KANA: u32 = 0xff66;
const HALF_KANA_COUNT: u32 = 56;

declare function foldOf(codePoint: u32): u32;
declare function usualKana(codePoint: u32, next: u32): u32;

/** What a unit before `to` is. `folds` has that of each unit but halves of pairs (u16), UNKNOWN where it was not asked for. */
function foldAt(units: usize, at: u32, folds: usize): u32 {
  const unit = <u32>load<u16>(units + ((<usize>at) << 1));
  const known = <u32>load<u16>(folds + ((<usize>unit) << 1));
  if (known !== UNKNOWN) return known;
  const fold = foldOf(unit);
  store<u16>(folds + ((<usize>unit) << 1), <u16>fold);
  return fold;
}

/** The code point at `at`: a half of a pair that stands alone is its own. */
function codePointAt(units: usize, at: u32, to: u32): u32 {
  const unit = <u32>load<u16>(units + ((<usize>at) << 1));
  if (unit >>> 10 !== 0x36 || at + 1 === to) return unit;
  const next = <u32>load<u16>(units + ((<usize>at) << 1), 2);
  return next >>> 10 === 0x37 ? 0x10000 + ((unit & 0x3ff) << 10) + (next & 0x3ff) : unit;
}

/** Writes one token behind `count` others; returns how many there are then. */
function putToken(upper: u32, lower: u32, start: u32, end: u32, tokens: usize, room: u32, count: u32): u32 {
  const at = tokens + ((<usize>count) << 2);
  const column = (<usize>room) << 2;
  store<u32>(at, mix32(upper));
  store<u32>(at + column, mix32(lower));
  store<u32>(at + 2 * column, start);
  store<u32>(at + 3 * column, end);
  return count + 1;
}

/** Adds the tokens of the units from .. to - 1 to the `count` that are there; returns how many there are then. */
function readSpan(units: usize, from: u32, to: u32, folds: usize, tokens: usize, room: u32, count: u32): u32 {
  let start = from;
  let end = from;
  let upper = HIGH_SEED;
  let lower = LOW_SEED;
  for (let i = from; i < to; ++i) {
    let width: u32 = 1;
    let codePoint = <u32>load<u16>(units + ((<usize>i) << 1));
    let fold: u32;
    if (codePoint >>> 11 === 0x1b) {
      codePoint = codePointAt(units, i, to);
      width = codePoint > 0xffff ? 2 : 1;
      fold = foldOf(codePoint);
    } else {
      fold = foldAt(units, i, folds);
    }
    // The second lane runs over all states of the first: both agree only by two accidents.
    if (fold > SINGLE) {
      upper = (rotl<u32>(upper, 11) ^ fold) * FOLD_FACTOR;
      lower = rotl<u32>(lower, 5) + upper;
      i += width - 1;
      end = i + 1;
      continue;
    }
    // An apostrophe goes on with the token it stands in; two in a row are quotation marks.
    if (fold === IGNORED && end === i && end > start) continue;
    if (end > start) {
      count = putToken(upper, lower ^ upper, start, end, tokens, room, count);
      upper = HIGH_SEED;
      lower = LOW_SEED;
    }
    if (fold === SINGLE) {
      if (codePoint - FIRST_HALF_KANA < HALF_KANA_COUNT) {
        const next = i + 1 < to ? <u32>load<u16>(units + ((<usize>i) << 1), 2) : 0;
        const alone = usualKana(codePoint, 0);
        codePoint = usualKana(codePoint, next);
        if (codePoint !== alone) width = 2;
      }
      const single = (HIGH_SEED ^ codePoint) * FOLD_FACTOR;
      count = putToken(single, LOW_SEED + single, i, i + width, tokens, room, count);
    }
    i += width - 1;
    start = i + 1;
  }
  if (end > start) count = putToken(upper, lower ^ upper, start, end, tokens, room, count);
  return count;
}

/**
 * The tokens of a text of `length` units: high and low lane, start and end (u32), each in a column of `room` >= length
 * from `tokens` on; returns how many. `folds` is as for `foldAt`.
 */
export function readTokens(units: usize, length: u32, folds: usize, tokens: usize, room: u32): u32 {
  return readSpan(units, 0, length, folds, tokens, room, 0);
}

/** The same of what `internTokens` wrote; the lanes of an entry that is one token are kept, both 0 where they are not known. */
export function takeTokens(
  units: usize,
  spans: usize,
  spanCount: u32,
  entries: usize,
  folds: usize,
  tokens: usize,
  room: u32,
): u32 {
  const column = (<usize>room) << 2;
  let count: u32 = 0;
  for (let i: u32 = 0; i < spanCount; ++i, spans += 12) {
    const start = load<u32>(spans);
    const end = load<u32>(spans, 4);
    const entry = load<u32>(spans, 8);
    const at = tokens + ((<usize>count) << 2);
    const known = entries + ((<usize>entry) << ENTRY_SHIFT) + LANES;
    if (entry !== NO_ENTRY && load<u64>(known) !== 0) {
      store<u32>(at, load<u32>(known));
      store<u32>(at + column, load<u32>(known, 4));
      store<u32>(at + 2 * column, start);
      store<u32>(at + 3 * column, end);
      ++count;
      continue;
    }
    const next = readSpan(units, start, end, folds, tokens, room, count);
    const isWhole =
      next === count + 1 && load<u32>(at + 2 * column) === start && load<u32>(at + 3 * column) === end;
    if (entry !== NO_ENTRY && isWhole) {
      store<u32>(known, load<u32>(at));
      store<u32>(known, load<u32>(at + column), 4);
    }
    count = next;
  }
  return count;
}
