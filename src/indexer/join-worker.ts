/** The module of a join's worker threads. */

import { parentPort, workerData } from 'node:worker_threads';
import { exactPairTasks } from '../join/exact-pair-tasks.ts';
import { joinTasks } from '../join/join-tasks.ts';
import { JoinThread } from '../join/join-thread.ts';
import { type CrewOrder, type CrewSeat, serveOrder } from '../lib/crew.ts';
import { EntriesOnDisk } from './entry-files.ts';
import type { JoinSeat } from './join-crew.ts';
import { RunFiles } from './run-files.ts';

const seat = workerData as CrewSeat<JoinSeat>;
const { space, exact, disk } = seat.shared;
const entries = disk.entries === undefined ? null : new EntriesOnDisk(disk.entries);
const store =
  disk.runs === undefined
    ? null
    : new RunFiles(disk.runs.folder, disk.runs.mostPairs, `thread-${seat.index}`);
const tasks =
  exact === undefined
    ? joinTasks(new JoinThread(space!, seat.index, entries), store)
    : exactPairTasks(exact, entries, store);

parentPort?.on('message', (order: CrewOrder) => {
  parentPort?.postMessage(serveOrder(seat, tasks, order));
});
