import { range } from '../../../lib/columns/indexes.ts';
import { checkedUrl } from '../../http/checked-url.ts';
import { type ListQuestion, makeCursor } from '../../http/question/request-key.ts';
import { ahead } from '../../reads/ahead.ts';
import type { Reads } from '../../reads/reads.ts';
import type { LostAnswer } from '../../schemas/answers/time-answers.ts';
import type { LostQuery } from '../../schemas/parameters/parameters.ts';
import { stateOf } from '../pages/last-seen.ts';
import { movedAnswer } from './moved.ts';

/** Pages looked at for one answer: about half a second. */
const MAX_LOOKED_AT = 50_000;

/** The body of GET /lost: pages that are lost, each with the likeliest place of its text. */
export async function lostAnswer(
  reads: Reads,
  { query, offset, hash }: ListQuestion<LostQuery>,
): Promise<LostAnswer> {
  const { ownPageCount, id: generation, state } = reads.facts;
  const pages: LostAnswer['pages'] = [];
  const end = Math.min(ownPageCount, offset + MAX_LOOKED_AT);
  let at = offset;
  for await (const [id, { state, last_seen }] of ahead(reads, range(at, end), (one) => stateOf(reads, one))) {
    if (pages.length === query.limit) break;
    at = id + 1;
    if (!isLost(state)) continue;
    const { url, title } = await reads.page(id);
    // A page that came and went while it waited was never lost.
    if ((await reads.idOf(url)) < 0) continue;
    const asked = { url, min_containment: query.min_containment, limit: 1 };
    const { candidates, complete } = await movedAnswer(reads, { query: asked, offset: 0, hash: '' });
    const candidate = candidates[0] ?? null;
    pages.push({ url: checkedUrl(url), title, state, last_seen, candidate, complete });
  }
  const next = at < ownPageCount ? makeCursor(state, hash, at) : null;
  return { generation, pages, looked_at: at - offset, next };
}

/** Whether a page was there and is not any more. */
export function isLost(state: LostAnswer['pages'][number]['state']): boolean {
  return state === 'gone' || state === 'not_seen_since';
}
