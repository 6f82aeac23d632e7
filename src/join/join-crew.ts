import { type Crew, soloCrew, startCrew } from '../lib/crew.ts';
import type { JoinSpace } from './join-space.ts';
import { joinTasks } from './join-tasks.ts';
import { JoinThread } from './join-thread.ts';

/** The threads of a join; with one, the caller's own. Close it in the end. */
export function openJoinCrew(space: JoinSpace, workerCount: number): Crew {
  if (workerCount <= 1) return soloCrew(joinTasks(new JoinThread(space, 0)));
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  return startCrew(new URL(`./join-worker.${extension}`, import.meta.url), workerCount, space);
}
