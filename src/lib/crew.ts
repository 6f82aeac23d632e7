/**
 * Threads that work through numbered units of named tasks over shared memory.
 *
 * A task is a function of (unit, argument) that writes only what its unit owns, so the outcome depends
 * neither on the number of threads nor on which thread takes which unit; run() is the barrier between two
 * tasks. Units are handed out one at a time from a shared counter, so slow ones do not hold the rest up.
 */

type UnitTask = (unit: number, argument: number) => unknown;
export type UnitTasks = Readonly<Record<string, UnitTask>>;

export interface Crew {
  /** Threads that run units: 1 means the caller's own. */
  readonly size: number;
  /** Runs units 0 .. unitCount-1 of a task; resolves when all are done, rejects with the first error. */
  run(task: string, unitCount: number, argument?: number): Promise<void>;
  /** Runs a task once in every thread, with the thread's number as its unit; the results, by thread. */
  gather(task: string, argument?: number): Promise<unknown[]>;
  close(): Promise<void>;
}

/** What a worker of a crew finds in its workerData. */
export interface CrewSeat<T> {
  readonly index: number;
  readonly counter: Int32Array;
  readonly shared: T;
}

export interface CrewOrder {
  readonly task: string;
  /** Null: once, by each thread. */
  readonly unitCount: number | null;
  readonly argument: number;
}

/** A crew of the calling thread alone. */
export function soloCrew(tasks: UnitTasks): Crew {
  return {
    size: 1,
    async run(task, unitCount, argument = 0) {
      for (let unit = 0; unit < unitCount; unit++) tasks[task]!(unit, argument);
    },
    async gather(task, argument = 0) {
      return [tasks[task]!(0, argument)];
    },
    async close() {},
  };
}

/** Works through one order in a worker thread; returns what is to be posted back. */
export function serveOrder(seat: CrewSeat<unknown>, tasks: UnitTasks, order: CrewOrder): unknown {
  const task = tasks[order.task]!;
  if (order.unitCount === null) return task(seat.index, order.argument);
  for (;;) {
    const unit = Atomics.add(seat.counter, 0, 1);
    if (unit >= order.unitCount) return null;
    task(unit, order.argument);
  }
}
