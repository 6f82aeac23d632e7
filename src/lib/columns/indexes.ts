/** No index: an item has no group, no next one, or it is not known yet. */
export const NONE = 0xffff_ffff;

/** 0, 1, ... count - 1. `Uint32Array.from` an iterator would make a list of them first. */
export function indexes(count: number): Uint32Array<ArrayBuffer> {
  const all = new Uint32Array(count);
  for (let i = 0; i < count; i++) all[i] = i;
  return all;
}
