/** The module of a join's worker threads. */

import { parentPort, workerData } from 'node:worker_threads';
import { joinTasks } from '../join/join-tasks.ts';
import { JoinThread } from '../join/join-thread.ts';
import { type CrewOrder, type CrewSeat, serveOrder } from '../lib/crew.ts';
import type { JoinSeat } from './join-crew.ts';
import { RunFiles } from './run-files.ts';

const seat = workerData as CrewSeat<JoinSeat>;
const { space, runs } = seat.shared;
const store = runs && new RunFiles(runs.folder, runs.mostPairs, `thread-${seat.index}`);
const tasks = joinTasks(new JoinThread(space, seat.index), store);

parentPort?.on('message', (order: CrewOrder) => {
  parentPort?.postMessage(serveOrder(seat, tasks, order));
});
