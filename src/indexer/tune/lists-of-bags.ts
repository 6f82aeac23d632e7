import type { BagMatrix } from '../../features/bag.ts';
import { exactNeighbors } from '../../join/exact/exact-neighbors.ts';
import { buildPostings } from '../../join/exact/postings.ts';
import { createNeighborTable, type NeighborTable } from '../../join/pairs/neighbor-table.ts';
import { rowsByScore } from '../../join/pairs/votes.ts';

interface ListOptions {
  /** K of the lists that vote. */
  readonly neighborLimit: number;
  readonly floor: number;
  readonly rank: 'votes' | 'similarity';
  /** Pages of each list that are given. */
  readonly length: number;
}

/** The first pages of the list of every page, as an index of these bags would answer; by exact search. */
export function listsOfBags(matrix: BagMatrix, options: ListOptions): Uint32Array[] {
  const { neighborLimit, floor, rank, length } = options;
  const pageCount = matrix.sums.length;
  const table = createNeighborTable(pageCount, neighborLimit);
  exactNeighbors(matrix, buildPostings(matrix), table, 0, pageCount, { floor });
  const blocks: Iterable<NeighborTable> = rank === 'votes' ? rowsByScore(table) : [table];
  return [...blocks].flatMap(({ k, counts, ids }) =>
    Array.from(counts, (count, row) => ids.slice(row * k, row * k + Math.min(count, length))),
  );
}
