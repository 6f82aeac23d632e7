/** The task of a join's threads. */

import { JoinThread } from '../../../join/buckets/space/join-thread.ts';
import { joinTasks } from '../../../join/buckets/steps/join-tasks.ts';
import { exactPairTasks } from '../../../join/exact/exact-pair-tasks.ts';
import { type CrewOrder, type CrewSeat, serveOrder } from '../../../lib/crew.ts';
import { RunFiles } from '../../files/records/run-files.ts';
import type { ThreadTask } from '../../files/threads/thread-task.ts';
import { EntriesOnDisk } from '../../weigh/entry-files.ts';
import type { JoinSeat } from './join-crew.ts';

export const task: ThreadTask<CrewSeat<JoinSeat>, CrewOrder, unknown> = (seat) => {
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
  return { answer: (order) => serveOrder(seat, tasks, order), close: () => entries?.close() };
};
