/**
 * How often keys come, as often as they do at least: counted by a hash of each, so that what comes too seldom for a purpose is
 * known before it is sorted or kept. Most keys of a collection stand in one page alone.
 *
 * Memory  2 to 4 bytes for each of the `keyCount` keys, 4 MiB at most: a count that leaves the cache costs as much as a sort.
 */
const HASH = 0x9e3779b1;
const LEAST_BITS = 10;
const MOST_BITS = 22;

/** Counts go up to here. */
const MOST_COUNTED = 127;
const MARK = 128;

export class KeyCounts {
  readonly #counts: Uint8Array;
  readonly #shift: number;

  constructor(keyCount: number) {
    const bits = Math.min(MOST_BITS, Math.max(LEAST_BITS, 33 - Math.clz32(keyCount)));
    this.#counts = new Uint8Array(1 << bits);
    this.#shift = 32 - bits;
  }

  #slot(key: number): number {
    return Math.imul(key >>> 0, HASH) >>> this.#shift;
  }

  add(key: number): void {
    const slot = this.#slot(key);
    if ((this.#counts[slot]! & MOST_COUNTED) < MOST_COUNTED) this.#counts[slot]!++;
  }

  /** keys[from] .. keys[to - 1] */
  addAll(keys: Float64Array, from: number, to: number): void {
    for (let i = from; i < to; i++) this.add(keys[i]!);
  }

  mark(key: number): void {
    this.#counts[this.#slot(key)]! |= MARK;
  }

  /** Whether a key may have come `least` times; more often than `MOST_COUNTED` is not known. */
  mayCome(key: number, least: number): boolean {
    return (this.#counts[this.#slot(key)]! & MOST_COUNTED) >= Math.min(least, MOST_COUNTED);
  }

  mayBeMarked(key: number): boolean {
    return this.#counts[this.#slot(key)]! >= MARK;
  }
}
