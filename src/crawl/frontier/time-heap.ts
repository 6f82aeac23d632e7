/** Things to be done at a time, the earliest first. */
export class TimeHeap<Item> {
  readonly #times: number[] = [];
  readonly #items: Item[] = [];

  get size(): number {
    return this.#items.length;
  }

  /** When the first is due; Infinity where there is none. */
  get earliestMs(): number {
    return this.#times[0] ?? Infinity;
  }

  push(atMs: number, item: Item): void {
    let at = this.#items.length;
    for (let parent = (at - 1) >> 1; at > 0 && this.#times[parent]! > atMs; parent = (at - 1) >> 1) {
      this.#place(at, this.#times[parent]!, this.#items[parent]!);
      at = parent;
    }
    this.#place(at, atMs, item);
  }

  /** Takes the first out. */
  pop(): Item | undefined {
    const first = this.#items[0];
    const lastMs = this.#times.pop();
    const last = this.#items.pop();
    const size = this.#items.length;
    if (size === 0) return first;
    let at = 0;
    for (let child = 1; child < size; child = 2 * at + 1) {
      if (child + 1 < size && this.#times[child + 1]! < this.#times[child]!) child++;
      if (this.#times[child]! >= lastMs!) break;
      this.#place(at, this.#times[child]!, this.#items[child]!);
      at = child;
    }
    this.#place(at, lastMs!, last!);
    return first;
  }

  #place(at: number, atMs: number, item: Item): void {
    this.#times[at] = atMs;
    this.#items[at] = item;
  }
}
