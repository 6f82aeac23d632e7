import { checkedUrl } from '../../http/checked-url.ts';
import { parameterProblem } from '../../http/problems/problem.ts';
import { makeCursor } from '../../http/question/request-key.ts';
import { sixDecimals } from '../../http/six-decimals.ts';
import type { Reads } from '../../reads/reads.ts';
import type { ChangedPagesAnswer } from '../../schemas/answers/time-answers.ts';
import type { ChangesQuery } from '../../schemas/parameters/parameters.ts';
import { fetchedAt, stateOf } from '../pages/last-seen.ts';
import { changeBetween } from './change.ts';
import { isLost } from './lost.ts';

/** Pages looked at for one answer. */
const MAX_LOOKED_AT = 20_000;

type Page = ChangedPagesAnswer['pages'][number];

interface Question {
  readonly query: ChangesQuery;
  /** The page to begin at. */
  readonly offset: number;
  readonly hash: string;
}

/** The body of GET /changes. Errors  Problem `invalid-parameters` for a sweep that the index does not have. */
export async function changedPages(
  reads: Reads,
  { query, offset, hash }: Question,
): Promise<ChangedPagesAnswer> {
  const { ownPageCount, id: generation, sweeps } = reads.facts;
  const names = sweeps.map(({ name }) => name);
  const place = query.sweep === undefined ? names.length - 1 : names.indexOf(query.sweep);
  if (place < 0)
    throw parameterProblem('sweep', 'is no sweep of this index', query.sweep ?? '', names.join(', '));
  const pages: Page[] = [];
  const end = Math.min(ownPageCount, offset + MAX_LOOKED_AT);
  let at = offset;
  for (; at < end && pages.length < query.limit; at++) {
    const news = await newsOf(reads, at, names, place);
    if (news === null || (query.news.length > 0 && !query.news.includes(news.news))) continue;
    const { url, title } = await reads.page(at);
    pages.push({ url: checkedUrl(url), title, ...news });
  }
  const next = at < ownPageCount ? makeCursor(generation, hash, at) : null;
  return { generation, sweep: names[place]!, pages, looked_at: at - offset, next };
}

/** Null where the sweep brought none. */
async function newsOf(
  reads: Reads,
  pageId: number,
  names: readonly string[],
  place: number,
): Promise<Omit<Page, 'url' | 'title'> | null> {
  const captures = await reads.captures(pageId);
  const here = captures.findIndex(({ sweep }) => sweep === names[place]);
  if (here < 0) {
    const last = captures.at(-1);
    if (last === undefined || place === 0 || last.sweep !== names[place - 1]) return null;
    const { state } = await stateOf(reads, pageId);
    return isLost(state) ? { news: 'lost', fetched_at: fetchedAt(last), resemblance: null } : null;
  }
  const capture = captures[here]!;
  const before = captures[here - 1];
  if (before === undefined) {
    return place === 0 ? null : { news: 'new', fetched_at: fetchedAt(capture), resemblance: null };
  }
  if (before.versionId === capture.versionId) return null;
  const [old, now] = await Promise.all([reads.version(before.versionId), reads.version(capture.versionId)]);
  const { changed, figures } = changeBetween(old, now);
  if (changed !== 'minor' && changed !== 'major' && changed !== 'rewritten') return null;
  return {
    news: changed,
    fetched_at: fetchedAt(capture),
    resemblance: sixDecimals(figures.resemblance.value),
  };
}
