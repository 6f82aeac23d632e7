import { mix32 } from '../../src/lib/hash.ts';

/** A weighted set with real weights: 32-bit hashes of its elements, and their weights, all above 0. */
export interface RealBag {
  readonly elements: Uint32Array;
  readonly weights: Float64Array;
  /** Of the weights. */
  readonly sum: number;
}

/** Fills `out` with the values of a bag; two bags agree in a value with the probability of their weighted Jaccard. */
export type Sketcher = (bag: RealBag, out: Uint32Array) => void;

/** A stream of uniform numbers that begins with a key: equal keys, equal numbers. */
export class KeyedRandom {
  #state = 0;

  begin(key: number): void {
    this.#state = key;
  }

  /** 32 bits. */
  next(): number {
    this.#state = (this.#state + 0x9e3779b1) | 0;
    return mix32(this.#state);
  }

  /** Above 0, at most 1. */
  unit(): number {
    return (this.next() + 1) / 2 ** 32;
  }

  /** Of mean 1. */
  exponential(): number {
    return -Math.log(this.unit());
  }
}

/** A key of two. */
export function joinKeys(a: number, b: number): number {
  return mix32(Math.imul(a, 0x85ebca6b) ^ mix32(b + 0x9e3779b1));
}

/** Sum of the lesser weights over that of the greater; elements ascend. */
export function realJaccard(a: RealBag, b: RealBag): number {
  let shared = 0;
  for (let i = 0, j = 0; i < a.elements.length && j < b.elements.length; ) {
    const [left, right] = [a.elements[i]!, b.elements[j]!];
    if (left === right) shared += Math.min(a.weights[i++]!, b.weights[j++]!);
    else if (left < right) i++;
    else j++;
  }
  return shared / (a.sum + b.sum - shared);
}
