/**
 * The K nearest pages of every page, approximately complete and exact in every similarity.
 *
 *   equal bags -> one      rows, a sample's exact neighbors
 *   repetitions            bucket splitting by min-hash values; pages of a bucket meet       recall .4 - .8
 *   rounds                 neighbors of neighbors meet, through new entries only           recall .9 - .98
 *   recall below target    more repetitions, more rounds or a looser filter, whichever finds more for its work
 *   nearness               of each neighbor, for the order of lists
 *   equal bags back        each page gets the pages of the groups
 *
 * Two pages that meet are first compared by one-byte min-hash rows against what either heap asks for now,
 * and exactly only if they pass. At J = .1 no banding finds neighbors cheaply; a bucket of depth 1 does
 * with probability J a repetition, and being a neighbor is nearly transitive: that is what rounds live on.
 *
 * The outcome depends on the seed and on the bags, not on the number of threads.
 *
 * Measured (Node 24, one core, busy with other work; k = 32, sum 800, the synthetic ones 200; processor time, µs a page):
 *
 *   pages                            µs     recall@10, 95 %        repetitions, rounds
 *   4,187: articles and their links  1,490  .989 (.986 to .991)    48, 8
 *   15,499: the same and posts       640    .978 (.974 to .982)    36, 6
 *   100,000 synthetic                107    .987 (.983 to .992)    12, 1
 *   1,000,000 synthetic               66    .991 (.989 to .994)    12, 1               two threads, a quiet machine
 *   4,000,000 synthetic               72    .990 (.988 to .993)    12, 1               the same
 *
 * Half of the time is exact comparison, most of the rest waits for memory: a round takes pages in an order in which those that share
 * neighbors stand together, which halves its time. Breaks down where neighbors are
 * unrelated to one another; in small collections the exact join is cheaper (join-cost.ts).
 *
 * References: Giakkoupis, Kermarrec, Ruas, Taïani 2021 (cluster and conquer); Dong, Charikar, Li, WWW 2011.
 */

import type { BagMatrix } from '../../features/bag.ts';
import type { Crew } from '../../lib/crew.ts';
import { type CollapsedBags, collapseEqualBags } from '../bags/collapse-equal-bags.ts';
import { EntriesInMemory, type EntrySource } from '../bags/entry-source.ts';
import { orderByLeaders } from '../pairs/leader-order.ts';
import type { MeasuredRecall } from '../pairs/measured-recall.ts';
import type { NeighborTable } from '../pairs/neighbor-table.ts';
import { entryReads } from '../pairs/pair-columns.ts';
import { createJoinSpace, type JoinSpace, reversePages, TALLIES, UNIT_PAGES } from './space/join-space.ts';
import { BAGS_COMPARED, ROWS_COMPARED } from './space/join-thread.ts';
import { agreementNeeded, agreementTable } from './space/row-filter.ts';
import { expandGroups, heapRows } from './steps/expand-groups.ts';
import { type JoinCrew, ownThread } from './steps/join-tasks.ts';
import { drawSample, measureRecall, mergeSample, type RecallByKind } from './steps/sample-truth.ts';
import { BLOCK_REPETITIONS, splitUnits } from './steps/split-buckets.ts';

/** Times that the row filter gets half a standard deviation more slack. */
const MOST_LOOSENED = 3;
const DEFAULT_K = 32;
/** Work in µs: a pair of rows, an entry of a bag compared, a page signed and sorted for one repetition. */
const ROW_US = 0.005;
const ENTRY_US = 0.002;
const SPLIT_US = 1;
/** A round leaves about this power of what is missing: 2.3 with synthetic pages, 1.8 with a crawl. */
const ROUND_POWER = 2.2;

