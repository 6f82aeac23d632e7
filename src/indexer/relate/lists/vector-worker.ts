import type { NeighborTable } from '../../../join/pairs/neighbor-table.ts';
import { nearestVectorRows } from '../../../join/vectors/nearest-vectors.ts';
import { cellVectorRows, type VectorCells } from '../../../join/vectors/vector-cells.ts';
import type { VectorSpace } from '../../../join/vectors/vector-space.ts';
import type { ThreadTask } from '../../files/threads/thread-task.ts';
import type { PageRange } from './neighbor-worker.ts';

/** All in shared memory. */
export interface VectorWork {
  readonly space: VectorSpace;
  readonly table: NeighborTable;
  /** Where not all pairs are compared: the cells, and how many of them a vector is compared with. */
  readonly cells: VectorCells | null;
  readonly cellCount: number;
}

/** Fills the rows of one range of vectors in the shared table. */
export const task: ThreadTask<VectorWork, PageRange, void> = (work) => {
  const fill = vectorRows(work);
  return { answer: ({ from, to }) => fill(from, to) };
};

/** By cells the vectors at these places, else those of these rows. */
export function vectorRows({
  space,
  table,
  cells,
  cellCount,
}: VectorWork): (from: number, to: number) => void {
  return cells === null ? nearestVectorRows(space, table) : cellVectorRows(cells, table, cellCount);
}
