import { type CaptureRecord, UNDATED_MS } from '../../../store/records.ts';
import type { Reads } from '../../reads/reads.ts';
import type { MovedAnswer, SeenAnswer, State } from '../../schemas/time-answers.ts';

/** When a page was last met; null for one that is known by links alone. */
export function lastSeen(captures: readonly CaptureRecord[]): SeenAnswer | null {
  const last = captures.at(-1);
  return last === undefined ? null : { sweep: last.sweep, fetched_at: fetchedAt(last) };
}

/** ISO 8601, UTC; null where the source gave no time. */
export function fetchedAt({ fetchedAtMs }: CaptureRecord): string | null {
  return fetchedAtMs === UNDATED_MS ? null : new Date(fetchedAtMs).toISOString();
}

/** Tells of the captures of a page whether the latest sweep has it. */
export function currentTest({ facts }: Reads): (captures: readonly CaptureRecord[]) => boolean {
  const latestId = facts.sweeps.at(-1)?.id;
  return (captures) => captures.length > 0 && captures.at(-1)!.sweepId === latestId;
}

/** What the sweeps know of a page: absence from a sweep is no proof, as a sweep need not be whole. */
export async function stateOf(
  reads: Reads,
  pageId: number,
): Promise<Pick<MovedAnswer, 'state' | 'gone' | 'last_seen'>> {
  const [captures, isGone] = await Promise.all([reads.captures(pageId), reads.isGone(pageId)]);
  const state: State = currentTest(reads)(captures)
    ? 'current'
    : isGone
      ? 'gone'
      : captures.length > 0
        ? 'not_seen_since'
        : 'never_read';
  return { state, gone: state === 'gone', last_seen: lastSeen(captures) };
}
