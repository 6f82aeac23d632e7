/**
 * Counts of pages by part, kept so that they can be weighed in one way after the other: the bags are those that an index
 * of the same counts would hold, rounding included.
 *
 * Memory  20 bytes for each feature of each page, which threads share.
 */
import { NumberColumn } from '../lib/columns/number-column.ts';
import { Uint32List } from '../lib/columns/uint32-list.ts';
import type { BagMatrix } from './bag.ts';
import type { Part } from './parts.ts';
import { type BagRecipe, ofLinksAlone, roundWeights, weighPart } from './weigh.ts';

/** The features of one part of one page: the first `length` of each column, ids ascending. */
interface CountedPart {
  readonly ids: Uint32Array;
  readonly tfs: Float64Array;
  readonly pageCounts: Uint32Array;
  readonly hashes: Uint32Array;
  readonly length: number;
}

/** What `CountedPages` has taken in; its arrays may be shared among threads. */
export interface Counted extends Omit<CountedPart, 'length'> {
  readonly parts: readonly Part[];
  /** Of each part the pages of the collection that have it: the N of its idf. */
  readonly partPageCounts: readonly number[];
  readonly featureCount: number;
  /** Where each part of each page ends. */
  readonly ends: Uint32Array;
}

/** Takes pages in, one after the other. */
export class CountedPages {
  readonly #about: Pick<Counted, 'parts' | 'partPageCounts' | 'featureCount'>;
  readonly #ids = new Uint32List();
  readonly #tfs = new NumberColumn(Float64Array, 0);
  readonly #pageCounts = new Uint32List();
  readonly #hashes = new Uint32List();
  readonly #ends = new Uint32List();

  constructor(about: Pick<Counted, 'parts' | 'partPageCounts' | 'featureCount'>) {
    this.#about = about;
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

  /** All of them, for threads to share. */
  counted(): Counted {
    const tfs = this.#tfs.first(this.#ids.length);
    const sharedTfs = new Float64Array(new SharedArrayBuffer(tfs.byteLength));
    sharedTfs.set(tfs);
    return {
      ...this.#about,
      ids: shared(this.#ids),
      tfs: sharedTfs,
      pageCounts: shared(this.#pageCounts),
      hashes: shared(this.#hashes),
      ends: shared(this.#ends),
    };
  }
}

function shared(list: Uint32List): Uint32Array {
  const items = new Uint32Array(new SharedArrayBuffer(4 * list.length));
  items.set(list.toArray());
  return items;
}

/** The bags of all pages, in the order in which they came. */
export function bagsOf(counted: Counted, recipe: BagRecipe): BagMatrix {
  const { parts, ends, ids } = counted;
  const pageCount = ends.length / parts.length;
  const rounded = weighAll(counted, recipe);
  const features = new Uint32List();
  const weights = new Uint32List();
  const offsets = new Float64Array(pageCount + 1);
  const sums = new Uint16Array(pageCount);
  for (let page = 0; page < pageCount; page++) {
    const first = page * parts.length;
    const entries: number[] = [];
    for (let i = first === 0 ? 0 : ends[first - 1]!; i < ends[first + parts.length - 1]!; i++) {
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
    featureCount: counted.featureCount,
  };
}

/** The rounded weight of each count; 0 in parts without a share. */
function weighAll(counted: Counted, recipe: BagRecipe): Uint8Array {
  const { parts, partPageCounts, ids, tfs, pageCounts, hashes, ends } = counted;
  const rounded = new Uint8Array(ids.length);
  const longest = ends.reduce((most, end, row) => Math.max(most, end - (row === 0 ? 0 : ends[row - 1]!)), 0);
  const reals = new Float64Array(longest);
  const unread = ofLinksAlone(recipe);
  let used = unread;
  for (let row = 0, from = 0; row < ends.length; from = ends[row++]!) {
    const to = ends[row]!;
    const part = row % parts.length;
    if (part === 0) used = unread;
    if (parts[part] === 'content' && to > from) used = recipe;
    const name = parts[part]!;
    if ((recipe.parts[name] ?? 0) === 0 || from === to) continue;
    const length = to - from;
    weighPart(
      name,
      used,
      partPageCounts[part]!,
      tfs.subarray(from, to),
      pageCounts.subarray(from, to),
      length,
      reals,
    );
    roundWeights(reals, hashes.subarray(from, to), rounded.subarray(from, to), length);
  }
  return rounded;
}
