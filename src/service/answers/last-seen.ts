import type { CaptureRecord } from '../../store/records.ts';
import type { Generation } from '../generation.ts';

/** When a page was last met; null for one that is known by links alone. */
export function lastSeen(captures: readonly CaptureRecord[]) {
  const last = captures.at(-1);
  return last === undefined
    ? null
    : { sweep: last.sweep, fetched_at: new Date(last.fetchedAtMs).toISOString() };
}

/** Whether the latest sweep has the page. */
export function isCurrent(generation: Generation, captures: readonly CaptureRecord[]): boolean {
  return captures.at(-1)?.sweepId === generation.reader.sweeps().at(-1)?.id;
}

export function goneOf(generation: Generation, captures: readonly CaptureRecord[]) {
  return { gone: !isCurrent(generation, captures), last_seen: lastSeen(captures) };
}
