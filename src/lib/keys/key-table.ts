/**
 * A map from 53-bit keys to 32-bit numbers in two typed arrays: open addressing, linear probing,
 * grown by doubling. A `Map` of numbers costs about 40 bytes an entry and a pointer chase; this costs 12 to
 * 24 bytes and one cache line.
 *
 * Keys are whole numbers: those of `key53`, well mixed, of which two strings share one with probability n^2 / 2^54 over n
 * strings (1 in 18,000 at a million, 2 % at twenty million); or ids, one after the other. Slots are spread by a product, as
 * ids that are more than there are slots would stand in runs that go through the whole table.
 *
 * Source  D. Knuth, The Art of Computer Programming 3, section 6.4 (multiplicative hashing).
 */
import { hash64, hash64Bytes } from '../hash.ts';

/** 2^32 by the golden ratio. */
const SPREAD = 0x9e3779b1;
const words = new Uint32Array(2);

/** 53-bit key of a string, an exact double, never 0. */
export function key53(text: string): number {
  hash64(text, words);
  return (words[1]! & 0x1fffff) * 4294967296 + words[0]! || 1;
}

/** The same of the text whose units are the bytes from .. to - 1. */
export function key53OfBytes(bytes: Uint8Array, from: number, to: number): number {
  hash64Bytes(bytes, from, to, words);
  return (words[1]! & 0x1fffff) * 4294967296 + words[0]! || 1;
}

export class KeyTable {
  size = 0;
  #keys: Float64Array;
  #values: Uint32Array;
  #mask: number;

  constructor(expected = 1024) {
    let capacity = 1024;
    while (capacity * 0.6 < expected) capacity *= 2;
    this.#keys = new Float64Array(capacity);
    this.#values = new Uint32Array(capacity);
    this.#mask = capacity - 1;
  }

  get sizeBytes(): number {
    return this.#keys.byteLength + this.#values.byteLength;
  }

  /** Slot of the key, or of the empty place where it belongs. */
  #slot(key: number): number {
    const mixed = Math.imul(key ^ (key / 4294967296), SPREAD);
    let slot = (mixed ^ (mixed >>> 15)) & this.#mask;
    while (this.#keys[slot] !== key && this.#keys[slot] !== 0) slot = (slot + 1) & this.#mask;
    return slot;
  }

  has(key: number): boolean {
    return this.#keys[this.#slot(key)] === key;
  }

  /** The value, or `missing` where the key is not there. */
  get(key: number, missing: number): number {
    const slot = this.#slot(key);
    return this.#keys[slot] === key ? this.#values[slot]! : missing;
  }

  set(key: number, value: number): void {
    const slot = this.#place(key);
    this.#values[slot] = value;
  }

  /** Returns the sum. */
  add(key: number, amount: number): number {
    const slot = this.#place(key);
    return (this.#values[slot] = this.#values[slot]! + amount);
  }

  #place(key: number): number {
    let slot = this.#slot(key);
    if (this.#keys[slot] === key) return slot;
    if (++this.size > 0.7 * (this.#mask + 1)) {
      this.#grow();
      slot = this.#slot(key);
    }
    this.#keys[slot] = key;
    return slot;
  }

  #grow(): void {
    const keys = this.#keys;
    const values = this.#values;
    this.#keys = new Float64Array(keys.length * 2);
    this.#values = new Uint32Array(keys.length * 2);
    this.#mask = keys.length * 2 - 1;
    for (let i = 0; i < keys.length; i++) {
      if (keys[i] === 0) continue;
      const slot = this.#slot(keys[i]!);
      this.#keys[slot] = keys[i]!;
      this.#values[slot] = values[i]!;
    }
  }

  /** Takes all out, and keeps the room. */
  clear(): void {
    this.#keys.fill(0);
    this.#values.fill(0);
    this.size = 0;
  }

  /** In no order that means anything. */
  *entries(): IterableIterator<[key: number, value: number]> {
    for (let i = 0; i < this.#keys.length; i++) {
      if (this.#keys[i] !== 0) yield [this.#keys[i]!, this.#values[i]!];
    }
  }
}
