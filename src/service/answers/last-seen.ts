import type { CaptureRecord } from '../../store/records.ts';
import type { Generation } from '../generation.ts';

/** When a page was last met; null for one that is known by links alone. */
export function lastSeen(captures: readonly CaptureRecord[]) {
  const last = captures.at(-1);
  return last === undefined
    ? null
    : { sweep: last.sweep, fetched_at: new Date(last.fetchedAtMs).toISOString() };
}

/** Tells of the captures of a page whether the latest sweep has it. */
export function currentTest({ reader }: Generation): (captures: readonly CaptureRecord[]) => boolean {
  const latestId = reader.sweeps().at(-1)?.id;
  return (captures) => captures.length > 0 && captures.at(-1)!.sweepId === latestId;
}

export function goneOf(generation: Generation, captures: readonly CaptureRecord[]) {
  return { gone: !currentTest(generation)(captures), last_seen: lastSeen(captures) };
}
