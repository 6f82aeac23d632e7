import { type CaptureRecord, UNDATED_MS } from '../../../store/records.ts';
import type { Reads } from '../../reads/reads.ts';
import type { MovedAnswer, SeenAnswer, State } from '../../schemas/time-answers.ts';
import { isPassedBy, runOf } from './passed-by.ts';

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

/** What the sweeps know of a page. */
export async function stateOf(
  reads: Reads,
  pageId: number,
): Promise<Pick<MovedAnswer, 'state' | 'gone' | 'last_seen'>> {
  const [captures, isGone] = await Promise.all([reads.captures(pageId), reads.isGone(pageId)]);
  const isLatest = currentTest(reads)(captures);
  const state: State =
    isGone && !isLatest
      ? 'gone'
      : captures.length === 0
        ? 'never_read'
        : isLatest || !(await isMissed(reads, pageId))
          ? 'current'
          : 'not_seen_since';
  return { state, gone: state === 'gone', last_seen: lastSeen(captures) };
}

async function isMissed(reads: Reads, pageId: number): Promise<boolean> {
  const ids = runOf(pageId, reads.facts.pageCount);
  const [heads, captures, gone] = await Promise.all([
    reads.heads(ids),
    Promise.all(ids.map((id) => reads.captures(id))),
    Promise.all(ids.map((id) => reads.isGone(id))),
  ]);
  const run = heads.map(({ siteId }, i) => {
    return { siteId, isGone: gone[i]!, sweeps: captures[i]!.map(({ sweepId }) => sweepId) };
  });
  return isPassedBy(run[ids.indexOf(pageId)]!, run);
}
