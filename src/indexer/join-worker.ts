/** The module of a join's worker threads. */

import { parentPort, workerData } from 'node:worker_threads';
import type { JoinSpace } from '../join/join-space.ts';
import { joinTasks } from '../join/join-tasks.ts';
import { JoinThread } from '../join/join-thread.ts';
import { type CrewOrder, type CrewSeat, serveOrder } from '../lib/crew.ts';

const seat = workerData as CrewSeat<JoinSpace>;
const tasks = joinTasks(new JoinThread(seat.shared, seat.index));

parentPort?.on('message', (order: CrewOrder) => {
  parentPort?.postMessage(serveOrder(seat, tasks, order));
});
