/** Which of the pages that wait have a feature: posting lists that grow and shrink, of a relation of bags. */
import type { Bag } from '../../../../features/bag.ts';
import { longer } from '../../../../lib/columns/longer.ts';
import { NumberLists } from '../../../../lib/keys/number-lists.ts';

/** Of 24 bits. */
const PLACE_MASK = 0xffffff;

/** Which pages are looked for. */
interface Nearness {
  /** The least similarity of a relation. */
  readonly floor: number;
  /** From which on a page is wanted for the one that asks; those that have that one in their own lists are wanted besides. */
  readonly least: number;
}

export class BagPostings {
  /** Of each feature `place | weight << 24`, in any order. */
  readonly #postings = new NumberLists();
  /** By place: of the bag, the least similarity in the list of the page, and zeros between two questions. */
  #sums = new Uint16Array(64);
  #leasts = new Float64Array(64);
  #overlaps = new Uint16Array(64);

  /** @param least the similarity from which on another page stands in the list of this one. */
  add(place: number, { features, weights, sum }: Bag, least: number): void {
    if (place >= this.#sums.length) this.#grow(2 * place);
    this.#sums[place] = sum;
    this.#leasts[place] = least;
    for (let i = 0; i < features.length; i++) {
      this.#postings.add(features[i]!, place | (weights[i]! << 24));
    }
  }

  #grow(places: number): void {
    this.#sums = longer(this.#sums, places);
    this.#leasts = longer(this.#leasts, places);
    this.#overlaps = new Uint16Array(places);
  }

  /** What `add` was given of the place. */
  remove(place: number, { features, weights }: Bag): void {
    for (let i = 0; i < features.length; i++) {
      this.#postings.remove(features[i]!, place | (weights[i]! << 24));
    }
  }

  /** Calls `visit` with the places that are near a bag, ascending, and their similarity as a fraction. */
  meet(
    { features, weights, sum }: Bag,
    { floor, least }: Nearness,
    visit: (place: number, shared: number, total: number) => void,
  ): void {
    const overlaps = this.#overlaps;
    const postings = this.#postings;
    const { pool } = postings;
    let last = -1;
    for (let i = 0; i < features.length; i++) {
      const list = postings.find(features[i]!);
      if (list < 0) continue;
      last = Math.max(
        last,
        addEntries(overlaps, pool, postings.start(list), postings.end(list), weights[i]!),
      );
    }
    for (let place = 0; place <= last; place++) {
      const shared = overlaps[place]!;
      if (shared === 0) continue;
      overlaps[place] = 0;
      const total = sum + this.#sums[place]! - shared;
      const similarity = shared / total;
      if (similarity >= floor && (similarity >= least || similarity >= this.#leasts[place]!))
        visit(place, shared, total);
    }
  }

  /** From how near on another page stands in the list of a place that was added, from now on. */
  raise(place: number, least: number): void {
    this.#leasts[place] = least;
  }

  /** The least similarity in the list of a place. */
  leastAt(place: number): number {
    return this.#leasts[place]!;
  }
}

/** Adds the overlaps with a weight, without branches as `join/exact/overlap-kernel.ts` does; gives the last place. */
function addEntries(
  overlaps: Uint16Array,
  pool: Uint32Array,
  from: number,
  to: number,
  weight: number,
): number {
  let last = -1;
  for (let i = from; i < to; i++) {
    const entry = pool[i]!;
    const place = entry & PLACE_MASK;
    const difference = ((entry >>> 24) - weight) | 0;
    overlaps[place]! += weight + (difference & (difference >> 31));
    if (place > last) last = place;
  }
  return last;
}
