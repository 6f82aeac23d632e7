/**
 * The SIMD kernel of signatures and row filters, over one shared memory. Its source is kernels/page-kernel.ts.
 *
 *   signPages    m = 16 .. 128 linear min-hashes of each bag of a batch, 16 functions at a time in registers
 *   rowPairs     agreement of one-byte rows, all pairs of a run, against thresholds of the rows
 *   rowMatches   the same of one row against a list
 *
 * Arguments are byte positions in the memory; nothing is allocated and nothing checked. A row is ROW_BYTES
 * one-byte min-hash values: two rows agree in a byte with probability J + (1 - J) / 256, so the count of
 * agreements is a filter of standard deviation .04 or less that costs 5 ns [2].
 *
 * Measured (Node 24, one core of a shared EPYC; behind the slash the same in plain JavaScript): signPages, bags of
 * sum 400, 128 functions 5.8 / 57 µs; rowPairs 2.9 / 150 ns a pair, rowMatches 5 / 220 ns a row in the cache, some 30
 * from memory.
 *
 * References: [1] Haveliwala, Gionis, Indyk 2000; [2] Li, König, WWW 2010 (b-bit minwise hashing).
 */

import { type KernelMemory, startKernel } from '../lib/wasm.ts';
import { PAGE_KERNEL_BASE64 } from './page-kernel-bytes.ts';

export const ROW_BYTES = 128;
/** Functions that one call computes at a time, and the unit of `groups`. */
export const GROUP_FUNCTIONS = 16;

export interface PageKernel {
  /**
   * Entries start[p] .. start[p + 1] - 1 of `features` (u32) and `weights` (u8) are page p of the batch.
   * `functions` holds `groups` blocks of 16 multipliers, then 16 addends (u32). `elements` is room for 4 bytes
   * a unit of weight of one page, and 16 more. Writes to `out` per page 16 * groups values (u32), or with
   * bytes = 1 the low byte of mix32 of each.
   */
  signPages(
    features: number,
    weights: number,
    starts: number,
    pageCount: number,
    functions: number,
    groups: number,
    elements: number,
    out: number,
    bytes: 0 | 1,
  ): void;
  /**
   * All pairs i < j of the `size` rows in `list` (u32), or with split > 0 all i < split <= j. Writes i << 16 | j
   * (u32) for each pair that agrees in at least min(need i, need j) bytes and returns how many; `needs` is u8
   * a row. `tile` is room for (ROW_BYTES + 1) * size bytes, `out` for all pairs and one more.
   */
  rowPairs(
    list: number,
    size: number,
    split: number,
    rows: number,
    needs: number,
    tile: number,
    out: number,
  ): number;
  /**
   * Writes to `out` the ids in `list` (u32) whose rows agree with row `id` in at least `need` bytes, to `counts`
   * (u8) how many bytes agree, and returns how many ids. Both have room for one more than the list.
   */
  rowMatches(
    id: number,
    list: number,
    size: number,
    rows: number,
    need: number,
    out: number,
    counts: number,
  ): number;
}

/** The kernel over `memory`. */
export function createKernel(memory: KernelMemory): PageKernel {
  return startKernel<PageKernel>(PAGE_KERNEL_BASE64, memory);
}
