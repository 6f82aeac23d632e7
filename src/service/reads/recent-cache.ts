/**
 * Keeps what was used recently: when the younger half is full, the older half is dropped and the younger takes
 * its place. A list in exact order of use would cost more than the look-up: a Map is slow to give its first
 * key once many were taken away.
 */
export class RecentCache<Key, Value> {
  readonly #halfBytes: number;
  readonly #sizeOf: (value: Value) => number;
  #young = new Map<Key, Value>();
  #old = new Map<Key, Value>();
  #youngBytes = 0;

  /** @param sizeOf bytes of a value. */
  constructor(capacityBytes: number, sizeOf: (value: Value) => number) {
    this.#halfBytes = capacityBytes / 2;
    this.#sizeOf = sizeOf;
  }

  get(key: Key): Value | undefined {
    const held = this.#young.get(key);
    if (held !== undefined) return held;
    const value = this.#old.get(key);
    if (value !== undefined) this.set(key, value);
    return value;
  }

  set(key: Key, value: Value): void {
    const bytes = this.#sizeOf(value);
    if (this.#youngBytes + bytes > this.#halfBytes) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#youngBytes = 0;
    }
    this.#young.set(key, value);
    this.#youngBytes += bytes;
  }

  clear(): void {
    this.#young.clear();
    this.#old.clear();
    this.#youngBytes = 0;
  }
}
