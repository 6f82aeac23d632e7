import { type CaptureRecord, UNDATED_MS } from '../../../store/records.ts';
import type { Reads } from '../../reads/reads.ts';
import type { MovedAnswer, SeenAnswer, State } from '../../schemas/answers/time-answers.ts';
import { isPassedBy, type ReadPage, runOf } from './passed-by.ts';

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

/** Tells of the captures of a page whether the latest sweep has it. */
function currentTest({ facts }: Reads): (captures: readonly CaptureRecord[]) => boolean {
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
  const last = lastRuns.get(reads);
  const run = last?.first === ids[0] ? last!.run : readRun(reads, ids);
  lastRuns.set(reads, { first: ids[0]!, run });
  const pages = await run;
  return isPassedBy(pages[ids.indexOf(pageId)]!, pages);
}

/** The run that was read last: pages are often looked at in their order. */
const lastRuns = new WeakMap<Reads, { readonly first: number; readonly run: Promise<ReadPage[]> }>();

async function readRun(reads: Reads, ids: readonly number[]): Promise<ReadPage[]> {
  const [heads, captures, gone] = await Promise.all([
    reads.heads(ids),
    Promise.all(ids.map((id) => reads.captures(id))),
    Promise.all(ids.map((id) => reads.isGone(id))),
  ]);
  return heads.map(({ siteId }, i) => {
    return { siteId, isGone: gone[i]!, sweeps: captures[i]!.map(({ sweepId }) => sweepId) };
  });
}
