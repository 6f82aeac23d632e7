import { workerData } from 'piscina';
import type { BagMatrix } from '../../features/bag.ts';
import { exactNeighbours } from '../../join/exact/exact-neighbours.ts';
import type { Postings } from '../../join/exact/postings.ts';
import type { NeighbourTable } from '../../join/pairs/neighbour-table.ts';

export interface NeighbourWork {
  readonly matrix: BagMatrix;
  readonly postings: Postings;
  readonly table: NeighbourTable;
  readonly floor: number;
}

const work = workerData as NeighbourWork;

/** Fills the rows of one range of pages in the shared table. */
export default function fillRange({ from, to }: { from: number; to: number }): void {
  exactNeighbours(work.matrix, work.postings, work.table, from, to, { floor: work.floor });
}
