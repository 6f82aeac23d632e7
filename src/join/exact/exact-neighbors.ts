/**
 * The K nearest pages of every page by exact weighted Jaccard, J = I / (S + S' - I), I = sum of min(w, w').
 *
 * For one page the overlaps with all pages of a block are summed over the postings of its features, rarest
 * first. The most frequent features hold most of the postings and little of the weight, so the sum stops
 * early, when the weight `rest` still to come is a fraction of what a page needs to be among the K nearest:
 *
 *   features  rare ──────────────────────────────┬──────── frequent
 *             posting lists, all pages at once   │ bag by bag, for pages that can still make it
 *                                             firstRest
 *
 * A page is passed over only if even overlap + rest cannot reach the bound, ties included; the others are
 * finished from their own bags, so every result is exact. The bound is the K-th best similarity known so far.
 * It starts from a guess that can only be too low: after the rarest features are in, the pages that share most
 * of them are compared in full, and the K-th of these bounds the K-th of all. Where the caller knows pages that are likely
 * to be near, as those of an earlier list, these are compared instead.
 *
 * Cost: the postings of a page's rarer features, so quadratic in the end; measured in src/join/README.md.
 * Above some 100,000 pages an approximate graph should come first, and this stays as its truth.
 * References: Turtle & Flood 1995 (MaxScore); Bayardo, Ma, Srikant, WWW 2007 (accumulation, bounds).
 */
import type { BagMatrix } from '../../features/bag.ts';
import { BoundedHeap } from '../../lib/bounded-heap.ts';
import { type NeighborTable, writeRow } from '../pairs/neighbor-table.ts';
import {
  type Accumulators,
  addPostings,
  addPostingsTouched,
  createAccumulators,
  leaderCut,
  leastOverlap,
  overlapFrom,
} from './overlap-kernel.ts';
import type { PostingBlock, PostingBlocks } from './postings.ts';
import { type SmallPages, smallPages } from './small-pages.ts';

/** Postings of the rarest features that are in before the first bound is taken: this, and one for 16 pages. */
const SEED_POSTINGS = 2048;
/** Pages compared in full to get the first bound, for each neighbor wanted. */
const SEEDS = 2;
/** Seeds are looked for only where this many postings are to come for each entry so compared. */
const SEED_GAIN = 4;
/** What may be left to the bags of single pages, as a share of the overlap a neighbor needs; below 1. */
const REST_SHARE = 0.8;

/** Fills the rows of pages from .. to-1 of a table, see `neighborRows`. */
export function exactNeighbors(
  matrix: BagMatrix,
  postings: PostingBlocks,
  table: NeighborTable,
  from: number,
  to: number,
  options: { readonly floor: number },
): void {
  neighborRows(matrix, postings, table, options)(from, to);
}

/**
 * What fills the rows of pages from .. to-1 of `table`, range after range. Pages below the similarity `floor`, or without a common
 * feature, are no neighbors. Reads shared arrays only and writes its own rows only, so workers may take
 * ranges at the same time; the result does not depend on how the pages are divided.
 *
 * A row that holds ids beforehand names pages that are likely to be near: only those of the K nearest that are at least as
 * near as each of these are looked for, which takes the less time the nearer these are. An empty row names none.
 */
export function neighborRows(
  matrix: BagMatrix,
  postings: PostingBlocks,
  table: NeighborTable,
  { floor }: { readonly floor: number },
): (from: number, to: number) => void {
  const search = new NearestSearch(matrix, postings, table, floor);
  return (from, to) => {
    for (let page = from; page < to; page++) {
      const heap = search.nearest(page);
      const sum = matrix.sums[page]!;
      writeRow(table, page, heap, (id, shared) => sum + matrix.sums[id]! - shared);
    }
  };
}

function seedPostings(block: PostingBlock): number {
  return SEED_POSTINGS + (block.pageCount >> 4);
}

/** Finds the exact K nearest pages of one page after another. */
class NearestSearch {
  readonly #matrix: BagMatrix;
  readonly #postings: PostingBlocks;
  readonly #likely: Pick<NeighborTable, 'counts' | 'ids'>;
  readonly #floor: number;
  readonly #heap: BoundedHeap;
  readonly #seeds: BoundedHeap;
  readonly #accumulators: Accumulators;
  readonly #histogram = new Uint32Array(512);
  readonly #smallPages: readonly SmallPages[];
  /** The weight of each feature in the page at hand; zero between two pages. */
  readonly #weightOf: Uint8Array;

  constructor(matrix: BagMatrix, postings: PostingBlocks, table: NeighborTable, floor: number) {
    const { k } = table;
    const blockPages = Math.min(postings.blockPages, matrix.sums.length);
    this.#matrix = matrix;
    this.#postings = postings;
    this.#likely = table;
    this.#floor = floor;
    this.#heap = new BoundedHeap(k);
    this.#seeds = new BoundedHeap(k);
    this.#accumulators = createAccumulators(blockPages);
    this.#weightOf = new Uint8Array(matrix.featureCount);
    this.#smallPages = postings.blocks.map((block) => smallPages(block, matrix.sums));
  }

  /** The page's neighbors with their overlaps as values; good until the next call. */
  nearest(page: number): BoundedHeap {
    const { offsets, features, weights } = this.#matrix;
    const { blocks, blockPages } = this.#postings;
    const begin = offsets[page]!;
    const end = offsets[page + 1]!;
    const own = blocks[Math.floor(page / blockPages)]!;
    this.#heap.clear();
    for (let i = begin; i < end; i++) this.#weightOf[features[i]!] = weights[i]!;
    const least = this.#leastOfLikely(page);
    this.#searchBlock(page, own, least);
    for (const block of blocks) if (block !== own) this.#searchBlock(page, block, least);
    for (let i = begin; i < end; i++) this.#weightOf[features[i]!] = 0;
    return this.#heap;
  }

