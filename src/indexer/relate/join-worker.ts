/** The module of a join's worker threads. */

import { joinTasks } from '../../join/buckets/join-tasks.ts';
import { JoinThread } from '../../join/buckets/join-thread.ts';
import { exactPairTasks } from '../../join/exact/exact-pair-tasks.ts';
import { type CrewOrder, type CrewSeat, serveOrder } from '../../lib/crew.ts';
import { RunFiles } from '../files/run-files.ts';
import { serveThread } from '../files/thread.ts';
import { EntriesOnDisk } from '../weigh/entry-files.ts';
import type { JoinSeat } from './join-crew.ts';

serveThread((seat: CrewSeat<JoinSeat>) => {
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
  return (order: CrewOrder) => serveOrder(seat, tasks, order);
});
