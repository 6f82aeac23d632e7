/** Processor time of pieces of work, and of files of tests. */
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Of the times in /proc. */
const TICKS_A_SECOND = 100;

const { AKIN_TEST_COSTS: costs } = process.env;
// What this process starts is counted as its own.
delete process.env['AKIN_TEST_COSTS'];

/** Milliseconds of processor time that `work` takes in this process: what else the machine does counts hardly at all. */
export function processorMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Seconds of the processes that this one started and that have ended; 0 where there is no /proc. */
function childSeconds(): number {
  try {
    const [, times] = readFileSync('/proc/self/stat', 'utf8').split(') ');
    const [user, system] = times!.split(' ').slice(13, 15).map(Number);
    return (user! + system!) / TICKS_A_SECOND;
  } catch {
    return 0;
  }
}

/** Of this process, and of those that it started and that have ended. */
export function processorSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6 + childSeconds();
}

/** Notes what a file of tests took, for the report of the run (test/processor-seconds.ts). */
export function noteCost(file: string, seconds: number): void {
  if (costs === undefined) return;
  appendFileSync(join(costs, `${process.pid}.jsonl`), `${JSON.stringify([seconds, file])}\n`);
}
