/**
 * The keys of one page in a small hash table, to count those of many others in it, without a branch that depends on a key:
 * a merge of two lists takes three times as long, as which of two keys is the lower cannot be foreseen.
 */

const HASH = 0x9e3779b1;
/** Slots for each key: few keys then find theirs taken. */
const ROOM = 16;
const LEAST_BITS = 6;
/** Keys between two looks at what can still be reached. */
const STRIDE = 64;
/** Of both words of a free slot: no number from 0 has them. */
const FREE = -1;

/** Keys of one array, by the 64 bits of each: equal numbers have equal bits, where none is -0. */
export class MarkedKeys {
  readonly #keys: Float64Array;
  readonly #words: Int32Array;
  #from = 0;
  #to = 0;
  #bits = LEAST_BITS;
  #slots = new Int32Array(2 << LEAST_BITS).fill(FREE);
  /** Places of the marked keys whose slot had been taken. */
  readonly #others: number[] = [];

  constructor(keys: Float64Array) {
    this.#keys = keys;
    this.#words = new Int32Array(keys.buffer, keys.byteOffset, 2 * keys.length);
  }

  /** Marks keys[from] .. keys[to - 1], which are distinct and no less than 0, in place of those before. */
  mark(from: number, to: number): void {
    if (from === this.#from && to === this.#to) return;
    const words = this.#words;
    this.#clear();
    this.#from = from;
    this.#to = to;
    while (1 << this.#bits < ROOM * (to - from)) this.#bits++;
    if (this.#slots.length < 2 << this.#bits) this.#slots = new Int32Array(2 << this.#bits).fill(FREE);
    for (let i = from; i < to; i++) {
      const slot = this.#slotOf(i);
      if (this.#slots[slot] === FREE && this.#slots[slot + 1] === FREE) {
        this.#slots[slot] = words[2 * i]!;
        this.#slots[slot + 1] = words[2 * i + 1]!;
      } else this.#others.push(i);
    }
  }

  #slotOf(i: number): number {
    const word = this.#words[2 * i]! ^ this.#words[2 * i + 1]!;
    return 2 * (Math.imul(word, HASH) >>> (32 - this.#bits));
  }

  #clear(): void {
    for (let i = this.#from; i < this.#to; i++) {
      const slot = this.#slotOf(i);
      this.#slots[slot] = FREE;
      this.#slots[slot + 1] = FREE;
    }
    this.#others.length = 0;
  }

  /** How many of the ascending keys[from] .. keys[to - 1] are marked; -1 as soon as they cannot be `needed` any more. */
  countIn(from: number, to: number, needed: number): number {
    const words = this.#words;
    const slots = this.#slots;
    const shift = 32 - this.#bits;
    let shared = 0;
    for (const other of this.#others) shared += this.#has(from, to, other);
    for (let i = from; i < to; ) {
      if (shared + to - i < needed) return -1;
      for (const end = Math.min(to, i + STRIDE); i < end; i++) {
        const low = words[2 * i]!;
        const high = words[2 * i + 1]!;
        const slot = (Math.imul(low ^ high, HASH) >>> shift) << 1;
        const difference = (slots[slot]! ^ low) | (slots[slot + 1]! ^ high);
        shared += 1 + ((difference | -difference) >> 31);
      }
    }
    return shared;
  }

  /** 1 where the key at `place` is among those of the range. */
  #has(from: number, to: number, place: number): number {
    const key = this.#keys[place]!;
    let low = from;
    for (let high = to; low < high; ) {
      const middle = (low + high) >>> 1;
      if (this.#keys[middle]! < key) low = middle + 1;
      else high = middle;
    }
    return low < to && this.#keys[low] === key ? 1 : 0;
  }
}
