/**
 * The share of true neighbors or pairs that a search found, measured on sampled pages, and how far to trust it: pages
 * are sampled, their neighbors counted (lib/ratio-interval.ts).
 *
 * Limits  the interval holds in 95 of 100 samples; a search that looks after each step, and stops at the first
 *         interval above its target, falls a little short more often than the one time in 40 that this gives.
 */
import { ratioInterval } from '../../lib/intervals/ratio-interval.ts';

export interface MeasuredRecall {
  /** Share of the sampled pages' neighbors that was found; 1 where they have none. */
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
 * Shape   wanted, held: of each sampled page, its true neighbors and those of them that were found.
 * Units   pageCount, N: the pages that the sample was drawn from.
 */
export function measuredRecall(
  wanted: ArrayLike<number>,
  held: ArrayLike<number>,
  pageCount: number,
): MeasuredRecall {
  const sampleCount = wanted.length;
  if (!Array.prototype.some.call(wanted, (count: number) => count > 0))
    return { ...FULL_RECALL, sampleCount };
  const { ratio, low, high } = ratioInterval(held, wanted, pageCount);
  return { recall: ratio, recallLow: low, recallHigh: high, sampleCount };
}
