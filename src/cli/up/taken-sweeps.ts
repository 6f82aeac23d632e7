/** Which sweeps of a crawl the server has taken, and which of these the index lacks: a file beside the index. */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

interface WaitingSweep {
  readonly sweep: number;
  /** Number of the last page that the server had kept when it was taken. */
  readonly sequence: number;
  readonly sinceMs: number;
}

/** Its name. */
export const TAKEN_SWEEPS = 'taken-sweeps.json';

export interface TakenSweeps {
  /** The last one. */
  readonly sweep: number;
  /** Those that are to be folded in; of others there is nothing to fold in. */
  readonly waiting: readonly WaitingSweep[];
}

/** @param indexed gives the last sweep that the index has. */
export function takenSweeps(path: string, indexed: () => number): TakenSweeps {
  const taken = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as TakenSweeps) : null;
  if (taken === null) return { sweep: indexed(), waiting: [] };
  if (taken.waiting.length === 0) return taken;
  const last = indexed();
  return { ...taken, waiting: taken.waiting.filter(({ sweep }) => sweep > last) };
}

/** On the disk when it returns. */
export function keepTakenSweeps(path: string, taken: TakenSweeps): void {
  const next = `${path}.new`;
  writeFileSync(next, JSON.stringify(taken), { flush: true });
  renameSync(next, path);
}
