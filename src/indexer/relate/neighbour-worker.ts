import type { BagMatrix } from '../../features/bag.ts';
import { exactNeighbours } from '../../join/exact/exact-neighbours.ts';
import type { PostingBlocks } from '../../join/exact/postings.ts';
import type { NeighbourTable } from '../../join/pairs/neighbour-table.ts';
import { serveThread } from '../files/thread.ts';

export interface NeighbourWork {
  readonly matrix: BagMatrix;
  readonly postings: PostingBlocks;
  readonly table: NeighbourTable;
  readonly floor: number;
}

/** Pages from .. to - 1. */
export interface PageRange {
  readonly from: number;
  readonly to: number;
}

/** Fills the rows of one range of pages in the shared table. */
serveThread(({ matrix, postings, table, floor }: NeighbourWork) => ({ from, to }: PageRange): void => {
  exactNeighbours(matrix, postings, table, from, to, { floor });
});
