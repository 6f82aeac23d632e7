import type { BagMatrix } from '../../../features/bag.ts';
import type { Bm25Facts } from '../../../join/bm25/bm25.ts';
import { bm25Rows } from '../../../join/bm25/bm25-rows.ts';
import type { CountedBags } from '../../../join/bm25/counted-bags.ts';
import type { NeighborTable } from '../../../join/pairs/neighbor-table.ts';
import type { ThreadTask } from '../../files/threads/thread-task.ts';
import type { PageRange } from './neighbor-worker.ts';

export interface Bm25Work {
  readonly matrix: BagMatrix;
  readonly counted: CountedBags;
  readonly facts: Bm25Facts;
  readonly table: Required<NeighborTable>;
}

/** Fills the rows of one range of pages in the shared table. */
export const task: ThreadTask<Bm25Work, PageRange, void> = ({ matrix, counted, facts, table }) => {
  const fill = bm25Rows(matrix, counted, facts, table);
  return { answer: ({ from, to }) => fill(from, to) };
};
