/** No index: an item has no group, no next one, or it is not known yet. */
export const NONE = 0xffff_ffff;

/** 0, 1, ... count - 1. `Uint32Array.from` an iterator would make a list of them first. */
export function indexes(count: number): Uint32Array<ArrayBuffer> {
  return range(0, count);
}

/** first, first + 1, ... end - 1; none where that is less. */
export function range(first: number, end: number): Uint32Array<ArrayBuffer> {
  const all = new Uint32Array(Math.max(0, end - first));
  for (let i = 0; i < all.length; i++) all[i] = first + i;
  return all;
}
