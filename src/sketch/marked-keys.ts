/**
 * The keys of one page marked, to count those of many others among them: keys that come twice or more have numbers, so that a
 * key is looked up without a hash, and without a branch that depends on it. A merge of two lists takes some ten times as long,
 * as which of two keys is the lower cannot be foreseen.
 */
import { KeyTable } from '../lib/keys/key-table.ts';

/** In place of the number of a key that comes once. */
export const ALONE = 0;
/** Keys between two looks at what can still be reached. */
const STRIDE = 64;

/** Keys of an array by numbers: 1 .. count for those that come twice or more, and 0 for the others. */
export interface NumberedKeys {
  readonly numbers: Uint32Array;
  readonly count: number;
}

/** Memory  a byte for each key that comes more than once. */
export class MarkedKeys {
  readonly #numbers: Uint32Array;
  readonly #marks: Uint8Array;
  #from = 0;
  #to = 0;

  constructor({ numbers, count }: NumberedKeys) {
    this.#numbers = numbers;
    this.#marks = new Uint8Array(count + 1);
  }

  /** Marks keys[from] .. keys[to - 1], which are distinct, in place of those before. */
  mark(from: number, to: number): void {
    if (from === this.#from && to === this.#to) return;
    setMarks(this.#marks, this.#numbers, this.#from, this.#to, 0);
    setMarks(this.#marks, this.#numbers, from, to, 1);
    this.#marks[ALONE] = 0;
    this.#from = from;
    this.#to = to;
  }

  /**
   * How many of the distinct keys[from] .. keys[to - 1] are marked, where they are not the marked ones themselves; -1 as soon
   * as they cannot be `needed` any more.
   */
  countIn(from: number, to: number, needed: number): number {
    const numbers = this.#numbers;
    const marks = this.#marks;
    let shared = 0;
    for (let i = from; i < to; ) {
      if (shared + to - i < needed) return -1;
      for (const end = Math.min(to, i + STRIDE); i < end; i++) shared += marks[numbers[i]!]!;
    }
    return shared;
  }
}

function setMarks(marks: Uint8Array, numbers: Uint32Array, from: number, to: number, mark: number): void {
  for (let i = from; i < to; i++) marks[numbers[i]!] = mark;
}

/** Keys of a bucket, on average: what is looked up of them stays in the cache. */
const BUCKET_KEYS = 1 << 15;
const HASH = 0x9e3779b1;

/** Keys with the places where they come from, by the hash of the key. */
interface Buckets {
  readonly ends: Uint32Array;
  readonly keys: Float64Array;
  readonly places: Uint32Array;
}

/** Numbers the keys that come again. Memory  4 bytes a key; while it runs, 12 more. Cost  30 ns a key. */
export function numberRepeated(keys: Float64Array): NumberedKeys {
  const numbers = new Uint32Array(keys.length);
  const buckets = bucketsOf(keys);
  const known = new KeyTable(Math.min(keys.length, 2 * BUCKET_KEYS));
  let count = 0;
  let from = 0;
  for (const to of buckets.ends) {
    known.clear();
    count = numberBucket(buckets, from, to, known, count, numbers);
    from = to;
  }
  return { numbers, count };
}

/** In place of the number of a key that has come once so far. */
const ONCE = 0xffff_ffff;

/** Numbers from `last` + 1 on; returns the last one given. */
function numberBucket(
  { keys, places }: Buckets,
  from: number,
  to: number,
  known: KeyTable,
  last: number,
  numbers: Uint32Array,
): number {
  let count = last;
  for (let i = from; i < to; i++) {
    // The table takes no 0.
    const key = keys[i]! + 1;
    const number = known.get(key, 0);
    if (number === 0) known.set(key, ONCE);
    else if (number === ONCE) known.set(key, ++count);
  }
  for (let i = from; i < to; i++) {
    const number = known.get(keys[i]! + 1, 0);
    if (number !== ONCE) numbers[places[i]!] = number;
  }
  return count;
}

function bucketsOf(keys: Float64Array): Buckets {
  const bits = Math.max(0, Math.ceil(Math.log2(keys.length / BUCKET_KEYS)));
  // In two steps: by 32 at once nothing is shifted.
  const shift = 31 - bits;
  const next = new Uint32Array(2 ** bits);
  for (let i = 0; i < keys.length; i++) next[(Math.imul(keys[i]! >>> 0, HASH) >>> 1) >>> shift]!++;
  let start = 0;
  for (let bucket = 0; bucket < next.length; bucket++) {
    const size = next[bucket]!;
    next[bucket] = start;
    start += size;
  }
  const buckets = {
    ends: next,
    keys: new Float64Array(keys.length),
    places: new Uint32Array(keys.length),
  };
  for (let i = 0; i < keys.length; i++) {
    const at = next[(Math.imul(keys[i]! >>> 0, HASH) >>> 1) >>> shift]!++;
    buckets.keys[at] = keys[i]!;
    buckets.places[at] = i;
  }
  return buckets;
}
