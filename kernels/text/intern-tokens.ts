/** AssemblyScript, SIMD: where the tokens of a text stand, and the number of each distinct one. */

// @ts-nocheck: compiled by asc, not by tsc.

import { ENTRY_BYTES, ENTRY_SHIFT, NO_ENTRY } from './entry';

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

/** Places that entries take; set to 0, with the slots cleared, to forget them. */
export let entryCount: u32 = 0;

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
  entries: usize,
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
      const at = entries + ((<usize>entry) << ENTRY_SHIFT);
      const isFirst = !v128.any_true(v128.xor(v128.load(at), first));
      if (isFirst && (!kind || !v128.any_true(v128.xor(v128.load(at, ENTRY_BYTES), second)))) return entry;
    }
    if (++probes === MAX_PROBES) return NO_ENTRY;
    slot = (slot + 1) & mask;
  }
  const entry = entryCount;
  const next = entry + (kind ? 2 : 1);
  if (next > limit) return NO_ENTRY;
  const at = entries + ((<usize>entry) << ENTRY_SHIFT);
  v128.store(at, first);
  if (kind) v128.store(at, second, ENTRY_BYTES);
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
 * them), over a single dropped sign (0x27, 0xad) between two of them. Its entry is its number among `entries`, found by
 * the 2^slotBits `slots`.
 */
export function internTokens(
  units: usize,
  length: u32,
  signs: usize,
  members: usize,
  bytes: usize,
  slots: usize,
  slotBits: u32,
  entries: usize,
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
    const entry = entryOf(bytes + from, units + (from << 1), size, slots, slotBits, entries, limit);
    store<u32>(span, entry, 8);
  }
  return <u32>((at - spans) / 12);
}
