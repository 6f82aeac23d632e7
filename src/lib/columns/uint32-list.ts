import { longer } from './longer.ts';

/** A Uint32Array that grows by doubling. */
export class Uint32List {
  #items = new Uint32Array(1024);
  length = 0;

  push(item: number): void {
    if (this.length === this.#items.length) this.#items = longer(this.#items, 2 * this.length);
    this.#items[this.length++] = item;
  }

  toArray(): Uint32Array {
    return this.#items.slice(0, this.length);
  }
}
