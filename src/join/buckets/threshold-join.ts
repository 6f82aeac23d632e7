/**
 * Every pair of pages at or above a similarity, nearly: bucket splitting by min-hash values, a one-byte row
 * filter two standard deviations wide, exact comparison of what passes.
 *
 *   repetition: bucket by value; too large: split, unless full of pairs  ->  compare  ->  sorted runs
 *   after every 4: the share of a sample's exact pairs found so far; stop surely at the target  ->  merge  ->  pairs
 *
 * A pair that shares rare features meets at depth 1, with the probability of their share of the union; 16 to
 * 24 repetitions do what hundreds of fixed bands do. The work is linear in pages and pairs. Equal bags are
 * joined once. The outcome depends on seed and bags, neither on the number of threads nor on memory.
 *
 * Measured (Node 24, one core of a shared Xeon, threshold .20, processor time): 1,000,000 synthetic pages of sum 100
 * with 15 similar pages each: 16 repetitions, 26 µs a page, recall .987; 98,800 distinct pages of a crawl, 144 similar pages each:
 * 12 repetitions, 150 µs a page, recall .971, measured as .973. Two threads take 1 to 10 % more of it in all. Up to some
 * 300,000 pages, and more of a crawl, exact pairs are cheaper (join-cost.ts).
 * Breaks down below .1, where hardly any bucket is worth its comparisons: use the neighbor graph.
 *
 * References: Christiani, Pagh, Sivertsen, ICDE 2018 (CPSJoin); Bawa, Condie, Ganesan, WWW 2005.
 */

import type { BagMatrix } from '../../features/bag.ts';
import { collapseEqualBags } from '../bags/collapse-equal-bags.ts';
import { EntriesInMemory } from '../bags/entry-source.ts';
import { type MeasuredRecall, measuredRecall } from '../pairs/measured-recall.ts';
import {
  diskUse,
  type JoinReport,
  namePages,
  type PairColumns,
  representatives,
} from '../pairs/pair-columns.ts';
import { mergePairRuns, type PairRun } from '../pairs/pair-runs.ts';
import type { GraphStep, NeighborGraphOptions } from './nearest-neighbor-graph.ts';
import { createJoinSpace, type JoinSpace, UNIT_PAGES } from './space/join-space.ts';
import { agreementNeeded, agreementTable } from './space/row-filter.ts';
import { ownThread } from './steps/join-tasks.ts';
import { drawSample, mergeSample } from './steps/sample-truth.ts';
import { BLOCK_REPETITIONS, splitUnits } from './steps/split-buckets.ts';

/** Pairs of a sampled page that its recall is counted over, drawn from all it has: the nearest alone are the easiest. */
const SAMPLE_PAIRS = 255;
/** Slots of the cache of compared pairs for a page, at most. */
const COMPARED_SHARE = 512;
const COMPARED_BYTES = 2 ** 27;

interface ThresholdJoinOptions
  extends Pick<NeighborGraphOptions, 'seed' | 'crew' | 'collapsed' | 'sampleSize' | 'entries'> {
  /** .1 .. 1. */
  readonly threshold: number;
  /** Recall to stop at, when the interval measured lies at or above it; below 1: streamExactPairs() finds all. Default .97. */
  readonly targetRecall?: number;
  /** Default 48. */
  readonly maxRepetitions?: number;
  /** Standard deviations of slack of the row filter. Default 2. */
  readonly slack?: number;
  /** Bytes of the cache of compared pairs, at most; a smaller one compares more of them again. Default 128 MiB. */
  readonly comparedBytes?: number;
  readonly onStep?: (step: Pick<GraphStep, 'repetitions' | 'recall'>) => void;
}

const NOTHING_MEASURED = { recall: null, recallLow: null, recallHigh: null } as const;

