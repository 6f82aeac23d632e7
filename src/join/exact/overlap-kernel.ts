/**
 * The inner loops of exact pairs and of the search for one bag: its overlap with all pages of a posting block.
 *
 * One 16-bit accumulator a page holds the sum of min(w, w') so far; an overlap never exceeds the smaller bag
 * sum, so nothing overflows as long as bag sums stay below 2^15. Written without branches in the loop: with a
 * conditional minimum the same loop takes 2.1 ns a posting, with Math.min 5.5 ns, as it stands 1.2 to 1.4 ns
 * (Node 24, 53,000 pages). The sweep over the sums is SIMD: its source is kernels/overlap-kernel.ts.
 */

import { createOwnMemory, startKernel } from '../../lib/wasm.ts';
import { OVERLAP_KERNEL_BASE64 } from './overlap-kernel-bytes.ts';

/** What the kernel reads at a time. */
const PIECE_BYTES = 32;

/** Measured on one core of 2026, in µs: a posting added, a page's accumulator looked at. */
export const POSTING_US = 0.0012;
export const SWEEP_US = 0.0007;

/** Adds min(weight, posted weight) for the entries from .. to-1 (`local | weight << 24`). */
export function addPostings(
  accumulators: Uint16Array,
  entries: Uint32Array,
  from: number,
  to: number,
  weight: number,
): void {
  if (weight === 1) {
    for (let i = from; i < to; i++) accumulators[entries[i]! & 0xffffff]! += 1;
    return;
  }
  for (let i = from; i < to; i++) {
    const entry = entries[i]!;
    const difference = ((entry >>> 24) - weight) | 0;
    accumulators[entry & 0xffffff]! += weight + (difference & (difference >> 31));
  }
}

/** As addPostings; appends to `touched` the pages whose accumulator was 0. Returns the new length of `touched`. */
export function addPostingsTouched(
  accumulators: Uint16Array,
  entries: Uint32Array,
  from: number,
  to: number,
  weight: number,
  touched: Uint32Array,
  touchedCount: number,
): number {
  let count = touchedCount;
  for (let i = from; i < to; i++) {
    const entry = entries[i]!;
    const local = entry & 0xffffff;
    const difference = ((entry >>> 24) - weight) | 0;
    const before = accumulators[local]!;
    touched[count] = local;
    count += before === 0 ? 1 : 0;
    accumulators[local] = before + weight + (difference & (difference >> 31));
  }
  return count;
}

/**
 * The highest overlap (at most `histogram.length - 1`) that at least `wanted` of the candidates reach; 0 where
 * there are fewer candidates. `histogram` must be zero, and is left so.
 */
export function leaderCut(
  accumulators: Uint16Array,
  candidates: Uint32Array,
  count: number,
  wanted: number,
  histogram: Uint32Array,
): number {
  if (count < wanted) return 0;
  const top = histogram.length - 1;
  for (let c = 0; c < count; c++) histogram[Math.min(accumulators[candidates[c]!]!, top)]!++;
  let cut = top;
  for (let reached = histogram[cut]!; reached < wanted && cut > 0; reached += histogram[cut]!) cut--;
  histogram.fill(0);
  return cut;
}

/** The sums of one block, and the pages that are picked out by them. */
export interface Accumulators {
  /** One a page; zeros between two searches. */
  readonly single: Uint16Array;
  /** Room for all pages and one more. */
  readonly picked: Uint32Array;
  /**
   * Writes to `picked` the pages from .. pageCount-1 whose accumulator is at least `least`, ascending; returns how many.
   * Holds for 1 <= least and accumulators below 2^15, those from `pageCount` on being 0.
   */
  pick(from: number, pageCount: number, least: number): number;
}

interface OverlapKernel {
  pick(accumulators: number, from: number, count: number, least: number, out: number): number;
}

/** Zeros, for blocks of at most `pageCount` pages: 6 bytes a page. */
export function createAccumulators(pageCount: number): Accumulators {
  // From whichever page on, the last piece ends among zeros.
  const pickedAt = PIECE_BYTES * (Math.ceil((2 * pageCount) / PIECE_BYTES) + 1);
  const sizeBytes = pickedAt + 4 * (pageCount + 1);
  const memory = createOwnMemory(sizeBytes);
  const { pick } = startKernel<OverlapKernel>(OVERLAP_KERNEL_BASE64, memory);
  return {
    single: new Uint16Array(memory.buffer, 0, pageCount),
    picked: new Uint32Array(memory.buffer, pickedAt, pageCount + 1),
    pick: (from, count, least) => pick(0, from, count, Math.min(least, 0x8000), pickedAt),
  };
}

/**
 * The least overlap with a bag of sum S that a page of similarity t can have: from J = I / (S + S' - I) and S' >= I follows
 * I >= t S. Errs to the safe side.
 */
export function leastOverlap(similarity: number, sum: number): number {
  return Math.max(1, Math.ceil(similarity * sum - 1e-6));
}

/** The overlap with one page's entries from .. to-1, features at or above `firstFeature` alone, by weight table. */
export function overlapFrom(
  table: Uint8Array,
  features: Uint32Array,
  weights: Uint8Array,
  from: number,
  to: number,
  firstFeature: number,
): number {
  let shared = 0;
  for (let i = to - 1; i >= from; i--) {
    const feature = features[i]!;
    if (feature < firstFeature) break;
    const weight = table[feature]!;
    const difference = (weights[i]! - weight) | 0;
    shared += weight + (difference & (difference >> 31));
  }
  return shared;
}
