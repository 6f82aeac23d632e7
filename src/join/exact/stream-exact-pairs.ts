/**
 * Every pair of pages at or above a similarity, exactly, by several threads within a budget of memory: the posting
 * lists of one block of pages at a time, all pages before its end against it, pairs in sorted runs.
 *
 * The outcome depends on the bags alone, neither on the number of threads nor on memory.
 */

import type { BagMatrix } from '../../features/bag.ts';
import { type CollapsedBags, collapseEqualBags } from '../bags/collapse-equal-bags.ts';
import { EntriesInMemory, type EntrySource } from '../bags/entry-source.ts';
import { FULL_RECALL } from '../pairs/measured-recall.ts';
import {
  diskUse,
  type JoinReport,
  namePages,
  type PairColumns,
  representatives,
} from '../pairs/pair-columns.ts';
import { mergePairRuns, type PairRun } from '../pairs/pair-runs.ts';
import { EXACT_UNIT_PAGES, type ExactCrew, type ExactPairWork, ownExactThread } from './exact-pair-tasks.ts';
import { BLOCK_PAGES, cutBlocks, entriesOf, fillBlock } from './postings.ts';

interface ExactPairOptions {
  /** Above 0. */
  readonly threshold: number;
  readonly crew?: ExactCrew;
  /** The groups of equal bags, where they are known. */
  readonly collapsed?: CollapsedBags;
  /** Entries whose posting lists are in memory at once; fewer mean more passes over the bags. Default: all. */
  readonly mostPostings?: number;
  /** Where this thread reads entries that the matrix does not hold; each thread of the crew has its own. */
  readonly entries?: EntrySource;
}

/**
 * As streamThresholdPairs(), and no pair is missing.
 *
 * Cost    quadratic, see join-cost.ts; memory see exactPairBytes(), 4 bytes a posting, and the pairs as there.
 */
export async function streamExactPairs(
  matrix: BagMatrix,
  options: ExactPairOptions,
  onPairs: (block: PairColumns) => void,
): Promise<JoinReport> {
  const { threshold, crew: joinCrew = ownExactThread, mostPostings = Number.POSITIVE_INFINITY } = options;
  const source = options.entries ?? new EntriesInMemory(matrix);
  const collapsed = options.collapsed ?? collapseEqualBags(matrix, source);
  const { bags } = collapsed;
  const pageCount = bags.sums.length;
  const blocks = cutBlocks(bags, BLOCK_PAGES, mostPostings);
  const room = blocks.reduce((most, block) => Math.max(most, entriesOf(bags, block)), 0);
  const work: ExactPairWork = {
    bags,
    entries: source.isInMemory ? { features: matrix.features, weights: matrix.weights } : null,
    threshold,
    blocks,
    offsets: new Uint32Array(new SharedArrayBuffer(4 * (bags.featureCount + 1))),
    postings: new Uint32Array(new SharedArrayBuffer(4 * room)),
  };
  const crew = joinCrew.startExact(work);
  try {
    for (const [index, block] of blocks.entries()) {
      fillBlock(bags, source, { ...block, offsets: work.offsets, entries: work.postings });
      await crew.run('findPairs', Math.ceil((block.firstPage + block.pageCount) / EXACT_UNIT_PAGES), index);
    }
    const runs = (await crew.gather('takePairs')).flat() as PairRun[];
    for (const block of mergePairRuns(runs, pageCount, joinCrew.store)) onPairs(namePages(block, collapsed));
    return {
      method: 'exact',
      representative: representatives(collapsed),
      ...FULL_RECALL,
      repetitions: 0,
      ...(await diskUse(crew, runs)),
    };
  } finally {
    await crew.close();
  }
}
