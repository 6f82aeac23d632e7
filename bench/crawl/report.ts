import { readFileSync } from 'node:fs';

/** What one contender of the race says at its end, as a line of JSON. */
export interface Run {
  readonly pages: number;
  readonly bytes: number;
  readonly wallSeconds: number;
  readonly processorSeconds: number;
  readonly peakMiB: number;
}

/** Starts the clock; to be called with the result at the end. */
export function report(): (result: Pick<Run, 'pages' | 'bytes'>) => void {
  const startedMs = performance.now();
  const before = process.cpuUsage();
  return (result) => {
    const { user, system } = process.cpuUsage(before);
    const run: Run = {
      ...result,
      wallSeconds: (performance.now() - startedMs) / 1000,
      processorSeconds: (user + system) / 1e6,
      // Not getrusage: it counts the parent, as it was before this program was loaded.
      peakMiB: Number(/^VmHWM:\s*(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))![1]) / 1024,
    };
    process.stdout.write(`${JSON.stringify(run)}\n`);
  };
}
