import type { OtherAnswer } from '../../../store/read/input-reader.ts';
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
  return isoTime(fetchedAtMs);
}

function isoTime(atMs: number): string | null {
  return atMs === UNDATED_MS ? null : new Date(atMs).toISOString();
}

/** The sweep that found a page gone, and when; null where none did. */
export async function goneSince(reads: Reads, pageId: number, url: string): Promise<SeenAnswer | null> {
  const [sweepId, answer] = await Promise.all([reads.lostIn(pageId), reads.otherAnswer(url)]);
  return foundBy(reads, sweepId, answer);
}

/**
 * A sweep that found a URL gone, and when: by its own answer, or if that has no date, when the sweep was read. An answer is that of the
 * last sweep which found it so: one from behind the reading of the first is of a later sweep.
 */
export function foundBy(
  { facts }: Pick<Reads, 'facts'>,
  sweepId: number,
  answer: OtherAnswer | null,
): SeenAnswer | null {
  const sweep = facts.sweeps.find(({ id }) => id === sweepId);
  if (sweep === undefined) return null;
  const { name, startedAtMs } = sweep;
  const answeredAtMs = answer?.sweepId === sweepId ? answer.fetchedAtMs : UNDATED_MS;
  const latestMs = sweep === facts.sweeps.at(-1) ? Number.POSITIVE_INFINITY : startedAtMs;
  const atMs = answeredAtMs === UNDATED_MS ? startedAtMs : Math.min(answeredAtMs, latestMs);
  return { sweep: name, fetched_at: isoTime(atMs) };
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
