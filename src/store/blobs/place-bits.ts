/**
 * Ascending places of a word in a page, as bits: each as the difference to the one before, less one, in a Rice code for
 * the mean that is left when the places to come are spread over the rest of the page.
 *
 *     code of value v for k    floor(v / 2^k) ones, a zero, the lower k bits of v;
 *                              where there would be 16 ones or more: 16 ones, then v in 32 bits
 *
 * Bits fill bytes from the lowest on. Cost  10 bits for a word that stands once among 1,000, 2 for one that is every third.
 *
 * Source  R. F. Rice, Some practical universal noiseless coding techniques, JPL 79-22, 1979; k is floor(log2(.69 mean)).
 */
import { brokenBlob } from './varint.ts';

const ESCAPE = 16;
/** Lengths are stored up to here; what is longer is taken for this. */
const CAPPED_LENGTH = 0xffff;
const LONG_LENGTH = 1 << 18;

/** Places of a page of `length` words are at most this: the text begins one place behind the title. */
function placeLimit(length: number): number {
  return length >= CAPPED_LENGTH ? LONG_LENGTH : length + 1;
}

/** The bits of the remainder where `hits` more places lie from `next` on. */
function remainderBits(limit: number, next: number, hits: number): number {
  const mean = ((limit - next) * 0.69) / (hits + 1);
  return mean < 2 ? 0 : 31 - Math.clz32(mean);
}

/** Reads what kernels/search/posting.ts wrote, page by page in the same order. */
export class PlaceReader {
  readonly #bytes: Uint8Array;
  #at = 0;
  #held = 0;
  #count = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** The places of the next page, which has `hits` of them and `length` words. */
  read(hits: number, length: number, into: Uint32Array, from: number): void {
    const limit = placeLimit(length);
    let next = 0;
    for (let i = 0; i < hits; i++) {
      const k = remainderBits(limit, next, hits - i);
      this.#fill();
      // Ones at the lower end: where the lowest zero is.
      const ones = Math.min(ESCAPE, 31 - Math.clz32(~this.#held & (this.#held + 1)));
      if (ones === ESCAPE) {
        this.#take(ESCAPE);
        next += this.#take(16) + 65_536 * this.#take(16);
      } else {
        this.#drop(ones + 1);
        next += (ones << k) | this.#take(k);
      }
      into[from + i] = next++;
    }
  }

  /** Errors  CorruptError where more was read than there is, or bytes are left. */
  end(): void {
    const bitsRead = 8 * this.#at - this.#count;
    if (Math.ceil(bitsRead / 8) !== this.#bytes.length || this.#held !== 0) throw brokenBlob('a search');
  }

  /** At least 17 bits are at hand then; behind the end there are zeros. */
  #fill(): void {
    while (this.#count < 17) {
      this.#held |= (this.#bytes[this.#at++]! | 0) << this.#count;
      this.#count += 8;
    }
  }

  /** At most 17 bits. */
  #take(count: number): number {
    this.#fill();
    const value = this.#held & ((1 << count) - 1);
    this.#drop(count);
    return value;
  }

  #drop(count: number): void {
    this.#held >>>= count;
    this.#count -= count;
  }
}
