/**
 * Keeps the best `capacity` of many (score, id), best first by score descending, then id ascending:
 * a total order, so the result does not depend on the order of the offers. The worst kept entry sits at
 * the root. `values` carries one number more for each entry.
 */
export class BoundedHeap {
  readonly capacity: number;
  readonly scores: Float64Array;
  readonly ids: Uint32Array;
  readonly values: Uint32Array;
  size = 0;

  constructor(capacity: number) {
    this.capacity = capacity;
    this.scores = new Float64Array(capacity);
    this.ids = new Uint32Array(capacity);
    this.values = new Uint32Array(capacity);
  }

  clear(): void {
    this.size = 0;
  }

  /** The score an offer must at least reach to get in; `floor` while there is room. */
  bound(floor: number): number {
    return this.size < this.capacity ? floor : Math.max(floor, this.scores[0] ?? floor);
  }

  /** An id must not be offered twice between two calls of clear(). */
  offer(score: number, id: number, value: number): void {
    if (this.size < this.capacity) {
      this.#siftUp(this.size++, score, id, value);
    } else if (this.capacity > 0 && this.#isWorse(0, score, id)) {
      this.#siftDown(score, id, value, this.size);
    }
  }

  /** Puts entries 0 .. size-1 in order, best first. The heap must be cleared before the next offer. */
  sort(): void {
    for (let end = this.size - 1; end > 0; end--) {
      const score = this.scores[end]!;
      const id = this.ids[end]!;
      const value = this.values[end]!;
      this.#move(0, end);
      this.#siftDown(score, id, value, end);
    }
  }

  #isWorse(slot: number, score: number, id: number): boolean {
    const own = this.scores[slot]!;
    return own < score || (own === score && this.ids[slot]! > id);
  }

  #move(from: number, to: number): void {
    this.scores[to] = this.scores[from]!;
    this.ids[to] = this.ids[from]!;
    this.values[to] = this.values[from]!;
  }

  #put(slot: number, score: number, id: number, value: number): void {
    this.scores[slot] = score;
    this.ids[slot] = id;
    this.values[slot] = value;
  }

  #siftUp(start: number, score: number, id: number, value: number): void {
    let slot = start;
    while (slot > 0) {
      const parent = (slot - 1) >> 1;
      if (this.#isWorse(parent, score, id)) break;
      this.#move(parent, slot);
      slot = parent;
    }
    this.#put(slot, score, id, value);
  }

  #siftDown(score: number, id: number, value: number, end: number): void {
    let slot = 0;
    for (;;) {
      let child = 2 * slot + 1;
      if (child >= end) break;
      if (child + 1 < end && this.#isWorse(child + 1, this.scores[child]!, this.ids[child]!)) child++;
      if (!this.#isWorse(child, score, id)) break;
      this.#move(child, slot);
      slot = child;
    }
    this.#put(slot, score, id, value);
  }
}
