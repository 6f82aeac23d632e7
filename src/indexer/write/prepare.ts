import { graphBytes } from '../../join/buckets/space/join-memory.ts';
import { keptIn } from '../../lib/kept.ts';
import { divideMemory, type Resources } from '../files/budget.ts';
import { Thread } from '../files/threads/thread.ts';
import type { WorkFiles } from '../files/work-folder.ts';
import type { TopicOptions } from '../options/build-options.ts';
import { findVersions, type JoinReport, joinVersions, type VersionReport } from '../relate/copies.ts';
import { nameClusters } from './clusters/cluster-labels.ts';
import { FormerIndex } from './former-index.ts';
import { saveSearch } from './write-search.ts';
import { type KnownBefore, type TableOptions, TablesWriter, type WrittenTables } from './write-tables.ts';

/** Below this many pages a thread takes longer to start than its task takes. */
const MIN_PAGES = 1 << 14;

/**
 * Whether threads for other work save time, and fit in memory: the joins that run meanwhile have half the budget. What words these
 * hold is known later, see `TablesBeside.makeRoom`.
 */
export function isWorthAThread(
  { neighborLimit: k }: Pick<TopicOptions, 'neighborLimit'>,
  { workerCount: threadCount, memoryBytes }: Resources,
  pageCount: number,
): boolean {
  if (threadCount === 1 || pageCount < MIN_PAGES) return false;
  const joins = graphBytes({ pageCount, entryCount: 0, featureCount: 0, k, threadCount });
  return joins.fixedBytes <= divideMemory(memoryBytes).beside.join;
}

/** What can be made ready while other work goes on. It is left in files of the folder. */
export interface Preparation {
  readonly options: TableOptions;
  readonly memoryBytes: number;
  readonly pageCount: number;
  readonly known: KnownBefore;
}

/** What each step gives. */
export interface Prepared {
  readonly versions: VersionReport;
  readonly pages: null;
  /** Once there are bags. */
  readonly topics: null;
  /** Once the search is saved, if there is one. */
  readonly tables: WrittenTables;
  readonly search: null;
  /** Once there are versions. */
  readonly copies: JoinReport;
  readonly labels: null;
}

type Step = keyof Prepared;

type Steps = { readonly [Name in Step]: (levelCount?: number) => Prepared[Name] } & { close(): void };

/** Opens the work on the files of a folder. What a step asks for, another thread may have done. */
export function prepare(folder: WorkFiles, { options, memoryBytes, pageCount, known }: Preparation): Steps {
  const budget = divideMemory(memoryBytes);
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
      tables!.addSearch(true);
      const written = tables!.finish();
      tables = null;
      return written;
    },
    search() {
      const former = FormerIndex.open(known.formerIndex);
      try {
        saveSearch(folder, budget.search.words, former);
      } finally {
        former?.close();
      }
      return null;
    },
    copies: () => joinVersions(folder, options, memoryBytes),
    labels(levelCount = 0) {
      nameClusters(folder, levelCount, budget.write.bags);
      return null;
    },
    close: () => tables?.abandon(),
  };
}

/** Work on a thread of its own. */
export class Background {
  readonly #thread: Thread<PrepareOrder, Prepared[Step]>;
  readonly #results = new Map<Step, Promise<unknown>>();

  constructor(folderPath: string, task: Preparation) {
    const seat: PrepareSeat = { folderPath, task };
    this.#thread = new Thread(new URL('./prepare-worker', import.meta.url), seat);
  }

  /** @param levelCount of the clusters, to name them. */
  begin(step: Step, levelCount = 0): void {
    void this.result(step, levelCount);
  }

  /**
   * The thread takes a step when it is first asked for, behind those before.
   *
   * Errors  what the step threw, as it was there; ThreadEndError where the thread ended before the step was done.
   */
  result<Name extends Step>(step: Name, levelCount = 0): Promise<Prepared[Name]> {
    const result = keptIn(this.#results, step, () => {
      const asked = this.#thread.ask({ step, levelCount });
      // Awaited later; a failure meanwhile must not count as unhandled.
      asked.catch(() => {});
      return asked;
    });
    return result as Promise<Prepared[Name]>;
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

export interface PrepareOrder {
  readonly step: Step;
  readonly levelCount: number;
}
