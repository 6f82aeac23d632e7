/**
 * Pairs of a join in sorted runs, a unit of pages at a time: a thread sorts what it found by itself, and the runs of
 * all threads are merged in one pass. A run that does not fit in memory waits in a store.
 *
 *   key of a pair   | a within its unit, 11 bits | b, 25 bits | shared, 16 bits |   an exact integer below 2^52
 *   run             unit 0: keys ascending | unit 1: keys ascending | ...
 *
 * Cost    8 bytes a pair and thread that found it, up to twice that while lists grow; sorting some 100 ns a pair.
 */

const UNIT_BITS = 11;
const PAIR_UNIT_PAGES = 2 ** UNIT_BITS;
const SHARED_SPAN = 2 ** 16;
/** Above any page. */
export const PAGE_SPAN = 2 ** 25;

/** Sorted keys without repetitions; those of unit u are from offsets[u] to offsets[u + 1] - 1. */
export interface PairRun {
  readonly offsets: Float64Array;
  /** In shared memory, or the name that the store gave them. */
  readonly keys: Float64Array | string;
}

/** Where runs wait that do not fit in memory. */
export interface RunStore {
  /** Pairs that a thread keeps in memory before it stores them. */
  readonly mostPairs: number;
  /** Keeps the keys of all units, end to end, and names them. */
  write(units: Iterable<Float64Array>): string;
  read(name: string, from: number, to: number): Float64Array;
}

export function unitsOf(pageCount: number): number {
  return Math.ceil(pageCount / PAIR_UNIT_PAGES);
}

export function unitOf(a: number): number {
  return a >>> UNIT_BITS;
}

/** The key of a pair a < b < 2^25 within the unit of `a`. */
export function pairKey(a: number, b: number, shared: number): number {
  return ((a & (PAIR_UNIT_PAGES - 1)) * PAGE_SPAN + b) * SHARED_SPAN + shared;
}

/** Pairs a < b, sorted by (a, b). */
export interface PairBlock {
  readonly a: Uint32Array;
  readonly b: Uint32Array;
  readonly shared: Uint16Array;
}

/** The pairs of all runs once, block by block, sorted over all blocks. */
export function* mergePairRuns(
  runs: readonly PairRun[],
  pageCount: number,
  store: RunStore | null,
): IterableIterator<PairBlock> {
  for (let unit = 0; unit < unitsOf(pageCount); unit++) {
    let parts = runs.map((run) => keysOf(run, unit, store)).filter((keys) => keys.length > 0);
    while (parts.length > 1) {
      const merged: Float64Array[] = [];
      for (let i = 0; i < parts.length; i += 2) {
        merged.push(i + 1 < parts.length ? mergeKeys(parts[i]!, parts[i + 1]!) : parts[i]!);
      }
      parts = merged;
    }
    if (parts.length > 0) yield unpack(parts[0]!, unit * PAIR_UNIT_PAGES);
  }
}

function keysOf({ offsets, keys }: PairRun, unit: number, store: RunStore | null): Float64Array {
  const [from, to] = [offsets[unit]!, offsets[unit + 1]!];
  return typeof keys === 'string' ? store!.read(keys, from, to) : keys.subarray(from, to);
}

function mergeKeys(left: Float64Array, right: Float64Array): Float64Array {
  const out = new Float64Array(left.length + right.length);
  let size = 0;
  let i = 0;
  let j = 0;
  while (i < left.length && j < right.length) {
    const x = left[i]!;
    const y = right[j]!;
    out[size++] = x <= y ? x : y;
    if (x <= y) i++;
    if (y <= x) j++;
  }
  out.set(left.subarray(i), size);
  out.set(right.subarray(j), size + left.length - i);
  return out.subarray(0, size + left.length - i + right.length - j);
}

function unpack(keys: Float64Array, firstPage: number): PairBlock {
  const a = new Uint32Array(keys.length);
  const b = new Uint32Array(keys.length);
  const shared = new Uint16Array(keys.length);
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i]!;
    const pages = Math.floor(key / SHARED_SPAN);
    const within = Math.floor(pages / PAGE_SPAN);
    a[i] = firstPage + within;
    b[i] = pages - within * PAGE_SPAN;
    shared[i] = key - pages * SHARED_SPAN;
  }
  return { a, b, shared };
}
