/** The module of a join's worker threads. */

import { parentPort, workerData } from 'node:worker_threads';
import { type CrewOrder, type CrewSeat, serveOrder } from '../lib/crew.ts';
import type { JoinSpace } from './join-space.ts';
import { joinTasks } from './join-tasks.ts';
import { JoinThread } from './join-thread.ts';

const seat = workerData as CrewSeat<JoinSpace>;
const tasks = joinTasks(new JoinThread(seat.shared, seat.index));

parentPort?.on('message', (order: CrewOrder) => {
  parentPort?.postMessage(serveOrder(seat, tasks, order));
});
