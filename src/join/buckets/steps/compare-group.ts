/**
 * One group of pages compared all with all, the way a bucket of the local graph is, without the rest of the
 * collection: for engines that bring the pages of a group together and take what is found away.
 *
 *   pages of a group: id, bag, row, bound, known, new
 *     --> rows agree as the lower of both bounds asks (row-filter.ts)
 *     --> one of the two is new, neither knows the other, and this process has not compared them lately
 *     --> exact overlap (weight-table.ts) --> the k nearest of each in its group, at or above its bound
 *
 * A page's k nearest of all are among its k nearest of every group that they share with it, so what a group leaves out
 * is no loss; nor is a pair that was compared in an earlier group, as what it gave was handed out there.
 *
 * Limits  pages of one call are compared in tiles of 512, as in compare-run.ts: those of different tiles do not meet.
 */

import type { Bag } from '../../../features/bag.ts';
import { longer } from '../../../lib/columns/longer.ts';
import { mix32 } from '../../../lib/hash.ts';
import { createKernelMemory } from '../../../lib/wasm.ts';
import { createKernel, ROW_BYTES } from '../../../sketch/page-kernel.ts';
import type { EntrySource } from '../../bags/entry-source.ts';
import { JaccardNearness } from '../../pairs/nearness.ts';
import { TILE_ROWS } from '../space/join-scratch.ts';
import { createHeapArrays, ID_BITS, offer, overlapAtSimilarity } from '../space/neighbor-heaps.ts';
import { agreementNeeded, agreementTable } from '../space/row-filter.ts';
import { WeightTable } from '../space/weight-table.ts';

/** Where the kernel finds rows, thresholds, the list, its tile and its answer. */
const ROWS = 1024;
const NEEDS = ROWS + ROW_BYTES * TILE_ROWS;
const LIST = NEEDS + TILE_ROWS + 64;
const TILE = LIST + 4 * TILE_ROWS;
const OUT = TILE + (ROW_BYTES + 1) * TILE_ROWS + 64;
const END = OUT + 4 * ((TILE_ROWS * TILE_ROWS) / 2 + 16);

/** Pairs remembered as compared. */
const REMEMBERED = 1 << 18;

/** A page as a group sees it. */
export interface GroupPage {
  readonly id: number;
  readonly bag: Bag;
  /** Uint8Array(128), see page-kernel.ts. */
  readonly row: Uint8Array;
  /** Similarity that a neighbor must reach. */
  readonly bound: number;
  /** Pages that it has been compared with. */
  readonly known: ReadonlySet<number>;
  /** Pages that are not new do not meet each other. */
  readonly isNew: boolean;
}

interface GroupOptions {
  /** Neighbors found for a page in one group, at most. 1 .. 255. */
  readonly k: number;
  /** Standard deviations of slack of the row filter, as in nearest-neighbor-graph.ts. */
  readonly slack: number;
  /** One more than the greatest feature. */
  readonly featureCount: number;
}

/** Called with each neighbor that a group gives a page; both ways, where both gain. */
type NeighborFound = (id: number, neighbor: number, shared: number, total: number, nearness: number) => void;

/** Entries of the bags of one tile, one bag after the other. */
class TileEntries implements EntrySource {
  readonly isInMemory = true;
  readonly readCount = 0;
  features = new Uint32Array(1 << 16);
  weights = new Uint8Array(1 << 16);

  locate(from: number): number {
    return from;
  }

  put(at: number, bag: Bag): number {
    const end = at + bag.features.length;
    if (end > this.features.length) {
      this.features = longer(this.features, 2 * end);
      this.weights = longer(this.weights, 2 * end);
    }
    this.features.set(bag.features, at);
    this.weights.set(bag.weights, at);
    return end;
  }
}

/** Keeps its memory from group to group. */
export class GroupComparison {
  /** Pairs of bags compared. */
  comparedCount = 0;
  readonly #k: number;
  readonly #agreements: Uint8Array;
  readonly #memory = createKernelMemory(END);
  readonly #kernel = createKernel(this.#memory);
  readonly #bytes = new Uint8Array(this.#memory.buffer);
  readonly #words = new Uint32Array(this.#memory.buffer);
  readonly #entries = new TileEntries();
  readonly #bags;
  readonly #table: WeightTable;
  readonly #heaps;
  readonly #pair = new JaccardNearness();
  readonly #compared = new Float64Array(2 * REMEMBERED);

