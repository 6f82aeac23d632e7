import { type CaptureRecord, UNDATED_MS } from '../../../store/records.ts';
import type { Reads } from '../../reads/reads.ts';
import type { MovedAnswer, SeenAnswer, State } from '../../schemas/answers/time-answers.ts';

/** When a page was last met; null for one that is known by links alone. */
export function lastSeen(captures: readonly CaptureRecord[]): SeenAnswer | null {
  const last = captures.at(-1);
  return last === undefined ? null : { sweep: last.sweep, fetched_at: fetchedAt(last) };
}

/** ISO 8601, UTC; null where the source gave no time. */
export function fetchedAt({ fetchedAtMs }: CaptureRecord): string | null {
  return fetchedAtMs === UNDATED_MS ? null : new Date(fetchedAtMs).toISOString();
}

/** The sweep that found a page gone, and when that began; null where none did. */
export async function goneSince(reads: Reads, pageId: number): Promise<SeenAnswer | null> {
  const sweepId = await reads.lostIn(pageId);
  const sweep = reads.facts.sweeps.find(({ id }) => id === sweepId);
  if (sweep === undefined) return null;
  const { name, startedAtMs } = sweep;
  return { sweep: name, fetched_at: startedAtMs === UNDATED_MS ? null : new Date(startedAtMs).toISOString() };
}

/** What the sweeps know of a page. */
export async function stateOf(
  reads: Reads,
  pageId: number,
): Promise<Pick<MovedAnswer, 'state' | 'gone' | 'last_seen'>> {
  const [captures, isGone, heads] = await Promise.all([
    reads.captures(pageId),
    reads.isGone(pageId),
    reads.heads([pageId]),
  ]);
  const last = captures.at(-1)?.sweepId;
  const { facts } = reads;
  const state: State =
    isGone && last !== facts.sweeps.at(-1)?.id
      ? 'gone'
      : last === undefined
        ? 'never_read'
        : facts.passedBy(heads[0]!.url, last) > 0
          ? 'not_seen_since'
          : 'current';
  return { state, gone: state === 'gone', last_seen: lastSeen(captures) };
}