/**
 * The pairs of similarity `threshold` or more between different bags, handed over block by block, sorted over all
 * blocks.
 *
 * Cost    see the head; memory see pairBytes(), and `comparedBytes`, and the pairs where the crew has no store for
 *         them: 8 to 16 bytes for each thread that found one.
 * Errors  RangeError above 30 million distinct bags (kernel memory of 4 GiB).
 */
export async function streamThresholdPairs(
  matrix: BagMatrix,
  options: ThresholdJoinOptions,
  onPairs: (block: PairColumns) => void,
): Promise<JoinReport> {
  const { threshold, seed = 1, crew: joinCrew = ownThread, targetRecall = 0.97 } = options;
  const { sampleSize = 1024, maxRepetitions = 48, slack = 2 } = options;
  const collapsed =
    options.collapsed ?? collapseEqualBags(matrix, options.entries ?? new EntriesInMemory(matrix));
  const { bags } = collapsed;
  const pageCount = bags.sums.length;
  const pageUnits = Math.ceil(pageCount / UNIT_PAGES);
  const space = createJoinSpace(bags, options.entries === undefined ? matrix : null, {
    k: 0,
    floor: threshold,
    seed,
    slack,
    threadCount: joinCrew.size,
    samplePages: drawSample(bags.sums, sampleSize, seed),
    sampleK: SAMPLE_PAIRS,
    comparedSlots: comparedSlots(pageCount, options.comparedBytes ?? COMPARED_BYTES),
  });
  const needs = new Uint8Array(space.memory.buffer, space.needs, pageCount);
  needs.fill(Math.max(1, agreementNeeded(agreementTable(slack), threshold)));
  const crew = joinCrew.start(space);
  try {
    await crew.run('signRows', pageUnits);
    await crew.run('drawPairs', pageUnits);
    mergeSample(space.sample.heaps, space.sample.pages.length);
    let measured: MeasuredRecall | null = null;
    let repetitions = 0;
    while (repetitions < maxRepetitions && (measured === null || measured.recallLow < targetRecall)) {
      await crew.run('signColumns', pageUnits, repetitions / BLOCK_REPETITIONS);
      for (let i = 0; i < BLOCK_REPETITIONS; i++) {
        await crew.run('shareOut', pageUnits, repetitions);
        await crew.run('splitPairs', splitUnits(pageCount), repetitions++);
      }
      measured = foundShare(space);
      options.onStep?.({ repetitions, recall: measured?.recall ?? null });
    }
    const runs = (await crew.gather('takePairs')).flat() as PairRun[];
    for (const block of mergePairRuns(runs, pageCount, joinCrew.store)) onPairs(namePages(block, collapsed));
    return {
      method: 'buckets',
      representative: representatives(collapsed),
      ...(measured ?? { ...NOTHING_MEASURED, sampleCount: space.sample.pages.length }),
      repetitions,
      ...(await diskUse(crew, runs)),
    };
  } finally {
    await crew.close();
  }
}

/** A power of two, and no more bytes than are given. */
function comparedSlots(pageCount: number, bytes: number): number {
  const slots = Math.min(COMPARED_SHARE * pageCount, bytes / 8);
  return 2 ** Math.max(0, Math.floor(Math.log2(Math.max(1, slots))));
}

/** The share found of the sampled pages' pairs, those drawn standing for all of their page; null without any. */
function foundShare({ sample, bags }: JoinSpace): MeasuredRecall | null {
  const { heaps, found, pages, pairCounts } = sample;
  const wanted = new Float64Array(pages.length);
  const held = new Float64Array(pages.length);
  for (let s = 0; s < pages.length; s++) {
    const drawn = heaps.counts[s]!;
    if (drawn === 0) continue;
    let foundCount = 0;
    for (let i = 0; i < drawn; i++) foundCount += found[s * heaps.k + i]!;
    for (let of = s; of < pairCounts.length; of += pages.length) wanted[s]! += pairCounts[of]!;
    held[s] = (wanted[s]! * foundCount) / drawn;
  }
  return wanted.every((count) => count === 0) ? null : measuredRecall(wanted, held, bags.sums.length);
}
