/**
 * The K nearest pages of every page, kept exact while some bags change.
 *
 * A changed page is compared with all others over the postings of its features. Its new similarity goes into
 * the list of the other page where it belongs there. A list that loses a page to a change is still complete
 * if it was not full, or if enough of what came in stands above its old end: nothing outside that list, and
 * unchanged, can stand above that end. Only a list that is left short is searched anew.
 *
 * Where the lists came from a graph that had missed some pages, those stay missed.
 * Cost  the postings of the changed pages' features, twice what exact-neighbours.ts takes for such a page, as it need
 *       not know all pages at the floor; and that for those whose lists are left short.
 */
import type { BagMatrix } from '../features/bag.ts';
import { BoundedHeap } from '../lib/bounded-heap.ts';
import { NearestSearch } from './exact/exact-neighbours.ts';
import {
  type Accumulators,
  addPostings,
  createAccumulators,
  gatherAtLeast,
  leastOverlap,
} from './exact/overlap-kernel.ts';
import type { Postings } from './exact/postings.ts';

export interface NearestList {
  readonly ids: Uint32Array;
  readonly shared: Uint16Array;
  readonly total: Uint16Array;
}

export interface UpdateOptions {
  readonly k: number;
  /** Pages below this similarity, or without a common feature, are no neighbours. */
  readonly floor: number;
}

export interface UpdateReport {
  /** Pages whose list is another one now, ascending. */
  readonly touched: number[];
  /** Pages that were searched anew, the changed ones included. */
  readonly searchedCount: number;
}

interface Offer {
  readonly id: number;
  readonly shared: number;
  readonly total: number;
}

const NO_OFFERS: readonly Offer[] = [];

/**
 * Brings `lists` up to date in place. `matrix` and `postings` hold the new bags; `changed` are the pages whose
 * bag is another one, or new, or empty now.
 */
export function updateNeighbours(
  matrix: BagMatrix,
  postings: Postings,
  lists: NearestList[],
  changed: ReadonlySet<number>,
  options: UpdateOptions,
): UpdateReport {
  const { k, floor } = options;
  const wide = new WideSearch(matrix, postings, floor);
  const nearest = new NearestSearch(matrix, postings, k, floor);
  const touched = new Set<number>();
  const offers = new Map<number, Offer[]>();
  const ends = endsOf(lists, k);
  const heap = new BoundedHeap(k);
  for (const page of changed) {
    heap.clear();
    wide.each(page, (other, shared, total) => {
      const similarity = shared / total;
      heap.offer(similarity, other, shared);
      if (similarity < ends[other]! || changed.has(other)) return;
      if (similarity === ends[other]! && page > lists[other]!.ids[k - 1]!) return;
      const known = offers.get(other);
      if (known === undefined) offers.set(other, [{ id: page, shared, total }]);
      else known.push({ id: page, shared, total });
    });
    const list = listOf(heap, page, matrix.sums);
    if (!isSameList(list, lists[page]!)) touched.add(page);
    lists[page] = list;
  }
  let searchedCount = changed.size;
  for (const [page, list] of lists.entries()) {
    if (changed.has(page)) continue;
    const own = offers.get(page) ?? NO_OFFERS;
    if (own.length === 0 && !list.ids.some((id) => changed.has(id))) continue;
    merge(heap, list, changed, own);
    const isShort = list.ids.length === k && heap.size < k;
    if (isShort) searchedCount++;
    const next = listOf(isShort ? nearest.nearest(page) : heap, page, matrix.sums);
    if (!isSameList(next, list)) touched.add(page);
    lists[page] = next;
  }
  return { touched: [...touched].sort((a, b) => a - b), searchedCount };
}

/** Leaves in `heap` the pages of a list that have not changed, and those that come in. */
function merge(
  heap: BoundedHeap,
  { ids, shared, total }: NearestList,
  changed: ReadonlySet<number>,
  offers: readonly Offer[],
): void {
  heap.clear();
  for (let i = 0; i < ids.length; i++) {
    if (!changed.has(ids[i]!)) heap.offer(shared[i]! / total[i]!, ids[i]!, shared[i]!);
  }
  for (const offer of offers) heap.offer(offer.shared / offer.total, offer.id, offer.shared);
}

/** The list of a page that the heap holds, nearest first. */
function listOf(heap: BoundedHeap, page: number, sums: Uint16Array): NearestList {
  heap.sort();
  const ids = heap.ids.slice(0, heap.size);
  const shared = new Uint16Array(heap.size);
  const total = new Uint16Array(heap.size);
  for (let i = 0; i < ids.length; i++) {
    shared[i] = heap.values[i]!;
    total[i] = sums[page]! + sums[ids[i]!]! - shared[i]!;
  }
  return { ids, shared, total };
}

export function isSameList(a: NearestList, b: NearestList): boolean {
  return (
    a.ids.length === b.ids.length &&
    a.ids.every((id, i) => id === b.ids[i] && a.shared[i] === b.shared[i] && a.total[i] === b.total[i])
  );
}

/** The K-th similarity of each list; below all where it is not full. */
function endsOf(lists: readonly NearestList[], k: number): Float64Array {
  return Float64Array.from(lists, ({ ids, shared, total }) =>
    ids.length < k ? Number.NEGATIVE_INFINITY : shared[k - 1]! / total[k - 1]!,
  );
}

/** Finds all pages at the floor or above, not the nearest alone: what a changed page may be a neighbour of. */
class WideSearch {
  readonly #matrix: BagMatrix;
  readonly #postings: Postings;
  readonly #floor: number;
  readonly #accumulators: Accumulators;
  readonly #met: Uint32Array;

  constructor(matrix: BagMatrix, postings: Postings, floor: number) {
    this.#matrix = matrix;
    this.#postings = postings;
    this.#floor = floor;
    const blockPages = Math.min(postings.blockPages, matrix.sums.length);
    this.#accumulators = createAccumulators(blockPages);
    this.#met = new Uint32Array(blockPages + 1);
  }

  each(page: number, onPage: (id: number, shared: number, total: number) => void): void {
    const { offsets, features, weights, sums } = this.#matrix;
    const { single } = this.#accumulators;
    const sum = sums[page]!;
    const least = leastOverlap(this.#floor, sum);
    for (const block of this.#postings.blocks) {
      for (let i = offsets[page]!; i < offsets[page + 1]!; i++) {
        const feature = features[i]!;
        addPostings(single, block.entries, block.offsets[feature]!, block.offsets[feature + 1]!, weights[i]!);
      }
      const count = gatherAtLeast(this.#accumulators, block.pageCount, least, this.#met);
      for (let i = 0; i < count; i++) {
        const local = this.#met[i]!;
        const id = block.firstPage + local;
        const shared = single[local]!;
        const total = sum + sums[id]! - shared;
        if (id !== page && shared / total >= this.#floor) onPage(id, shared, total);
      }
      single.fill(0, 0, block.pageCount);
    }
  }
}
