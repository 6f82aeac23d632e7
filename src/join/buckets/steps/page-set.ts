/** Pages seen in one walk: a hash table of a few thousand slots stays in the cache where a flag a page would not. */
export class PageSet {
  /** Page + 1; 0 where empty. */
  readonly #slots: Uint32Array;
  readonly #used: Uint32Array;
  readonly #shift: number;
  #size = 0;

  /** For at most `limit` pages between two calls of clear(). */
  constructor(limit: number) {
    const bits = Math.max(4, Math.ceil(Math.log2(2 * limit)));
    this.#slots = new Uint32Array(2 ** bits);
    this.#used = new Uint32Array(limit);
    this.#shift = 32 - bits;
  }

  /** True where the page was not in the set. */
  add(page: number): boolean {
    const slots = this.#slots;
    const last = slots.length - 1;
    let slot = Math.imul(page, 0x9e3779b1) >>> this.#shift;
    for (let held = slots[slot]!; held !== 0; held = slots[slot]!) {
      if (held === page + 1) return false;
      slot = (slot + 1) & last;
    }
    slots[slot] = page + 1;
    this.#used[this.#size++] = slot;
    return true;
  }

  clear(): void {
    for (let i = 0; i < this.#size; i++) this.#slots[this.#used[i]!] = 0;
    this.#size = 0;
  }
}
