/** The module of a join's worker threads. */

import { parentPort, workerData } from 'node:worker_threads';
import { joinTasks } from '../join/join-tasks.ts';
import { JoinThread } from '../join/join-thread.ts';
import { type CrewOrder, serveOrder } from '../lib/crew.ts';
import { EntriesOnDisk } from './entry-files.ts';
import type { JoinSeat } from './join-crew.ts';

const seat = workerData as JoinSeat;
const entries = seat.files && new EntriesOnDisk(seat.files);
const tasks = joinTasks(new JoinThread(seat.shared, seat.index, entries));

parentPort?.on('message', (order: CrewOrder) => {
  parentPort?.postMessage(serveOrder(seat, tasks, order));
});
