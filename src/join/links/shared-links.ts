/**
 * Pages that share links with one: cocitation where the links are those to them, bibliographic coupling where they are
 * theirs. The links of a page are a set, and two sets are as alike as their Jaccard figure. All are of one weight:
 * without the links within a site, hardly any are left in an index of few sites (docs/decisions/0011).
 *
 *     own          the pages that link to the page      the pages it links to
 *     through      their links                          what links to them
 *     sets         what links to a page                 the links of a page
 *
 * Where `own` or all its rows are very long, every second, third, ... page of `own` is asked, and the figures are estimates.
 *
 * Cost    a step for each link of each page in `own`: 5 ns where the rows are long, 50 where they are short.
 */
import { BoundedHeap } from '../../lib/bounded-heap.ts';
import { type LinkGraph, type LinkRows, rowLength, rowOf } from './link-graph.ts';

const MAX_STEPS = 4_000_000;
/** Pages of `own` that are asked at most. */
const MAX_ASKED = 5_000;

export interface SharedLinks {
  /** Pages with a link in common, in no order. */
  readonly ids: Uint32Array;
  /** Links that each has in common, and that it and the page have together. */
  readonly shared: Float64Array;
  readonly total: Float64Array;
  /** False where the figures are estimates. */
  readonly isExact: boolean;
}

/** Of one page, or of a document by the pages it links to; `self` is never listed, -1 for none. */
export class SharedLinksSearch {
  readonly #graph: LinkGraph;
  readonly #maxSteps: number;
  /** Of each page, 0 between two calls. */
  readonly #counts: Uint32Array;

  constructor(graph: LinkGraph, maxSteps = MAX_STEPS) {
    this.#graph = graph;
    this.#maxSteps = maxSteps;
    this.#counts = new Uint32Array(graph.out.ends.length - 1);
  }

  byCiters(citers: Uint32Array, self: number): SharedLinks {
    return this.#search(citers, self, this.#graph.out, this.#graph.in);
  }

  byTargets(targets: Uint32Array, self: number): SharedLinks {
    return this.#search(targets, self, this.#graph.in, this.#graph.out);
  }

  #search(own: Uint32Array, self: number, through: LinkRows, sets: LinkRows): SharedLinks {
    const counts = this.#counts;
    let steps = 0;
    for (const page of own) steps += rowLength(through, page);
    const stride = Math.max(1, Math.ceil(steps / this.#maxSteps), Math.ceil(own.length / MAX_ASKED));
    let found = 0;
    for (let i = 0; i < own.length; i += stride) {
      const end = through.ends[own[i]! + 1]!;
      for (let at = through.ends[own[i]!]!; at < end; at++) if (counts[through.ids[at]!]!++ === 0) found++;
    }
    if (self >= 0 && counts[self]! > 0) found--;
    const ids = new Uint32Array(found);
    const shared = new Float64Array(found);
    const total = new Float64Array(found);
    let at = 0;
    for (let i = 0; i < own.length; i += stride) {
      for (const page of rowOf(through, own[i]!)) {
        const count = counts[page]!;
        counts[page] = 0;
        if (count === 0 || page === self) continue;
        const size = rowLength(sets, page);
        ids[at] = page;
        shared[at] = Math.min(count * stride, size, own.length);
        total[at] = own.length + size - shared[at]!;
        at++;
      }
    }
    return { ids, shared, total, isExact: stride === 1 };
  }
}

/** The `count` of greatest similarity that `accept` lets pass, ties by page id. */
export function mostShared(
  { ids, shared, total }: SharedLinks,
  count: number,
  accept: ((page: number) => boolean) | null,
): Pick<SharedLinks, 'ids' | 'shared' | 'total'> {
  const heap = new BoundedHeap(Math.min(count, ids.length));
  for (let i = 0; i < ids.length; i++) {
    const similarity = shared[i]! / total[i]!;
    if (similarity < heap.bound(0)) continue;
    if (accept === null || accept(ids[i]!)) heap.offer(similarity, ids[i]!, i);
  }
  heap.sort();
  const places = heap.values.subarray(0, heap.size);
  return {
    ids: Uint32Array.from(places, (at) => ids[at]!),
    shared: Float64Array.from(places, (at) => shared[at]!),
    total: Float64Array.from(places, (at) => total[at]!),
  };
}
