/**
 * Parities of sketches: a lower bound of how many keys two pages do not share, without a look at the keys.
 *
 *   bit of a key   its lowest 32 bits, the 10 highest of them
 *   parity         of each bit, whether an odd number of keys has it
 *
 * A key that both pages have leaves no trace in the XOR of their parities; each other one turns one bit.
 */
import type { SketchTable } from './sketch-table.ts';

const BITS_SHIFT = 22;
const WORDS = 32;

/** Memory  128 bytes a page. */
export class SketchParities {
  readonly #words: Int32Array;

  constructor({ pageCount, offsets, keys }: SketchTable) {
    this.#words = new Int32Array(WORDS * pageCount);
    for (let page = 0; page < pageCount; page++) {
      turnBits(this.#words, WORDS * page, keys, offsets[page]!, offsets[page + 1]!);
    }
  }

  /** Keys that one of two pages has and the other has not, at least. Cost  .1 us. */
  leastUnshared(a: number, b: number): number {
    const words = this.#words;
    let count = 0;
    for (let i = WORDS * a, j = WORDS * b, end = i + WORDS; i < end; i++, j++) {
      let bits = words[i]! ^ words[j]!;
      bits -= (bits >>> 1) & 0x55555555;
      bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
      count += Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
    }
    return count;
  }
}

/** The bits of keys[from] .. keys[to - 1], in the words from `start` on. */
function turnBits(words: Int32Array, start: number, keys: Float64Array, from: number, to: number): void {
  for (let i = from; i < to; i++) {
    const bit = (keys[i]! >>> 0) >>> BITS_SHIFT;
    words[start + (bit >>> 5)]! ^= 1 << (bit & 31);
  }
}
