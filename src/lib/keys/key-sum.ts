/**
 * Sums of counts by 53-bit key, for one page after the other: open addressing in typed arrays that stay, and a list
 * of the slots in use, so that clearing costs what was added and not what the largest page needed.
 */
export class KeySum {
  size = 0;
  #keys = new Float64Array(1024);
  #sums = new Uint32Array(1024);
  #slots = new Uint32Array(512);
  #mask = 1023;

  add(key: number, count: number): void {
    let slot = (key ^ (key / 4294967296)) & this.#mask;
    while (this.#keys[slot] !== key) {
      if (this.#keys[slot] === 0) {
        if (this.size === this.#slots.length) {
          this.#grow();
          this.add(key, count);
          return;
        }
        this.#slots[this.size++] = slot;
        this.#keys[slot] = key;
        break;
      }
      slot = (slot + 1) & this.#mask;
    }
    this.#sums[slot]! += count;
  }

  #grow(): void {
    const { keys, sums } = this.take();
    this.#keys = new Float64Array(this.#keys.length * 2);
    this.#sums = new Uint32Array(this.#keys.length);
    this.#slots = new Uint32Array(this.#keys.length / 2);
    this.#mask = this.#keys.length - 1;
    for (let i = 0; i < keys.length; i++) this.add(keys[i]!, sums[i]!);
  }

  /** The keys ascending with their sums; nothing stays. */
  take(): { keys: Float64Array; sums: Uint32Array } {
    const keys = new Float64Array(this.size);
    for (let i = 0; i < keys.length; i++) keys[i] = this.#keys[this.#slots[i]!]!;
    keys.sort();
    const sums = new Uint32Array(keys.length);
    for (let i = 0; i < keys.length; i++) {
      let slot = (keys[i]! ^ (keys[i]! / 4294967296)) & this.#mask;
      while (this.#keys[slot] !== keys[i]) slot = (slot + 1) & this.#mask;
      sums[i] = this.#sums[slot]!;
    }
    for (let i = 0; i < keys.length; i++) {
      this.#keys[this.#slots[i]!] = 0;
      this.#sums[this.#slots[i]!] = 0;
    }
    this.size = 0;
    return { keys, sums };
  }
}
