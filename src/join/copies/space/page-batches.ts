/**
 * Pairs of pages, to be compared batch by batch: so many that the sketches of their pages fit in memory together. Where all do,
 * a batch is a buffer.
 */
import { NONE } from '../../../lib/columns/indexes.ts';
import type { SketchSource } from '../../../sketch/sketch-source.ts';
import type { SketchTable } from '../../../sketch/sketch-table.ts';

/** Pairs a batch, at most. */
const BATCH_PAIRS = 1 << 17;

/** Equal length throughout. */
export interface MetPairs {
  readonly a: Uint32Array;
  readonly b: Uint32Array;
  /** Keys by which they met. */
  readonly counts: Uint32Array;
}

/** Pages whose sketches are at hand: page i of the table is page pages[i] of the collection, or page i where `pages` is null. */
export interface PagesAtHand {
  readonly table: SketchTable;
  readonly pages: Uint32Array | null;
}

export class PageBatches {
  readonly #source: SketchSource;
  readonly #mostKeys: number;
  /** Pairs by pages of the table. */
  readonly #take: (at: PagesAtHand, pairs: MetPairs) => void;
  readonly #a: Uint32Array;
  readonly #b: Uint32Array;
  readonly #counts: Uint32Array;
  #size = 0;
  /** Of each page, where it is in the batch at hand; not where all sketches are in memory. */
  readonly #places: Uint32Array | null;
  readonly #pages: Uint32Array;
  #pageCount = 0;
  #keyCount = 0;

  constructor(source: SketchSource, mostKeys: number, take: (at: PagesAtHand, pairs: MetPairs) => void) {
    this.#source = source;
    this.#mostKeys = mostKeys;
    this.#take = take;
    const { pageCount } = source;
    const most = Math.max(1, Math.min(BATCH_PAIRS, (pageCount * (pageCount - 1)) / 2));
    this.#a = new Uint32Array(most);
    this.#b = new Uint32Array(most);
    this.#counts = new Uint32Array(most);
    this.#places = source.table === null ? new Uint32Array(source.pageCount).fill(NONE) : null;
    this.#pages = new Uint32Array(source.table === null ? 2 * most : 0);
  }

  add(a: number, b: number, count: number): void {
    if (this.#size === this.#a.length || this.#keyCount > this.#mostKeys) this.flush();
    const at = this.#size++;
    this.#a[at] = a;
    this.#b[at] = b;
    this.#counts[at] = count;
    if (this.#places === null) return;
    this.#need(this.#places, a);
    this.#need(this.#places, b);
  }

  #need(places: Uint32Array, page: number): void {
    if (places[page] !== NONE) return;
    places[page] = 0;
    this.#pages[this.#pageCount++] = page;
    this.#keyCount += this.#source.offsets[page + 1]! - this.#source.offsets[page]!;
  }

  /** Hands out what is left. */
  flush(): void {
    const size = this.#size;
    if (size === 0) return;
    const [a, b] = [this.#a.subarray(0, size), this.#b.subarray(0, size)];
    const counts = this.#counts.subarray(0, size);
    this.#size = 0;
    const places = this.#places;
    if (places === null) {
      this.#take({ table: this.#source.table!, pages: null }, { a, b, counts });
      return;
    }
    const pages = this.#pages.slice(0, this.#pageCount).sort();
    for (const [place, page] of pages.entries()) places[page] = place;
    for (let i = 0; i < size; i++) {
      a[i] = places[a[i]!]!;
      b[i] = places[b[i]!]!;
    }
    for (const page of pages) places[page] = NONE;
    this.#pageCount = 0;
    this.#keyCount = 0;
    this.#take({ table: this.#source.pick(pages), pages }, { a, b, counts });
  }
}