  /** The least similarity of the pages that the row names; the floor where it names none, or one that is no neighbor. */
  #leastOfLikely(page: number): number {
    const { counts, ids } = this.#likely;
    const { sums } = this.#matrix;
    const start = page * this.#heap.capacity;
    let least = counts[page] === 0 ? 0 : Infinity;
    for (let at = start; at < start + counts[page]!; at++) {
      const shared = this.#overlapWith(ids[at]!, 0);
      // Two empty bags are no neighbors.
      if (shared === 0) return this.#floor;
      least = Math.min(least, shared / (sums[page]! + sums[ids[at]!]! - shared));
    }
    return Math.max(least, this.#floor);
  }

  /** Offers every page of the block that can be among the K nearest, which reach `least`. */
  #searchBlock(page: number, block: PostingBlock, least: number): void {
    const { offsets, features, weights, sums, featureCount } = this.#matrix;
    const { single } = this.#accumulators;
    const begin = offsets[page]!;
    const end = offsets[page + 1]!;
    let start = { bound: this.#heap.bound(least), next: begin };
    let stop = end;
    let rest = 0;
    const isBounded = least > this.#floor || this.#heap.size === this.#heap.capacity;
    const isSeeded = !isBounded && this.#seedsPay(page, block);
    if (isSeeded) start = this.#startFromSeeds(page, block);
    if (isBounded || isSeeded) {
      const restLimit = REST_SHARE * leastOverlap(start.bound, sums[page]!);
      while (stop > start.next && rest + weights[stop - 1]! < restLimit) rest += weights[--stop]!;
    }
    for (let i = start.next; i < stop; i++) {
      const feature = features[i]!;
      addPostings(single, block.entries, block.offsets[feature]!, block.offsets[feature + 1]!, weights[i]!);
    }
    this.#offerCandidates(page, block, start.bound, rest, stop < end ? features[stop]! : featureCount);
    single.fill(0, 0, block.pageCount);
  }

  #offerCandidates(page: number, block: PostingBlock, lowest: number, rest: number, firstRest: number): void {
    const { sums } = this.#matrix;
    const { single, picked: candidates } = this.#accumulators;
    const heap = this.#heap;
    const sum = sums[page]!;
    const small = this.#smallPages[Math.floor(block.firstPage / this.#postings.blockPages)]!;
    const least = leastOverlap(lowest, sum, small.below) - rest;
    let count = this.#accumulators.pick(0, block.pageCount, least);
    const leastOfSmall = leastOverlap(lowest, sum) - rest;
    for (const local of small.pages) {
      const partial = single[local]!;
      if (partial < least && partial >= leastOfSmall) candidates[count++] = local;
    }
    const cut = leaderCut(single, candidates, count, SEEDS * heap.capacity, this.#histogram);
    let bound = lowest;
    for (const leading of [true, false]) {
      for (let c = 0; c < count; c++) {
        const local = candidates[c]!;
        const partial = single[local]!;
        if (partial >= cut !== leading) continue;
        const id = block.firstPage + local;
        const sumOfBoth = sum + sums[id]!;
        const most = partial + rest;
        if (most < bound * (sumOfBoth - most) - 1e-6 || id === page) continue;
        const shared = rest === 0 ? partial : partial + this.#overlapWith(id, firstRest);
        const similarity = shared / (sumOfBoth - shared);
        if (similarity < bound) continue;
        heap.offer(similarity, id, shared);
        bound = heap.bound(lowest);
      }
    }
  }

  #seedsPay(page: number, block: PostingBlock): boolean {
    const begin = this.#matrix.offsets[page]!;
    const end = this.#matrix.offsets[page + 1]!;
    let postings = -seedPostings(block);
    for (let i = begin; i < end; i++) postings += this.#postingCount(block, i);
    return postings > SEED_GAIN * SEEDS * this.#heap.capacity * (end - begin);
  }

  /** Adds the rarest features up to `next`; the bound is the K-th best similarity of the pages that lead then. */
  #startFromSeeds(page: number, block: PostingBlock): { bound: number; next: number } {
    const { offsets, features, weights, sums } = this.#matrix;
    const { single, picked: pages } = this.#accumulators;
    const seeds = this.#seeds;
    let budget = seedPostings(block);
    let touched = 0;
    let next = offsets[page]!;
    for (; next < offsets[page + 1]!; next++) {
      budget -= this.#postingCount(block, next);
      if (budget < 0) break;
      const from = block.offsets[features[next]!]!;
      const to = block.offsets[features[next]! + 1]!;
      touched = addPostingsTouched(single, block.entries, from, to, weights[next]!, pages, touched);
    }
    const wanted = SEEDS * seeds.capacity;
    const cut = leaderCut(single, pages, touched, wanted, this.#histogram);
    seeds.clear();
    for (let i = 0, compared = 0; i < touched && compared < wanted; i++) {
      const id = block.firstPage + pages[i]!;
      if (single[pages[i]!]! < cut || id === page) continue;
      const shared = this.#overlapWith(id, 0);
      seeds.offer(shared / (sums[page]! + sums[id]! - shared), id, shared);
      compared++;
    }
    return { bound: seeds.bound(this.#floor), next };
  }

  #postingCount(block: PostingBlock, entry: number): number {
    const feature = this.#matrix.features[entry]!;
    return block.offsets[feature + 1]! - block.offsets[feature]!;
  }

  #overlapWith(id: number, firstFeature: number): number {
    const { offsets, features, weights } = this.#matrix;
    return overlapFrom(this.#weightOf, features, weights, offsets[id]!, offsets[id + 1]!, firstFeature);
  }
}
