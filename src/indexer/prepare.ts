import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { BagMatrix } from '../features/bag.ts';
import type { BuildOptions } from './build-options.ts';
import { nameClusters } from './cluster-labels.ts';
import { loadLevels } from './clusters.ts';
import type { WorkFiles } from './work-folder.ts';
import { prepareShingles } from './write-copies.ts';

/** What can be made ready while pages are written. It is left in files of the folder. */
export type Preparation =
  | { readonly what: 'labels'; readonly matrix: BagMatrix; readonly levelCount: number }
  | { readonly what: 'shingles'; readonly options: BuildOptions };

export function prepare(folder: WorkFiles, task: Preparation): void {
  if (task.what === 'labels') nameClusters(folder, task.matrix, loadLevels(folder, task.levelCount));
  else prepareShingles(folder, task.options);
}

/** The same on a thread of its own. */
export function prepareAside(folderPath: string, task: Preparation): Promise<void> {
  const url = new URL(`./prepare-worker${extname(import.meta.url)}`, import.meta.url);
  const worker = new Worker(url, { workerData: { folderPath, task } });
  const done = new Promise<void>((resolve, reject) => {
    worker.once('error', reject).once('exit', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`a worker ended with code ${code}`));
    });
  });
  // Awaited later; a failure meanwhile must not count as unhandled.
  done.catch(() => {});
  return done;
}
