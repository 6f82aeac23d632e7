/**
 * AssemblyScript, SIMD: the text of a page, tidied as it comes: no white space at either end, one space or one line
 * break between words. Offsets given out while it grows stay true, because nothing is changed afterwards.
 */
// @ts-nocheck: compiled by asc, not by tsc.

import {
  CONSUMED,
  FIRST_HEADING,
  REFERENCE_SLOT_BITS,
  REFERENCE_SLOT_BYTES,
  REFERENCES_AT,
  RESOLVED_AT,
} from '../../src/page/html/kernel-layout';
import { get, put } from './state';
import { AMPERSAND, findUnit, isAlphanumeric, NUMBER_SIGN, SEMICOLON } from './units';

/** Writes to RESOLVED_AT what the reference of these units stands for, and to CONSUMED how many it takes; returns how many it wrote. */
declare function resolveReference(from: usize, to: usize): u32;

/** Bytes of a unit. */
const U: usize = 2;

const NO_GAP: u32 = 0;
const SPACE: u32 = 1;
const LINE: u32 = 2;

/** What a unit is to the text. White space and control characters are one space for a run of them. */
const PLAIN: u32 = 0;
const BLANK: u32 = 1;
/** Zero-width: may stand inside a word and means nothing there. */
const INVISIBLE: u32 = 2;

/** Slots of references hold their 16 ASCII characters at most, how many units they stand for, and so many of them. */
const MAX_KNOWN_UNITS: u32 = 3;
const FACTOR: u64 = ((<u64>0x5851f42d) << 32) | 0x4c957f2d;

/** Where the text begins, and its units so far. */
export let text: usize = 0;
export let textLength: u32 = 0;
let gap: u32 = NO_GAP;
let isSpanOpen: bool = false;
/** -1 where it has not begun. */
let spanStart: i32 = -1;
let spanBreak: i32 = -1;

/** Where the title of a page, the values of links and what the caller writes go: behind what has come there. */
export let tail: usize = 0;
/** Two values of four bytes for each heading. */
export let headings: usize = 0;

/** While a title is read, what the text of the page is meanwhile. */
export let isTitle: bool = false;
let heldText: usize = 0;
let heldLength: u32 = 0;
let heldGap: u32 = 0;
let heldSpanOpen: bool = false;
let heldSpanStart: i32 = -1;
let heldSpanBreak: i32 = -1;

/** What follows is a text of its own, from there on. */
function startText(at: usize): void {
  text = at;
  textLength = 0;
  gap = NO_GAP;
  isSpanOpen = false;
  spanStart = -1;
  spanBreak = -1;
}

export function beginText(textAt: usize, tailAt: usize, headingsAt: usize): void {
  startText(textAt);
  tail = tailAt;
  headings = headingsAt;
  isTitle = false;
  put(FIRST_HEADING, <u32>-1);
}

export function moveTail(to: usize): void {
  tail = to;
}

/** What follows goes to the title. */
export function beginTitle(): void {
  heldText = text;
  heldLength = textLength;
  heldGap = gap;
  heldSpanOpen = isSpanOpen;
  heldSpanStart = spanStart;
  heldSpanBreak = spanBreak;
  startText(tail);
  isTitle = true;
}

/** What follows goes to the page again; the title stands at the tail, until something else does. */
export function endTitle(): void {
  text = heldText;
  textLength = heldLength;
  gap = heldGap;
  isSpanOpen = heldSpanOpen;
  spanStart = heldSpanStart;
  spanBreak = heldSpanBreak;
  isTitle = false;
}

function kindOf(unit: u32): u32 {
  if (unit <= 0x20) return BLANK;
  if (unit < 0x7f) return PLAIN;
  if (unit <= 0xa0) return BLANK;
  if (unit < 0x1680) return unit === 0xad ? INVISIBLE : PLAIN;
  if (unit > 0x3000) return unit === 0xfeff ? BLANK : PLAIN;
  if (unit - 0x2000 < 0x70) {
    if (unit <= 0x200a || unit === 0x2028 || unit === 0x2029 || unit === 0x202f || unit === 0x205f)
      return BLANK;
    return unit === 0x200b || unit === 0x2060 ? INVISIBLE : PLAIN;
  }
  return unit === 0x1680 || unit === 0x3000 ? BLANK : PLAIN;
}

/** Which of eight units `kindOf` may not call BLANK, if they are at most 0x20, or else PLAIN. */
function special(units: v128): v128 {
  const low = i16x8.le_u(i16x8.sub(units, i16x8.splat(0x7f)), i16x8.splat(0xad - 0x7f));
  const high = i16x8.le_u(i16x8.sub(units, i16x8.splat(0x1680)), i16x8.splat(0x3000 - 0x1680));
  return v128.or(v128.or(low, high), i16x8.eq(units, i16x8.splat(-0x101)));
}