export interface NeighborGraphOptions {
  /** K, neighbors kept a page, 1 .. 255. Default 32; below 16 refinement grows weak. */
  readonly k?: number;
  /** Similarity below which no neighbor is kept. Default .03. */
  readonly floor?: number;
  readonly seed?: number;
  /** Threads to work in; by default the caller's own, which is then blocked. */
  readonly crew?: JoinCrew;
  /**
   * Recall to stop at: when the interval measured lies at or above it, and that of no kind of page below it.
   * Default .97.
   */
  readonly targetRecall?: number;
  /** Nearest pages that recall is counted over. Default 10. */
  readonly recallAt?: number;
  /** Pages sampled. Default 1,024: a recall of .97 is good to ± .005. */
  readonly sampleSize?: number;
  /** Least to run, in fours. Default 8. */
  readonly repetitions?: number;
  /** Most repetitions and rounds to run. Defaults 48 and 8. */
  readonly maxRepetitions?: number;
  readonly maxRounds?: number;
  /** Standard deviations of slack of the row filter; 1 finds .01 more for a fifth of the time. Default .5. */
  readonly slack?: number;
  /** The groups of equal bags, where they are known. */
  readonly collapsed?: CollapsedBags;
  /** Where this thread reads entries that the matrix does not hold; each thread of the crew has its own. */
  readonly entries?: EntrySource;
  /** Called after each step. */
  readonly onStep?: (step: GraphStep) => void;
}

export interface GraphStep {
  readonly name: 'sign' | 'sample' | 'split' | 'refine';
  /** Of the sample so far; null before it can be known. */
  readonly recall: number | null;
  readonly repetitions: number;
  readonly rounds: number;
}

interface GraphReport extends MeasuredRecall, RecallByKind {
  readonly distinctCount: number;
  readonly repetitions: number;
  readonly rounds: number;
  readonly rowComparisons: number;
  readonly bagComparisons: number;
  /** Reads of entries that are not in memory. */
  readonly entryReadCount: number;
}

/**
 * Builds the neighbor graph of a collection; equal for equal bags, options and seed on every machine. Hands out
 * the rows of all pages in order, in tables that are overwritten after the call.
 *
 * Cost    about 100 to 200 µs a page and thread; memory see graphBytes().
 * Errors  RangeError above 30 million distinct bags (kernel memory of 4 GiB).
 */
export async function streamNeighborGraph(
  matrix: BagMatrix,
  options: NeighborGraphOptions,
  take: (rows: NeighborTable) => void,
): Promise<GraphReport> {
  const settings = {
    k: DEFAULT_K,
    floor: 0.03,
    seed: 1,
    crew: ownThread,
    targetRecall: 0.97,
    recallAt: 10,
    sampleSize: 1024,
    repetitions: 8,
    maxRepetitions: 48,
    maxRounds: 8,
    slack: 0.5,
    ...options,
  };
  const collapsed =
    options.collapsed ?? collapseEqualBags(matrix, options.entries ?? new EntriesInMemory(matrix));
  const { bags } = collapsed;
  const pages = drawSample(bags.sums, settings.sampleSize, settings.seed);
  const space = createJoinSpace(bags, options.entries === undefined ? matrix : null, {
    ...settings,
    threadCount: settings.crew.size,
    samplePages: pages,
    sampleK: Math.min(settings.recallAt, settings.k),
  });
  const needs = new Uint8Array(space.memory.buffer, space.needs, bags.sums.length);
  needs.fill(agreementNeeded(agreementTable(settings.slack), settings.floor));
  const crew = settings.crew.start(space);
  try {
    const { recall, ...found } = await search(crew, space, settings);
    expandGroups(heapRows(space, bags.sums), collapsed, take);
    return {
      distinctCount: bags.sums.length,
      rowComparisons: tallied(space, ROWS_COMPARED),
      bagComparisons: tallied(space, BAGS_COMPARED),
      entryReadCount: await entryReads(crew),
      ...recall,
      ...found,
    };
  } finally {
    await crew.close();
  }
}

/** What all threads have counted so far. */
function tallied({ tallies }: JoinSpace, tally: number): number {
  let sum = 0;
  for (let at = tally; at < tallies.length; at += TALLIES) sum += tallies[at]!;
  return sum;
}

interface SearchLimits {
  readonly targetRecall: number;
  readonly repetitions: number;
  readonly maxRepetitions: number;
  readonly maxRounds: number;
  readonly onStep?: (step: GraphStep) => void;
}

