import type { BagMatrix } from '../features/bag.ts';
import { Uint32List } from '../lib/uint32-list.ts';
import { addPostings, createAccumulators, gatherAtLeast, leastOverlap } from './overlap-kernel.ts';
import type { Postings } from './postings.ts';

/** Pairs of pages a < b, sorted by (a, b); the similarity of a pair is the exact fraction shared / total. */
export interface ExactPairs {
  readonly a: Uint32Array;
  readonly b: Uint32Array;
  readonly shared: Uint16Array;
  readonly total: Uint16Array;
}

/**
 * All pairs of similarity `threshold` (above 0) or more with a in from .. to-1, by full accumulation: the truth
 * that recall is measured against. The range lets a bench take a sample of pages.
 *
 * Cost  for each page the postings of its features behind it; the result is quadratic where pages repeat.
 */
export function exactPairs(
  matrix: BagMatrix,
  postings: Postings,
  threshold: number,
  from = 0,
  to: number = matrix.sums.length,
): ExactPairs {
  const { offsets, features, weights, sums } = matrix;
  const blockPages = Math.min(postings.blockPages, sums.length);
  const accumulators = createAccumulators(blockPages);
  const candidates = new Uint32Array(blockPages);
  const columns = {
    a: new Uint32List(),
    b: new Uint32List(),
    shared: new Uint32List(),
    total: new Uint32List(),
  };
  for (let page = from; page < to; page++) {
    for (const block of postings.blocks) {
      if (block.firstPage + block.pageCount <= page + 1) continue;
      for (let i = offsets[page]!; i < offsets[page + 1]!; i++) {
        const end = block.offsets[features[i]! + 1]!;
        const start = firstAfter(block.entries, block.offsets[features[i]!]!, end, page - block.firstPage);
        addPostings(accumulators.single, block.entries, start, end, weights[i]!);
      }
      const least = leastOverlap(threshold, sums[page]!);
      const count = gatherAtLeast(accumulators, block.pageCount, least, candidates);
      for (let c = 0; c < count; c++) {
        const shared = accumulators.single[candidates[c]!]!;
        const id = block.firstPage + candidates[c]!;
        const total = sums[page]! + sums[id]! - shared;
        if (shared / total < threshold) continue;
        columns.a.push(page);
        columns.b.push(id);
        columns.shared.push(shared);
        columns.total.push(total);
      }
      accumulators.single.fill(0, 0, block.pageCount);
    }
  }
  return {
    a: columns.a.toArray(),
    b: columns.b.toArray(),
    shared: Uint16Array.from(columns.shared.toArray()),
    total: Uint16Array.from(columns.total.toArray()),
  };
}

/** The first entry of start .. end-1 whose page is above `local`. */
function firstAfter(entries: Uint32Array, start: number, end: number, local: number): number {
  let low = start;
  let high = end;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((entries[middle]! & 0xffffff) <= local) low = middle + 1;
    else high = middle;
  }
  return low;
}
