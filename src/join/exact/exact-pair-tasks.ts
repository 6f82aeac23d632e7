import type { UnitTasks } from '../../lib/crew.ts';
import { EntriesInMemory, type EntrySource } from '../pairs/entry-source.ts';
import { PairLog } from '../pairs/pair-log.ts';
import type { RunStore } from '../pairs/pair-runs.ts';
import type { BagRanges } from './collapse-equal-bags.ts';
import { PairSearch } from './exact-pairs.ts';
import type { PageBlock } from './postings.ts';

/** Pages of one unit of the task `findPairs`. */
export const UNIT_PAGES = 256;

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

/** What a thread of an exact join can be told to do; `source` where the work has no entries. */
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
      search.find(block, unit * UNIT_PAGES, (unit + 1) * UNIT_PAGES, push);
    },
    takePairs: () => log.take(),
    countReads: () => entries.readCount,
  };
}
