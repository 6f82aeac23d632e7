import { readFileSync, writeFileSync } from 'node:fs';

/** Linux alone has a peak that can be set back; elsewhere it is that of all phases so far. */
export function forgetPeak(): void {
  if (process.platform === 'linux') writeFileSync('/proc/self/clear_refs', '5');
}

/** Peak resident memory of this process since `forgetPeak`. */
export function peakMiB(): number {
  if (process.platform !== 'linux') return Math.round(process.resourceUsage().maxRSS / 1024);
  return Math.round(
    Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))![1]) / 1024,
  );
}
