import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

let collect: (() => void) | null = null;

/**
 * Gives back the memory of arrays that nobody holds any more. The collector does not count what threads share, so
 * that by itself it may leave gigabytes of a finished stage where the next one needs them.
 */
export function collectGarbage(): void {
  if (collect === null) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as () => void;
  }
  collect();
}
