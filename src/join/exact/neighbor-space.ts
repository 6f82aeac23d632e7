/**
 * What the threads of an exact search of all neighbors share: one memory, in which bags, lists and rows lie where the kernel
 * reads and writes them (kernels/neighbors-kernel.ts).
 *
 *   header, roots | bags | blocks: sums, where lists start, lists | rows | scratch of each thread
 *
 *   lists of a block   rare feature      weight << 24 | page within the block, for each page that has it
 *                      frequent feature  a column: the weight in each page, a byte, 0 for none
 */
import type { BagMatrix } from '../../features/bag.ts';
import { createKernelMemory, type KernelMemory } from '../../lib/wasm.ts';
import { rangesOf } from '../bags/collapse-equal-bags.ts';
import { ROOTS } from '../pairs/nearness.ts';
import type { NeighborTable } from '../pairs/neighbor-table.ts';
import { BLOCK_PAGES, cutBlocks, type PageBlock } from './postings.ts';

/** A feature that one page in so many has is frequent. */
const COLUMN_SHARE = 24;
/** Added to where a list starts that is a column. */
const COLUMN = 0x80000000;
/** Pages that the kernel judges at a time. */
const CHUNK_PAGES = 32;
const HEADER_BYTES = 64;
const BLOCK_HEADER_BYTES = 24;

export interface NeighborSpace {
  readonly memory: KernelMemory;
  /** Rows nearest first, on the memory. */
  readonly table: NeighborTable & { readonly nearness: Uint16Array };
  readonly layout: SpaceLayout;
}

export interface NeighborSpaceOptions {
  readonly k: number;
  /** Pages below this similarity are no neighbors. */
  readonly floor: number;
  /** Of the rows of the bags, the first ones are pages; the others ask and are in no row. By default all are pages. */
  readonly pageCount?: number;
  readonly threadCount?: number;
  readonly blockPages?: number;
}

/**
 * Lays bags out for the search of their neighbors, with empty rows. It can be posted to threads.
 *
 * Cost    four passes over the bags; memory see `neighborSpaceBytes`.
 * Errors  RangeError where the memory is not to be had.
 */
export function createNeighborSpace(matrix: BagMatrix, options: NeighborSpaceOptions): NeighborSpace {
  const { k, blockPages = BLOCK_PAGES, threadCount = 1 } = options;
  const rowCount = matrix.sums.length;
  const { pageCount = rowCount } = options;
  const pages = {
    ...matrix,
    offsets: matrix.offsets.subarray(0, pageCount + 1),
    sums: matrix.sums.subarray(0, pageCount),
  };
  const isFrequent = frequentFeatures(pages);
  const blocks = cutBlocks(rangesOf(pages), blockPages, Number.POSITIVE_INFINITY).map((block) =>
    planLists(pages, block, isFrequent),
  );
  const layout = layOut({ ...shapeOf(matrix), k, threadCount }, blocks);
  const memory = createKernelMemory(layout.end);
  writeHeader(memory, layout, options);
  writeBags(memory, layout, matrix);
  for (const [i, block] of blocks.entries()) writeBlock(memory, layout, i, pages, block);
  const { buffer } = memory;
  const slots = rowCount * k;
  const table = {
    k,
    counts: new Uint8Array(buffer, layout.counts, rowCount),
    ids: new Uint32Array(buffer, layout.ids, slots),
    shared: new Uint16Array(buffer, layout.shared, slots),
    total: new Uint16Array(buffer, layout.total, slots),
    nearness: new Uint16Array(buffer, layout.nearness, slots),
  };
  return { memory, table, layout };
}

/** Features of pages of which `pageCounts` says how many have each: the bytes of their lists. */
export function listBytes(pageCounts: ArrayLike<number>, pageCount: number): number {
  let bytes = 0;
  for (let feature = 0; feature < pageCounts.length; feature++) {
    const count = pageCounts[feature]!;
    bytes += isColumn(count, pageCount) ? 16 + CHUNK_PAGES * Math.ceil(pageCount / CHUNK_PAGES) : 4 * count;
  }
  return bytes;
}

