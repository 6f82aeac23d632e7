/**
 * The distinct shingle keys of one page after another: an open-addressing table that is emptied, not
 * freed, between pages.
 */
import { mix32 } from '../lib/hash.ts';

const EMPTY = -1;

export class KeySet {
  size = 0;
  /** The distinct keys, in the order they came; valid up to `size`. */
  members = new Float64Array(1024);
  /** Two sums over the mixed members, so that equal sets have equal digests in whatever order they came. */
  digestHigh = 0;
  digestLow = 0;
  #slots = new Float64Array(2048).fill(EMPTY);
  #mask = 2047;

  /** Empties the set and makes room for `capacity` keys. */
  reset(capacity: number): void {
    this.size = 0;
    this.digestHigh = 0;
    this.digestLow = 0;
    let slotCount = 2048;
    while (slotCount < 2 * capacity) slotCount *= 2;
    this.#mask = slotCount - 1;
    if (slotCount > this.#slots.length) {
      this.#slots = new Float64Array(slotCount).fill(EMPTY);
      this.members = new Float64Array(slotCount / 2);
    } else {
      this.#slots.fill(EMPTY, 0, slotCount);
    }
  }

  /** Adds the first `count` of `keys`; all calls since `reset` together no more than its capacity. */
  addAll(keys: Float64Array, count: number): void {
    const slots = this.#slots;
    const mask = this.#mask;
    const members = this.members;
    let { size, digestHigh, digestLow } = this;
    for (let i = 0; i < count; i++) {
      const key = keys[i]!;
      const low = key >>> 0;
      let slot = low & mask;
      let held = slots[slot]!;
      while (held !== EMPTY && held !== key) {
        slot = (slot + 1) & mask;
        held = slots[slot]!;
      }
      if (held === key) continue;
      slots[slot] = key;
      members[size++] = key;
      const upper = (key - low) / 4294967296;
      const mixed = mix32(low ^ Math.imul(upper, 0x9e3779b1)) | 0;
      digestHigh = (digestHigh + mixed) | 0;
      digestLow = (digestLow + Math.imul(mixed ^ (mixed >>> 15), low | 1)) | 0;
    }
    this.size = size;
    this.digestHigh = digestHigh;
    this.digestLow = digestLow;
  }
}
