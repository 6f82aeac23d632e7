/**
 * Counts of pages by part, kept so that they can be weighed in one way after the other: the bags are those that an index
 * of the same counts would hold, rounding included.
 *
 * Memory  20 bytes for each feature of each page.
 */
import { NumberColumn } from '../lib/number-column.ts';
import { Uint32List } from '../lib/uint32-list.ts';
import type { BagMatrix } from './bag.ts';
import type { BagRecipe } from './document-bag.ts';
import type { Part } from './parts.ts';
import { roundWeights, weighingOf, weighPart } from './weigh.ts';

/** The features of one part of one page: the first `length` of each column, ids ascending. */
interface CountedPart {
  readonly ids: Uint32Array;
  readonly tfs: Float64Array;
  readonly pageCounts: Uint32Array;
  readonly hashes: Uint32Array;
  readonly length: number;
}

interface Columns extends Record<'ids' | 'pageCounts' | 'hashes' | 'ends', Uint32Array> {
  readonly tfs: Float64Array;
}

export class CountedPages {
  readonly parts: readonly Part[];
  /** Of each part the pages of the collection that have it: the N of its idf. */
  readonly partPageCounts: readonly number[];
  readonly #featureCount: number;
  readonly #ids = new Uint32List();
  readonly #tfs = new NumberColumn(Float64Array, 0);
  readonly #pageCounts = new Uint32List();
  readonly #hashes = new Uint32List();
  /** Where each part of each page ends. */
  readonly #ends = new Uint32List();

  #made: Columns | null = null;

  constructor(parts: readonly Part[], partPageCounts: readonly number[], featureCount: number) {
    this.parts = parts;
    this.partPageCounts = partPageCounts;
    this.#featureCount = featureCount;
  }

  get pageCount(): number {
    return this.#ends.length / this.parts.length;
  }

  /** The next part of the next page: all parts of a page, in order, then those of the page behind it. */
  add({ ids, tfs, pageCounts, hashes, length }: CountedPart): void {
    for (let i = 0; i < length; i++) {
      this.#tfs.set(this.#ids.length, tfs[i]!);
      this.#ids.push(ids[i]!);
      this.#pageCounts.push(pageCounts[i]!);
      this.#hashes.push(hashes[i]!);
    }
    this.#ends.push(this.#ids.length);
  }

  /** The bags of all pages, in the order in which they came. */
  bags(recipe: BagRecipe): BagMatrix {
    const { pageCount } = this;
    const { ids, tfs, pageCounts, hashes, ends } = this.#columns();
    const rounded = new Uint8Array(ids.length);
    const reals = new Float64Array(this.#longestPart(ends));
    for (let row = 0, from = 0; row < ends.length; from = ends[row++]!) {
      const to = ends[row]!;
      const part = row % this.parts.length;
      const share = recipe.parts[this.parts[part]!] ?? 0;
      if (share === 0 || from === to) continue;
      const total = this.partPageCounts[part]!;
      weighPart(
        tfs.subarray(from, to),
        pageCounts.subarray(from, to),
        to - from,
        total,
        weighingOf(this.parts[part]!, recipe),
        share * recipe.total,
        reals,
      );
      roundWeights(reals, hashes.subarray(from, to), rounded.subarray(from, to), to - from);
    }
    const features = new Uint32List();
    const weights = new Uint32List();
    const offsets = new Float64Array(pageCount + 1);
    const sums = new Uint16Array(pageCount);
    for (let page = 0; page < pageCount; page++) {
      const first = page * this.parts.length;
      const entries: number[] = [];
      for (let i = first === 0 ? 0 : ends[first - 1]!; i < ends[first + this.parts.length - 1]!; i++) {
        if (rounded[i]! > 0) entries.push(ids[i]! * 256 + rounded[i]!);
      }
      for (const entry of Float64Array.from(entries).sort()) {
        features.push(Math.floor(entry / 256));
        weights.push(entry % 256);
        sums[page]! += entry % 256;
      }
      offsets[page + 1] = features.length;
    }
    return {
      offsets,
      features: features.toArray(),
      weights: Uint8Array.from(weights.toArray()),
      sums,
      featureCount: this.#featureCount,
    };
  }

  /** As they are; made once, as the same pages are weighed many times. */
  #columns(): Columns {
    if (this.#made?.ends.length !== this.#ends.length) {
      this.#made = {
        ids: this.#ids.toArray(),
        tfs: this.#tfs.first(this.#ids.length),
        pageCounts: this.#pageCounts.toArray(),
        hashes: this.#hashes.toArray(),
        ends: this.#ends.toArray(),
      };
    }
    return this.#made;
  }

  #longestPart(ends: Uint32Array): number {
    return ends.reduce((most, end, row) => Math.max(most, end - (row === 0 ? 0 : ends[row - 1]!)), 0);
  }
}
