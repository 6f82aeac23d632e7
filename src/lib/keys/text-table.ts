/**
 * Distinct ASCII texts by number, 0, 1, ... as they come: bytes in chunks, slots of a hash table in typed arrays.
 *
 * A `Map` of strings ends at 2^24 entries and keeps each text as an object of the heap; this takes some 30 bytes a
 * text besides its own.
 */

import { NumberColumn } from '../columns/number-column.ts';
import { hash32 } from '../hash.ts';

const CHUNK_BYTES = 1 << 20;
const MAX_LENGTH = 0xffff;

export class TextTable {
  size = 0;
  readonly #chunks = [Buffer.allocUnsafeSlow(CHUNK_BYTES)];
  #used = 0;
  /** Of each text: chunk * CHUNK_BYTES + offset, length, hash. */
  readonly #starts = new NumberColumn(Float64Array, 0);
  readonly #lengths = new NumberColumn(Uint32Array, 0);
  readonly #hashes = new NumberColumn(Uint32Array, 0);
  /** Number of a text + 1; 0 where empty. */
  #slots = new Uint32Array(1024);

  /** The number of a text, a new one where it is not there. Errors  RangeError above 65,535 characters. */
  add(text: string): number {
    const hash = hash32(text);
    const slot = this.#slot(text, hash);
    if (this.#slots[slot] !== 0) return this.#slots[slot]! - 1;
    if (text.length > MAX_LENGTH) throw new RangeError(`a text of ${text.length} characters`);
    if (this.#used + text.length > CHUNK_BYTES) {
      this.#chunks.push(Buffer.allocUnsafeSlow(CHUNK_BYTES));
      this.#used = 0;
    }
    const number = this.size++;
    this.#chunks.at(-1)!.write(text, this.#used, 'latin1');
    this.#starts.set(number, (this.#chunks.length - 1) * CHUNK_BYTES + this.#used);
    this.#lengths.set(number, text.length);
    this.#hashes.set(number, hash);
    this.#used += text.length;
    this.#slots[slot] = number + 1;
    if (this.size > 0.6 * this.#slots.length) this.#grow();
    return number;
  }

  /** The number of a text, or -1. */
  find(text: string): number {
    return this.#slots[this.#slot(text, hash32(text))]! - 1;
  }

  text(number: number): string {
    const { bytes, start, end } = this.#place(number);
    return bytes.toString('latin1', start, end);
  }

  /** Below 0 where the text of `a` comes before that of `b`. */
  compare(a: number, b: number): number {
    const [one, two] = [this.#place(a), this.#place(b)];
    return one.bytes.compare(two.bytes, two.start, two.end, one.start, one.end);
  }

  #place(number: number): { bytes: Buffer; start: number; end: number } {
    const at = this.#starts.get(number);
    const chunk = Math.floor(at / CHUNK_BYTES);
    const start = at - chunk * CHUNK_BYTES;
    return { bytes: this.#chunks[chunk]!, start, end: start + this.#lengths.get(number) };
  }

  /** Slot of the text, or of the empty place where it belongs. */
  #slot(text: string, hash: number): number {
    const mask = this.#slots.length - 1;
    let slot = hash & mask;
    for (; this.#slots[slot] !== 0; slot = (slot + 1) & mask) {
      const number = this.#slots[slot]! - 1;
      if (this.#hashes.get(number) === hash && this.#isText(number, text)) break;
    }
    return slot;
  }

  #isText(number: number, text: string): boolean {
    if (this.#lengths.get(number) !== text.length) return false;
    const { bytes, start } = this.#place(number);
    for (let i = 0; i < text.length; i++) if (bytes[start + i] !== text.charCodeAt(i)) return false;
    return true;
  }

  #grow(): void {
    this.#slots = new Uint32Array(2 * this.#slots.length);
    const mask = this.#slots.length - 1;
    for (let number = 0; number < this.size; number++) {
      let slot = this.#hashes.get(number) & mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
      this.#slots[slot] = number + 1;
    }
  }
}
