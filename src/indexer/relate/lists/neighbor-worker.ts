import type { BagMatrix } from '../../../features/bag.ts';
import { neighborRows } from '../../../join/exact/exact-neighbors.ts';
import type { PostingBlocks } from '../../../join/exact/postings.ts';
import type { NeighborTable } from '../../../join/pairs/neighbor-table.ts';
import type { ThreadTask } from '../../files/threads/thread-task.ts';

export interface NeighborWork {
  readonly matrix: BagMatrix;
  readonly postings: PostingBlocks;
  readonly table: NeighborTable;
  readonly floor: number;
}

/** Pages from .. to - 1. */
export interface PageRange {
  readonly from: number;
  readonly to: number;
}

/** Fills the rows of one range of pages in the shared table. */
export const task: ThreadTask<NeighborWork, PageRange, void> = ({ matrix, postings, table, floor }) => {
  const fill = neighborRows(matrix, postings, table, { floor });
  return { answer: ({ from, to }) => fill(from, to) };
};
