import type { BoundedHeap } from '../../lib/bounded-heap.ts';

/**
 * Neighbors of one page, nearest first, ties by page id; the page itself is never among them.
 * Similarity i is `shared[i] / total[i]`: overlap over union for an exact relation, agreeing values
 * over signature length for an estimate.
 */
export interface NeighborList {
  readonly ids: Uint32Array;
  readonly shared: Uint16Array;
  readonly total: Uint16Array;
  /** What votes go by, see nearness.ts; only of lists that are ordered by votes. */
  readonly nearness?: Uint16Array;
  /** Members that were taken out of it, where it is shorter for this; default none. */
  readonly lostCount?: number;
}

export const NO_NEIGHBORS: NeighborList = {
  ids: new Uint32Array(0),
  shared: new Uint16Array(0),
  total: new Uint16Array(0),
};

/** A page of a list. */
export interface Neighbor {
  readonly id: number;
  readonly shared: number;
  readonly total: number;
}

/** Pages in their order as a list. */
export function plainList(pages: readonly Neighbor[]): NeighborList {
  return {
    ids: Uint32Array.from(pages, ({ id }) => id),
    shared: Uint16Array.from(pages, ({ shared }) => shared),
    total: Uint16Array.from(pages, ({ total }) => total),
  };
}

/** The same of pages of which it is known how near they are. */
export function ratedList(pages: readonly (Neighbor & { readonly nearness: number })[]): NeighborList {
  return { ...plainList(pages), nearness: Uint16Array.from(pages, ({ nearness }) => nearness) };
}

/** What is stored has 16 bits; what is found live, such as links in common, may need more. */
export type Figures = Uint16Array | Float64Array;

/** The same as slots `start` to `end` - 1 of longer columns: a row of a table, or a list of its own. */
export interface NeighborSpan {
  readonly ids: Uint32Array;
  readonly shared: Figures;
  readonly total: Figures;
  readonly nearness?: Uint16Array;
  readonly start: number;
  readonly end: number;
  readonly lostCount?: number;
}

/** The similarity of each page of a list, in its order. */
export function similarities({ shared, total, start, end }: NeighborSpan): Float64Array {
  const similarities = new Float64Array(end - start);
  for (let at = start; at < end; at++) similarities[at - start] = shared[at]! / total[at]!;
  return similarities;
}

/**
 * The nearest pages of every page, nearest first, ties by page id, the page itself left out. Page p owns
 * counts[p] slots from p * k. The similarity of a slot is the exact fraction shared / total.
 */
export interface NeighborTable {
  /** At most 255. */
  readonly k: number;
  /** Uint8Array(n). */
  readonly counts: Uint8Array;
  /** Uint32Array(n * k), as are `shared` and `total` in 16 bits. */
  readonly ids: Uint32Array;
  readonly shared: Uint16Array;
  readonly total: Uint16Array;
  /** As of a list. */
  readonly nearness?: Uint16Array;
}

/** Columns as the table of which they are: every row has as many slots. */
export function withWidth(columns: Omit<NeighborTable, 'k'>): NeighborTable {
  const { ids, counts } = columns;
  return { k: counts.length === 0 ? 0 : ids.length / counts.length, ...columns };
}

/** The list of row `row` of a table, on its memory. No spread: of the row of each voter the compiler then makes no object. */
export function rowOfTable(table: NeighborTable, row: number): NeighborSpan {
  const { k, counts, ids, shared, total, nearness } = table;
  const start = row * k;
  const end = start + counts[row]!;
  return nearness === undefined
    ? { ids, shared, total, start, end }
    : { ids, shared, total, nearness, start, end };
}

/** Pass an `allocate` that gives SharedArrayBuffers to let several workers fill one table. */
export function createNeighborTable(
  pageCount: number,
  k: number,
  allocate: (bytes: number) => ArrayBufferLike = (bytes) => new ArrayBuffer(bytes),
): NeighborTable {
  const slots = pageCount * k;
  return {
    k,
    counts: new Uint8Array(allocate(pageCount)),
    ids: new Uint32Array(allocate(4 * slots)),
    shared: new Uint16Array(allocate(2 * slots)),
    total: new Uint16Array(allocate(2 * slots)),
  };
}

/** Writes the heap's entries as the row of a page; the values of the heap are the overlaps. Sorts the heap. */
export function writeRow(
  table: NeighborTable,
  page: number,
  heap: BoundedHeap,
  totalOf: (id: number, shared: number) => number,
): void {
  heap.sort();
  table.counts[page] = heap.size;
  for (let i = 0; i < heap.size; i++) {
    const slot = page * table.k + i;
    const id = heap.ids[i]!;
    const shared = heap.values[i]!;
    table.ids[slot] = id;
    table.shared[slot] = shared;
    table.total[slot] = totalOf(id, shared);
  }
}
