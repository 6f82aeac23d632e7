import type { Generation } from '../../held/generation.ts';
import { sixDecimals } from '../../http/json-writer.ts';
import { makeCursor } from '../../http/request-key.ts';
import type { MovedQuery } from '../../schemas/parameters.ts';
import type { MovedAnswer, MovedCandidateAnswer } from '../../schemas/time-answers.ts';
import { containmentOfResult } from '../copies/copy-figures.ts';
import { fetchedAt, lastSeen, stateOf } from '../pages/last-seen.ts';
import { locateStored } from '../pages/locate.ts';
import { type MovedCandidate, movedCandidates } from './moved-candidates.ts';

/** The body of GET /moved. Errors  Problem `page-not-indexed`, `relation-not-in-index`. */
export function movedAnswer(
  generation: Generation,
  url: string,
  query: MovedQuery,
  offset: number,
  hash: string,
): MovedAnswer {
  const pageId = locateStored(generation, url);
  const page = generation.reader.page(pageId);
  const found = movedCandidates(generation, pageId, url, query.min_containment, query.capture);
  const { lost, candidates: all, complete } = found;
  const end = offset + query.limit;
  return {
    url,
    title: page.title,
    generation: generation.id,
    ...(page.url === url ? stateOf(generation, pageId) : { state: 'gone', gone: true, last_seen: null }),
    lost: lost && { sweep: lost.sweep, fetched_at: fetchedAt(lost) },
    candidates: all.slice(offset, end).map(candidateAnswer),
    complete,
    next: end < all.length ? makeCursor(generation.id, hash, end) : null,
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
