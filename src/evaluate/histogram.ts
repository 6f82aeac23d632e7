import { mostWithin } from '../lib/reaches-share.ts';

/** Counts in equal bins over 0..1. */
interface Histogram {
  /** counts[i] is of values from i / n up to (i + 1) / n, the last bin with 1 itself; n = counts.length. */
  readonly counts: readonly number[];
  readonly median: number;
  readonly size: number;
}

/** Shape  values in 0..1; `median` is NaN for none. */
export function histogram(values: ArrayLike<number>, bins: number): Histogram {
  const counts = new Array<number>(bins).fill(0);
  for (let i = 0; i < values.length; i++) counts[binOf(values[i]!, bins)]!++;
  const sorted = Float64Array.from(values).sort();
  const middle = sorted.length >> 1;
  const median = sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
  return { counts, median, size: values.length };
}

/** The bin of a value in 0..1. */
export function binOf(value: number, bins: number): number {
  return Math.min(bins - 1, mostWithin(value, bins));
}

/** Groups of `from` up to 2 * from - 1 members. */
export interface SizeBin {
  readonly from: number;
  readonly groups: number;
  readonly members: number;
}

/** Bins of sizes 1, 2-3, 4-7, 8-15, ... up to the greatest; empty ones between them included. */
export function sizeHistogram(sizes: Iterable<number>): SizeBin[] {
  const bins: { from: number; groups: number; members: number }[] = [];
  for (const size of sizes) {
    const bin = 31 - Math.clz32(size);
    while (bins.length <= bin) bins.push({ from: 2 ** bins.length, groups: 0, members: 0 });
    bins[bin]!.groups++;
    bins[bin]!.members += size;
  }
  return bins;
}
