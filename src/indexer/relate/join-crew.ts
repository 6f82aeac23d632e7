/** Worker threads for the joins: the only part of them that is not pure. */

import { Worker } from 'node:worker_threads';
import type { BagMatrix } from '../../features/bag.ts';
import type { EntrySource } from '../../join/bags/entry-source.ts';
import type { JoinSpace } from '../../join/buckets/join-space.ts';
import type { JoinCrew } from '../../join/buckets/join-tasks.ts';
import type { ExactPairWork } from '../../join/exact/exact-pair-tasks.ts';
import type { Crew, CrewOrder, CrewSeat } from '../../lib/crew.ts';
import { RunFiles } from '../files/run-files.ts';
import type { WorkFiles } from '../files/work-folder.ts';
import { type loadBagRanges, loadEntries } from '../weigh/bags.ts';
import { EntriesOnDisk, type EntryFiles, entryFiles } from '../weigh/entry-files.ts';

/** What of a join is not in memory. */
export interface JoinDisk {
  /** Where the entries of the bags are read from; where left out, they are in the space. */
  readonly entries?: EntryFiles;
  /** The folder for the pairs of a threshold join beyond mostPairs a thread, which the caller removes. */
  readonly runs?: { readonly folder: string; readonly mostPairs: number } | undefined;
}

/** What all workers of a join are given: the space of one by buckets, or the work of an exact one. */
export interface JoinSeat {
  readonly space?: JoinSpace;
  readonly exact?: ExactPairWork;
  readonly disk: JoinDisk;
}

/** `size` worker threads for a graph or a join, which starts and ends them. */
export function joinCrew(size: number, disk: JoinDisk = {}): JoinCrew {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const workerUrl = new URL(`./join-worker.${extension}`, import.meta.url);
  return {
    size,
    store: disk.runs === undefined ? null : new RunFiles(disk.runs.folder, disk.runs.mostPairs, 'crew'),
    start: (space) => startCrew(workerUrl, size, { space, disk } satisfies JoinSeat),
    startExact: (exact) => startCrew(workerUrl, size, { exact, disk } satisfies JoinSeat),
  };
}

/** Where the entries are read from their files. */
const NO_ENTRIES = { features: new Uint32Array(0), weights: new Uint8Array(0) };

/** Who joins, and whence the entries are read where the matrix has none. */
export interface JoinSource {
  readonly crew: JoinCrew;
  readonly entries?: EntrySource;
}

/** Joins the bags of a folder with a crew of `size`, the entries loaded, or read from their files as they are needed. */
export async function withEntries<Result>(
  folder: WorkFiles,
  isOnDisk: boolean,
  pages: ReturnType<typeof loadBagRanges>,
  size: number,
  join: (matrix: BagMatrix, source: JoinSource) => Promise<Result>,
  runs?: JoinDisk['runs'],
): Promise<Result> {
  if (!isOnDisk) return join({ ...pages, ...loadEntries(folder) }, { crew: joinCrew(size, { runs }) });
  const files = entryFiles(folder);
  const entries = new EntriesOnDisk(files);
  try {
    const crew = joinCrew(size, { entries: files, runs });
    return await join({ ...pages, ...NO_ENTRIES }, { crew, entries });
  } finally {
    entries.close();
  }
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
