type Numbers = Uint8Array | Uint32Array | Float64Array;

/** Numbers by index in a typed array that grows by doubling; what was never set is `missing`. */
export class NumberColumn<T extends Numbers> {
  readonly #kind: new (
    length: number,
  ) => T;
  readonly #missing: number;
  #items: T;

  constructor(kind: new (length: number) => T, missing: number) {
    this.#kind = kind;
    this.#missing = missing;
    this.#items = new kind(1024).fill(missing) as T;
  }

  get(index: number): number {
    return index < this.#items.length ? this.#items[index]! : this.#missing;
  }

  set(index: number, value: number): void {
    if (index >= this.#items.length) this.#grow(index);
    this.#items[index] = value;
  }

  #grow(index: number): void {
    const items = this.#items;
    this.#items = new this.#kind(Math.max(2 * items.length, index + 1)).fill(this.#missing) as T;
    this.#items.set(items);
  }

  /** A view of the first `length` numbers, good until the next is set. */
  first(length: number): T {
    if (length > this.#items.length) this.#grow(length - 1);
    return this.#items.subarray(0, length) as T;
  }
}
