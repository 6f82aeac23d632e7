/**
 * The K nearest pages of every page by exact weighted Jaccard, J = I / (S + S' - I), I = sum of min(w, w').
 *
 * For one page the overlaps with all pages of a block are summed: over the postings of its rarer features one by one, over
 * its frequent features 32 pages at a time. A feature of one page in 24 has a column, the weight in each page, and a sum of
 * minima over columns is a SIMD loop without a look-up.
 *
 *   features  rare ─────────────────────────────┬───────── frequent
 *             posting lists                     │ columns, chunk by chunk: `rest` is the weight still to come
 *
 * A chunk is passed over as soon as even overlap + rest is too little for each of its pages, of which each must reach
 * t / (1 + t) (S + S') at a similarity t; t is the K-th best similarity so far. Chunks come from 256 pages before the page
 * on: pages that stand near it, as those of its site, are often near, and t is soon close to what it will be. What is passed
 * over cannot be among the K nearest, ties included, so every result is exact. Where the caller knows pages that are likely
 * to be near, as those of an earlier list, t starts at the least similarity of these.
 *
 * All of it runs in a kernel, over one memory that all threads share: its source is kernels/neighbors-kernel.ts.
 *
 * Measured  12,000 pages of a crawl and 37,041 that are known by their anchors alone, µs a page with nearness, beside loops
 *           in JavaScript over postings, seeds and the bags of single pages: 32 and 68; the 10,645 texts alone 34 and 108.
 * Cost      the postings of a page's rarer features and a look at each chunk, so quadratic in the end; measured in
 *           src/join/README.md. src/join/buckets/space/join-cost.ts says where the approximate graph costs less; this stays as
 *           its truth.
 * References: Turtle & Flood 1995 (MaxScore); Bayardo, Ma, Srikant, WWW 2007 (accumulation, bounds).
 */
import type { BagMatrix } from '../../features/bag.ts';
import { startKernel } from '../../lib/wasm.ts';
import { createNeighborSpace, type NeighborSpace, type NeighborSpaceOptions } from './neighbor-space.ts';
import { NEIGHBORS_KERNEL_BASE64 } from './neighbors-kernel-bytes.ts';

/** Arguments are byte positions and pages, see kernels/neighbors-kernel.ts. */
interface NeighborsKernel {
  open(header: number, scratch: number): void;
  fill(from: number, to: number): void;
}

/** The nearest pages of every bag, with nearness, by this thread. Pages below the floor, or without a common feature, are none. */
export function exactNeighbors(matrix: BagMatrix, options: NeighborSpaceOptions): NeighborSpace['table'] {
  const space = createNeighborSpace(matrix, options);
  neighborRows(space)(0, matrix.sums.length);
  return space.table;
}

/**
 * What fills the rows of pages from .. to-1 of a space, range after range, for one thread. Threads may take ranges at the
 * same time; the result does not depend on how the pages are divided.
 *
 * A row that holds ids beforehand names pages that are likely to be near: only those of the K nearest that are at least as
 * near as each of these are looked for, which takes the less time the nearer these are. An empty row names none.
 *
 * Errors  RangeError for more threads than the space has room for.
 */
export function neighborRows({ memory, layout }: NeighborSpace): (from: number, to: number) => void {
  const seat = Atomics.add(new Uint32Array(memory.buffer, layout.seatsTaken, 1), 0, 1);
  const scratch = layout.scratch[seat];
  if (scratch === undefined) throw new RangeError(`a space for ${layout.scratch.length} threads is full`);
  const { open, fill } = startKernel<NeighborsKernel>(NEIGHBORS_KERNEL_BASE64, memory);
  open(layout.header, scratch);
  return fill;
}
