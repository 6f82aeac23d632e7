/** AssemblyScript: values that the caller reads, or wrote. */

// @ts-nocheck: compiled by asc, not by tsc.

/** @param field its place, as in src/page/html/kernel-layout.ts. */
export function put(field: usize, value: u32): void {
  store<u32>(field << 2, value);
}

export function get(field: usize): u32 {
  return load<u32>(field << 2);
}
