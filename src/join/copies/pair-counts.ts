import { mix32 } from '../../lib/hash.ts';

/** Slots; half of them are filled at most. */
const SLOTS = 1 << 20;
const EMPTY = -1;

/** How often pairs of pages were met, in memory that does not grow: what does not fit is handed out, and begins anew. */
export class PairCounts {
  readonly #a = new Float64Array(SLOTS).fill(EMPTY);
  readonly #b = new Float64Array(SLOTS);
  readonly #counts = new Uint32Array(SLOTS);
  readonly #handOut: (a: number, b: number, count: number) => void;
  #size = 0;

  constructor(handOut: (a: number, b: number, count: number) => void) {
    this.#handOut = handOut;
  }

  /** Ids are whole numbers below 2^53. */
  add(a: number, b: number): void {
    let slot = mix32(mix32(a) ^ b) & (SLOTS - 1);
    while (this.#a[slot] !== EMPTY && (this.#a[slot] !== a || this.#b[slot] !== b))
      slot = (slot + 1) & (SLOTS - 1);
    if (this.#a[slot] === EMPTY) {
      if (this.#size === SLOTS / 2) {
        this.flush();
        this.add(a, b);
        return;
      }
      this.#a[slot] = a;
      this.#b[slot] = b;
      this.#size++;
    }
    this.#counts[slot]!++;
  }

  /** Hands out all pairs. */
  flush(): void {
    for (let slot = 0; slot < SLOTS && this.#size > 0; slot++) {
      if (this.#a[slot] === EMPTY) continue;
      this.#handOut(this.#a[slot]!, this.#b[slot]!, this.#counts[slot]!);
      this.#a[slot] = EMPTY;
      this.#counts[slot] = 0;
      this.#size--;
    }
  }
}
