/** AssemblyScript, SIMD: a string as JSON writes it to UTF-16 units. */

// @ts-nocheck: compiled by asc, not by tsc.

import {
  BINARY_SAMPLE_LENGTH,
  BODY_BYTES,
  CONTROL_COUNT,
  UNIT_COUNT,
} from '../../src/page/html/kernel-layout';
import { put } from './state';
import { DOUBLE_QUOTE, SLASH } from './units';

const BACKSLASH: u32 = 0x5c;
const SMALL_B: u32 = 0x62;
const SMALL_F: u32 = 0x66;
const SMALL_N: u32 = 0x6e;
const SMALL_R: u32 = 0x72;
const SMALL_T: u32 = 0x74;
const SMALL_U: u32 = 0x75;
const BYTE_ORDER_MARK: u32 = 0xfeff;
/** Tab, line feed, form feed, carriage return, escape: control characters that text holds. */
const OF_TEXT: u32 = (1 << 9) | (1 << 10) | (1 << 12) | (1 << 13) | (1 << 27);
const NONE: u32 = 0xffff_ffff;

/** The number that four hexadecimal digits stand for; NONE where they are no such. */
function hexadecimal(at: usize): u32 {
  let value: u32 = 0;
  for (let i: usize = 0; i < 4; ++i) {
    const code = <u32>load<u8>(at + i);
    const letter = (code | 0x20) - 0x61;
    const digit: u32 = code - 0x30 < 10 ? code - 0x30 : letter < 6 ? letter + 10 : 16;
    if (digit === 16) return NONE;
    value = (value << 4) | digit;
  }
  return value;
}

/** What a backslash and the character `code` stand for; NONE for one that stands for nothing. */
function escaped(code: u32): u32 {
  if (code === DOUBLE_QUOTE || code === BACKSLASH || code === SLASH) return code;
  if (code === SMALL_N) return 0x0a;
  if (code === SMALL_T) return 0x09;
  if (code === SMALL_R) return 0x0d;
  if (code === SMALL_F) return 0x0c;
  return code === SMALL_B ? 0x08 : NONE;
}

/**
 * Reads the string whose first byte, behind the quotation mark, is at `from`, in UTF-8 that is valid and that 16 bytes of 0
 * follow; its units go to `units`. Returns where its other quotation mark stands. 0 for one that has none, is not
 * well formed, begins with a byte order mark, or has half of a pair.
 */
export function readJsonString(from: usize, units: usize): usize {
  let at = from;
  let out = units;
  /** Bytes of its UTF-8, less those that stand there. */
  let more: i32 = 0;
  let controlCount: u32 = 0;
  const sampleEnd = units + 2 * BINARY_SAMPLE_LENGTH;
  let code: u32 = 0;
  while (true) {
    let odd: u32 = 0;
    while (odd === 0) {
      const block = v128.load(at);
      v128.store(out, i16x8.extend_low_i8x16_u(block));
      v128.store(out, i16x8.extend_high_i8x16_u(block), 16);
      // Of signed bytes, those above ASCII are the least.
      const isOdd = v128.or(
        i8x16.lt_s(block, i8x16.splat(0x20)),
        v128.or(i8x16.eq(block, i8x16.splat(0x22)), i8x16.eq(block, i8x16.splat(0x5c))),
      );
      odd = <u32>i8x16.bitmask(isOdd);
      const count: usize = odd === 0 ? 16 : <usize>ctz(odd);
      at += count;
      out += count << 1;
    }
    code = <u32>load<u8>(at);
    if (code >= 0x80) {
      while (code >= 0x80) {
        const second = <u32>load<u8>(at, 1) & 0x3f;
        if (code < 0xe0) {
          store<u16>(out, ((code & 0x1f) << 6) | second);
          at += 2;
        } else {
          const third = <u32>load<u8>(at, 2) & 0x3f;
          if (code < 0xf0) {
            store<u16>(out, ((code & 0x0f) << 12) | (second << 6) | third);
            at += 3;
          } else {
            const above =
              (((code & 7) << 18) | (second << 12) | (third << 6) | (<u32>load<u8>(at, 3) & 0x3f)) - 0x10000;
            store<u16>(out, 0xd800 | (above >>> 10));
            store<u16>(out, 0xdc00 | (above & 0x3ff), 2);
            at += 4;
            out += 2;
          }
        }
        out += 2;
        code = <u32>load<u8>(at);
      }
      continue;
    }
    if (code !== BACKSLASH) break;
    const sign = <u32>load<u8>(at, 1);
    if (sign !== SMALL_U) {
      code = escaped(sign);
      if (code === NONE) return 0;
      at += 2;
      more -= 1;
    } else {
      code = hexadecimal(at + 2);
      if (code === NONE) return 0;
      at += 6;
      more += code < 0x80 ? -5 : code < 0x800 ? -4 : -3;
      if (code >>> 11 === 0x1b) {
        if (code >>> 10 !== 0x36 || <u32>load<u8>(at) !== BACKSLASH || <u32>load<u8>(at, 1) !== SMALL_U)
          return 0;
        const low = hexadecimal(at + 2);
        if (low >>> 10 !== 0x37) return 0;
        store<u16>(out, code);
        out += 2;
        code = low;
        at += 6;
        // Four bytes for twelve.
        more -= 5;
      }
    }
    if (code < 0x20 && ((OF_TEXT >> code) & 1) === 0 && out < sampleEnd) ++controlCount;
    store<u16>(out, code);
    out += 2;
  }
  if (code !== DOUBLE_QUOTE || <u32>load<u16>(units) === BYTE_ORDER_MARK) return 0;
  put(UNIT_COUNT, <u32>((out - units) >>> 1));
  put(BODY_BYTES, <u32>(<i32>(at - from) + more));
  put(CONTROL_COUNT, controlCount);
  return at;
}
