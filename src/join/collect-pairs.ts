/**
 * What the threshold join does with a run: every pair that passes the row filter is compared exactly once
 * (mostly), and kept from the threshold up.
 *
 * A run full of pairs is not split further but compared whole, tile by tile: splitting a crowd of true pairs
 * loses them [CPSJoin's rule]. On a real crawl that is the difference between recall .65 and .97.
 */

import { mix32 } from '../lib/hash.ts';
import { Uint32List } from '../lib/uint32-list.ts';
import { TILE_ROWS } from './join-scratch.ts';
import { BAGS_COMPARED, type JoinThread, ROWS_COMPARED } from './join-thread.ts';
import { find, overlapOf } from './neighbour-heaps.ts';
import type { RunVisitor } from './split-buckets.ts';

/** Pages drawn of a run to see how full it is, and the share of their pairs that makes it full. */
const DENSITY_PAGES = 24;
const FULL_SHARE = 0.2;
/** Larger runs are split whatever they hold, but for the last level. */
const FULL_LIMIT = 8000;
/** Slots of the cache of compared pairs for a page, and at most: 128 MB. */
const CACHE_SHARE = 512;
const MOST_CACHE_SLOTS = 2 ** 24;

/** Pairs a < b of a thread, in no order, perhaps repeated. */
export interface FoundPairs {
  readonly a: Uint32Array;
  readonly b: Uint32Array;
  readonly shared: Uint32Array;
}

function cacheSlots(pageCount: number): number {
  return Math.min(MOST_CACHE_SLOTS, 2 ** Math.ceil(Math.log2(CACHE_SHARE * pageCount + 1)));
}

/** Of the pairs that a thread remembers to have compared. */
export function pairCacheBytes(pageCount: number): number {
  return 8 * cacheSlots(pageCount);
}

export class PairCollector implements RunVisitor {
  readonly #thread: JoinThread;
  readonly #cacheSlots: number;
  #a = new Uint32List();
  #b = new Uint32List();
  #shared = new Uint32List();
  /** The pair last compared in each slot: exact, so a hit is never wrong. */
  #cache: Uint32Array | null = null;
  #sampleIndex: Int32Array | null = null;

  constructor(thread: JoinThread) {
    this.#thread = thread;
    this.#cacheSlots = cacheSlots(thread.space.bags.sums.length);
  }

  isFull(pages: Uint32Array, from: number, to: number): boolean {
    if (to - from > FULL_LIMIT) return false;
    const { kernel, space, words } = this.#thread;
    const list = this.#thread.at('list');
    for (let i = 0; i < DENSITY_PAGES; i++) {
      words[(list >>> 2) + i] = pages[from + Math.floor(((to - from) * i) / DENSITY_PAGES)]!;
    }
    const { rows, needs } = space;
    const tile = this.#thread.at('tile');
    const count = kernel.rowPairs(list, DENSITY_PAGES, 0, rows, needs, tile, this.#thread.at('out'));
    return count >= (FULL_SHARE * DENSITY_PAGES * (DENSITY_PAGES - 1)) / 2;
  }

  visit(pages: Uint32Array, from: number, to: number): void {
    const half = TILE_ROWS / 2;
    const list = this.#thread.at('list') >>> 2;
    for (let left = from; left < to; left += half) {
      const leftEnd = Math.min(to, left + half);
      this.#thread.words.set(pages.subarray(left, leftEnd), list);
      this.#compare(leftEnd - left, 0);
      for (let right = leftEnd; right < to; right += half) {
        const rightEnd = Math.min(to, right + half);
        this.#thread.words.set(pages.subarray(right, rightEnd), list + leftEnd - left);
        this.#compare(leftEnd - left + rightEnd - right, leftEnd - left);
      }
    }
  }

  /** Hands over what was found since the last call. */
  take(): FoundPairs {
    const found = { a: this.#a.toArray(), b: this.#b.toArray(), shared: this.#shared.toArray() };
    this.#a = new Uint32List();
    this.#b = new Uint32List();
    this.#shared = new Uint32List();
    return found;
  }

  /** Compares the rows in the list, all with all or, with split > 0, those before it with the others. */
  #compare(size: number, split: number): void {
    const { kernel, space, words, table } = this.#thread;
    const { sums } = space.bags;
    const list = this.#thread.at('list');
    const out = this.#thread.at('out') >>> 2;
    const tile = this.#thread.at('tile');
    const count = kernel.rowPairs(list, size, split, space.rows, space.needs, tile, out * 4);
    let compared = 0;
    for (let i = 0; i < count; i++) {
      const pair = words[out + i]!;
      const left = words[(list >>> 2) + (pair >>> 16)]!;
      const right = words[(list >>> 2) + (pair & 0xffff)]!;
      if (!this.#isNew(left, right)) continue;
      compared++;
      table.load(left);
      const shared = table.overlap(right);
      const total = sums[left]! + sums[right]! - shared;
      if (shared / total >= space.floor)
        this.#keep(Math.min(left, right), Math.max(left, right), shared, total);
    }
    this.#thread.count(ROWS_COMPARED, split ? split * (size - split) : (size * (size - 1)) / 2);
    this.#thread.count(BAGS_COMPARED, compared);
  }

  #isNew(left: number, right: number): boolean {
    const cache = (this.#cache ??= new Uint32Array(2 * this.#cacheSlots));
    const a = left < right ? left : right;
    const b = left < right ? right : left;
    const slot = 2 * (mix32(a ^ Math.imul(b, 0x9e3779b1)) & (this.#cacheSlots - 1));
    if (cache[slot] === a && cache[slot + 1] === b) return false;
    cache[slot] = a;
    cache[slot + 1] = b;
    return true;
  }

  #keep(a: number, b: number, shared: number, total: number): void {
    this.#a.push(a);
    this.#b.push(b);
    this.#shared.push(shared);
    const index = (this.#sampleIndex ??= this.#indexSample());
    for (const [page, other] of [
      [a, b],
      [b, a],
    ] as const) {
      if (index[page]! < 0) continue;
      const { heaps, found } = this.#thread.space.sample;
      const slot = find(heaps, index[page]!, other);
      if (slot >= 0 && overlapOf(heaps.similarities[slot]!, total + shared) === shared) found[slot] = 1;
    }
  }

  #indexSample(): Int32Array {
    const { bags, sample } = this.#thread.space;
    const index = new Int32Array(bags.sums.length).fill(-1);
    for (const [s, page] of sample.pages.entries()) index[page] = s;
    return index;
  }
}
