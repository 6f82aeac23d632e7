import { type Crew, soloCrew, type UnitTasks } from '../../lib/crew.ts';
import type { BagRanges } from '../bags/collapse-equal-bags.ts';
import { EntriesInMemory, type EntrySource } from '../bags/entry-source.ts';
import { PairLog } from '../pairs/pair-log.ts';
import type { RunStore } from '../pairs/pair-runs.ts';
import { PairSearch } from './exact-pairs.ts';
import type { PageBlock } from './postings.ts';

/** Pages of one unit of the task `findPairs`. */
export const EXACT_UNIT_PAGES = 256;

/** What the threads share: the bags, and the posting lists of the block at hand. */
export interface ExactPairWork {
  readonly bags: BagRanges;
  /** Null where each thread reads them from elsewhere. */
  readonly entries: Pick<EntrySource, 'features' | 'weights'> | null;
  readonly threshold: number;
  readonly blocks: readonly PageBlock[];
  readonly offsets: Uint32Array;
  readonly postings: Uint32Array;
}

/** The threads of an exact join, to be started on its work. */
export interface ExactCrew {
  /** Where its threads put the pairs that do not fit in memory; null: nowhere. */
  readonly store: RunStore | null;
  startExact(work: ExactPairWork): Crew;
}

/** The caller's own thread. */
export const ownExactThread: ExactCrew = {
  store: null,
  startExact: (work) => soloCrew(exactPairTasks(work, null, null)),
};

/** The tasks of a thread of an exact join, by name; `source` where the work has no entries. */
export function exactPairTasks(
  work: ExactPairWork,
  source: EntrySource | null,
  store: RunStore | null,
): UnitTasks {
  const { bags, blocks, offsets, postings } = work;
  const entries = work.entries === null ? source! : new EntriesInMemory(work.entries);
  const mostPages = Math.max(0, ...blocks.map(({ pageCount }) => pageCount));
  const search = new PairSearch(bags, entries, work.threshold, mostPages);
  const log = new PairLog(bags.sums.length, store);
  const push = log.push.bind(log);
  return {
    findPairs: (unit, index) => {
      const block = { ...blocks[index]!, offsets, entries: postings };
      search.find(block, unit * EXACT_UNIT_PAGES, (unit + 1) * EXACT_UNIT_PAGES, push);
    },
    takePairs: () => log.take(),
    countReads: () => entries.readCount,
  };
}
