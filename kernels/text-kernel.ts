/**
 * AssemblyScript, SIMD: the inner loops between the text of a page and its features.
 *
 *   internTokens  text -> where its tokens stand, and the number of each distinct one
 *   readTokens    text -> its tokens with their fingerprints, unit by unit
 *   takeTokens    the same where `internTokens` has found most of them
 *   shingleSet    tokens -> the set of the shingles they make
 *   sortKeys      shingles -> the same in ascending order
 *   countControls the bytes of a page -> how many of them text does not hold
 *
 * Rebuild: `node scripts/build-kernels.mjs`. Memory is imported; nothing is allocated here.
 */

// @ts-nocheck: compiled by asc, not by tsc.

const NO_ENTRY: u32 = 0xffff_ffff;
const KEY_BYTES: u32 = 16;
/** The byte of a unit from 0x100 to 0x1fff: most are letters of alphabets, and a token of them is known by its units. */
const ALPHABETIC: u32 = 0;
/** The byte of a unit above: ideographs, syllables, halves of pairs. */
const OTHER: u32 = 1;
/** Marks the slot of an entry that is known by its units. */
const WIDE: u32 = 0x8000_0000;
/** A page may be made of tokens that all want the same slot. */
const MAX_PROBES: u32 = 64;
const FACTOR_A: u64 = ((<u64>0x9e3779b9) << 32) | 0x7f4a7c15;
const FACTOR_B: u64 = ((<u64>0xc2b2ae3d) << 32) | 0x27d4eb4f;
const FACTOR_C: u64 = ((<u64>0xbf58476d) << 32) | 0x1ce4e5b9;

/** What a unit is to tokens; other folds are the lower-case form that it counts as. See src/text/fold.ts. */
const UNKNOWN: u32 = 0;
const IGNORED: u32 = 2;
const SINGLE: u32 = 3;
const HIGH_SEED: u32 = 0x6a09e667;
const LOW_SEED: u32 = 0x2f0b4c47;
const FOLD_FACTOR: u32 = 0xc2b2ae3d;

declare function foldOf(codePoint: u32): u32;

/** Places that entries take; set to 0, with the slots cleared, to forget them. */
export let entryCount: u32 = 0;

/** Sums over the mixed shingles of the last set. */
export let digestHigh: u32 = 0;
export let digestLow: u32 = 0;

/** What stands for a unit: see `internTokens`. */
function narrowUnit(unit: u32, signs: usize): u32 {
  if (unit < 256) return unit - 0x41 < 26 ? unit | 0x20 : unit < 2 ? 0x20 : unit;
  if (unit < 0x2000) return ALPHABETIC;
  return unit < 0x2c00 ? <u32>load<u8>(signs + unit - 0x2000) : OTHER;
}

/** Writes sixteen units as bytes. */
function narrow(units: usize, bytes: usize, signs: usize): void {
  let a = v128.load(units);
  let b = v128.load(units, 16);
  const either = v128.or(a, b);
  if (v128.any_true(v128.and(either, i16x8.splat(-0x2000)))) {
    for (let i: usize = 0; i < 16; ++i) store<u8>(bytes + i, narrowUnit(load<u16>(units + (i << 1)), signs));
    return;
  }
  let alphabetic = i8x16.splat(0);
  if (v128.any_true(v128.and(either, i16x8.splat(-0x100)))) {
    const ofA = i16x8.gt_u(a, i16x8.splat(255));
    const ofB = i16x8.gt_u(b, i16x8.splat(255));
    alphabetic = i8x16.narrow_i16x8_s(ofA, ofB);
    a = v128.andnot(a, ofA);
    b = v128.andnot(b, ofB);
  }
  const raw = i8x16.narrow_i16x8_u(a, b);
  const isCapital = i8x16.lt_u(i8x16.sub(raw, i8x16.splat(0x41)), i8x16.splat(26));
  const isTaken = i8x16.lt_u(raw, i8x16.splat(2));
  const spaced = v128.bitselect(i8x16.splat(0x20), raw, isTaken);
  // ALPHABETIC is no bit.
  const narrowed = v128.or(spaced, v128.and(isCapital, i8x16.splat(0x20)));
  v128.store(bytes, v128.andnot(narrowed, alphabetic));
}

/** Which of sixteen bytes are in a set of bytes: bit h of `low` row l (`high` from 128 on) is byte 16 h + l. */
function inSet(bytes: v128, low: v128, high: v128): u32 {
  const rows = i8x16(1, 2, 4, 8, 16, 32, 64, -128, 1, 2, 4, 8, 16, 32, 64, -128);
  const column = v128.and(bytes, i8x16.splat(15));
  const isHigh = i8x16.lt_s(bytes, i8x16.splat(0));
  const row = v128.bitselect(i8x16.swizzle(high, column), i8x16.swizzle(low, column), isHigh);
  const bit = i8x16.swizzle(rows, i8x16.shr_u(bytes, 4));
  return <u32>i8x16.bitmask(i8x16.ne(v128.and(row, bit), i8x16.splat(0)));
}

