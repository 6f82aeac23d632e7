/** AssemblyScript: Murmur3's 32-bit finaliser, as in src/lib/hash.ts. */

// @ts-nocheck: compiled by asc, not by tsc.

export function mix32(value: u32): u32 {
  let h = value;
  h ^= h >>> 16;
  h *= 0x85ebca6b;
  h ^= h >>> 13;
  h *= 0xc2b2ae35;
  return h ^ (h >>> 16);
}