function isColumn(count: number, pageCount: number): boolean {
  return count * COLUMN_SHARE >= pageCount;
}

function frequentFeatures({ offsets, features, sums, featureCount }: BagMatrix): Uint8Array {
  const pageCounts = new Uint32Array(featureCount);
  const end = offsets[sums.length]!;
  for (let i = offsets[0]!; i < end; i++) pageCounts[features[i]!]!++;
  return Uint8Array.from(pageCounts, (count) => (isColumn(count, sums.length) ? 1 : 0));
}

interface BlockLists extends PageBlock {
  /** Uint32Array(featureCount + 1): where the list of each feature starts, in units of 4 bytes; with COLUMN, a column. */
  readonly starts: Uint32Array;
  /** Of all lists, in those units. */
  readonly length: number;
}

/** Where the lists of a block go. */
function planLists(
  { offsets, features, featureCount }: BagMatrix,
  block: PageBlock,
  isFrequent: Uint8Array,
): BlockLists {
  const starts = new Uint32Array(featureCount + 1);
  const end = offsets[block.firstPage + block.pageCount]!;
  for (let i = offsets[block.firstPage]!; i < end; i++) starts[features[i]!]!++;
  let length = 0;
  for (let feature = 0; feature < featureCount; feature++) {
    const count = starts[feature]!;
    if (isFrequent[feature] === 1) {
      length = 4 * Math.ceil(length / 4);
      starts[feature] = length + COLUMN;
      length += columnBytes(block) / 4;
    } else {
      starts[feature] = length;
      length += count;
    }
  }
  starts[featureCount] = length;
  return { ...block, starts, length };
}

/** With the zeros that fill the last chunk. */
function columnBytes({ pageCount }: PageBlock): number {
  return CHUNK_PAGES * Math.ceil(pageCount / CHUNK_PAGES);
}

/** Writes lists to memory of zeros. A gap before a column stays zero: postings of no weight. */
function fillLists(
  { offsets, features, weights }: BagMatrix,
  { firstPage, pageCount, starts }: BlockLists,
  postings: Uint32Array,
  columns: Uint8Array,
): void {
  const next = starts.slice();
  for (let local = 0; local < pageCount; local++) {
    const end = offsets[firstPage + local + 1]!;
    for (let i = offsets[firstPage + local]!; i < end; i++) {
      const at = next[features[i]!]!;
      if (at >= COLUMN) columns[4 * (at - COLUMN) + local] = weights[i]!;
      else {
        postings[at] = local | (weights[i]! << 24);
        next[features[i]!] = at + 1;
      }
    }
  }
}

function writeBlock(
  { buffer }: KernelMemory,
  layout: SpaceLayout,
  number: number,
  pages: BagMatrix,
  block: BlockLists,
): void {
  const { sums, leastSums, starts, lists } = layout.blocks[number]!;
  const { firstPage, pageCount } = block;
  const header = new Uint32Array(buffer, layout.blockHeaders + BLOCK_HEADER_BYTES * number, 6);
  header.set([firstPage, columnBytes(block), starts, lists, sums, leastSums]);
  const ownSums = pages.sums.subarray(firstPage, firstPage + pageCount);
  new Uint16Array(buffer, sums, pageCount).set(ownSums);
  const least = new Uint16Array(buffer, leastSums, columnBytes(block) / CHUNK_PAGES);
  for (let chunk = 0; chunk < least.length; chunk++) {
    least[chunk] = Math.min(...ownSums.subarray(CHUNK_PAGES * chunk, CHUNK_PAGES * (chunk + 1)));
  }
  new Uint32Array(buffer, starts, block.starts.length).set(block.starts);
  const postings = new Uint32Array(buffer, lists, block.length);
  fillLists(pages, block, postings, new Uint8Array(buffer, lists, 4 * block.length));
}

