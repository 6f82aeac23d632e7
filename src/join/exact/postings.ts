/**
 * Bags by feature: the pages that have a feature, ascending, with its weight in each.
 *
 *   bags                  postings
 *   0: keel 1, rose 2     keel: 0|1  1|3
 *   1: keel 3             rose: 0|2
 *
 *   entry   | weight, 8 bits | page within its block, 24 bits |
 *
 * Pages stand in blocks: for one block the overlaps with a bag are summed in an array that stays in the cache.
 *
 * Memory  4 bytes an entry, and 4 a feature for each block.
 * Limits  2^24 pages and 2^32 entries a block.
 */
import type { BagMatrix } from '../../features/bag.ts';
import { type BagRanges, rangesOf } from '../bags/collapse-equal-bags.ts';
import { EntriesInMemory, type EntrySource } from '../bags/entry-source.ts';

/** Pages of a posting block: its accumulators (2 bytes a page) stay in the second-level cache. */
export const BLOCK_PAGES = 262_144;

/** Pages whose bags are turned into posting lists together, at most 2^24, so that a page and its weight share 32 bits. */
export interface PageBlock {
  readonly firstPage: number;
  readonly pageCount: number;
}

/** The bags of pages firstPage .. firstPage + pageCount - 1 by feature. */
export interface PostingBlock extends PageBlock {
  /** Uint32Array(featureCount + 1): feature f owns entries offsets[f] .. offsets[f + 1] - 1. */
  readonly offsets: Uint32Array;
  /** `(page - firstPage) | weight << 24`, pages ascending within a feature. */
  readonly entries: Uint32Array;
}

export interface PostingBlocks {
  readonly blockPages: number;
  readonly blocks: readonly PostingBlock[];
}

/**
 * Turns bags into posting lists, blocks of at most 2^24 pages.
 *
 * `allocate` gives the memory: pass `(bytes) => new SharedArrayBuffer(bytes)` to share the lists with workers.
 * Cost two passes over the bags.
 */
export function buildPostings(
  matrix: BagMatrix,
  blockPages: number = BLOCK_PAGES,
  allocate: (bytes: number) => ArrayBufferLike = (bytes) => new ArrayBuffer(bytes),
): PostingBlocks {
  const total = matrix.sums.length;
  const source = new EntriesInMemory(matrix);
  const blocks: PostingBlock[] = [];
  for (let firstPage = 0; firstPage < total; firstPage += blockPages) {
    const pageCount = Math.min(blockPages, total - firstPage);
    const size = matrix.offsets[firstPage + pageCount]! - matrix.offsets[firstPage]!;
    const block = {
      firstPage,
      pageCount,
      offsets: new Uint32Array(allocate(4 * (matrix.featureCount + 1))),
      entries: new Uint32Array(allocate(4 * size)),
    };
    fillBlock(rangesOf(matrix), source, block);
    blocks.push(block);
  }
  return { blockPages, blocks };
}

/**
 * Writes the posting lists of the block's pages to its arrays, whatever they held; `entries` may be longer. A counting sort
 * of its own, beside groupBy(): the entries come from a source that reads in parts.
 */
export function fillBlock(bags: BagRanges, source: EntrySource, block: PostingBlock): void {
  const { firstPage, pageCount, offsets, entries } = block;
  offsets.fill(0);
  for (let page = firstPage; page < firstPage + pageCount; page++) {
    const at = source.locate(bags.starts[page]!, bags.ends[page]!);
    const end = at + bags.ends[page]! - bags.starts[page]!;
    for (let i = at; i < end; i++) offsets[source.features[i]! + 1]!++;
  }
  for (let feature = 0; feature < bags.featureCount; feature++) offsets[feature + 1]! += offsets[feature]!;
  const next = offsets.slice(0, bags.featureCount);
  for (let local = 0; local < pageCount; local++) {
    const page = firstPage + local;
    const at = source.locate(bags.starts[page]!, bags.ends[page]!);
    const end = at + bags.ends[page]! - bags.starts[page]!;
    const { features, weights } = source;
    for (let i = at; i < end; i++) entries[next[features[i]!]!++] = local | (weights[i]! << 24);
  }
}

/** Blocks of pages in order, each of at most `mostPages` pages, and of `mostEntries` entries unless it is one page. */
export function cutBlocks(bags: BagRanges, mostPages: number, mostEntries: number): PageBlock[] {
  const { starts, ends, sums } = bags;
  const blocks: PageBlock[] = [];
  for (let firstPage = 0, pageCount = 0; firstPage < sums.length; firstPage += pageCount) {
    let entryCount = ends[firstPage]! - starts[firstPage]!;
    for (pageCount = 1; pageCount < mostPages && firstPage + pageCount < sums.length; pageCount++) {
      const next = firstPage + pageCount;
      entryCount += ends[next]! - starts[next]!;
      if (entryCount > mostEntries) break;
    }
    blocks.push({ firstPage, pageCount });
  }
  return blocks;
}

/** Entries of the bags of a block. */
export function entriesOf({ starts, ends }: BagRanges, { firstPage, pageCount }: PageBlock): number {
  let count = 0;
  for (let page = firstPage; page < firstPage + pageCount; page++) count += ends[page]! - starts[page]!;
  return count;
}
