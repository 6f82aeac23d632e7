/**
 * The share of true neighbours or pairs that a search found, measured on sampled pages, and how far to trust it.
 *
 * Pages are sampled, their neighbours counted: a page that misses one often misses several. So the error is that of a
 * ratio of sums over pages, held / wanted:
 *
 *   s² = (1 - n/N) · n/(n-1) · sum over pages of (held - recall · wanted)² / (sum of wanted)²
 *
 * and the interval is recall ± 1.96 s. One neighbour more is taken as missed for s, so that a sample which misses none
 * claims no certainty.
 *
 * Limits  the interval holds in 95 of 100 samples; a search that looks after each step, and stops at the first
 *         interval above its target, falls a little short more often than the one time in 40 that this gives.
 * Source  Cochran, Sampling Techniques, 1977, sections 2.11 and 6.3 (ratio estimates).
 */

const DEVIATIONS = 1.96;

export interface MeasuredRecall {
  /** Share of the sampled pages' neighbours that was found; 1 where they have none. */
  readonly recall: number;
  /** Within these, at 95 %, lies the share of all pages. */
  readonly recallLow: number;
  readonly recallHigh: number;
  /** Pages that it was measured on; 0 where the search is exact. */
  readonly sampleCount: number;
}

/** What an exact search says. */
export const FULL_RECALL: MeasuredRecall = { recall: 1, recallLow: 1, recallHigh: 1, sampleCount: 0 };

/**
 * Shape   wanted, held: of each sampled page, its true neighbours and those of them that were found.
 * Units   pageCount, N: the pages that the sample was drawn from.
 */
export function measuredRecall(
  wanted: ArrayLike<number>,
  held: ArrayLike<number>,
  pageCount: number,
): MeasuredRecall {
  const sampleCount = wanted.length;
  let wantedSum = 0;
  let heldSum = 0;
  for (let s = 0; s < sampleCount; s++) {
    wantedSum += wanted[s]!;
    heldSum += held[s]!;
  }
  if (wantedSum === 0) return { ...FULL_RECALL, sampleCount };
  const recall = heldSum / wantedSum;
  let squares = 1;
  for (let s = 0; s < sampleCount; s++) squares += (held[s]! - recall * wanted[s]!) ** 2;
  const unseen = 1 - Math.min(1, sampleCount / pageCount);
  const variance = (unseen * sampleCount * squares) / (Math.max(1, sampleCount - 1) * wantedSum ** 2);
  const margin = DEVIATIONS * Math.sqrt(variance);
  return {
    recall,
    recallLow: Math.max(0, recall - margin),
    recallHigh: Math.min(1, recall + margin),
    sampleCount,
  };
}
