/**
 * AssemblyScript, SIMD: inner products of vectors of signed bytes, the inner loop of all lists by vectors.
 *
 *   dots   one vector with each of a run of vectors
 *
 * Rebuild: `node scripts/build-kernels.mjs`. Memory is imported and shared; nothing is allocated here.
 */

// @ts-nocheck: compiled by asc, not by tsc.

function sumOf(sums: v128): i32 {
  return (
    i32x4.extract_lane(sums, 0) +
    i32x4.extract_lane(sums, 1) +
    i32x4.extract_lane(sums, 2) +
    i32x4.extract_lane(sums, 3)
  );
}

/** Vectors are `stride` bytes, a multiple of 16, `count` of them end to end from `vectors` on; writes an i32 each to `out`. */
export function dots(vector: usize, vectors: usize, stride: usize, count: u32, out: usize): void {
  let i: u32 = 0;
  let at = vectors;
  let to = out;
  // Four at a time: each piece of the one vector is widened once for all of them.
  for (; i + 4 <= count; i += 4) {
    let a = i32x4.splat(0);
    let b = i32x4.splat(0);
    let c = i32x4.splat(0);
    let d = i32x4.splat(0);
    for (let piece: usize = 0; piece < stride; piece += 16) {
      const own = v128.load(vector + piece);
      const low = i16x8.extend_low_i8x16_s(own);
      const high = i16x8.extend_high_i8x16_s(own);
      const one = at + piece;
      const p = v128.load(one);
      const q = v128.load(one + stride);
      const r = v128.load(one + 2 * stride);
      const s = v128.load(one + 3 * stride);
      a = i32x4.add(a, i32x4.dot_i16x8_s(low, i16x8.extend_low_i8x16_s(p)));
      b = i32x4.add(b, i32x4.dot_i16x8_s(low, i16x8.extend_low_i8x16_s(q)));
      c = i32x4.add(c, i32x4.dot_i16x8_s(low, i16x8.extend_low_i8x16_s(r)));
      d = i32x4.add(d, i32x4.dot_i16x8_s(low, i16x8.extend_low_i8x16_s(s)));
      a = i32x4.add(a, i32x4.dot_i16x8_s(high, i16x8.extend_high_i8x16_s(p)));
      b = i32x4.add(b, i32x4.dot_i16x8_s(high, i16x8.extend_high_i8x16_s(q)));
      c = i32x4.add(c, i32x4.dot_i16x8_s(high, i16x8.extend_high_i8x16_s(r)));
      d = i32x4.add(d, i32x4.dot_i16x8_s(high, i16x8.extend_high_i8x16_s(s)));
    }
    store<i32>(to, sumOf(a));
    store<i32>(to, sumOf(b), 4);
    store<i32>(to, sumOf(c), 8);
    store<i32>(to, sumOf(d), 12);
    to += 16;
    at += 4 * stride;
  }
  for (; i < count; ++i) {
    let a = i32x4.splat(0);
    for (let piece: usize = 0; piece < stride; piece += 16) {
      const own = v128.load(vector + piece);
      const p = v128.load(at + piece);
      a = i32x4.add(a, i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_s(own), i16x8.extend_low_i8x16_s(p)));
      a = i32x4.add(a, i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_s(own), i16x8.extend_high_i8x16_s(p)));
    }
    store<i32>(to, sumOf(a));
    to += 4;
    at += stride;
  }
}
