import { statSync } from 'node:fs';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { BagMatrix } from '../../features/bag.ts';
import { graphBytes } from '../../join/buckets/join-memory.ts';
import type { WorkFiles } from '../files/work-folder.ts';
import { PAGES_FILE } from '../gather/merge.ts';
import type { BuildOptions } from '../options/build-options.ts';
import { loadLevels } from '../relate/clusters.ts';
import type { CopyReport } from '../relate/copies.ts';
import { findCopies } from '../relate/copies.ts';
import { EntriesOnDisk, type EntryFiles } from '../weigh/entry-files.ts';
import { nameClusters } from './cluster-labels.ts';
import { type WrittenTables, writeTables } from './write-tables.ts';

/** Below this many pages a thread takes longer to start than its task takes. */
const MIN_PAGES = 1 << 14;

type RoomOptions = Pick<BuildOptions, 'workerCount' | 'memoryBytes' | 'neighbourLimit'>;

/**
 * Whether work aside pays, and fits: the joins beside it have half the budget, and the records of all pages bound what it
 * holds itself.
 */
export function isWorthAThread(
  folder: WorkFiles,
  { workerCount: threadCount, memoryBytes, neighbourLimit: k }: RoomOptions,
  pageCount: number,
): boolean {
  if (threadCount === 1 || pageCount < MIN_PAGES) return false;
  const joins = graphBytes({ pageCount, entryCount: 0, featureCount: 0, k, threadCount });
  return joins.fixedBytes <= memoryBytes / 2 && statSync(folder.file(PAGES_FILE)).size <= memoryBytes;
}

/** What can be made ready while other work goes on. It is left in files of the folder. */
export type Preparation =
  | { readonly what: 'copies and tables'; readonly options: BuildOptions; readonly firstNewSweep: number }
  | {
      readonly what: 'labels';
      readonly matrix: BagMatrix;
      /** Where the entries of the bags are that the matrix does not hold; null where it does. */
      readonly entries: EntryFiles | null;
      readonly levelCount: number;
    };

/** What is told of each step. */
export interface Prepared {
  readonly copies: CopyReport | null;
  readonly tables: WrittenTables;
  readonly labels: null;
}

/** Takes the steps of a task in their order. */
export function prepare(
  folder: WorkFiles,
  task: Preparation,
  onStep: <Step extends keyof Prepared>(step: Step, result: Prepared[Step]) => void,
): void {
  if (task.what === 'labels') {
    const entries = task.entries === null ? undefined : new EntriesOnDisk(task.entries);
    nameClusters(folder, task.matrix, loadLevels(folder, task.levelCount), entries);
    entries?.close();
    onStep('labels', null);
    return;
  }
  const { options } = task;
  onStep('copies', options.copies ? findCopies(folder, options, () => {}) : null);
  onStep('tables', writeTables(folder, options, task.firstNewSweep));
}

/** Work on a thread of its own. */
export interface Background {
  /** Rejects with what ended the thread before the step was done. */
  result<Step extends keyof Prepared>(step: Step): Promise<Prepared[Step]>;
  /** Ends the thread, whatever it is at. */
  stop(): Promise<unknown>;
}

export function prepareInBackground(folderPath: string, task: Preparation): Background {
  const url = new URL(`./prepare-worker${extname(import.meta.url)}`, import.meta.url);
  const worker = new Worker(url, {
    workerData: { folderPath, task },
    // As for the pool: garbage is dead at once, and would else be let lie.
    resourceLimits: { maxYoungGenerationSizeMb: 16 },
  });
  const resultOf = (step: keyof Prepared) => {
    const done = new Promise((resolve, reject) => {
      worker.on('message', (told) => {
        if (told.step === step) resolve(told.result);
      });
      worker.once('error', reject);
      worker.once('exit', (code) => reject(new Error(`a worker ended with code ${code}`)));
    });
    // Awaited later; a failure meanwhile must not count as unhandled.
    done.catch(() => {});
    return done;
  };
  const results: Record<keyof Prepared, Promise<unknown>> = {
    copies: resultOf('copies'),
    tables: resultOf('tables'),
    labels: resultOf('labels'),
  };
  return {
    result: <Step extends keyof Prepared>(step: Step) => results[step] as Promise<Prepared[Step]>,
    stop: () => worker.terminate(),
  };
}
