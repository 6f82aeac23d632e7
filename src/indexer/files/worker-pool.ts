import { extname } from 'node:path';
import { Piscina } from 'piscina';

/**
 * Threads that run the default export of `<name>.ts` (`.js` once compiled) beside the module `caller`.
 *
 * @param tasksAtThread how many tasks wait at a thread or run there: with two it need not wait for the main thread
 *   between them, but one that could have gone to a thread that is free stays.
 */
export function openPool<Task, Result>(
  caller: string,
  name: string,
  workerCount: number,
  workerData: unknown,
  tasksAtThread = 1,
): Piscina<Task, Result> {
  return new Piscina<Task, Result>({
    filename: new URL(`./${name}${extname(caller)}`, caller).href,
    workerData,
    minThreads: workerCount,
    maxThreads: workerCount,
    concurrentTasksPerWorker: tasksAtThread,
    // A small nursery: what a page leaves behind is dead at once, and each thread would else hold 50 MB of it.
    resourceLimits: { maxYoungGenerationSizeMb: 16 },
  });
}

/** Runs a task for each range of `step` items and reports as ranges end. The order of ends is not fixed. */
export async function runRanges<Result>(
  pool: Piscina<{ from: number; to: number }, Result>,
  count: number,
  step: number,
  onDone: (done: number) => void,
): Promise<void> {
  let done = 0;
  const runs: Promise<void>[] = [];
  for (let from = 0; from < count; from += step) {
    const to = Math.min(count, from + step);
    runs.push(
      pool.run({ from, to }).then(() => {
        done += to - from;
        onDone(done);
      }),
    );
  }
  await Promise.all(runs);
}
