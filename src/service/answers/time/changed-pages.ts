import { range } from '../../../lib/columns/indexes.ts';
import { checkedUrl } from '../../http/checked-url.ts';
import { parameterProblem } from '../../http/problems/problem.ts';
import { type ListQuestion, makeCursor } from '../../http/question/request-key.ts';
import { ahead } from '../../reads/ahead.ts';
import { type IndexFacts, LIVE_SWEEP } from '../../reads/facts.ts';
import type { Reads } from '../../reads/reads.ts';
import type { CaptureAnswer, Change, ChangedPagesAnswer } from '../../schemas/answers/time-answers.ts';
import { NEWS } from '../../schemas/fields.ts';
import type { ChangesQuery } from '../../schemas/parameters/parameters.ts';
import { fetchedAt, stateOf } from '../pages/last-seen.ts';
import { captureAnswer } from './history.ts';
import { isLost } from './lost.ts';

/** Pages looked at for one answer. */
const MAX_LOOKED_AT = 20_000;
/** Named to who asks for one that is not there. */
const SHOWN_SWEEPS = 5;

type Page = ChangedPagesAnswer['pages'][number];
type News = Page['news'];

/** The body of GET /changes. Errors  Problem `invalid-parameters` for a sweep that the index does not have. */
export async function changedPages(
  reads: Reads,
  { query, offset, hash }: ListQuestion<ChangesQuery>,
): Promise<ChangedPagesAnswer> {
  const { ownPageCount, id: generation, state, sweeps } = reads.facts;
  const place = query.sweep === undefined ? lastStored(sweeps) : sweepPlace(reads.facts, query.sweep);
  // Nothing waits.
  if (place < 0) return { generation, sweep: LIVE_SWEEP, pages: [], looked_at: 0, next: null };
  const sweep = sweeps[place]!.name;
  const wanted = { sweep, news: query.news.length === 0 ? NEWS : query.news };
  const pages: Page[] = [];
  const end = Math.min(ownPageCount, offset + MAX_LOOKED_AT);
  let at = offset;
  for await (const [id, [change]] of ahead(reads, range(at, end), (one) => changesOf(reads, one, wanted))) {
    if (pages.length === query.limit) break;
    at = id + 1;
    if (change?.news == null) continue;
    const { url, title } = await reads.page(id);
    const { news, fetched_at, resemblance } = change;
    pages.push({ url: checkedUrl(url), title, news, fetched_at, resemblance });
  }
  const next = at < ownPageCount ? makeCursor(state, hash, at) : null;
  return { generation, sweep, pages, looked_at: at - offset, next };
}

/** The place of the last one of the index: pages that wait are asked for by the name of theirs. */
function lastStored(sweeps: IndexFacts['sweeps']): number {
  const last = sweeps.length - 1;
  return last > 0 && sweeps[last]!.name === LIVE_SWEEP ? last - 1 : last;
}

/**
 * The place of a sweep among all; -1 for that of pages that wait where none do.
 *
 * Errors  Problem `invalid-parameters` for one that the index does not have.
 */
export function sweepPlace({ sweeps }: IndexFacts, sweep: string): number {
  const names = sweeps.map(({ name }) => name);
  const place = names.indexOf(sweep);
  if (place >= 0 || sweep === LIVE_SWEEP) return place;
  const last = names.slice(-SHOWN_SWEEPS).join(', ');
  const detail = `is no sweep of this index${last && `; the last ones are ${last}`}`;
  throw parameterProblem('sweep', detail, sweep, names.join(', '));
}

/** What a sweep found of a page: against the capture before, or that it is lost since the one before. */
interface PageChange
  extends Partial<Pick<CaptureAnswer, 'token_count' | 'changed' | 'containment' | 'measure'>> {
  readonly sweep: string;
  readonly fetched_at: string | null;
  readonly news: News | null;
  readonly resemblance: number | null;
}

interface Wanted {
  /** Undefined for all. */
  readonly sweep: string | undefined;
  /** Null for what is no news, too. */
  readonly news: readonly News[] | null;
}

/** Oldest first. Cost  two versions are read a change; none of a capture that is no news, where news are wanted. */
export async function changesOf(reads: Reads, pageId: number, wanted: Wanted): Promise<PageChange[]> {
  const { sweeps } = reads.facts;
  const isAsked = (sweep: string) => wanted.sweep === undefined || wanted.sweep === sweep;
  const changes: PageChange[] = [];
  const captures = await reads.captures(pageId);
  for (const [i, capture] of captures.entries()) {
    const before = captures[i - 1];
    const isSame =
      before === undefined ? capture.sweep === sweeps[0]!.name : before.versionId === capture.versionId;
    if (!isAsked(capture.sweep) || (isSame && wanted.news !== null)) continue;
    const { digest: _digest, ...answer } = await captureAnswer(reads, before, capture);
    changes.push({ ...answer, news: isSame ? null : newsOf(answer.changed) });
  }
  const last = captures.at(-1);
  const sweep = last === undefined ? undefined : await lostIn(reads, pageId, last.sweepId);
  if (sweep !== undefined && isAsked(sweep))
    changes.push({ sweep, fetched_at: fetchedAt(last!), news: 'lost', resemblance: null });
  return changes.filter(({ news }) => wanted.news === null || (news !== null && wanted.news.includes(news)));
}

/** The sweep that found a page gone, or came by and did not meet it; undefined for a page that is not lost. */
async function lostIn(reads: Reads, pageId: number, lastSweepId: number): Promise<string | undefined> {
  const { state } = await stateOf(reads, pageId);
  if (!isLost(state)) return undefined;
  const { facts } = reads;
  const sweepId =
    state === 'gone'
      ? await reads.lostIn(pageId)
      : facts.passedBy((await reads.heads([pageId]))[0]!.url, lastSweepId);
  return facts.sweeps.find(({ id }) => id === sweepId)?.name;
}

function newsOf(changed: Change): News | null {
  if (changed === 'first') return 'new';
  return changed === 'minor' || changed === 'major' || changed === 'rewritten' ? changed : null;
}
