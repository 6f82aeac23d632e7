import { type Crew, soloCrew, type UnitTasks } from '../../../lib/crew.ts';
import { type ExactCrew, ownExactThread } from '../../exact/exact-pair-tasks.ts';
import type { RunStore } from '../../pairs/pair-runs.ts';
import type { JoinSpace } from '../space/join-space.ts';
import { JoinThread } from '../space/join-thread.ts';
import { PairCollector } from './collect-pairs.ts';
import { neighborVisitor } from './compare-run.ts';
import { rateHeaps } from './rate-neighbors.ts';
import {
  answerOffers,
  expandHeaps,
  findLeaders,
  loosenFilter,
  rememberHeaps,
  renewHeaps,
  reverseHeaps,
} from './refine-neighbors.ts';
import { drawPairs, streamSample } from './sample-truth.ts';
import { signColumns, signRows } from './sign-rows.ts';
import { shareOut, splitBuckets } from './split-buckets.ts';

/** The threads of a join, to be started on its space once that is laid out. */
export interface JoinCrew extends ExactCrew {
  readonly size: number;
  start(space: JoinSpace): Crew;
}

/** The caller's own thread. */
export const ownThread: JoinCrew = {
  ...ownExactThread,
  size: 1,
  start: (space) => soloCrew(joinTasks(new JoinThread(space, 0))),
};

/** The tasks of a thread of a join, by name. */
export function joinTasks(thread: JoinThread, store: RunStore | null = null): UnitTasks {
  const neighbors = neighborVisitor(thread);
  const pairs = new PairCollector(thread, store);
  return {
    signRows: (unit) => signRows(thread, unit),
    signColumns: (unit, block) => signColumns(thread, unit, block),
    shareOut: (unit, repetition) => shareOut(thread, unit, repetition),
    splitBuckets: (unit, repetition) => splitBuckets(thread, unit, repetition, neighbors),
    splitPairs: (unit, repetition) => splitBuckets(thread, unit, repetition, pairs),
    takePairs: () => pairs.take(),
    reverse: (unit, round) => reverseHeaps(thread, unit, round),
    answer: () => answerOffers(thread),
    remember: (unit) => rememberHeaps(thread, unit),
    lead: (unit) => findLeaders(thread, unit),
    rate: (unit) => rateHeaps(thread, unit),
    expand: (unit) => expandHeaps(thread, unit),
    loosen: (_, tenths) => loosenFilter(thread, tenths),
    renew: (unit) => renewHeaps(thread, unit),
    streamSample: (unit) => streamSample(thread, unit),
    drawPairs: (unit) => drawPairs(thread, unit),
    countReads: () => thread.entries.readCount,
  };
}
