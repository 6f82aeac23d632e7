/**
 * Bags that are probably near: what a search compares first. They need not be, and change no result: the K-th best of any
 * bags bounds the K-th best of all.
 */
export interface NeighborHints {
  readonly k: number;
  /** Uint16Array(n): how many a bag has, k at most. */
  readonly counts: Uint16Array;
  /** Uint32Array(n * k): those of a bag, each once and not itself. */
  readonly ids: Uint32Array;
}

/** Room for the hints of `count` bags, in shared memory. */
export function createHints(count: number, k: number): NeighborHints {
  return {
    k,
    counts: new Uint16Array(new SharedArrayBuffer(2 * count)),
    ids: new Uint32Array(new SharedArrayBuffer(4 * count * k)),
  };
}
