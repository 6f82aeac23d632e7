/** The stage `lend`: the lists over bags to which neighbors lent words, where `--lend` asks for it. */
import { lentEntryCount, lentLists } from '../../../join/lend/lent-lists.ts';
import { JaccardNearness } from '../../../join/pairs/nearness.ts';
import { rowsByScore } from '../../../join/pairs/votes.ts';
import { LENT_LISTING } from '../../../relations/topic.ts';
import type { WorkFiles } from '../../files/work-folder.ts';
import type { TopicOptions } from '../../options/build-options.ts';
import { loadBagOffsets, loadBags } from '../../weigh/bag-files.ts';
import { requireMemory } from '../crew/join-limits.ts';
import { loadNeighbors } from './neighbors.ts';
import { writeOrdered } from './ordered-lists.ts';

/** Of an entry of a bag, as it is or lent; of a neighbor before and after; of a page beside; of a feature, as bags are made and compared. */
const ENTRY_BYTES = 5;
const NEIGHBOR_BYTES = 18;
const PAGE_BYTES = 26;
const FEATURE_BYTES = 10;

/**
 * Memory  5 bytes for each entry of a bag and of a lent one, 18 for each neighbor, 10 a feature.
 * Errors  InputError where that does not fit.
 */
export async function lendWords(
  folder: WorkFiles,
  { neighborLimit: k, lend, floor }: TopicOptions,
  memoryBytes: number,
  onPages: (done: number) => void,
): Promise<void> {
  const bags = loadBagOffsets(folder);
  const pageCount = bags.sums.length;
  const neededBytes =
    ENTRY_BYTES * (bags.offsets.at(-1)! + lentEntryCount(bags, lend)) +
    (NEIGHBOR_BYTES * k + PAGE_BYTES) * pageCount +
    FEATURE_BYTES * bags.featureCount;
  requireMemory('lend', neededBytes, memoryBytes, pageCount, null);
  const pair = new JaccardNearness();
  const options = { pageCount, floor, pair };
  const table = lentLists(loadBags(folder), loadNeighbors(folder), lend, options, onPages);
  writeOrdered(folder, rowsByScore(table, LENT_LISTING));
}
