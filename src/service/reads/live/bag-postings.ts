/** Which of the pages that wait have a feature: posting lists that grow and shrink, of a relation of bags. */
import type { Bag } from '../../../features/bag.ts';

interface Posting {
  /** `place | weight << 24`, in any order. */
  entries: Uint32Array;
  count: number;
}

const FIRST_ROOM = 4;
/** Of 24 bits. */
const PLACE_MASK = 0xffffff;

export class BagPostings {
  readonly #postings = new Map<number, Posting>();
  #overlaps = new Uint16Array(64);

  add(place: number, { features, weights }: Bag): void {
    for (let i = 0; i < features.length; i++) {
      const entry = (place | (weights[i]! << 24)) >>> 0;
      const posting = this.#postings.get(features[i]!);
      if (posting === undefined) {
        const entries = new Uint32Array(FIRST_ROOM);
        entries[0] = entry;
        this.#postings.set(features[i]!, { entries, count: 1 });
        continue;
      }
      if (posting.count === posting.entries.length) {
        const larger = new Uint32Array(2 * posting.count);
        larger.set(posting.entries);
        posting.entries = larger;
      }
      posting.entries[posting.count++] = entry;
    }
    if (place >= this.#overlaps.length) this.#overlaps = new Uint16Array(2 * (place + 1));
  }

  /** What `add` was given of the place. */
  remove(place: number, { features, weights }: Bag): void {
    for (let i = 0; i < features.length; i++) {
      const posting = this.#postings.get(features[i]!)!;
      const at = posting.entries.indexOf((place | (weights[i]! << 24)) >>> 0);
      posting.entries[at] = posting.entries[--posting.count]!;
      if (posting.count === 0) this.#postings.delete(features[i]!);
    }
  }

  /** Calls `meet` with each place that shares a feature with a bag, ascending, and their overlap. */
  meet({ features, weights }: Bag, meet: (place: number, overlap: number) => void): void {
    const overlaps = this.#overlaps;
    let last = -1;
    for (let i = 0; i < features.length; i++) {
      const posting = this.#postings.get(features[i]!);
      if (posting === undefined) continue;
      const { entries, count } = posting;
      const weight = weights[i]!;
      for (let at = 0; at < count; at++) {
        const entry = entries[at]!;
        const place = entry & PLACE_MASK;
        overlaps[place]! += Math.min(weight, entry >>> 24);
        if (place > last) last = place;
      }
    }
    for (let place = 0; place <= last; place++) {
      const overlap = overlaps[place]!;
      if (overlap === 0) continue;
      overlaps[place] = 0;
      meet(place, overlap);
    }
  }
}
