import { mix32 } from './hash.ts';

const GOLDEN = 0x9e3779b1;

/**
 * Seeded generator: a Weyl sequence through the murmur3 finaliser, period 2^32. The same seed gives the
 * same numbers on every machine; it chooses parameters and samples, and is no secret.
 */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = mix32(seed);
  }

  nextUint32(): number {
    this.#state = (this.#state + GOLDEN) >>> 0;
    return mix32(this.#state);
  }

  /** A number in 0 .. bound-1; the bias is below bound / 2^32. */
  below(bound: number): number {
    return Math.floor((this.nextUint32() / 0x1_0000_0000) * bound);
  }
}