/** Adds a piece of running text; pieces join without a gap. Returns where it begins, -1 for a blank one. */
export function append(from: usize, to: usize): i32 {
  let at = from;
  for (; at < to; at += U) {
    const kind = kindOf(load<u16>(at));
    if (kind === PLAIN) break;
    if (gap === NO_GAP && kind === BLANK) gap = SPACE;
  }
  if (at >= to) return -1;
  let out = text + ((<usize>textLength) << 1);
  if (gap !== NO_GAP && textLength > 0) {
    store<u16>(out, gap === LINE ? 0x0a : 0x20);
    out += U;
  }
  const start = <i32>((out - text) >>> 1);
  let wasBlank: u32 = 0;
  for (;;) {
    while (at + 16 <= to) {
      const block = v128.load(at);
      if (v128.any_true(special(block))) break;
      const blank = i16x8.le_u(block, i16x8.splat(0x20));
      const blanks = <u32>i16x8.bitmask(blank);
      if (blanks & ((blanks << 1) | wasBlank)) break;
      v128.store(out, v128.bitselect(i16x8.splat(0x20), block, blank));
      wasBlank = blanks >>> 7;
      at += 16;
      out += 16;
    }
    if (at >= to) break;
    const stop = at + 16 < to ? at + 16 : to;
    for (; at < stop; at += U) {
      const unit = <u32>load<u16>(at);
      const kind = kindOf(unit);
      if (kind === INVISIBLE) continue;
      // The second blank of a run is written over.
      out -= <usize>((wasBlank & kind) << 1);
      store<u16>(out, kind === BLANK ? 0x20 : unit);
      out += U;
      wasBlank = kind;
    }
  }
  gap = wasBlank ? SPACE : NO_GAP;
  textLength = <u32>((out - text) >>> 1) - wasBlank;
  if (isSpanOpen && spanStart < 0) spanStart = start;
  return start;
}

/** The same with character references. */
export function appendResolved(from: usize, to: usize): void {
  let at = from;
  for (;;) {
    const sign = findUnit(AMPERSAND, at, to);
    append(at, sign);
    if (sign >= to) return;
    at = appendReference(sign, to);
  }
}

/** Adds what the reference stands for that may begin with the ampersand at `sign`; returns where it is over. */
function appendReference(sign: usize, to: usize): usize {
  let behind = sign + U;
  while (behind < to && isReferencePart(load<u16>(behind))) behind += U;
  if (behind < to && <u32>load<u16>(behind) === SEMICOLON) behind += U;
  const size = <u32>((behind - sign) >>> 1);
  if (size === 1) {
    append(sign, behind);
    return behind;
  }
  if (size > 16) return appendAsked(sign, behind);
  const places = i8x16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  const bytes = i8x16.narrow_i16x8_u(v128.load(sign), v128.load(sign, 16));
  const key = v128.and(bytes, i8x16.lt_u(places, i8x16.splat(<i8>size)));
  let hash = <u64>i64x2.extract_lane(key, 0) * FACTOR + <u64>i64x2.extract_lane(key, 1);
  hash *= FACTOR;
  const slot = REFERENCES_AT + <usize>(hash >>> (64 - <u64>REFERENCE_SLOT_BITS)) * REFERENCE_SLOT_BYTES;
  if (v128.any_true(v128.xor(v128.load(slot), key))) {
    const count = resolveReference(sign, behind);
    if (count > MAX_KNOWN_UNITS || (<usize>get(CONSUMED)) << 1 !== behind - sign)
      return takeAsked(sign, count);
    v128.store(slot, key);
    store<u16>(slot, count, 16);
    store<u64>(slot + 18, load<u64>(RESOLVED_AT));
  }
  append(slot + 18, slot + 18 + ((<usize>load<u16>(slot, 16)) << 1));
  return behind;
}

function isReferencePart(unit: u32): bool {
  return isAlphanumeric(unit) || unit === NUMBER_SIGN;
}

function appendAsked(sign: usize, behind: usize): usize {
  return takeAsked(sign, resolveReference(sign, behind));
}

function takeAsked(sign: usize, count: u32): usize {
  append(RESOLVED_AT, RESOLVED_AT + ((<usize>count) << 1));
  return sign + ((<usize>get(CONSUMED)) << 1);
}

export function space(): void {
  if (gap === NO_GAP) gap = SPACE;
}

export function lineBreak(): void {
  gap = LINE;
  if (spanStart >= 0 && spanBreak < 0) spanBreak = textLength;
}

/** From here on the span's start (its first character) and first line break are watched. */
export function openSpan(): void {
  isSpanOpen = true;
  spanStart = -1;
  spanBreak = -1;
}

/** Where the span closed last began: at its end, if it was blank. */
export let closedStart: u32 = 0;

/** Returns where the span ends; `toBreak` ends it at its first line break. */
export function closeSpan(toBreak: bool): u32 {
  const end = toBreak && spanBreak >= 0 ? <u32>spanBreak : textLength;
  closedStart = spanStart < 0 ? end : <u32>spanStart;
  isSpanOpen = false;
  spanStart = -1;
  spanBreak = -1;
  return end;
}

/** True right after a word, where the next piece would continue it. */
export function inWord(): bool {
  return gap === NO_GAP && textLength > 0;
}
