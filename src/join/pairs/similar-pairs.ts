import { BoundedHeap } from '../../lib/bounded-heap.ts';
import { createNeighbourTable, type NeighbourTable, writeRow } from './neighbour-table.ts';

/**
 * Similar pairs a < b, sorted by (a, b), similarity estimated as agreement / total.
 *
 * Pages with equal signatures are twins, fully similar to each other and alike to all others, so the pairs run
 * between representatives alone (the least id of each twin set): a thousand mirrors cost a thousand ids
 * instead of half a million pairs.
 */
export interface SimilarPairs {
  readonly a: Uint32Array;
  readonly b: Uint32Array;
  readonly agreement: Uint16Array;
  /** Values compared for each pair. */
  readonly total: number;
  /** Uint32Array(pageCount): the page itself unless it is a later twin. */
  readonly representative: Uint32Array;
}

/** Pages by representative: the twins of r, r first, are members[offsets[r]] .. members[offsets[r + 1] - 1]. */
export interface TwinSets {
  readonly offsets: Uint32Array;
  readonly members: Uint32Array;
}

export function twinSets(representative: Uint32Array): TwinSets {
  const offsets = new Uint32Array(representative.length + 1);
  for (const page of representative) offsets[page + 1]!++;
  for (let page = 0; page < representative.length; page++) offsets[page + 1]! += offsets[page]!;
  const next = offsets.slice();
  const members = new Uint32Array(representative.length);
  representative.forEach((owner, page) => {
    members[next[owner]!++] = page;
  });
  return { offsets, members };
}

/** The pairs as lists of the k nearest of each page, both ways, twins written out; ties by page id. */
export function neighboursFromPairs(pairs: SimilarPairs, k: number): NeighbourTable {
  const pageCount = pairs.representative.length;
  const sets = twinSets(pairs.representative);
  const edges = new Float64Array(pageCount + 1);
  for (const ends of [pairs.a, pairs.b]) for (const page of ends) edges[page + 1]!++;
  for (let page = 0; page < pageCount; page++) edges[page + 1]! += edges[page]!;
  const next = edges.slice();
  const others = new Uint32Array(2 * pairs.a.length);
  const agreements = new Uint16Array(2 * pairs.a.length);
  for (let i = 0; i < pairs.a.length; i++) {
    const fromA = next[pairs.a[i]!]!++;
    const fromB = next[pairs.b[i]!]!++;
    others[fromA] = pairs.b[i]!;
    others[fromB] = pairs.a[i]!;
    agreements[fromA] = agreements[fromB] = pairs.agreement[i]!;
  }
  const table = createNeighbourTable(pageCount, k);
  const heap = new BoundedHeap(k);
  // Of equally similar twins only the k + 1 lowest ids can matter, the page itself left out.
  const offerTwins = (owner: number, agreement: number, page: number) => {
    const from = sets.offsets[owner]!;
    const to = Math.min(sets.offsets[owner + 1]!, from + k + 1);
    for (let i = from; i < to; i++) {
      if (sets.members[i] !== page) heap.offer(agreement / pairs.total, sets.members[i]!, agreement);
    }
  };
  for (let page = 0; page < pageCount; page++) {
    const owner = pairs.representative[page]!;
    heap.clear();
    offerTwins(owner, pairs.total, page);
    for (let i = edges[owner]!; i < edges[owner + 1]!; i++) offerTwins(others[i]!, agreements[i]!, page);
    writeRow(table, page, heap, () => pairs.total);
  }
  return table;
}
