/** Worker threads for the joins: the only part of them that is not pure. */

import type { BagMatrix } from '../../../features/bag.ts';
import type { EntrySource } from '../../../join/bags/entry-source.ts';
import type { JoinSpace } from '../../../join/buckets/space/join-space.ts';
import type { JoinCrew } from '../../../join/buckets/steps/join-tasks.ts';
import type { ExactPairWork } from '../../../join/exact/exact-pair-tasks.ts';
import type { Crew, CrewOrder, CrewSeat } from '../../../lib/crew.ts';
import { RunFiles } from '../../files/records/run-files.ts';
import { BAG_ENTRIES } from '../../files/records/stage-files.ts';
import { Thread } from '../../files/threads/thread.ts';
import type { WorkFiles } from '../../files/work-folder.ts';
import type { BagOffsets } from '../../weigh/bag-files.ts';
import { EntriesOnDisk, type EntryFiles, entryFiles } from '../../weigh/entry-files.ts';

/** What of a join is not in memory. */
interface JoinDisk {
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
  return {
    size,
    store: disk.runs === undefined ? null : new RunFiles(disk.runs.folder, disk.runs.mostPairs, 'crew'),
    start: (space) => startCrew(size, { space, disk } satisfies JoinSeat),
    startExact: (exact) => startCrew(size, { exact, disk } satisfies JoinSeat),
  };
}

/** Where the entries are read from their files. */
const NO_ENTRIES = { features: new Uint32Array(0), weights: new Uint8Array(0) };

/** The threads that join, and the source of the entries where the matrix has none. */
export interface JoinSource {
  readonly crew: JoinCrew;
  readonly entries?: EntrySource;
}

/** Joins the bags of a folder with a crew of `size`, the entries loaded, or read from their files as they are needed. */
export async function withEntries<Result>(
  folder: WorkFiles,
  isOnDisk: boolean,
  pages: BagOffsets,
  size: number,
  join: (matrix: BagMatrix, source: JoinSource) => Promise<Result>,
  runs?: JoinDisk['runs'],
): Promise<Result> {
  if (!isOnDisk) return join({ ...pages, ...BAG_ENTRIES.read(folder) }, { crew: joinCrew(size, { runs }) });
  const files = entryFiles(folder);
  const entries = new EntriesOnDisk(files);
  try {
    const crew = joinCrew(size, { entries: files, runs });
    return await join({ ...pages, ...NO_ENTRIES }, { crew, entries });
  } finally {
    entries.close();
  }
}

function startCrew(size: number, shared: JoinSeat): Crew {
  const counter = new Int32Array(new SharedArrayBuffer(4));
  const url = new URL('./join-worker', import.meta.url);
  const threads = Array.from({ length: size }, (_, index) => {
    const seat: CrewSeat<JoinSeat> = { index, counter, shared };
    return new Thread<CrewOrder, unknown>(url, seat);
  });
  const runAll = (order: CrewOrder) => Promise.all(threads.map((thread) => thread.ask(order)));
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
      await Promise.all(threads.map((thread) => thread.stop()));
    },
  };
}