function droppedOf(bytes: v128): u32 {
  return <u32>i8x16.bitmask(v128.or(i8x16.eq(bytes, i8x16.splat(0x27)), i8x16.eq(bytes, i8x16.splat(-83))));
}

/**
 * Entry of the token of `size` bytes and units, new where there is room; NO_ENTRY for one that is too long, has an
 * OTHER byte or is too hard to find. Its key is its bytes, or where one of them is ALPHABETIC its units, at two places.
 */
function entryOf(
  token: usize,
  units: usize,
  size: u32,
  slots: usize,
  slotBits: u32,
  keys: usize,
  limit: u32,
): u32 {
  if (size > KEY_BYTES) return NO_ENTRY;
  const places = i8x16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  let first = v128.and(v128.load(token), i8x16.lt_u(places, i8x16.splat(<i8>size)));
  let second = i8x16.splat(0);
  let kind: u32 = 0;
  const notLatin = <u32>i8x16.bitmask(i8x16.lt_u(first, i8x16.splat(2)));
  if (<u32>ctz(notLatin | 0x10000) !== size) {
    if (v128.any_true(i8x16.eq(first, i8x16.splat(<i8>OTHER)))) return NO_ENTRY;
    const all = i16x8.splat(<i16>size);
    first = v128.and(v128.load(units), i16x8.lt_u(i16x8(0, 1, 2, 3, 4, 5, 6, 7), all));
    second = v128.and(v128.load(units, 16), i16x8.lt_u(i16x8(8, 9, 10, 11, 12, 13, 14, 15), all));
    kind = WIDE;
  }
  let hash: u64 = i64x2.extract_lane(first, 0) * FACTOR_A;
  hash ^= i64x2.extract_lane(first, 1) * FACTOR_B;
  if (kind) {
    hash = (hash ^ (hash >>> 31) ^ i64x2.extract_lane(second, 0)) * FACTOR_A;
    hash ^= i64x2.extract_lane(second, 1) * FACTOR_B;
  }
  hash = (hash ^ (hash >>> 29)) * FACTOR_C;
  const mask: u32 = (1 << slotBits) - 1;
  let slot = <u32>(hash >>> (64 - <u64>slotBits));
  let probes: u32 = 0;
  for (;;) {
    const held = load<u32>(slots + ((<usize>slot) << 2));
    if (held === 0) break;
    if ((held & WIDE) === kind) {
      const entry = (held & ~WIDE) - 1;
      const at = keys + ((<usize>entry) << 4);
      const isFirst = !v128.any_true(v128.xor(v128.load(at), first));
      if (isFirst && (!kind || !v128.any_true(v128.xor(v128.load(at, 16), second)))) return entry;
    }
    if (++probes === MAX_PROBES) return NO_ENTRY;
    slot = (slot + 1) & mask;
  }
  const entry = entryCount;
  const next = entry + (kind ? 2 : 1);
  if (next > limit) return NO_ENTRY;
  const at = keys + ((<usize>entry) << 4);
  v128.store(at, first);
  if (kind) v128.store(at, second, 16);
  store<u32>(slots + ((<usize>slot) << 2), kind | (entry + 1));
  entryCount = next;
  return entry;
}

/**
 * The tokens of a text of `length` UTF-16 units, which 80 units of 0 follow: for each its start, end and entry
 * (u32) go to `spans`; returns how many.
 *
 * Units become bytes: ASCII capitals small letters, all else from 2 to 255 itself, 0x2000 .. 0x2bff what `signs`
 * says, the rest ALPHABETIC or OTHER. A token is a run of the bytes of `members` (as for `inSet`, those two among
 * them), over a single dropped sign (0x27, 0xad) between two of them. Its entry is its number among `keys`, 16 bytes a
 * place, found by the 2^slotBits `slots`.
 */
