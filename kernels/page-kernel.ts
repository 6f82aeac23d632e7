/**
 * AssemblyScript, SIMD: the three inner loops that JavaScript runs 10 to 40 times slower.
 *
 *   signPages   bags -> min-hash values, 16 hash functions at a time in registers
 *   rowPairs    a run of 128-byte rows, all with all: the pairs that agree often enough
 *   rowMatches  one row against a list of rows
 *
 * Rebuild: `node scripts/build-kernels.mjs`. Memory is imported and shared; nothing is allocated here.
 */

// @ts-nocheck: compiled by asc, not by tsc.

import { mix32 } from './mix32';

const GOLDEN: u32 = 0x9e3779b1;
/** One in each byte. */
const BYTE_ONES: u64 = ((<u64>0x01010101) << 32) | 0x01010101;

function mix32x4(value: v128): v128 {
  let h = v128.xor(value, i32x4.shr_u(value, 16));
  h = i32x4.mul(h, i32x4.splat(0x85ebca6b));
  h = v128.xor(h, i32x4.shr_u(h, 13));
  h = i32x4.mul(h, i32x4.splat(0xc2b2ae35));
  return v128.xor(h, i32x4.shr_u(h, 16));
}

/** Occurrence j of a feature becomes one 32-bit element; the list is padded to a multiple of 4 by repetition. */
function flatten(features: usize, weights: usize, count: u32, elements: usize): usize {
  let at = elements;
  for (let i: u32 = 0; i < count; ++i) {
    const base = mix32(load<u32>(features + ((<usize>i) << 2)));
    const weight = <u32>load<u8>(weights + i);
    const bases = i32x4.splat(base);
    let salt = i32x4.mul(i32x4(0, 1, 2, 3), i32x4.splat(GOLDEN));
    for (let j: u32 = 0; j < weight; j += 4) {
      v128.store(at + ((<usize>j) << 2), mix32x4(v128.xor(bases, salt)));
      salt = i32x4.add(salt, i32x4.splat(GOLDEN << 2));
    }
    at += (<usize>weight) << 2;
  }
  return at;
}

/**
 * features, weights: entries of all pages of the batch, end to end; offsets: u32, pages + 1.
 * functions: `groups` blocks of 16 multipliers then 16 addends, u32.
 * bytes = 0: values, u32, `groups * 16` a page. bytes = 1: the low byte of mix32 of each value.
 */
export function signPages(
  features: usize,
  weights: usize,
  offsets: usize,
  pages: u32,
  functions: usize,
  groups: u32,
  elements: usize,
  out: usize,
  bytes: u32,
): void {
  for (let p: u32 = 0; p < pages; ++p) {
    const start = <usize>load<u32>(offsets + ((<usize>p) << 2));
    const end = <usize>load<u32>(offsets + ((<usize>p) << 2) + 4);
    const stop = flatten(features + (start << 2), weights + start, <u32>(end - start), elements);
    for (let g: u32 = 0; g < groups; ++g) {
      const block = functions + ((<usize>g) << 7);
      const a0 = v128.load(block);
      const a1 = v128.load(block, 16);
      const a2 = v128.load(block, 32);
      const a3 = v128.load(block, 48);
      const b0 = v128.load(block, 64);
      const b1 = v128.load(block, 80);
      const b2 = v128.load(block, 96);
      const b3 = v128.load(block, 112);
      let m0 = i32x4.splat(-1);
      let m1 = m0;
      let m2 = m0;
      let m3 = m0;
      for (let at = elements; at < stop; at += 4) {
        const x = v128.load32_splat(at);
        m0 = i32x4.min_u(m0, i32x4.add(b0, i32x4.mul(a0, x)));
        m1 = i32x4.min_u(m1, i32x4.add(b1, i32x4.mul(a1, x)));
        m2 = i32x4.min_u(m2, i32x4.add(b2, i32x4.mul(a2, x)));
        m3 = i32x4.min_u(m3, i32x4.add(b3, i32x4.mul(a3, x)));
      }
      if (bytes) {
        const low = i32x4.splat(255);
        const h01 = i16x8.narrow_i32x4_u(v128.and(mix32x4(m0), low), v128.and(mix32x4(m1), low));
        const h23 = i16x8.narrow_i32x4_u(v128.and(mix32x4(m2), low), v128.and(mix32x4(m3), low));
        v128.store(out, i8x16.narrow_i16x8_u(h01, h23));
        out += 16;
      } else {
        v128.store(out, m0);
        v128.store(out, m1, 16);
        v128.store(out, m2, 32);
        v128.store(out, m3, 48);
        out += 64;
      }
    }
  }
}

