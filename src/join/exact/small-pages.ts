import type { PostingBlock } from './postings.ts';

/** The share of pages that are judged by their own bag sum; the least sum of the others serves for all of them. */
const SMALL_SHARE = 0.05;

/** The few pages with the smallest bags: without them the others must share more to be near. */
export interface SmallPages {
  readonly pages: Uint32Array;
  /** Every other page of the block has at least this sum. */
  readonly below: number;
}

/** Splits off at most one page in twenty. Cost one look at each sum. */
export function smallPages(block: PostingBlock, sums: Uint16Array): SmallPages {
  const own = sums.subarray(block.firstPage, block.firstPage + block.pageCount);
  const pagesOfSum = new Uint32Array(0x10000);
  for (const sum of own) pagesOfSum[sum]!++;
  let below = 0;
  for (let passed = 0; below < 0xffff; below++) {
    passed += pagesOfSum[below]!;
    if (passed > SMALL_SHARE * own.length) break;
  }
  return { pages: Uint32Array.from(own.keys()).filter((local) => own[local]! < below), below };
}
