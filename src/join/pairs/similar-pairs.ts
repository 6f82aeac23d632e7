import { BoundedHeap } from '../../lib/bounded-heap.ts';
import { groupBy } from '../../lib/groups.ts';
import { createNeighborTable, type NeighborTable, writeRow } from './neighbor-table.ts';

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

/** The pairs as lists of the k nearest of each page, both ways, twins written out; ties by page id. */
export function neighborsFromPairs(pairs: SimilarPairs, k: number): NeighborTable {
  const pageCount = pairs.representative.length;
  const twins = groupBy(pairs.representative, pageCount);
  // Not by groupBy(): this reads what is grouped once less, in two thirds of the time.
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
  const table = createNeighborTable(pageCount, k);
  const heap = new BoundedHeap(k);
  // Of equally similar twins only the k + 1 lowest ids can matter, the page itself left out.
  const offerTwins = (owner: number, agreement: number, page: number) => {
    const from = twins.starts[owner]!;
    const to = Math.min(twins.starts[owner + 1]!, from + k + 1);
    for (let i = from; i < to; i++) {
      if (twins.members[i] !== page) heap.offer(agreement / pairs.total, twins.members[i]!, agreement);
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
