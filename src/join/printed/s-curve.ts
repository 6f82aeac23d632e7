/**
 * The probability that a pair of similarity s is found: each of m values agrees with probability s, each of l
 * LSH-signatures takes k of them, and a filter asks for a number of agreements.
 *
 * With X agreeing values of m, one random choice of k agrees with probability C(X, k) / C(m, k), so
 *   P(found | X) = 1 - (1 - C(X, k) / C(m, k))^l,
 * and X is binomial (m, s). The l choices share the m values, which costs recall against the usual
 * 1 - (1 - s^k)^l: .559 instead of .634 at s = .2 for m = 80, k = 3, l = 125, and .398 behind the filter.
 * Source: Haveliwala, Gionis, Indyk, WebDB 2000, section 4; Indyk, Motwani, STOC 1998.
 */
import { leastReaching } from '../../lib/reaches-share.ts';
import type { SignatureShape } from '../../sketch/lsh-signature.ts';

/** Found by l independent choices of k values each. */
export function independentRecall(similarity: number, k: number, l: number): number {
  return 1 - (1 - similarity ** k) ** l;
}

export interface SharedBands extends SignatureShape {
  /** Agreements the filter asks for; 0 for none. */
  readonly leastAgreement: number;
  /** Values that the filter looks at, of m. */
  readonly valuesCompared: number;
}

/** Bands whose filter asks that the share `floor` of the values that it looks at agree. */
export function filteredBands(
  shape: SignatureShape,
  floor: number,
  valuesCompared: number = shape.m,
): SharedBands {
  return { ...shape, leastAgreement: leastReaching(floor, valuesCompared), valuesCompared };
}

/** Found by l choices among the same m values, and kept by the filter. */
export function sharedRecall(similarity: number, bands: SharedBands): number {
  const { m, k, l, leastAgreement, valuesCompared } = bands;
  let found = 0;
  for (let agreeing = Math.max(k, leastAgreement); agreeing <= m; agreeing++) {
    const kept = valuesCompared < m ? enoughAmong(agreeing, m, valuesCompared, leastAgreement) : 1;
    found += binomial(m, agreeing, similarity) * (1 - (1 - allAmong(agreeing, m, k)) ** l) * kept;
  }
  return found;
}

/** C(agreeing, k) / C(m, k). */
function allAmong(agreeing: number, m: number, k: number): number {
  let share = 1;
  for (let i = 0; i < k; i++) share *= (agreeing - i) / (m - i);
  return share;
}

/** Probability that of `agreeing` among m values at least `least` are among the `compared` (hypergeometric). */
function enoughAmong(agreeing: number, m: number, compared: number, least: number): number {
  let probability = 0;
  for (let hits = Math.max(least, compared - (m - agreeing)); hits <= Math.min(compared, agreeing); hits++) {
    probability += Math.exp(
      logChoose(agreeing, hits) + logChoose(m - agreeing, compared - hits) - logChoose(m, compared),
    );
  }
  return Math.min(1, probability);
}

function logChoose(n: number, k: number): number {
  let log = 0;
  for (let i = 1; i <= k; i++) log += Math.log((n - k + i) / i);
  return log;
}

function binomial(m: number, successes: number, p: number): number {
  if (p <= 0 || p >= 1) return successes === (p <= 0 ? 0 : m) ? 1 : 0;
  let log = successes * Math.log(p) + (m - successes) * Math.log(1 - p);
  for (let i = 1; i <= successes; i++) log += Math.log((m - successes + i) / i);
  return Math.exp(log);
}
