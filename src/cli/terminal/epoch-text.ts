import { type Epoch, isRebuildDue } from '../../indexer/add-parameters.ts';
import { formatCount } from './table.ts';

/** How far an index has come from its full build, and whether another is due. */
export function epochText(epoch: Epoch): string {
  const { built_pages, added_pages, added_sweeps, forgotten_pages } = epoch;
  const share = ((100 * added_pages) / Math.max(1, built_pages)).toFixed(0);
  return (
    `words and weights are those of ${formatCount(built_pages)} pages; since then ` +
    `${formatCount(added_sweeps)} sweeps, ${formatCount(added_pages)} pages added (${share} %), ` +
    `${formatCount(forgotten_pages)} forgotten` +
    (isRebuildDue(epoch) ? '; lists of related pages have aged: build again with akin index' : '')
  );
}
