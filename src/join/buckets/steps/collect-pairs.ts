/**
 * What the threshold join does with a run: every pair that passes the row filter is compared exactly once
 * (mostly), and kept from the threshold up.
 *
 * A run full of pairs is not split further but compared whole, tile by tile: splitting a crowd of true pairs
 * loses them [CPSJoin's rule]. On a real crawl that is the difference between recall .65 and .97.
 */

import { mix32 } from '../../../lib/hash.ts';
import { PairLog } from '../../pairs/pair-log.ts';
import { PAGE_SPAN, type PairRun, type RunStore } from '../../pairs/pair-runs.ts';
import { TILE_ROWS } from '../space/join-scratch.ts';
import { BAGS_COMPARED, type JoinThread, ROWS_COMPARED } from '../space/join-thread.ts';
import { find } from '../space/neighbor-heaps.ts';
import type { RunVisitor } from './split-buckets.ts';

/** Pages drawn of a run to see how full it is, and the share of their pairs that makes it full. */
const DENSITY_PAGES = 24;
const FULL_SHARE = 0.2;
/** Larger runs are split whatever they hold, except at the last level. */
const FULL_LIMIT = 8000;
/** Bags fetched before they are compared. */
const FETCHED_PAIRS = 32;
const GOLDEN = 0x9e3779b1;

export class PairCollector implements RunVisitor {
  readonly #thread: JoinThread;
  readonly #log: PairLog;
  #sampleIndex: Int32Array | null = null;
  #fetched = 0;

  constructor(thread: JoinThread, store: RunStore | null) {
    this.#thread = thread;
    this.#log = new PairLog(thread.space.bags.sums.length, store);
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
  take(): PairRun[] {
    return this.#log.take();
  }

  /** Compares the rows in the list, all with all or, with split > 0, those before it with the others. */
  #compare(size: number, split: number): void {
    const { kernel, space, words, table } = this.#thread;
    const { sums } = space.bags;
    const list = this.#thread.at('list') >>> 2;
    const out = this.#thread.at('out') >>> 2;
    const tile = this.#thread.at('tile');
    const count = kernel.rowPairs(list * 4, size, split, space.rows, space.needs, tile, out * 4);
    // Looked up all at once: each look-up waits for memory, and waits for no other.
    let fresh = 0;
    for (let i = 0; i < count; i++) {
      const pair = words[out + i]!;
      words[out + fresh] = pair;
      if (this.#isNew(words[list + (pair >>> 16)]!, words[list + (pair & 0xffff)]!)) fresh++;
    }
    for (let from = 0; from < fresh; from += FETCHED_PAIRS) {
      const to = Math.min(fresh, from + FETCHED_PAIRS);
      for (let i = from; i < to; i++) this.#fetched += table.fetch(words[list + (words[out + i]! & 0xffff)]!);
      for (let i = from; i < to; i++) {
        const pair = words[out + i]!;
        const left = words[list + (pair >>> 16)]!;
        const right = words[list + (pair & 0xffff)]!;
        table.load(left);
        const shared = table.overlap(right);
        const total = sums[left]! + sums[right]! - shared;
        if (shared / total >= space.floor) this.#keep(Math.min(left, right), Math.max(left, right), shared);
      }
    }
    this.#thread.count(ROWS_COMPARED, split ? split * (size - split) : (size * (size - 1)) / 2);
    this.#thread.count(BAGS_COMPARED, fresh);
  }

  /**
   * Whether the pair is not the last that any thread compared in its slot. A slot is one 8-byte number, stored and
   * loaded whole, so threads need no lock: one that comes too late compares a pair again.
   */
  #isNew(left: number, right: number): boolean {
    const { compared } = this.#thread.space;
    const a = left < right ? left : right;
    const b = left < right ? right : left;
    const slot = mix32(a ^ Math.imul(b, GOLDEN)) & (compared.length - 1);
    const pair = a * PAGE_SPAN + b;
    if (compared[slot] === pair) return false;
    compared[slot] = pair;
    return true;
  }

  #keep(a: number, b: number, shared: number): void {
    this.#log.push(a, b, shared);
    const index = (this.#sampleIndex ??= this.#indexSample());
    for (const [page, other] of [
      [a, b],
      [b, a],
    ] as const) {
      if (index[page]! < 0) continue;
      const { heaps, found } = this.#thread.space.sample;
      const slot = find(heaps, index[page]!, other);
      if (slot >= 0) found[slot] = 1;
    }
  }

  #indexSample(): Int32Array {
    const { bags, sample } = this.#thread.space;
    const index = new Int32Array(bags.sums.length).fill(-1);
    for (const [s, page] of sample.pages.entries()) index[page] = s;
    return index;
  }
}
