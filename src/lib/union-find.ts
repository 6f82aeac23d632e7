/**
 * Clusters as the connected components of similar pairs: right for copies, where resemblance is high;
 * at low similarity it chains pages together that have nothing in common.
 *
 * Parents point to smaller pages, so a component's root is its smallest page whatever the order of pairs.
 * Source  Broder, Glassman, Manasse, Zweig, WWW6 1997, section 4 (phase four); path halving: Tarjan, van
 * Leeuwen, JACM 31(2), 1984.
 */

import { indexes } from './columns/indexes.ts';

export class UnionFind {
  readonly #parents: Int32Array;

  constructor(size: number) {
    this.#parents = Int32Array.from(indexes(size));
  }

  get size(): number {
    return this.#parents.length;
  }

  /** The smallest member of i's component. */
  find(i: number): number {
    const parents = this.#parents;
    let at = i;
    while (parents[at] !== at) {
      parents[at] = parents[parents[at]!]!;
      at = parents[at]!;
    }
    return at;
  }

  /** Joins two components; false where they were one. */
  union(i: number, j: number): boolean {
    const left = this.find(i);
    const right = this.find(j);
    if (left === right) return false;
    if (left < right) this.#parents[right] = left;
    else this.#parents[left] = right;
    return true;
  }

  /** Of each, the smallest member of its component. */
  roots(): Uint32Array<ArrayBuffer> {
    const roots = new Uint32Array(this.size);
    for (let i = 0; i < roots.length; i++) roots[i] = this.find(i);
    return roots;
  }
}

/** Component root of each page, Uint32Array(size), after joining the pairs (a[i], b[i]). */
export function componentsOf(size: number, a: Uint32Array, b: Uint32Array): Uint32Array {
  const components = new UnionFind(size);
  for (let i = 0; i < a.length; i++) components.union(a[i]!, b[i]!);
  return components.roots();
}
