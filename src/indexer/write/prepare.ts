import { statSync } from 'node:fs';
import { graphBytes } from '../../join/buckets/space/join-memory.ts';
import { divideMemory, type Resources } from '../files/budget.ts';
import { PAGES } from '../files/records/stage-files.ts';
import { Thread } from '../files/threads/thread.ts';
import type { WorkFiles } from '../files/work-folder.ts';
import type { CopyOptions, TopicOptions } from '../options/build-options.ts';
import { findVersions, type JoinReport, joinVersions, type VersionReport } from '../relate/copies.ts';
import { nameClusters } from './clusters/cluster-labels.ts';
import { FormerIndex } from './former-index.ts';
import { saveSearch } from './write-search.ts';
import { type KnownBefore, type TableOptions, TablesWriter, type WrittenTables } from './write-tables.ts';

/** Below this many pages a thread takes longer to start than its task takes. */
const MIN_PAGES = 1 << 14;

/**
 * Whether threads for other work save time, and fit in memory: the joins that run meanwhile have half the budget, and
 * what a thread holds is no more than the records of all pages. What words the joins hold is known later, see
 * `TablesBeside.makeRoom`.
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
      readonly what: 'tables';
      readonly options: TableOptions;
      readonly memoryBytes: number;
      readonly pageCount: number;
      readonly known: KnownBefore;
      /** Whether another thread makes the rows of the search. */
      readonly isSearchSaved: boolean;
    }
  | {
      readonly what: 'search and copies';
      readonly options: CopyOptions;
      readonly memoryBytes: number;
      readonly formerIndex: string | undefined;
    }
  | {
      readonly what: 'labels';
      readonly levelCount: number;
      readonly memoryBytes: number;
    };

/** What each step gives. */
export interface Prepared {
  readonly versions: VersionReport;
  readonly pages: null;
  /** Once there are bags. */
  readonly topics: null;
  /** Once the search is saved, if it is another thread's. */
  readonly tables: WrittenTables;
  readonly search: null;
  /** Once there are versions. */
  readonly copies: JoinReport;
  readonly labels: null;
}

/** The steps of a task in their order. */
type Steps = { readonly [Step in keyof Prepared]?: () => Prepared[Step] } & { close?(): void };

/** Opens a task. */
export function prepare(folder: WorkFiles, task: Preparation): Steps {
  if (task.what === 'tables') return tableSteps(folder, task);
  if (task.what === 'search and copies') {
    const { options, memoryBytes, formerIndex } = task;
    return {
      search() {
        const former = FormerIndex.open(formerIndex);
        saveSearch(folder, divideMemory(memoryBytes).search.words, former);
        former?.close();
        return null;
      },
      copies: () => joinVersions(folder, options, memoryBytes),
    };
  }
  const { levelCount, memoryBytes } = task;
  return {
    labels() {
      nameClusters(folder, levelCount, divideMemory(memoryBytes).write.bags);
      return null;
    },
  };
}

function tableSteps(
  folder: WorkFiles,
  { options, memoryBytes, pageCount, known, isSearchSaved }: Preparation & { what: 'tables' },
): Steps {
  let tables: TablesWriter | null = null;
  return {
    versions: () => findVersions(folder),
    pages() {
      tables = new TablesWriter(folder, options, memoryBytes, pageCount, known);
      return null;
    },
    topics() {
      tables!.addTopics();
      return null;
    },
    tables() {
      tables!.addSearch(isSearchSaved);
      const written = tables!.finish();
      tables = null;
      return written;
    },
    close: () => tables?.abandon(),
  };
}

/** Work on a thread of its own. */
export class Background {
  readonly #thread: Thread<keyof Prepared, Prepared[keyof Prepared]>;
  readonly #results = new Map<keyof Prepared, Promise<unknown>>();

  constructor(folderPath: string, task: Preparation) {
    const seat: PrepareSeat = { folderPath, task };
    this.#thread = new Thread(new URL('./prepare-worker', import.meta.url), seat);
  }

  begin(step: keyof Prepared): void {
    void this.result(step);
  }

  /**
   * The thread takes a step when it is first asked for, behind those before.
   *
   * Errors  what the step threw, as it was there; ThreadEndError where the thread ended before the step was done.
   */
  result<Step extends keyof Prepared>(step: Step): Promise<Prepared[Step]> {
    let result = this.#results.get(step);
    if (result === undefined) {
      result = this.#thread.ask(step);
      // Awaited later; a failure meanwhile must not count as unhandled.
      result.catch(() => {});
      this.#results.set(step, result);
    }
    return result as Promise<Prepared[Step]>;
  }

  /** Ends the thread, whatever it is at. */
  stop(): Promise<void> {
    return this.#thread.stop();
  }
}

export interface PrepareSeat {
  readonly folderPath: string;
  readonly task: Preparation;
}
