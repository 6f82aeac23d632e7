/** A Uint32Array that grows by doubling. */
export class Uint32List {
  #items = new Uint32Array(1024);
  length = 0;

  push(item: number): void {
    if (this.length === this.#items.length) {
      const grown = new Uint32Array(2 * this.length);
      grown.set(this.#items);
      this.#items = grown;
    }
    this.#items[this.length++] = item;
  }

  toArray(): Uint32Array {
    return this.#items.slice(0, this.length);
  }
}
