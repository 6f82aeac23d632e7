/**
 * A ratio of sums over sampled pages, and how far to trust it. What belongs to one page is not independent: a page that
 * misses one often misses several. So the error is that of a ratio estimate, with the page as the unit:
 *
 *   s² = (1 - n/N) · n/(n-1) · sum over pages of (part - ratio · whole)² / (sum of wholes)²
 *
 * and the interval is ratio ± 1.96 s, within 0 and 1. One more unit is taken as missed for s, so that a sample in which
 * all agree claims no certainty.
 *
 * Source  Cochran, Sampling Techniques, 1977, sections 2.11 and 6.3 (ratio estimates).
 */

const DEVIATIONS = 1.96;

export interface RatioInterval {
  readonly ratio: number;
  /** Within these, at 95 %, lies the ratio of all pages. */
  readonly low: number;
  readonly high: number;
}

/**
 * Shape   parts, wholes: of each sampled page; the ratio is that of their sums, NaN where the wholes are 0.
 * Units   pageCount, N: the pages that the sample was drawn from; Infinity where that is no bound.
 */
export function ratioInterval(
  parts: ArrayLike<number>,
  wholes: ArrayLike<number>,
  pageCount = Number.POSITIVE_INFINITY,
): RatioInterval {
  const sampleCount = wholes.length;
  let wholeSum = 0;
  let partSum = 0;
  for (let s = 0; s < sampleCount; s++) {
    wholeSum += wholes[s]!;
    partSum += parts[s]!;
  }
  const ratio = partSum / wholeSum;
  let squares = 1;
  for (let s = 0; s < sampleCount; s++) squares += (parts[s]! - ratio * wholes[s]!) ** 2;
  const unseen = 1 - Math.min(1, sampleCount / pageCount);
  const variance = (unseen * sampleCount * squares) / (Math.max(1, sampleCount - 1) * wholeSum ** 2);
  const margin = DEVIATIONS * Math.sqrt(variance);
  return { ratio, low: Math.max(0, ratio - margin), high: Math.min(1, ratio + margin) };
}
