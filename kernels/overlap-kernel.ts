/**
 * AssemblyScript, SIMD: picks the pages whose overlap is large enough, the sweep of every exact join.
 *
 * Rebuild: `node scripts/build-kernels.mjs`. Memory is imported; nothing is allocated here.
 */

// @ts-nocheck: compiled by asc, not by tsc.

/**
 * Writes to `out` (u32) the places from .. count - 1 whose accumulator (u16, below 2^15) is at least `least` (1 .. 2^15),
 * ascending; returns how many. Reads 32 bytes at a time: behind the last accumulator are as many of zeros.
 */
export function pick(accumulators: usize, from: u32, count: u32, least: i32, out: usize): u32 {
  const below = i16x8.splat(<i16>(least - 1));
  let at = accumulators + 2 * from;
  let to = out;
  for (let first = from; first < count; first += 16, at += 32) {
    const a = i16x8.gt_s(v128.load(at), below);
    const b = i16x8.gt_s(v128.load(at, 16), below);
    let reached = i8x16.bitmask(i8x16.narrow_i16x8_s(a, b));
    while (reached) {
      store<u32>(to, first + <u32>ctz(reached));
      to += 4;
      reached &= reached - 1;
    }
  }
  return <u32>((to - out) >> 2);
}
