/**
 * Lists over bags to which neighbors lent words (lent-bags.ts). Those that lend are in the list; the others are the nearest over
 * lent bags among the pages of the list by similarity and of the lists of those that lend. None of these is more similar than those that lend, as
 * one may be that a search of a large collection had missed: so a list alone says who lends.
 *
 * Measured   of the ten nearest over lent bags of all pages these have .997 on articles, all but one in two thousand on manuals and posts;
 *            with the lists of all 32 pages P@10 is within .0003, at a third more of the cost.
 */
import { type BagMatrix, bagAt, joinBags } from '../../features/bag.ts';
import { BoundedHeap } from '../../lib/bounded-heap.ts';
import { overlapFrom } from '../exact/overlap-kernel.ts';
import { sharedOf, weightedJaccard } from '../exact/weighted-jaccard.ts';
import type { PairNearness } from '../pairs/nearness.ts';
import { createNeighborTable, type NeighborTable, rowOfTable } from '../pairs/neighbor-table.ts';
import { LENDERS, LentBags } from './lent-bags.ts';

/** Lent bags of all pages; rows of the table are by similarity. Memory  10 bytes an entry. */
export function lentMatrix(matrix: BagMatrix, table: NeighborTable, share: number): BagMatrix {
  const lent = new LentBags(share);
  const bags = Array.from(matrix.sums, (_, page) => {
    const { ids, shared, total, start, end } = rowOfTable(table, page);
    const lenders = Array.from(ids.subarray(start, Math.min(end, start + LENDERS)), (id, i) => ({
      bag: bagAt(matrix, id),
      similarity: shared[start + i]! / total[start + i]!,
    }));
    return lent.of(bagAt(matrix, page), lenders);
  });
  return joinBags(bags, matrix.featureCount);
}

interface LentListOptions {
  /** Of the rows, the first ones are pages; the others are in no list. */
  readonly pageCount: number;
  readonly floor: number;
  readonly pair: PairNearness;
}

/** The lists, nearest first; similarities are of the bags as they are, nearness is of the lent ones. */
export function lentLists(
  matrix: BagMatrix,
  table: NeighborTable,
  share: number,
  { pageCount, floor, pair }: LentListOptions,
  onPages: (done: number) => void = () => {},
): NeighborTable {
  const { k } = table;
  const lent = lentMatrix(matrix, table, share);
  const rowCount = matrix.sums.length;
  const result = { ...createNeighborTable(rowCount, k), nearness: new Uint16Array(rowCount * k) };
  const weightOf = new Uint8Array(matrix.featureCount);
  const heap = new BoundedHeap(k);
  const met = new Uint32Array(rowCount);
  for (let page = 0; page < rowCount; page++) {
    const own = bagAt(lent, page);
    const { ids, start, end } = rowOfTable(table, page);
    const lenders = ids.subarray(start, Math.min(end, start + LENDERS));
    heap.clear();
    for (const [i, feature] of own.features.entries()) weightOf[feature] = own.weights[i]!;
    met[page] = page + 1;
    const offer = (id: number) => {
      if (met[id] === page + 1 || id >= pageCount) return;
      met[id] = page + 1;
      const [from, to] = [lent.offsets[id]!, lent.offsets[id + 1]!];
      const shared = overlapFrom(weightOf, lent.features, lent.weights, from, to, 0);
      const similarity = shared / (own.sum + lent.sums[id]! - shared);
      if (shared > 0 && similarity >= floor) heap.offer(similarity, id, shared);
    };
    for (const id of lenders) met[id] = page + 1;
    for (const id of ids.subarray(start, end)) offer(id);
    for (const id of lenders) {
      const further = rowOfTable(table, id);
      for (let at = further.start; at < further.end; at++) offer(further.ids[at]!);
    }
    for (const feature of own.features) weightOf[feature] = 0;
    heap.sort();
    const others = heap.ids.subarray(0, heap.size);
    writeMembers(result, page, lenders, others, { matrix, lent, floor, pair });
    if (page % 1024 === 1023) onPages(page + 1);
  }
  return result;
}

interface Compared {
  readonly matrix: BagMatrix;
  readonly lent: BagMatrix;
  readonly floor: number;
  readonly pair: PairNearness;
}

function writeMembers(
  table: NeighborTable,
  page: number,
  lenders: Uint32Array,
  others: Uint32Array,
  { matrix, lent, floor, pair }: Compared,
): void {
  const own = bagAt(matrix, page);
  const compared = (id: number) => ({ id, ...sharedOf(own, bagAt(matrix, id)) });
  const first = Array.from(lenders, compared);
  const last = first.at(-1);
  const isLess = ({ id, shared, total }: ReturnType<typeof compared>) => {
    if (first.length < LENDERS) return shared < floor * total;
    const difference = shared * last!.total - last!.shared * total;
    return difference < 0 || (difference === 0 && id > last!.id);
  };
  const rest = Array.from(others, compared).filter(isLess);
  const figures = [...first, ...rest.slice(0, table.k - first.length)];
  const lentOwn = bagAt(lent, page);
  pair.take(lentOwn);
  const rated = figures.map((one) => {
    const other = bagAt(lent, one.id);
    return { ...one, nearness: pair.of(other, weightedJaccard(lentOwn, other)) };
  });
  rated.sort((a, b) => b.nearness - a.nearness || a.id - b.id);
  table.counts[page] = rated.length;
  for (const [i, { id, shared, total, nearness }] of rated.entries()) {
    const slot = page * table.k + i;
    table.ids[slot] = id;
    table.shared[slot] = shared;
    table.total[slot] = total;
    table.nearness![slot] = nearness;
  }
}
