/** 0, 1, ... count - 1. `Uint32Array.from` an iterator would make a list of them first. */
export function indexes(count: number): Uint32Array<ArrayBuffer> {
  const all = new Uint32Array(count);
  for (let i = 0; i < count; i++) all[i] = i;
  return all;
}
