import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** A build that holds less has nothing of weight to give back, and each collection takes some 30 ms. */
const WORTH_COLLECTING_BYTES = 512 * 2 ** 20;

let collect: (() => void) | null = null;

/**
 * Gives back the memory of arrays that are no longer held. The collector does not count what threads share, so
 * that by itself it may leave gigabytes of a finished stage where the next one needs them. What the process held before
 * the build, `heldBytes`, is not the build's to give back.
 */
export function collectGarbage(heldBytes: number): void {
  if (process.memoryUsage.rss() - heldBytes < WORTH_COLLECTING_BYTES) return;
  if (collect === null) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as () => void;
  }
  collect();
}
