/** AssemblyScript, SIMD: the UTF-16 units of a page, of which at least 16 of 0 stand behind the last. */

// @ts-nocheck: compiled by asc, not by tsc.

export const BANG: u32 = 0x21;
export const DOUBLE_QUOTE: u32 = 0x22;
export const NUMBER_SIGN: u32 = 0x23;
export const AMPERSAND: u32 = 0x26;
export const SINGLE_QUOTE: u32 = 0x27;
export const DASH: u32 = 0x2d;
export const SLASH: u32 = 0x2f;
export const SEMICOLON: u32 = 0x3b;
export const LESS: u32 = 0x3c;
export const EQUALS: u32 = 0x3d;
export const GREATER: u32 = 0x3e;
export const QUESTION: u32 = 0x3f;

/** Tab, line feed, form feed, carriage return, space. */
const BLANKS: u64 = (1 << 9) | (1 << 10) | (1 << 12) | (1 << 13) | ((<u64>1) << 32);
const NAME_ENDS: u64 = BLANKS | ((<u64>1) << 47) | ((<u64>1) << 62);
const ATTRIBUTE_NAME_ENDS: u64 = NAME_ENDS | ((<u64>1) << 61);

/** White space of markup. */
export function isBlank(unit: u32): bool {
  return unit < 64 && ((BLANKS >> unit) & 1) !== 0;
}

/** A tag name is over: white space, `/` or `>`. */
export function endsName(unit: u32): bool {
  return unit < 64 && ((NAME_ENDS >> unit) & 1) !== 0;
}

/** An attribute name is over: the same or `=`. */
export function endsAttributeName(unit: u32): bool {
  return unit < 64 && ((ATTRIBUTE_NAME_ENDS >> unit) & 1) !== 0;
}

export function isLetter(unit: u32): bool {
  return (unit | 0x20) - 0x61 < 26;
}

export function isAlphanumeric(unit: u32): bool {
  return isLetter(unit) || unit - 0x30 < 10;
}

export function lower(unit: u32): u32 {
  return unit - 0x41 < 26 ? unit | 0x20 : unit;
}

/** Address of the first unit like this from `from` on, `to` where none stands before it. */
export function findUnit(unit: u32, from: usize, to: usize): usize {
  const wanted = i16x8.splat(<i16>unit);
  for (let at = from; at < to; at += 16) {
    const found = i16x8.bitmask(i16x8.eq(v128.load(at), wanted));
    if (found) {
      const place = at + ((<usize>ctz(found)) << 1);
      return place < to ? place : to;
    }
  }
  return to;
}

/** Whether units that are each the code of a letter in lower case or a sign stand at `at`, in either case. */
export function standsAt(at: usize, name: usize, length: u32): bool {
  for (let i: usize = 0; i < (<usize>length) << 1; i += 2) {
    if (lower(load<u16>(at + i)) !== <u32>load<u16>(name + i)) return false;
  }
  return true;
}

/** Whether four ASCII characters stand at `at`, in either case; each of `codes` is one byte in lower case, the first the lowest. */
export function fourStandAt(at: usize, codes: u32): bool {
  for (let i: u32 = 0; i < 4; ++i) {
    if (lower(load<u16>(at + ((<usize>i) << 1))) !== ((codes >> (i << 3)) & 0xff)) return false;
  }
  return true;
}

/** Writes units as bytes to `to`, which may be their own place; false, and nothing is written, where one is above 255. */
export function narrowUnits(units: usize, count: u32, to: usize): bool {
  const end = units + ((<usize>count) << 1);
  let at = units;
  let all = i16x8.splat(0);
  for (; at + 16 <= end; at += 16) all = v128.or(all, v128.load(at));
  let rest: u32 = 0;
  for (; at < end; at += 2) rest |= load<u16>(at);
  if (rest > 255 || v128.any_true(v128.and(all, i16x8.splat(-0x100)))) return false;
  let out = to;
  for (at = units; at + 32 <= end; at += 32) {
    v128.store(out, i8x16.narrow_i16x8_u(v128.load(at), v128.load(at, 16)));
    out += 16;
  }
  for (; at < end; at += 2) store<u8>(out++, load<u16>(at));
  return true;
}