export function internTokens(
  units: usize,
  length: u32,
  signs: usize,
  members: usize,
  bytes: usize,
  slots: usize,
  slotBits: u32,
  keys: usize,
  limit: u32,
  spans: usize,
): u32 {
  const low = v128.load(members);
  const high = v128.load(members, 16);
  let at = spans;
  let open = false;
  let start: u32 = 0;
  let wasMember: u64 = 0;
  let wasInside: u64 = 0;
  // All first: a load that spans two stores would have to wait for both.
  for (let i: u32 = 0; i < length + 65; i += 16) narrow(units + ((<usize>i) << 1), bytes + i, signs);
  for (let base: u32 = 0; base < length; base += 64) {
    let member: u64 = 0;
    let dropped: u64 = 0;
    for (let i: u32 = 0; i < 64; i += 16) {
      const part = v128.load(bytes + base + i);
      member |= (<u64>inSet(part, low, high)) << i;
      dropped |= (<u64>droppedOf(part)) << i;
    }
    let inside = member;
    if (dropped) {
      let next = member >>> 1;
      if (dropped >>> 63) {
        next |= (<u64>(inSet(v128.load(bytes + base, 64), low, high) & 1)) << 63;
      }
      inside |= dropped & ((member << 1) | wasMember) & next;
    }
    let edges = inside ^ ((inside << 1) | wasInside);
    wasMember = member >>> 63;
    wasInside = inside >>> 63;
    while (edges) {
      const edge = base + <u32>ctz(edges);
      edges &= edges - 1;
      if (open) {
        store<u32>(at, start);
        store<u32>(at, edge, 4);
        at += 12;
      } else {
        start = edge;
      }
      open = !open;
    }
  }
  if (open) {
    store<u32>(at, start);
    store<u32>(at, length, 4);
    at += 12;
  }
  // Apart from the cutting, whose branches no processor foresees: the searches wait for memory side by side.
  for (let span = spans; span < at; span += 12) {
    const from = <usize>load<u32>(span);
    const size = load<u32>(span, 4) - <u32>from;
    const entry = entryOf(bytes + from, units + (from << 1), size, slots, slotBits, keys, limit);
    store<u32>(span, entry, 8);
  }
  return <u32>((at - spans) / 12);
}

function mix32(value: u32): u32 {
  let h = value;
  h ^= h >>> 16;
  h *= 0x85ebca6b;
  h ^= h >>> 13;
  h *= 0xc2b2ae35;
  return h ^ (h >>> 16);
}

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

