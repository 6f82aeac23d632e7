import { longer } from '../columns/longer.ts';
import { KeyTable } from './key-table.ts';

/**
 * Lists of 32-bit numbers, or of two or three of them together, by key, that grow and shrink, in a few typed arrays. A million
 * small arrays make garbage collection slow.
 *
 *   pool   slices of 1, 2, 4, ... entries; a list that outgrows its slice moves to one of twice the size, and leaves its own to others
 *
 * Memory  4 to 8 bytes a number, and some 30 a key; a key stays when its list is empty.
 */
export class NumberLists {
  readonly #width: 1 | 2 | 3;
  /** Key + 1 to the number of its list. */
  readonly #lists = new KeyTable();
  /** By the number of a list; lengths in entries, a class is the logarithm of the capacity. */
  #starts = new Uint32Array(1024);
  #lengths = new Uint32Array(1024);
  #classes = new Uint8Array(1024);
  #pool = new Uint32Array(1024);
  #end = 0;
  /** By class the slices that no list has. */
  readonly #free: number[][] = [];

  /** @param width numbers of an entry. */
  constructor(width: 1 | 2 | 3 = 1) {
    this.#width = width;
  }

  /** Number of a list, which it keeps; -1 for a key that never had an entry. */
  find(key: number): number {
    return this.#lists.get(key + 1, -1);
  }

  /** Entries of a key. */
  count(key: number): number {
    const list = this.find(key);
    return list < 0 ? 0 : this.#lengths[list]!;
  }

  /** Where the numbers of lists stand, until the next one is added. */
  get pool(): Uint32Array {
    return this.#pool;
  }

  /** Of a list, in the pool. */
  start(list: number): number {
    return this.#starts[list]!;
  }

  end(list: number): number {
    return this.#starts[list]! + this.#width * this.#lengths[list]!;
  }

  /** Adds an entry at the end. */
  add(key: number, first: number, second = 0, third = 0): void {
    let list = this.find(key);
    if (list < 0) list = this.#newList(key);
    else if (this.#lengths[list] === 1 << this.#classes[list]!) this.#widen(list);
    const at = this.end(list);
    this.#pool[at] = first;
    if (this.#width > 1) this.#pool[at + 1] = second;
    if (this.#width > 2) this.#pool[at + 2] = third;
    this.#lengths[list]!++;
  }

  /** Takes out the first entry that begins with this number, and puts the last one in its place; whether there was one. */
  remove(key: number, first: number): boolean {
    const list = this.find(key);
    if (list < 0) return false;
    const wanted = first >>> 0;
    const pool = this.#pool;
    const end = this.end(list);
    for (let at = this.start(list); at < end; at += this.#width) {
      if (pool[at] !== wanted) continue;
      pool.copyWithin(at, end - this.#width, end);
      this.#lengths[list]!--;
      return true;
    }
    return false;
  }

  /** Takes out all entries of a key. */
  clear(key: number): void {
    const list = this.find(key);
    if (list >= 0) this.#lengths[list] = 0;
  }

  #newList(key: number): number {
    const list = this.#lists.size;
    if (list === this.#starts.length) {
      this.#starts = longer(this.#starts, 2 * list);
      this.#lengths = longer(this.#lengths, 2 * list);
      this.#classes = longer(this.#classes, 2 * list);
    }
    this.#lists.set(key + 1, list);
    this.#starts[list] = this.#slice(0);
    return list;
  }

  #widen(list: number): void {
    const size = this.#classes[list]!;
    const [start, end] = [this.start(list), this.end(list)];
    const to = this.#slice(size + 1);
    this.#pool.copyWithin(to, start, end);
    (this.#free[size] ??= []).push(start);
    this.#starts[list] = to;
    this.#classes[list] = size + 1;
  }

  #slice(size: number): number {
    const free = this.#free[size]?.pop();
    if (free !== undefined) return free;
    const start = this.#end;
    this.#end += this.#width << size;
    if (this.#end > this.#pool.length) this.#pool = longer(this.#pool, 2 * this.#end);
    return start;
  }
}
