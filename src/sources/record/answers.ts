/**
 * Which of two answers of one URL holds. Answers come in the order of the input, and each new one takes the place of the
 * one that holds or does not:
 *
 *   - Of one sweep: a page comes before a redirect; of two of one kind, of a page and "gone", and of a redirect and
 *     "gone", the later time holds, and "gone" without a time never does.
 *   - Of different sweeps: the later time holds where both are known, else the later sweep; over a sweep that is the whole
 *     of its sites none before it does (`AliasBook`).
 */

import { canonicalUrl } from '../../url/canonical-url.ts';

/** HTTP statuses that say that a page is gone for good: links make no page of it. */
export const GONE_STATUSES: ReadonlySet<number | undefined> = new Set([404, 410]);

/** What an answer is. */
export const PAGE = 1;
export const NOINDEX = 2;
export const REDIRECT = 3;
export const GONE = 4;
export type AnswerKind = typeof PAGE | typeof NOINDEX | typeof REDIRECT | typeof GONE;
export const ANSWER_KIND_NAMES = { [NOINDEX]: 'noindex', [REDIRECT]: 'redirect', [GONE]: 'gone' } as const;

/** Where an answer came from. */
export interface AnswerOrigin {
  readonly sweepId: number;
  /** `UNDATED_MS` where it is not known. */
  readonly fetchedAtMs: number;
}

export interface Answer extends AnswerOrigin {
  readonly kind: AnswerKind;
}

/** Whether an answer is a capture of the URL itself. */
export function isCapture(kind: AnswerKind): boolean {
  return kind === PAGE || kind === NOINDEX;
}

/** Whether a new answer takes the place of the one that holds. */
export function takesPlace(answer: Answer, standing: Answer): boolean {
  if (answer.sweepId !== standing.sweepId)
    return takesPlaceOfEarlierSweep(answer.fetchedAtMs, standing.fetchedAtMs);
  const isLater = answer.fetchedAtMs >= standing.fetchedAtMs;
  const ofCapture = isCapture(answer.kind);
  if (ofCapture !== isCapture(standing.kind) && answer.kind !== GONE && standing.kind !== GONE) {
    return ofCapture;
  }
  if (answer.kind === GONE && standing.kind !== GONE) return answer.fetchedAtMs > standing.fetchedAtMs;
  return isLater;
}

/** The same of an answer whose sweep comes behind that of the one that holds: by their times, `UNDATED_MS` where one is not known. */
export function takesPlaceOfEarlierSweep(fetchedAtMs: number, standingMs: number): boolean {
  return fetchedAtMs >= standingMs || fetchedAtMs === 0 || standingMs === 0;
}

/** The sweep of an answer that takes the place of another one; of one that is no capture that since which there is none, however often that is found again. */
export function sweepOf(answer: Answer, standing: Answer | null): number {
  const isAsBefore = standing !== null && !isCapture(standing.kind) && !isCapture(answer.kind);
  return isAsBefore ? standing.sweepId : answer.sweepId;
}

/** What becomes of a capture whose place another answer holds; null: no trace of it stays, or it is no page. */
export function fateOf(answer: Answer, other: Answer): 'past' | 'duplicate' | null {
  if (answer.kind !== PAGE) return null;
  if (answer.sweepId === other.sweepId) return 'duplicate';
  return other.kind === NOINDEX ? null : 'past';
}

/** Crawls of the whole web are made each month: a sweep does not take longer. */
export const SWEEP_DAYS = 31;

/** Whether two answers of a URL in one sweep are further apart than a sweep takes. */
export function areFarApart(a: AnswerOrigin, b: AnswerOrigin): boolean {
  if (a.sweepId !== b.sweepId || a.fetchedAtMs === 0 || b.fetchedAtMs === 0) return false;
  return Math.abs(a.fetchedAtMs - b.fetchedAtMs) > SWEEP_DAYS * 86_400_000;
}

/** Whether of two answers one is a page, and the other a redirect that came later. */
export function hasMoved(a: Answer, b: Answer): boolean {
  const [page, other] = isCapture(a.kind) ? [a, b] : [b, a];
  return isCapture(page.kind) && other.kind === REDIRECT && other.fetchedAtMs > page.fetchedAtMs;
}

/** The canonical URL that a failed request says is gone, or null. */
export function goneUrl({ status, url }: { readonly status?: number; readonly url: string | null }) {
  return GONE_STATUSES.has(status) ? canonicalUrl(url ?? '') : null;
}

/** A capture that may speak for a URL that was not fetched itself. */
interface Speaker {
  readonly url: string;
  /** Whether its site is that of the URL. */
  readonly isOfSite: boolean;
  readonly fetchedAtMs: number;
}

/** Whether of two captures the first speaks: those of the site of the URL first, then the latest, then by URL. */
export function speaksBefore(a: Speaker, b: Speaker): boolean {
  if (a.isOfSite !== b.isOfSite) return a.isOfSite;
  return a.fetchedAtMs === b.fetchedAtMs ? a.url < b.url : a.fetchedAtMs > b.fetchedAtMs;
}
