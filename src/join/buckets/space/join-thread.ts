import { createKernel, type PageKernel } from '../../../sketch/page-kernel.ts';
import { EntriesInMemory, type EntrySource } from '../../bags/entry-source.ts';
import { SCRATCH, SCRATCH_BYTES } from './join-scratch.ts';
import { type JoinSpace, TALLIES } from './join-space.ts';
import { agreementTable } from './row-filter.ts';
import { WeightTable } from './weight-table.ts';

/** Tallies of one thread in JoinSpace.tallies. */
export const ROWS_COMPARED = 0;
export const BAGS_COMPARED = 1;

/** One thread's own tools over a shared space. */
export class JoinThread {
  readonly space: JoinSpace;
  readonly index: number;
  readonly kernel: PageKernel;
  readonly entries: EntrySource;
  readonly table: WeightTable;
  /** Agreement asked for by similarity, see row-filter.ts. */
  agreements: Uint8Array;
  /** Views of the whole kernel memory. */
  readonly bytes: Uint8Array;
  readonly words: Uint32Array;
  readonly #base: number;
  #keys = new Uint32Array(0);
  #pages = new Uint32Array(0);

  /** `entries` where the space has none. */
  constructor(space: JoinSpace, index: number, entries: EntrySource | null = null) {
    this.space = space;
    this.index = index;
    this.kernel = createKernel(space.memory);
    if (space.entries !== null) this.entries = new EntriesInMemory(space.entries);
    else if (entries !== null) this.entries = entries;
    else throw new TypeError('a thread has no entries to read');
    this.table = new WeightTable(space.bags, this.entries);
    this.agreements = agreementTable(space.slack);
    this.bytes = new Uint8Array(space.memory.buffer);
    this.words = new Uint32Array(space.memory.buffer);
    this.#base = space.scratch + SCRATCH_BYTES * index;
  }

  /** Byte position of a part of this thread's scratch. */
  at(part: keyof typeof SCRATCH): number {
    return this.#base + SCRATCH[part];
  }

  count(tally: number, amount: number): void {
    this.space.tallies[this.index * TALLIES + tally]! += amount;
  }

  /** Room for `size` keys and pages, kept between calls; the contents are those of the last caller. */
  sortRoom(size: number): { readonly keys: Uint32Array; readonly pages: Uint32Array } {
    if (this.#keys.length < size) {
      this.#keys = new Uint32Array(Math.ceil(size * 1.25));
      this.#pages = new Uint32Array(Math.ceil(size * 1.25));
    }
    return { keys: this.#keys, pages: this.#pages };
  }
}