  constructor({ k, slack, featureCount }: GroupOptions) {
    this.#k = k;
    this.#agreements = agreementTable(slack);
    this.#bags = {
      starts: new Float64Array(TILE_ROWS + 1),
      ends: new Float64Array(TILE_ROWS + 1),
      sums: new Uint16Array(TILE_ROWS + 1),
      featureCount,
    };
    this.#table = new WeightTable(this.#bags, this.#entries);
    this.#heaps = createHeapArrays(TILE_ROWS, k);
    const list = LIST >>> 2;
    for (let i = 0; i < TILE_ROWS; i++) this.#words[list + i] = i;
  }

  /** Shape  pages ascend by id. */
  compare(pages: readonly GroupPage[], found: NeighborFound): void {
    const tiles = Math.ceil(pages.length / TILE_ROWS);
    for (let tile = 0; tile < tiles; tile++) {
      const from = Math.floor((pages.length * tile) / tiles);
      const to = Math.floor((pages.length * (tile + 1)) / tiles);
      if (to - from > 1) this.#compareTile(pages.slice(from, to), found);
    }
  }

  #compareTile(pages: readonly GroupPage[], found: NeighborFound): void {
    this.#fill(pages);
    const { sums } = this.#bags;
    const count = this.#kernel.rowPairs(LIST, pages.length, 0, ROWS, NEEDS, TILE, OUT);
    for (let at = 0; at < count; at++) {
      const pair = this.#words[(OUT >>> 2) + at]!;
      const [i, j] = [pair >>> 16, pair & 0xffff];
      const [a, b] = [pages[i]!, pages[j]!];
      if (!a.isNew && !b.isNew) continue;
      if (a.known.has(b.id) || b.known.has(a.id) || this.#isRemembered(a.id, b.id)) continue;
      this.#table.load(i);
      const shared = this.#table.overlap(j);
      this.comparedCount++;
      if (shared <= 0) continue;
      const similarity = shared / (sums[i]! + sums[j]! - shared);
      if (similarity >= a.bound) offer(this.#heaps, i, j, similarity);
      if (similarity >= b.bound) offer(this.#heaps, j, i, similarity);
    }
    this.#handOut(pages, found);
  }

  /** Puts the pages of a tile where the kernel and the table read them. */
  #fill(pages: readonly GroupPage[]): void {
    const { starts, ends, sums } = this.#bags;
    // An empty bag: the table gives up the page of the tile before, whose place another takes.
    this.#table.load(TILE_ROWS);
    let at = 0;
    for (const [i, { bag, row, bound }] of pages.entries()) {
      starts[i] = at;
      ends[i] = at = this.#entries.put(at, bag);
      sums[i] = bag.weights.reduce((sum, weight) => sum + weight, 0);
      this.#bytes.set(row, ROWS + ROW_BYTES * i);
      this.#bytes[NEEDS + i] = agreementNeeded(this.#agreements, bound);
    }
    this.#heaps.counts.fill(0);
  }

  #handOut(pages: readonly GroupPage[], found: NeighborFound): void {
    const { counts, ids, similarities } = this.#heaps;
    const { sums } = this.#bags;
    for (let i = 0; i < pages.length; i++) {
      if (counts[i] === 0) continue;
      this.#pair.take(pages[i]!.bag);
      for (let slot = i * this.#k, end = slot + counts[i]!; slot < end; slot++) {
        const j = ids[slot]! & ID_BITS;
        const sumOfBoth = sums[i]! + sums[j]!;
        const shared = overlapAtSimilarity(similarities[slot]!, sumOfBoth);
        const total = sumOfBoth - shared;
        const nearness = this.#pair.of(pages[j]!.bag, shared / total);
        found(pages[i]!.id, pages[j]!.id, shared, total, nearness);
      }
    }
  }

  /** Whether the pair stands where it is remembered; if not, it does from now on. */
  #isRemembered(a: number, b: number): boolean {
    const compared = this.#compared;
    const slot = 2 * (mix32(mix32(a) ^ b) & (REMEMBERED - 1));
    // Zero is an empty place: page 0 is never the greater of two.
    if (compared[slot] === a && compared[slot + 1] === b) return true;
    compared[slot] = a;
    compared[slot + 1] = b;
    return false;
  }
}