function writeBags(
  { buffer }: KernelMemory,
  layout: SpaceLayout,
  { offsets, features, weights, sums }: BagMatrix,
): void {
  const first = offsets[0]!;
  const end = offsets[sums.length]!;
  const own = new Uint32Array(buffer, layout.offsets, sums.length + 1);
  for (let row = 0; row <= sums.length; row++) own[row] = offsets[row]! - first;
  new Uint32Array(buffer, layout.features, end - first).set(features.subarray(first, end));
  new Uint8Array(buffer, layout.weights, end - first).set(weights.subarray(first, end));
  new Uint16Array(buffer, layout.sums, sums.length).set(sums);
  new Float64Array(buffer, layout.roots, ROOTS.length).set(ROOTS);
}

/** In the order in which `open` of the kernel reads it. */
function writeHeader(
  { buffer }: KernelMemory,
  layout: SpaceLayout,
  { k, floor }: NeighborSpaceOptions,
): void {
  new Float64Array(buffer, layout.header, 1)[0] = floor;
  const { blockHeaders, offsets, features, weights, sums, roots, counts, ids, shared, total, nearness } =
    layout;
  const rows = [counts, ids, shared, total, nearness];
  const places = [k, layout.blocks.length, blockHeaders, offsets, features, weights, sums, roots, ...rows];
  new Uint32Array(buffer, layout.header + 8, places.length).set(places);
  for (const [i, at] of layout.scratch.entries()) {
    new Uint32Array(buffer, at, layout.scratchParts[i]!.length).set(layout.scratchParts[i]!);
  }
}

/** What the size of a space follows from. */
export interface SpaceShape {
  readonly rowCount: number;
  readonly entryCount: number;
  readonly featureCount: number;
  /** Entries of the longest bag. */
  readonly longest: number;
  readonly k: number;
  readonly threadCount: number;
}

function shapeOf({ offsets, sums, featureCount }: BagMatrix): Omit<SpaceShape, 'k' | 'threadCount'> {
  let longest = 0;
  for (let row = 0; row < sums.length; row++) longest = Math.max(longest, offsets[row + 1]! - offsets[row]!);
  const entryCount = offsets[sums.length]! - offsets[0]!;
  return { rowCount: sums.length, entryCount, featureCount, longest };
}

type SpaceLayout = ReturnType<typeof layOut>;

/** Where the parts of the memory begin, each at a multiple of 16. */
function layOut(
  { rowCount, entryCount, featureCount, longest, k, threadCount }: SpaceShape,
  blocks: readonly (PageBlock & { readonly length: number })[],
) {
  let end = 1024;
  const take = (bytes: number) => {
    const at = end;
    end += 16 * Math.ceil(bytes / 16);
    return at;
  };
  const columnLength = blocks.reduce((most, block) => Math.max(most, columnBytes(block)), 0);
  const takeScratch = () => [
    take(2 * columnLength),
    take(featureCount),
    take(2 * CHUNK_PAGES),
    ...[take(8 * k), take(4 * k), take(4 * k)],
    ...[take(4 * longest), take(longest), take(4 * longest), take(4 * longest)],
  ];
  const parts = {
    header: take(HEADER_BYTES),
    /** How many threads have taken a scratch. */
    seatsTaken: take(4),
    roots: take(8 * ROOTS.length),
    offsets: take(4 * (rowCount + 1)),
    features: take(4 * entryCount),
    weights: take(entryCount),
    sums: take(2 * rowCount),
    blockHeaders: take(BLOCK_HEADER_BYTES * blocks.length),
    blocks: blocks.map((block) => ({
      sums: take(2 * columnBytes(block)),
      leastSums: take((2 * columnBytes(block)) / CHUNK_PAGES),
      starts: take(4 * (featureCount + 1)),
      lists: take(4 * block.length),
    })),
    counts: take(rowCount),
    ids: take(4 * rowCount * k),
    shared: take(2 * rowCount * k),
    total: take(2 * rowCount * k),
    nearness: take(2 * rowCount * k),
    scratchParts: Array.from({ length: threadCount }, takeScratch),
  };
  /** Of each thread, where it is written where its parts begin. */
  const scratch = parts.scratchParts.map((own) => take(4 * own.length));
  return { ...parts, scratch, end };
}
