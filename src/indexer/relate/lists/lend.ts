/** The stage `lend`: the lists over bags to which neighbors lent words, where `--lend` asks for it. */
import { lentLists } from '../../../join/lend/lent-lists.ts';
import { JaccardNearness } from '../../../join/pairs/nearness.ts';
import { rowsByScore } from '../../../join/pairs/votes.ts';
import { LENT_LISTING } from '../../../relations/topic.ts';
import type { WorkFiles } from '../../files/work-folder.ts';
import type { TopicOptions } from '../../options/build-options.ts';
import { loadBagOffsets, loadBags } from '../../weigh/bag-files.ts';
import { requireMemory } from '../crew/join-limits.ts';
import { loadNeighbors } from './neighbors.ts';
import { writeOrdered } from './ordered-lists.ts';

/** Of an entry of a bag, and of what is lent beside it, twice while it is joined: twice as many on short pages. */
const ENTRY_BYTES = 5 + 2 * 2 * 5;

/**
 * Memory  25 bytes an entry of a bag, and 10 for each neighbor, twice.
 * Errors  InputError where that does not fit.
 */
export async function lendWords(
  folder: WorkFiles,
  { neighborLimit: k, lend, floor }: TopicOptions,
  memoryBytes: number,
  onPages: (done: number) => void,
): Promise<void> {
  const { offsets, sums } = loadBagOffsets(folder);
  const pageCount = sums.length;
  requireMemory('lend', ENTRY_BYTES * offsets.at(-1)! + 20 * k * pageCount, memoryBytes, pageCount, null);
  const pair = new JaccardNearness();
  const options = { pageCount, floor, pair };
  const table = lentLists(loadBags(folder), loadNeighbors(folder), lend, options, onPages);
  writeOrdered(folder, rowsByScore(table, LENT_LISTING));
}
