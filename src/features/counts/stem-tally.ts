/**
 * Counts of stems, one set after the other in arrays that grow and are reused: a mark on each stem says in which
 * set it was met last, so that no set costs more than its words.
 */
import { longer } from '../../lib/columns/longer.ts';
import { type Analyzer, STOP_WORD } from './analyzer.ts';

/** A bag of stems in the order of their first uses; valid until the tally starts again. */
export class StemCounts {
  /** All that were counted; the places of its own are from .. to - 1. */
  readonly tally: StemTally;
  readonly from: number;
  readonly to: number;

  constructor(tally: StemTally, from: number, to: number) {
    this.tally = tally;
    this.from = from;
    this.to = to;
  }

  get size(): number {
    return this.to - this.from;
  }

  /** The stem at a place of it. */
  stem(place: number): string {
    return this.tally.stem(this.from + place);
  }

  /** `key53` of each stem. */
  get keys(): Float64Array {
    return this.tally.keys.subarray(this.from, this.to);
  }

  /** How often each stem was met. */
  get tfs(): Uint32Array {
    return this.tally.tfs.subarray(this.from, this.to);
  }

  /** Of each stem, the place of its first word among those that were counted. */
  get firsts(): Uint32Array {
    return this.tally.firsts.subarray(this.from, this.to);
  }

  /** The same by the stems themselves. */
  toMap(): Map<string, number> {
    const counts = new Map<string, number>();
    for (let i = this.from; i < this.to; i++) counts.set(this.tally.stem(i), this.tally.tfs[i]!);
    return counts;
  }
}

const MAX_BASE = 2 ** 31;

export class StemTally {
  keys = new Float64Array(4096);
  tfs = new Uint32Array(4096);
  firsts = new Uint32Array(4096);
  #stems = new Uint32Array(4096);
  #length = 0;
  #analyzer: Analyzer | undefined;
  /** Counted in all earlier pages, so that what `#places` holds of them lies below. */
  #base = 1;
  /** Of each stem, where it was counted last: its place, and `#base` at the time. */
  #places = new Uint32Array(4096);

  /** Makes void what was counted before. */
  begin(analyzer: Analyzer): void {
    this.#analyzer = analyzer;
    this.#base += this.#length;
    this.#length = 0;
    if (this.#base < MAX_BASE) return;
    this.#base = 1;
    this.#places.fill(0);
  }

  stem(place: number): string {
    return this.#analyzer!.stem(this.#stems[place]!);
  }

  /** Where a stem was counted last, from the first of that set on. */
  placeIn(set: StemCounts, stem: number): number {
    return this.#places[stem]! - this.#base - set.from;
  }

  /** The set of stems[from] .. stems[to - 1], stop words left out. */
  count(stems: Int32Array, from: number, to: number): StemCounts {
    const analyzer = this.#analyzer!;
    const first = this.#length;
    this.#grow(first + to - from, analyzer.stemCount);
    const { keys, tfs, firsts } = this;
    const base = this.#base;
    const places = this.#places;
    const counted = this.#stems;
    let length = first;
    for (let i = from; i < to; i++) {
      const stem = stems[i]!;
      if (stem === STOP_WORD) continue;
      const place = places[stem]! - base;
      if (place >= first) {
        tfs[place]!++;
        continue;
      }
      places[stem] = base + length;
      counted[length] = stem;
      firsts[length] = i;
      keys[length] = analyzer.key(stem);
      tfs[length++] = 1;
    }
    this.#length = length;
    return new StemCounts(this, first, length);
  }

  #grow(length: number, stemCount: number): void {
    if (stemCount > this.#places.length) this.#places = longer(this.#places, 2 * stemCount);
    if (length <= this.tfs.length) return;
    this.keys = longer(this.keys, 2 * length);
    this.tfs = longer(this.tfs, 2 * length);
    this.firsts = longer(this.firsts, 2 * length);
    this.#stems = longer(this.#stems, 2 * length);
  }
}
