import { sharedPassages } from '../../../join/copies/shared-passages.ts';
import { firstWords } from '../../../lib/first-words.ts';
import type { CaptureRecord } from '../../../store/records.ts';
import { TokenSequence } from '../../../text/token-sequence.ts';
import { readTokens } from '../../../text/tokens.ts';
import { Problem } from '../../http/problems/problem.ts';
import { type ListQuestion, makeCursor } from '../../http/question/request-key.ts';
import { sixDecimals } from '../../http/six-decimals.ts';
import type { Reads } from '../../reads/reads.ts';
import {
  MOST_FROM,
  type MovedAnswer,
  type MovedCandidateAnswer,
  type Strength,
} from '../../schemas/answers/time-answers.ts';
import type { MovedQuery } from '../../schemas/parameters/parameters.ts';
import { containmentOfResult } from '../copies/copy-figures.ts';
import { MAX_TEXT_CHARS, sketchOptions } from '../copies/copy-source.ts';
import { fetchedAt, goneSince, lastSeen, stateOf } from '../pages/last-seen.ts';
import { locateStored } from '../pages/locate.ts';
import { isStatedPlace, type MovedCandidate, movedCandidates } from './moved-candidates.ts';

const MAX_CHARS = 240;

/**
 * The longest passage of one stored text that another has too, as the other one has it, cut behind a word; null where the
 * index keeps no texts, or they share none.
 */
async function sharedPassage(reads: Reads, versionId: number, otherId: number): Promise<string | null> {
  const [a, b] = await Promise.all([reads.versionText(versionId), reads.versionText(otherId)]);
  if (a === null || b === null || Math.max(a.text.length, b.text.length) > MAX_TEXT_CHARS) return null;
  const [left, right] = [a, b].map(({ text }) => readTokens(text, new TokenSequence()));
  const passages = sharedPassages(left!, right!, sketchOptions(reads.facts).shingleSize);
  const [first] = passages.toSorted((x, y) => y.tokenCount - x.tokenCount);
  if (first === undefined) return null;
  const text = b.text.slice(first.startOfB, first.endOfB).replace(/\s+/g, ' ').trim();
  return text.length <= MAX_CHARS ? text : `${firstWords(text, MAX_CHARS)} …`;
}

/** The body of GET /moved. Errors  Problem `page-not-indexed`, `relation-not-in-index`, also of one shard alone: the text may be in any other. */
export async function movedAnswer(
  reads: Reads,
  { query, offset, hash }: ListQuestion<MovedQuery>,
): Promise<MovedAnswer> {
  const { url } = query;
  const pageId = await locateStored(reads, url);
  const { shard } = reads.facts;
  if (shard !== null && shard.count > 1) {
    const place = `shard ${shard.number} of ${shard.count}`;
    throw new Problem(
      'relation-not-in-index',
      `${place} alone does not know where a text is now; ask all shards together`,
    );
  }
  const [page, state, found] = await Promise.all([
    reads.page(pageId),
    stateOf(reads, pageId),
    movedCandidates(reads, pageId, url, query.min_containment, query.capture),
  ]);
  const { lost, candidates: all, complete } = found;
  const end = offset + query.limit;
  const lostPlaces = all.filter((one) => strengthOf(one, query.min_containment) === 'gone' && hadText(one));
  const followed = new Set(lostPlaces.slice(0, MAX_FOLLOWED));
  return {
    url,
    title: page.title,
    generation: reads.facts.id,
    ...(page.url === url ? state : { state: 'gone', gone: true, last_seen: null }),
    lost: lost && { sweep: lost.sweep, fetched_at: fetchedAt(lost) },
    candidates: await Promise.all(
      all.slice(offset, end).map(async (one, i) => {
        const [answer, nowAt] = await Promise.all([
          candidateAnswer(reads, one, query.min_containment, lost, offset + i),
          followed.has(one) ? placeOfLost(reads, pageId, one, query.min_containment) : null,
        ]);
        const { passage, ...rest } = answer;
        return { ...rest, now_at: nowAt, passage };
      }),
    ),
    complete,
    next: end < all.length ? makeCursor(reads.facts.state, hash, end) : null,
  };
}

/** For a URL that is not in the index, where that is no error. */
export function unknownAnswer({ facts }: Reads, url: string): MovedAnswer {
  const none = { state: 'not_indexed', gone: false, last_seen: null, lost: null } as const;
  return { url, title: '', generation: facts.id, ...none, candidates: [], complete: true, next: null };
}

/** Candidates that are lost themselves and are followed, and how far. */
const MAX_FOLLOWED = 3;
const MAX_STEPS = 3;

/** Whether more than its title speaks for a candidate. */
function hadText({ evidence }: MovedCandidate): boolean {
  return evidence.some((kind) => kind !== 'title');
}

/** Where the text of a candidate is that is lost itself: each step is the likeliest candidate of the one before, and none leads back. */
async function placeOfLost(
  reads: Reads,
  askedId: number,
  candidate: MovedCandidate,
  least: number,
): Promise<MovedCandidateAnswer['now_at']> {
  const met = new Set([askedId]);
  let { pageId, url } = candidate;
  while (met.size <= MAX_STEPS && !met.has(pageId)) {
    met.add(pageId);
    const { candidates } = await movedCandidates(reads, pageId, url, least, undefined);
    const next = candidates.find(hadText);
    if (next === undefined || met.has(next.pageId)) return null;
    const strength = strengthOf(next, least);
    if (strength === 'now_at' || strength === 'parts_in') return { url: next.url, title: next.title };
    if (strength !== 'gone') return null;
    ({ pageId, url } = next);
  }
  return null;
}

/** Candidates of which a passage is shown. */
const MAX_PASSAGES = 10;

async function candidateAnswer(
  reads: Reads,
  candidate: MovedCandidate,
  least: number,
  lost: CaptureRecord | null,
  place: number,
): Promise<Omit<MovedCandidateAnswer, 'now_at'>> {
  const { url, title, figures, state, holdsNow } = candidate;
  const last = candidate.captures.at(-1);
  const isShown = place < MAX_PASSAGES && holdsNow && lost !== null && last !== undefined;
  const [since, passage] = await Promise.all([
    state === 'gone' ? goneSince(reads, candidate.pageId, url) : null,
    isShown ? sharedPassage(reads, lost.versionId, last.versionId) : null,
  ]);
  return {
    url,
    title,
    evidence: [...candidate.evidence],
    resemblance: figures && sixDecimals(figures.resemblance.value),
    containment: figures && containmentOfResult(figures),
    measure: figures?.measure ?? null,
    holds_now: holdsNow,
    strength: strengthOf(candidate, least),
    state,
    current: state === 'current',
    last_seen: lastSeen(candidate.captures),
    gone_since: since,
    passage,
  };
}

/** A text that is mostly there is at its new place; what merely has a title in common is a guess. */
function strengthOf(candidate: MovedCandidate, least: number): Strength {
  const { state, figures, holdsNow } = candidate;
  if (state === 'gone' || state === 'not_seen_since') return 'gone';
  if (state !== 'current') return 'perhaps';
  if (isStatedPlace(candidate, least)) return 'now_at';
  if (!holdsNow) return 'perhaps';
  return figures!.aInB.value >= MOST_FROM ? 'now_at' : 'parts_in';
}
