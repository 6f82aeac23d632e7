import { neighborRows } from '../../../join/exact/exact-neighbors.ts';
import type { NeighborSpace } from '../../../join/exact/neighbor-space.ts';
import type { ThreadTask } from '../../files/threads/thread-task.ts';

/** Pages from .. to - 1. */
export interface PageRange {
  readonly from: number;
  readonly to: number;
}

/** Fills the rows of one range of pages in the space that all threads share. */
export const task: ThreadTask<NeighborSpace, PageRange, void> = (space) => {
  const fill = neighborRows(space);
  return { answer: ({ from, to }) => fill(from, to) };
};
