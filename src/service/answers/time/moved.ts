import { makeCursor } from '../../http/question/request-key.ts';
import { sixDecimals } from '../../http/six-decimals.ts';
import type { Reads } from '../../reads/reads.ts';
import type { MovedQuery } from '../../schemas/parameters.ts';
import type { MovedAnswer, MovedCandidateAnswer } from '../../schemas/time-answers.ts';
import { containmentOfResult } from '../copies/copy-figures.ts';
import { fetchedAt, lastSeen, stateOf } from '../pages/last-seen.ts';
import { locateStored } from '../pages/locate.ts';
import { type MovedCandidate, movedCandidates } from './moved-candidates.ts';

/** The body of GET /moved. Errors  Problem `page-not-indexed`, `relation-not-in-index`. */
export async function movedAnswer(
  reads: Reads,
  url: string,
  query: MovedQuery,
  offset: number,
  hash: string,
): Promise<MovedAnswer> {
  const pageId = await locateStored(reads, url);
  const [page, state, found] = await Promise.all([
    reads.page(pageId),
    stateOf(reads, pageId),
    movedCandidates(reads, pageId, url, query.min_containment, query.capture),
  ]);
  const { lost, candidates: all, complete } = found;
  const end = offset + query.limit;
  return {
    url,
    title: page.title,
    generation: reads.facts.id,
    ...(page.url === url ? state : { state: 'gone', gone: true, last_seen: null }),
    lost: lost && { sweep: lost.sweep, fetched_at: fetchedAt(lost) },
    candidates: all.slice(offset, end).map(candidateAnswer),
    complete,
    next: end < all.length ? makeCursor(reads.facts.id, hash, end) : null,
  };
}

function candidateAnswer(candidate: MovedCandidate): MovedCandidateAnswer {
  const { url, title, figures } = candidate;
  return {
    url,
    title,
    evidence: [...candidate.evidence],
    resemblance: figures && sixDecimals(figures.resemblance.value),
    containment: figures && containmentOfResult(figures),
    measure: figures?.measure ?? null,
    holds_now: candidate.holdsNow,
    current: candidate.isCurrent,
    last_seen: lastSeen(candidate.captures),
  };
}
