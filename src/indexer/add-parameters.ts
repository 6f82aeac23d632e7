import type { IndexReader } from '../store/reader.ts';
import type { Completeness } from './renew-lists.ts';

/**
 * How far an index has come from its full build, under the parameter `epoch`; absent in one that was never changed.
 * Words and their frequencies are those of the full build: the more pages came since, the more a rebuild gains.
 */
export interface Epoch {
  /** Pages of the full build. */
  readonly built_pages: number;
  readonly added_pages: number;
  readonly added_sweeps: number;
  readonly forgotten_pages: number;
}

/**
 * Share of the pages of the full build, added since, from which a new build is advised. Yearly sweeps of a manual: of the
 * ten nearest that a full build gives, an index with 3 % of pages added gives 96 %, with 45 % of them 89 %, with 70 % of
 * them 68 %.
 */
const REBUILD_SHARE = 0.25;

/** Whether so many pages came since that the words and weights of the full build no longer suit them. */
export function isRebuildDue({ built_pages, added_pages }: Epoch): boolean {
  return added_pages >= REBUILD_SHARE * built_pages;
}

export function nextEpoch(
  reader: IndexReader,
  { added = 0, sweeps = 0, forgotten = 0 }: { added?: number; sweeps?: number; forgotten?: number },
): Epoch {
  const { epoch } = reader.card().parameters as { epoch?: Epoch };
  return {
    built_pages: epoch?.built_pages ?? reader.pageCount,
    added_pages: (epoch?.added_pages ?? 0) + added,
    added_sweeps: (epoch?.added_sweeps ?? 0) + sweeps,
    forgotten_pages: (epoch?.forgotten_pages ?? 0) + forgotten,
  };
}

/** How complete the lists of an index are, under the parameter `neighbours`: what a graph had missed is still missed. */
export function completenessOf(reader: IndexReader): Completeness {
  return (reader.card().parameters as { neighbours: Completeness }).neighbours;
}
