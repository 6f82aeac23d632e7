/**
 * The keys of one page marked, to count those of many others among them: keys that come twice or more have numbers, so that a
 * key is looked up without a hash, and without a branch that depends on it. A merge of two lists takes some ten times as long,
 * as which of two keys is the lower cannot be foreseen.
 */
import { KeyCounts } from '../lib/keys/key-counts.ts';
import { KeyTable } from '../lib/keys/key-table.ts';

/** In place of the number of a key that comes once. */
export const ALONE = 0;
/** Keys between two looks at what can still be reached. */
const STRIDE = 64;

/** Keys of an array by numbers: 1 .. count for those that come twice or more, in the order they come, and 0 for the others. */
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

/** Numbers the keys that may come again. Memory  4 bytes a key; while it runs, 24 for each that comes again. */
export function numberRepeated(keys: Float64Array): NumberedKeys {
  const numbers = new Uint32Array(keys.length);
  const counts = new KeyCounts(keys.length);
  counts.addAll(keys, 0, keys.length);
  const known = new KeyTable(keys.length / 8);
  for (let i = 0; i < keys.length; i++) {
    if (!counts.mayCome(keys[i]!, 2)) continue;
    // The table takes no 0.
    let number = known.add(keys[i]! + 1, 0);
    if (number === 0) known.set(keys[i]! + 1, (number = known.size));
    numbers[i] = number;
  }
  return { numbers, count: known.size };
}
