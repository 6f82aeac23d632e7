import { type BagMatrix, bagAt } from '../../features/bag.ts';
import { buildPostings, type PostingBlocks } from '../exact/postings.ts';
import { lengthOf, TermCounter } from './term-counts.ts';
import type { WordFeatures } from './word-features.ts';

/** Pages as BM25 compares them, threads may share it. */
export interface CountedBags {
  /** The bags, with counts in place of weights; words alone. `sums` are of no use. */
  readonly matrix: BagMatrix;
  /** Float64Array(n): words of each page. */
  readonly lengths: Float64Array;
  readonly postings: PostingBlocks;
}

type Allocate = (bytes: number) => ArrayBufferLike;

/**
 * The first `searchedCount` pages are those that are searched, all where it is left out.
 *
 * Memory  9 bytes an entry, and 4 a feature. Cost  a sort of the words of each page.
 */
export function countBags(
  bags: BagMatrix,
  features: WordFeatures,
  allocate: Allocate = (bytes) => new ArrayBuffer(bytes),
  searchedCount = bags.sums.length,
): CountedBags {
  const pageCount = bags.sums.length;
  const counter = new TermCounter(features);
  const ids = new Uint32Array(allocate(4 * bags.features.length));
  const counts = new Uint8Array(allocate(bags.features.length));
  const offsets = new Float64Array(allocate(8 * (pageCount + 1)));
  const lengths = new Float64Array(allocate(8 * pageCount));
  let end = 0;
  for (let page = 0; page < pageCount; page++) {
    const bag = bagAt(bags, page);
    const own = counter.count(bag);
    for (let i = 0; i < own.length; i++) {
      if (own[i] === 0) continue;
      ids[end] = bag.features[i]!;
      counts[end++] = own[i]!;
    }
    offsets[page + 1] = end;
    lengths[page] = lengthOf(own);
  }
  const matrix = {
    offsets,
    features: ids.subarray(0, end),
    weights: counts.subarray(0, end),
    sums: bags.sums,
    featureCount: bags.featureCount,
  };
  const searched = {
    ...matrix,
    offsets: offsets.subarray(0, searchedCount + 1),
    sums: bags.sums.subarray(0, searchedCount),
  };
  return { matrix, lengths, postings: buildPostings(searched, undefined, allocate) };
}

/** Words of a page on average, of those that have any; 1 where none has. */
export function meanLengthOf(lengths: Float64Array): number {
  let [sum, pages] = [0, 0];
  for (const length of lengths) {
    sum += length;
    if (length > 0) pages++;
  }
  return pages === 0 ? 1 : sum / pages;
}

/** Entries of posting lists that are read where each page asks for its own words. */
export function readsOfAll({ matrix }: Pick<CountedBags, 'matrix'>): number {
  const frequencies = new Uint32Array(matrix.featureCount);
  for (const feature of matrix.features) frequencies[feature]!++;
  return frequencies.reduce((sum, frequency) => sum + frequency * frequency, 0);
}
