/**
 * Every pair of pages at or above a similarity, nearly: bucket splitting by min-hash values, a one-byte row
 * filter two standard deviations wide, exact comparison of what passes.
 *
 *   repetition: bucket by value; too large: split, unless full of pairs  ->  compare  ->  pairs
 *   after every 4: the share of a sample's exact pairs found so far; stop at the target
 *
 * A pair that shares rare features meets at depth 1, with the probability of their share of the union; 16 to
 * 24 repetitions do what hundreds of fixed bands do. The work is linear in pages and pairs. Equal bags are
 * joined once. The outcome depends on seed and bags, not on the number of threads.
 *
 * Measured (Node 24, one core of a shared EPYC, threshold .20): 200,000 synthetic pages of sum 100 with 2.6 similar
 * pages each: 16 repetitions, 21 µs a page, recall .973; 53,293 pages of a crawl, sum 400, 170 similar pages each:
 * 12 repetitions, 300 µs a page, recall .973 (the time goes into pairs that are found).
 * Breaks down below .1, where hardly any bucket is worth its comparisons: use the neighbour graph.
 *
 * References: Christiani, Pagh, Sivertsen, ICDE 2018 (CPSJoin); Bawa, Condie, Ganesan, WWW 2005.
 */

import type { BagMatrix } from '../features/bag.ts';
import { sortedOrder } from '../lib/radix-sort.ts';
import { collapseEqualBags } from './collapse-equal-bags.ts';
import type { FoundPairs } from './collect-pairs.ts';
import { EntriesInMemory, type EntrySource } from './entry-source.ts';
import { createJoinSpace, type JoinSpace, UNIT_PAGES } from './join-space.ts';
import { type JoinCrew, ownThread } from './join-tasks.ts';
import { agreementNeeded, agreementTable } from './row-filter.ts';
import { mergeSample, samplePages } from './sample-truth.ts';
import { BLOCK_REPETITIONS, splitUnits } from './split-buckets.ts';

/** The nearest pages above the threshold that a sampled page's recall is counted over. */
const SAMPLE_NEIGHBOURS = 255;

export interface ThresholdJoinOptions {
  /** .1 .. 1. */
  readonly threshold: number;
  readonly seed?: number;
  /** Threads to work in; by default the caller's own, which is then blocked. */
  readonly crew?: JoinCrew;
  /** Share of the sample's pairs at which to stop. Default .97. */
  readonly targetRecall?: number;
  /** Pages sampled. Default 512. */
  readonly sampleSize?: number;
  /** Default 48. */
  readonly maxRepetitions?: number;
  /** Standard deviations of slack of the row filter. Default 2. */
  readonly slack?: number;
  readonly useWasm?: boolean;
  /** Whence this thread reads the entries where the matrix holds none; the crew must have its own. */
  readonly entries?: EntrySource;
  readonly onStep?: (step: { readonly repetitions: number; readonly recall: number }) => void;
}

export interface ThresholdPairs {
  /** Representatives a < b, sorted by (a, b); the similarity is the exact fraction shared / total. */
  readonly a: Uint32Array;
  readonly b: Uint32Array;
  readonly shared: Uint16Array;
  readonly total: Uint16Array;
  /** Uint32Array(n): the first page with an equal bag, itself for most. */
  readonly representative: Uint32Array;
  /** Of the sample's exact pairs. */
  readonly recall: number;
  readonly repetitions: number;
}

/**
 * The pairs of similarity `threshold` or more between different bags.
 *
 * Cost    see the head; memory per page 200 bytes and its bag, per pair 12 bytes and per thread 16 MB.
 * Errors  RangeError above 30 million distinct bags (kernel memory of 4 GiB).
 */
export async function thresholdJoin(
  matrix: BagMatrix,
  options: ThresholdJoinOptions,
): Promise<ThresholdPairs> {
  const { threshold, seed = 1, crew: joinCrew = ownThread, targetRecall = 0.97 } = options;
  const { sampleSize = 512, maxRepetitions = 48, slack = 2, useWasm = true } = options;
  const collapsed = collapseEqualBags(matrix, options.entries ?? new EntriesInMemory(matrix));
  const { bags } = collapsed;
  const pageCount = bags.sums.length;
  const pageUnits = Math.ceil(pageCount / UNIT_PAGES);
  const space = createJoinSpace(bags, options.entries === undefined ? matrix : null, {
    k: 0,
    floor: threshold,
    seed,
    slack,
    useWasm,
    threadCount: joinCrew.size,
    samplePages: samplePages(bags.sums, sampleSize, seed),
    sampleK: SAMPLE_NEIGHBOURS,
  });
  const needs = new Uint8Array(space.memory.buffer, space.needs, pageCount);
  needs.fill(Math.max(1, agreementNeeded(agreementTable(slack), threshold)));
  const crew = joinCrew.start(space);
  try {
    await crew.run('signRows', pageUnits);
    await crew.run('streamSample', pageUnits);
    mergeSample(space.sample.heaps, space.sample.pages.length);
    let recall = 0;
    let repetitions = 0;
    while (repetitions < maxRepetitions && (repetitions === 0 || recall < targetRecall)) {
      await crew.run('signColumns', pageUnits, repetitions / BLOCK_REPETITIONS);
      for (let i = 0; i < BLOCK_REPETITIONS; i++) {
        await crew.run('splitPairs', splitUnits(pageCount), repetitions++);
      }
      recall = foundShare(space);
      options.onStep?.({ repetitions, recall });
    }
    const pairs = uniquePairs((await crew.gather('takePairs')) as FoundPairs[]);
    const first = (group: number) => collapsed.members[collapsed.offsets[group]!]!;
    const { sums } = bags;
    return {
      a: pairs.a.map(first),
      b: pairs.b.map(first),
      shared: Uint16Array.from(pairs.shared),
      total: Uint16Array.from(pairs.a, (a, i) => sums[a]! + sums[pairs.b[i]!]! - pairs.shared[i]!),
      representative: collapsed.groupOf.map(first),
      recall,
      repetitions,
    };
  } finally {
    await crew.close();
  }
}

function foundShare(space: JoinSpace): number {
  const { heaps, found, pages } = space.sample;
  let wanted = 0;
  let have = 0;
  for (let s = 0; s < pages.length; s++) {
    for (let i = 0; i < heaps.counts[s]!; i++) have += found[s * heaps.k + i]!;
    wanted += heaps.counts[s]!;
  }
  return wanted === 0 ? 1 : have / wanted;
}

/** All pairs once, sorted by (a, b): two stable sorts. */
function uniquePairs(parts: readonly FoundPairs[]): FoundPairs {
  const a = joined(parts.map((part) => part.a));
  const b = joined(parts.map((part) => part.b));
  const shared = joined(parts.map((part) => part.shared));
  const order = sortedOrder(a, b);
  let kept = 0;
  for (let i = 0; i < order.length; i++) {
    const pair = order[i]!;
    const last = order[kept - 1]!;
    if (kept > 0 && a[pair] === a[last] && b[pair] === b[last]) continue;
    order[kept++] = pair;
  }
  const unique = order.subarray(0, kept);
  return { a: gathered(a, unique), b: gathered(b, unique), shared: gathered(shared, unique) };
}

function gathered(values: Uint32Array, order: Uint32Array): Uint32Array {
  const out = new Uint32Array(order.length);
  for (let i = 0; i < out.length; i++) out[i] = values[order[i]!]!;
  return out;
}

function joined(parts: readonly Uint32Array[]): Uint32Array {
  const whole = new Uint32Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
