/** Worker threads for the joins: the only part of them that is not pure. */

import { Worker } from 'node:worker_threads';
import type { JoinSpace } from '../join/join-space.ts';
import type { JoinCrew } from '../join/join-tasks.ts';
import type { Crew, CrewOrder, CrewSeat } from '../lib/crew.ts';
import { RunFiles } from './run-files.ts';

/** What all workers of a join are given. */
export interface JoinSeat {
  readonly space: JoinSpace;
  /** The folder for pairs that do not fit, and how many fit a thread; null where all do. */
  readonly runs: { readonly folder: string; readonly mostPairs: number } | null;
}

/**
 * `size` worker threads for nearestNeighbourGraph() and thresholdJoin(), started and ended by them. With `runs`, the
 * pairs of a threshold join that exceed mostPairs a thread wait in files of that folder, which the caller removes.
 */
export function joinCrew(size: number, runs: JoinSeat['runs'] = null): JoinCrew {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const workerUrl = new URL(`./join-worker.${extension}`, import.meta.url);
  return {
    size,
    store: runs && new RunFiles(runs.folder, runs.mostPairs, 'crew'),
    start: (space) => startCrew(workerUrl, size, { space, runs } satisfies JoinSeat),
  };
}

function startCrew<T>(workerUrl: URL, size: number, shared: T): Crew {
  const counter = new Int32Array(new SharedArrayBuffer(4));
  // An error may come while no task runs, and would end the process if nobody listened.
  let failure: unknown = null;
  const workers = Array.from({ length: size }, (_, index) => {
    const seat: CrewSeat<T> = { index, counter, shared };
    const worker = new Worker(workerUrl, { workerData: seat });
    return worker.on('error', (error) => {
      failure ??= error;
    });
  });
  const runAll = async (order: CrewOrder) => {
    if (failure !== null) throw failure;
    return Promise.all(workers.map((worker) => ordered(worker, order)));
  };
  return {
    size,
    async run(task, unitCount, argument = 0) {
      counter[0] = 0;
      await runAll({ task, unitCount, argument });
    },
    gather(task, argument = 0) {
      return runAll({ task, unitCount: null, argument });
    },
    async close() {
      await Promise.all(workers.map((worker) => worker.terminate()));
    },
  };
}

function ordered(worker: Worker, order: CrewOrder): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const release = () => worker.off('message', done).off('error', failed).off('exit', gone);
    const done = (result: unknown) => {
      release();
      resolve(result);
    };
    const failed = (error: unknown) => {
      release();
      reject(error);
    };
    const gone = (code: number) => failed(new Error(`a worker ended with code ${code}`));
    worker.once('message', done).once('error', failed).once('exit', gone);
    worker.postMessage(order);
  });
}
