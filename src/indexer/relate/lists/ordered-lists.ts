/** Lists by words that go by more than these: as a stage has made them, in their order. */
import { type NeighborTable, withWidth } from '../../../join/pairs/neighbor-table.ts';
import { ORDERED_LISTS } from '../../files/records/stage-files.ts';
import { closeAll } from '../../files/records/table-file.ts';
import type { WorkFiles } from '../../files/work-folder.ts';

const BLOCK_PAGES = 1 << 12;

export function writeOrdered(folder: WorkFiles, blocks: Iterable<NeighborTable>): void {
  const columns = ORDERED_LISTS.writers(folder);
  try {
    for (const { counts, ids, shared, total, nearness } of blocks) {
      columns.counts.append(counts);
      columns.ids.append(ids);
      columns.shared.append(shared);
      columns.total.append(total);
      columns.nearness.append(nearness!);
    }
  } finally {
    closeAll(Object.values(columns));
  }
}

/** Block by block, pages in order; a block is valid until the next one is asked for. */
export function* readOrdered(folder: WorkFiles): IterableIterator<NeighborTable> {
  for (const block of ORDERED_LISTS.blocks(folder, BLOCK_PAGES)) yield withWidth(block);
}