async function search(crew: Crew, space: JoinSpace, limits: SearchLimits) {
  const { targetRecall } = limits;
  const pageCount = space.bags.sums.length;
  const pageUnits = Math.ceil(pageCount / UNIT_PAGES);
  const reverseUnits = Math.ceil(pageCount / reversePages(pageCount));
  let repetitions = 0;
  let rounds = 0;
  let loosened = 0;
  const report = (name: GraphStep['name'], recall: number | null) =>
    limits.onStep?.({ name, recall, repetitions, rounds });
  await crew.run('signRows', pageUnits);
  report('sign', null);
  await crew.run('streamSample', pageUnits);
  mergeSample(space.sample.heaps, space.sample.pages.length);
  report('sample', null);

  let recall = measureRecall(space);
  /** The block of columns that is in memory. */
  let signed = -1;
  const order = async () => {
    await crew.run('lead', pageUnits);
    space.order.set(orderByLeaders(space.leaders));
  };
  const lookBack = async () => {
    await crew.run('reverse', reverseUnits, rounds);
    await crew.gather('answer');
  };
  const split = async () => {
    const until = Math.min(limits.maxRepetitions, repetitions + BLOCK_REPETITIONS);
    for (; repetitions < until; repetitions++) {
      const block = Math.floor(repetitions / BLOCK_REPETITIONS);
      if (block !== signed) await crew.run('signColumns', pageUnits, (signed = block));
      await crew.run('shareOut', pageUnits, repetitions);
      await crew.run('splitBuckets', splitUnits(pageCount), repetitions);
    }
    recall = measureRecall(space);
    report('split', recall.recall);
  };
  const refine = async () => {
    signed = -1;
    await crew.run('remember', pageUnits);
    await order();
    await crew.run('expand', pageUnits);
    await lookBack();
    rounds++;
    recall = measureRecall(space);
    report('refine', recall.recall);
  };
  const loosen = async () => {
    await crew.gather('loosen', ++loosened * 5);
    await crew.run('renew', pageUnits);
    await lookBack();
  };

  const entriesABag = entriesOf(space) / pageCount;
  const workUs = () =>
    ROW_US * tallied(space, ROWS_COMPARED) +
    ENTRY_US * entriesABag * tallied(space, BAGS_COMPARED) +
    SPLIT_US * pageCount * repetitions;
  /** By how much of itself, as a logarithm, a step makes what is missing less, for its work. */
  const gainOf = async (step: () => Promise<void>) => {
    const missing = 1 - recall.recall;
    const before = workUs();
    await step();
    return Math.log(missing / Math.max(1 - recall.recall, Number.MIN_VALUE)) / (workUs() - before);
  };
  const isMet = () =>
    recall.recallLow >= targetRecall && recall.kinds.every(({ recallHigh }) => recallHigh >= targetRecall);

  // A round costs what ten repetitions do: where two more blocks, each as good as the last, make one round enough,
  // they are cheaper than a second round.
  const little = (1 - targetRecall) ** (1 / ROUND_POWER);
  let missing = 1;
  let isWorthMore = true;
  let splitGain = 0;
  while (repetitions < limits.maxRepetitions && (repetitions < limits.repetitions || isWorthMore)) {
    splitGain = await gainOf(split);
    const left = (1 - recall.recall) / missing;
    missing = 1 - recall.recall;
    isWorthMore = missing > little && missing * left ** 2 <= little;
  }
  await lookBack();
  recall = measureRecall(space);
  let roundGain = Number.POSITIVE_INFINITY;
  while (!isMet()) {
    const canSplit = repetitions < limits.maxRepetitions;
    if (rounds < limits.maxRounds && (roundGain >= splitGain || !canSplit)) {
      const before = recall.recall;
      roundGain = await gainOf(refine);
      // What rounds cannot find any more, the filter keeps out, or else no path leads to.
      const isSlow = recall.recall - before < 0.01 && (roundGain >= splitGain || !canSplit);
      if (isSlow && loosened < MOST_LOOSENED && !isMet()) await loosen();
    } else if (canSplit) {
      splitGain = await gainOf(async () => {
        await split();
        await lookBack();
      });
    } else break;
  }
  await order();
  await crew.run('rate', pageUnits);
  return { recall, repetitions, rounds };
}

function entriesOf({ bags }: JoinSpace): number {
  let count = 0;
  for (let page = 0; page < bags.sums.length; page++) count += bags.ends[page]! - bags.starts[page]!;
  return count;
}
