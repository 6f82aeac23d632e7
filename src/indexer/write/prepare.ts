import { statSync } from 'node:fs';
import type { BagMatrix } from '../../features/bag.ts';
import { graphBytes } from '../../join/buckets/space/join-memory.ts';
import { divideMemory, type Resources } from '../files/budget.ts';
import { PAGES } from '../files/records/stage-files.ts';
import { Thread } from '../files/threads/thread.ts';
import type { WorkFiles } from '../files/work-folder.ts';
import type { TopicOptions } from '../options/build-options.ts';
import { loadLevels } from '../relate/clusters.ts';
import type { CopyReport } from '../relate/copies.ts';
import { findCopies } from '../relate/copies.ts';
import { EntriesOnDisk, type EntryFiles } from '../weigh/entry-files.ts';
import { nameClusters } from './clusters/cluster-labels.ts';
import { type KnownBefore, type TableOptions, type WrittenTables, writeTables } from './write-tables.ts';

/** Below this many pages a thread takes longer to start than its task takes. */
const MIN_PAGES = 1 << 14;

/**
 * Whether a thread for other work saves time, and fits in memory: the joins that run meanwhile have half the budget, and
 * what the thread holds is no more than the records of all pages.
 */
export function isWorthAThread(
  folder: WorkFiles,
  { neighborLimit: k }: Pick<TopicOptions, 'neighborLimit'>,
  { workerCount: threadCount, memoryBytes }: Resources,
  pageCount: number,
): boolean {
  if (threadCount === 1 || pageCount < MIN_PAGES) return false;
  const joins = graphBytes({ pageCount, entryCount: 0, featureCount: 0, k, threadCount });
  return (
    joins.fixedBytes <= divideMemory(memoryBytes).beside.join &&
    statSync(PAGES.path(folder)).size <= memoryBytes
  );
}

/** What can be made ready while other work goes on. It is left in files of the folder. */
type Preparation =
  | {
      readonly what: 'copies and tables';
      readonly options: TableOptions;
      readonly memoryBytes: number;
      readonly known: KnownBefore;
    }
  | {
      readonly what: 'labels';
      readonly matrix: BagMatrix;
      /** Where the entries of the bags are that the matrix does not hold; null where it does. */
      readonly entries: EntryFiles | null;
      readonly levelCount: number;
    };

/** What each step gives. */
export interface Prepared {
  readonly copies: CopyReport | null;
  readonly tables: WrittenTables;
  readonly labels: null;
}

/** The steps of a task in their order. */
const STEPS = { 'copies and tables': ['copies', 'tables'], labels: ['labels'] } as const;

/** Takes one step of a task. */
export function prepare(
  folder: WorkFiles,
  task: Preparation,
  step: keyof Prepared,
): Prepared[keyof Prepared] {
  if (task.what === 'labels') {
    const entries = task.entries === null ? undefined : new EntriesOnDisk(task.entries);
    nameClusters(folder, task.matrix, loadLevels(folder, task.levelCount), entries);
    entries?.close();
    return null;
  }
  const { options, memoryBytes } = task;
  if (step === 'tables') return writeTables(folder, options, memoryBytes, task.known);
  return options.copies ? findCopies(folder, options, memoryBytes, () => {}) : null;
}

/** Work on a thread of its own. */
export interface Background {
  /** Errors  what the step threw, as it was there; ThreadEndError where the thread ended before the step was done. */
  result<Step extends keyof Prepared>(step: Step): Promise<Prepared[Step]>;
  /** Ends the thread, whatever it is at. */
  stop(): Promise<void>;
}

export interface PrepareSeat {
  readonly folderPath: string;
  readonly task: Preparation;
}

export function prepareInBackground(folderPath: string, task: Preparation): Background {
  const seat: PrepareSeat = { folderPath, task };
  const thread = new Thread<keyof Prepared, Prepared[keyof Prepared]>(
    new URL('./prepare-worker', import.meta.url),
    seat,
  );
  const results = new Map<keyof Prepared, Promise<unknown>>();
  for (const step of STEPS[task.what]) {
    const result = thread.ask(step);
    // Awaited later; a failure meanwhile must not count as unhandled.
    result.catch(() => {});
    results.set(step, result);
  }
  return {
    result: <Step extends keyof Prepared>(step: Step) => results.get(step) as Promise<Prepared[Step]>,
    stop: () => thread.stop(),
  };
}
