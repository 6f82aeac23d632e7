import type { BagMatrix } from '../features/bag.ts';

/** Pages of a posting block: its accumulators (2 bytes a page) stay in the second-level cache. */
export const BLOCK_PAGES = 262_144;

/** The bags of pages firstPage .. firstPage + pageCount - 1 by feature. */
export interface PostingBlock {
  readonly firstPage: number;
  readonly pageCount: number;
  /** Uint32Array(featureCount + 1): feature f owns entries offsets[f] .. offsets[f + 1] - 1. */
  readonly offsets: Uint32Array;
  /** `(page - firstPage) | weight << 24`, pages ascending within a feature. */
  readonly entries: Uint32Array;
}

export interface Postings {
  readonly blockPages: number;
  readonly blocks: readonly PostingBlock[];
}

/**
 * Turns bags into posting lists, blocks of at most 2^24 pages, so that a page and its weight share 32 bits.
 *
 * `allocate` gives the memory: pass `(bytes) => new SharedArrayBuffer(bytes)` to share the lists with workers.
 * Cost two passes over the bags.
 */
export function buildPostings(
  matrix: BagMatrix,
  blockPages: number = BLOCK_PAGES,
  allocate: (bytes: number) => ArrayBufferLike = (bytes) => new ArrayBuffer(bytes),
): Postings {
  const total = matrix.sums.length;
  const blocks: PostingBlock[] = [];
  for (let firstPage = 0; firstPage < total; firstPage += blockPages) {
    blocks.push(buildBlock(matrix, firstPage, Math.min(blockPages, total - firstPage), allocate));
  }
  return { blockPages, blocks };
}

function buildBlock(
  matrix: BagMatrix,
  firstPage: number,
  pageCount: number,
  allocate: (bytes: number) => ArrayBufferLike,
): PostingBlock {
  const { features, weights, featureCount } = matrix;
  const from = matrix.offsets[firstPage]!;
  const to = matrix.offsets[firstPage + pageCount]!;
  const offsets = new Uint32Array(allocate(4 * (featureCount + 1)));
  const entries = new Uint32Array(allocate(4 * (to - from)));
  for (let i = from; i < to; i++) offsets[features[i]! + 1]!++;
  for (let feature = 0; feature < featureCount; feature++) offsets[feature + 1]! += offsets[feature]!;
  const next = offsets.slice(0, featureCount);
  for (let local = 0; local < pageCount; local++) {
    const end = matrix.offsets[firstPage + local + 1]!;
    for (let i = matrix.offsets[firstPage + local]!; i < end; i++) {
      entries[next[features[i]!]!++] = local | (weights[i]! << 24);
    }
  }
  return { firstPage, pageCount, offsets, entries };
}