/** The same of what `internTokens` wrote; `lanes` keeps two of each entry that is one token, both 0 where it is not known. */
export function takeTokens(
  units: usize,
  spans: usize,
  spanCount: u32,
  lanes: usize,
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
    const known = lanes + ((<usize>entry) << 3);
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

/** See src/text/shingle.ts: 15 minus the level of a fingerprint, and its lower 40 bits. */
function keyOf(fingerprint: u64): u64 {
  const selector = <u32>(fingerprint >>> 40);
  // Multiples of an odd number are those that its inverse takes to the least values: no division, no branch.
  let level = <u32>(selector * 0xcccccccd <= 0x33333333);
  const quotient = selector * 0xc28f5c29;
  if (quotient <= 0x0a3d70a3) {
    const power = 2 + <u32>ctz(quotient);
    level = power < 15 ? power : 15;
  }
  return ((<u64>(15 - level)) << 40) | (fingerprint & 0xff_ffff_ffff);
}

/** Adds a key to the set; returns the size of the set. */
function addKey(key: u64, slots: usize, mask: u32, members: usize, size: u32): u32 {
  const low = <u32>key;
  let slot = low & mask;
  for (;;) {
    const held = load<u64>(slots + ((<usize>slot) << 3));
    if (held === 0) break;
    if (held === key + 1) return size;
    slot = (slot + 1) & mask;
  }
  store<u64>(slots + ((<usize>slot) << 3), key + 1);
  store<f64>(members + ((<usize>size) << 3), <f64>key);
  const mixed = mix32(low ^ (<u32>(key >>> 32) * 0x9e3779b1));
  digestHigh += mixed;
  digestLow += (mixed ^ (mixed >>> 15)) * (low | 1);
  return size + 1;
}

/**
 * The distinct shingle keys (f64) of `count` >= 1 tokens, whose fingerprint lanes are `high` and `low` (u32), in
 * the order they come to `members`; returns how many. `slots` is room for mask + 1 keys of 8 bytes.
 */
export function shingleSet(
  high: usize,
  low: usize,
  count: u32,
  shingleSize: u32,
  slots: usize,
  mask: u32,
  members: usize,
): u32 {
  memory.fill(slots, 0, (<usize>mask + 1) << 3);
  digestHigh = 0;
  digestLow = 0;
  let shingle: u64 = 0;
  const warmUp = shingleSize < count ? shingleSize : count;
  for (let i: u32 = 0; i < warmUp; ++i) {
    const token = ((<u64>load<u32>(high + ((<usize>i) << 2))) << 32) | load<u32>(low + ((<usize>i) << 2));
    shingle = (shingle << 1) ^ ((shingle >>> 63) * 0x1b) ^ token;
  }
  let size = addKey(keyOf(shingle), slots, mask, members, 0);
  for (let i = shingleSize; i < count; ++i) {
    const in_ = (<usize>i) << 2;
    const out = (<usize>(i - shingleSize)) << 2;
    const token = ((<u64>load<u32>(high + in_)) << 32) | load<u32>(low + in_);
    const old = ((<u64>load<u32>(high + out)) << 32) | load<u32>(low + out);
    const over = old >>> (64 - <u64>shingleSize);
    shingle = (shingle << 1) ^ ((shingle >>> 63) * 0x1b) ^ token ^ (old << (<u64>shingleSize));
    shingle ^= (over << 4) ^ (over << 3) ^ (over << 1) ^ over;
    size = addKey(keyOf(shingle), slots, mask, members, size);
  }
  return size;
}

const BUCKETS_A_KEY: u32 = 2;
/** Added to a whole number below 2^52, it leaves that number in the lower bits. */
const WHOLE: f64 = 4503599627370496.0;

/**
 * The `count` keys (f64), ascending, to `out`. Each goes to the place that its value makes likely, since keys are
 * spread evenly over their levels, and insertion puts the rest right. `shares` has two numbers (f64) a level, coarsest
 * first: the share of the keys that lies below it, and in it, counted so that the greatest key has share 1. `lines` is
 * room for 16 pairs of 8 bytes, `places` for count and `buckets` for BUCKETS_A_KEY * count + 1 numbers of 4.
 */
export function sortKeys(
  keys: usize,
  count: u32,
  shares: usize,
  lines: usize,
  places: usize,
  buckets: usize,
  out: usize,
): void {
  const bucketCount = BUCKETS_A_KEY * count;
  const last = bucketCount - 1;
  memory.fill(buckets, 0, (<usize>bucketCount + 1) << 2);
  // In units of 2^-36 bucket; a step is 2^-32 of a level.
  for (let level: usize = 0; level < 256; level += 16) {
    store<u64>(lines + level, <u64>(load<f64>(shares + level) * <f64>bucketCount * 68719476736.0));
    store<u64>(lines + level, <u64>(load<f64>(shares + level, 8) * <f64>bucketCount * 16.0), 8);
  }
  for (let i: u32 = 0; i < count; ++i) {
    const key = reinterpret<u64>(load<f64>(keys + ((<usize>i) << 3)) + WHOLE);
    const line = lines + ((<usize>(key >>> 40) & 15) << 4);
    const place = <u32>((load<u64>(line) + <u64>(<u32>(key >>> 8)) * load<u64>(line, 8)) >>> 36);
    const bucket = place < last ? place : last;
    store<u32>(places + ((<usize>i) << 2), bucket);
    const counter = buckets + ((<usize>bucket) << 2);
    store<u32>(counter, load<u32>(counter, 4) + 1, 4);
  }
  let sum: u32 = 0;
  for (let i: u32 = 0; i < bucketCount; ++i) {
    const bucket = buckets + ((<usize>i) << 2);
    sum += load<u32>(bucket);
    store<u32>(bucket, sum);
  }
  for (let i: u32 = 0; i < count; ++i) {
    const bucket = buckets + ((<usize>load<u32>(places + ((<usize>i) << 2))) << 2);
    const at = load<u32>(bucket);
    store<u32>(bucket, at + 1);
    store<f64>(out + ((<usize>at) << 3), load<f64>(keys + ((<usize>i) << 3)));
  }
  for (let i: u32 = 1; i < count; ++i) {
    let at = out + ((<usize>i) << 3);
    const key = load<f64>(at);
    while (at > out && load<f64>(at - 8) > key) {
      store<f64>(at, load<f64>(at - 8));
      at -= 8;
    }
    store<f64>(at, key);
  }
}

/** How many of `length` bytes, which spaces follow up to a multiple of 16, are control characters that text does not hold. */
export function countControls(bytes: usize, length: u32): u32 {
  // All below 0x20 but tab, line feed, form feed, carriage return and escape.
  const lower = i8x16(-1, -1, -1, -1, -1, -1, -1, -1, -1, 0, 0, -1, 0, 0, -1, -1);
  const upper = i8x16(-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 0, -1, -1, -1, -1);
  let count: u32 = 0;
  for (let i: u32 = 0; i < length; i += 16) {
    const part = v128.load(bytes + i);
    const found = v128.or(i8x16.swizzle(lower, part), i8x16.swizzle(upper, i8x16.sub(part, i8x16.splat(16))));
    count += <u32>popcnt(i8x16.bitmask(found));
  }
  return count;
}
