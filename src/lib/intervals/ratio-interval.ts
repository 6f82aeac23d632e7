/**
 * A ratio of sums over sampled pages, and how far to trust it. What belongs to one page is not independent: a page that
 * misses one often misses several. So the error is that of a ratio estimate, with the page as the unit:
 *
 *   v = (1 - n/N) · n/(n-1) · sum over pages of (part - ratio · whole)² / (sum of wholes)²
 *
 * Near 0 and 1 an interval of ratio ± t · sqrt(v) is too short, and leaves them. So it is that of Wilson, for the ratio · (1 - ratio) / v
 * independent units that would have this error, with Student's t of n-1 degrees of freedom. There are at most as many as
 * units in the sample: one in which all agree claims no certainty.
 *
 * Source  Cochran, Sampling Techniques, 1977, sections 2.11 and 6.3 (ratio estimates); Wilson, Probable Inference, the Law
 *         of Succession, and Statistical Inference, 1927; Korn, Graubard, Confidence Intervals for Proportions with Small
 *         Expected Number of Positive Counts Estimated from Survey Data, 1998 (effective size of the sample).
 */
import { studentT } from './student-t.ts';

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
  const unseen = 1 - Math.min(1, sampleCount / pageCount);
  if (Number.isNaN(ratio) || unseen === 0) return { ratio, low: ratio, high: ratio };
  if (sampleCount < 2) return { ratio, low: 0, high: 1 };
  let squares = 0;
  for (let s = 0; s < sampleCount; s++) squares += (parts[s]! - ratio * wholes[s]!) ** 2;
  const variance = (sampleCount * squares) / ((sampleCount - 1) * wholeSum ** 2);
  const spread = ratio * (1 - ratio);
  const units = Math.min(wholeSum, variance === 0 ? Number.POSITIVE_INFINITY : spread / variance) / unseen;
  const weight = studentT(sampleCount - 1) ** 2 / units;
  const reach = Math.sqrt(weight * spread + weight ** 2 / 4);
  const below = (share: number) => Math.max(0, (share + weight / 2 - reach) / (1 + weight));
  return { ratio, low: below(ratio), high: 1 - below(1 - ratio) };
}