/** Equal bytes of two 128-byte rows, one of them in registers. */
function agreement(
  r0: v128,
  r1: v128,
  r2: v128,
  r3: v128,
  r4: v128,
  r5: v128,
  r6: v128,
  r7: v128,
  row: usize,
): u32 {
  const s01 = i8x16.add(i8x16.eq(r0, v128.load(row)), i8x16.eq(r1, v128.load(row, 16)));
  const s23 = i8x16.add(i8x16.eq(r2, v128.load(row, 32)), i8x16.eq(r3, v128.load(row, 48)));
  const s45 = i8x16.add(i8x16.eq(r4, v128.load(row, 64)), i8x16.eq(r5, v128.load(row, 80)));
  const s67 = i8x16.add(i8x16.eq(r6, v128.load(row, 96)), i8x16.eq(r7, v128.load(row, 112)));
  const sum = i8x16.neg(i8x16.add(i8x16.add(s01, s23), i8x16.add(s45, s67)));
  const half = i64x2.extract_lane(sum, 0) + i64x2.extract_lane(sum, 1);
  return <u32>((<u64>half * BYTE_ONES) >>> 56);
}

/**
 * list: u32 row numbers; the rows and their thresholds (u8 a row) are gathered into `tile` first.
 * split = 0: all pairs i < j; otherwise i < split <= j. Emits i << 16 | j where the agreement reaches
 * the smaller of the two thresholds, i ascending, and returns how many.
 */
export function rowPairs(
  list: usize,
  size: u32,
  split: u32,
  rows: usize,
  needs: usize,
  tile: usize,
  out: usize,
): u32 {
  const tileNeeds = tile + ((<usize>size) << 7);
  for (let i: u32 = 0; i < size; ++i) {
    const id = <usize>load<u32>(list + ((<usize>i) << 2));
    memory.copy(tile + ((<usize>i) << 7), rows + (id << 7), 128);
    store<u8>(tileNeeds + i, load<u8>(needs + id));
  }
  let at = out;
  const last = split ? split : size;
  for (let i: u32 = 0; i < last; ++i) {
    const row = tile + ((<usize>i) << 7);
    const r0 = v128.load(row);
    const r1 = v128.load(row, 16);
    const r2 = v128.load(row, 32);
    const r3 = v128.load(row, 48);
    const r4 = v128.load(row, 64);
    const r5 = v128.load(row, 80);
    const r6 = v128.load(row, 96);
    const r7 = v128.load(row, 112);
    const need = <u32>load<u8>(tileNeeds + i);
    for (let j: u32 = split ? split : i + 1; j < size; ++j) {
      const count = agreement(r0, r1, r2, r3, r4, r5, r6, r7, tile + ((<usize>j) << 7));
      const other = <u32>load<u8>(tileNeeds + j);
      store<u32>(at, (i << 16) | j);
      at += (<usize>(count >= (need < other ? need : other))) << 2;
    }
  }
  return <u32>((at - out) >>> 2);
}

/**
 * Keeps the ids of `list` whose rows agree with row `id` in at least `need` bytes, each with its agreement (u8
 * in `counts`); returns how many.
 */
export function rowMatches(
  id: usize,
  list: usize,
  size: u32,
  rows: usize,
  need: u32,
  out: usize,
  counts: usize,
): u32 {
  const row = rows + (id << 7);
  const r0 = v128.load(row);
  const r1 = v128.load(row, 16);
  const r2 = v128.load(row, 32);
  const r3 = v128.load(row, 48);
  const r4 = v128.load(row, 64);
  const r5 = v128.load(row, 80);
  const r6 = v128.load(row, 96);
  const r7 = v128.load(row, 112);
  let kept: usize = 0;
  for (let j: u32 = 0; j < size; ++j) {
    const other = load<u32>(list + ((<usize>j) << 2));
    const count = agreement(r0, r1, r2, r3, r4, r5, r6, r7, rows + ((<usize>other) << 7));
    store<u32>(out + (kept << 2), other);
    store<u8>(counts + kept, count);
    kept += <usize>(count >= need);
  }
  return <u32>kept;
}
