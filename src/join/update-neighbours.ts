/**
 * The K nearest pages of every page, kept exact while some bags change.
 *
 * A changed page is compared with all others over the postings of its features. Its new similarity goes into
 * the list of the other page where it belongs there. A list that loses a page to a change is still complete
 * if it was not full, or if enough of what came in stands above its old end: nothing outside that list, and
 * unchanged, can stand above that end. Only a list that is left short is searched anew.
 *
 * Where the lists came from a graph that had missed some pages, those stay missed.
 * Cost  the postings of the changed pages' features, and of those whose lists are left short.
 */
import type { BagMatrix } from '../features/bag.ts';
import { BoundedHeap } from '../lib/bounded-heap.ts';
import type { Postings } from './postings.ts';

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
  const search = new ListSearch(matrix, postings, options);
  const touched = new Set<number>();
  const offers = new Map<number, Offer[]>();
  for (const page of changed) {
    const list = search.nearest(page, (other, shared, total) => {
      if (changed.has(other) || !reaches(lists[other]!, options.k, page, shared / total)) return;
      const known = offers.get(other);
      if (known === undefined) offers.set(other, [{ id: page, shared, total }]);
      else known.push({ id: page, shared, total });
    });
    if (!isSame(list, lists[page]!)) touched.add(page);
    lists[page] = list;
  }
  let searchedCount = changed.size;
  for (const [page, list] of lists.entries()) {
    if (changed.has(page)) continue;
    const own = offers.get(page) ?? [];
    const lost = list.ids.some((id) => changed.has(id));
    if (!lost && own.length === 0) continue;
    let next = merge(list, changed, own, options.k);
    if (list.ids.length === options.k && next.ids.length < options.k) {
      next = search.nearest(page, null);
      searchedCount++;
    }
    if (!isSame(next, list)) touched.add(page);
    lists[page] = next;
  }
  return { touched: [...touched].sort((a, b) => a - b), searchedCount };
}

/** Whether a page of this similarity stands above the end of a list; a list that is not full takes all. */
function reaches({ ids, shared, total }: NearestList, k: number, id: number, similarity: number): boolean {
  if (ids.length < k) return true;
  const last = shared[k - 1]! / total[k - 1]!;
  return similarity > last || (similarity === last && id <= ids[k - 1]!);
}

/** The pages of a list that have not changed, and those that come in; nearest first, at most k. */
function merge(
  list: NearestList,
  changed: ReadonlySet<number>,
  offers: readonly Offer[],
  k: number,
): NearestList {
  const heap = new BoundedHeap(k);
  const totals = new Map<number, number>();
  const offer = (id: number, shared: number, total: number) => {
    heap.offer(shared / total, id, shared);
    totals.set(id, total);
  };
  for (const [i, id] of list.ids.entries()) if (!changed.has(id)) offer(id, list.shared[i]!, list.total[i]!);
  for (const { id, shared, total } of offers) offer(id, shared, total);
  return listOf(heap, (id) => totals.get(id)!);
}

function listOf(heap: BoundedHeap, totalOf: (id: number, shared: number) => number): NearestList {
  heap.sort();
  const ids = heap.ids.slice(0, heap.size);
  const shared = Uint16Array.from(heap.values.subarray(0, heap.size));
  return { ids, shared, total: Uint16Array.from(ids, (id, i) => totalOf(id, shared[i]!)) };
}

function isSame(a: NearestList, b: NearestList): boolean {
  return (
    a.ids.length === b.ids.length &&
    a.ids.every((id, i) => id === b.ids[i] && a.shared[i] === b.shared[i] && a.total[i] === b.total[i])
  );
}

class ListSearch {
  readonly #matrix: BagMatrix;
  readonly #postings: Postings;
  readonly #floor: number;
  readonly #heap: BoundedHeap;
  readonly #overlaps: Uint16Array;
  readonly #met: Uint32Array;

  constructor(matrix: BagMatrix, postings: Postings, { k, floor }: UpdateOptions) {
    this.#matrix = matrix;
    this.#postings = postings;
    this.#floor = floor;
    this.#heap = new BoundedHeap(k);
    const blockPages = Math.min(postings.blockPages, matrix.sums.length);
    this.#overlaps = new Uint16Array(blockPages);
    this.#met = new Uint32Array(blockPages);
  }

  /** The exact list of a page; `onPage` is told of every page at the floor or above. */
  nearest(page: number, onPage: ((id: number, shared: number, total: number) => void) | null): NearestList {
    const { sums } = this.#matrix;
    const heap = this.#heap;
    const overlaps = this.#overlaps;
    const sum = sums[page]!;
    heap.clear();
    for (const block of this.#postings.blocks) {
      const count = this.#accumulate(page, block);
      for (let i = 0; i < count; i++) {
        const local = this.#met[i]!;
        const shared = overlaps[local]!;
        overlaps[local] = 0;
        const id = block.firstPage + local;
        if (id === page) continue;
        const total = sum + sums[id]! - shared;
        const similarity = shared / total;
        if (similarity < this.#floor) continue;
        heap.offer(similarity, id, shared);
        onPage?.(id, shared, total);
      }
    }
    return listOf(heap, (id, shared) => sum + sums[id]! - shared);
  }

  /** Overlaps of a page with those of a block that have a feature in common with it; how many these are. */
  #accumulate(page: number, { offsets, entries }: Postings['blocks'][number]): number {
    const { features, weights } = this.#matrix;
    const overlaps = this.#overlaps;
    const met = this.#met;
    let count = 0;
    for (let i = this.#matrix.offsets[page]!; i < this.#matrix.offsets[page + 1]!; i++) {
      const weight = weights[i]!;
      const end = offsets[features[i]! + 1]!;
      for (let at = offsets[features[i]!]!; at < end; at++) {
        const local = entries[at]! & 0xffffff;
        const other = entries[at]! >>> 24;
        if (overlaps[local] === 0) met[count++] = local;
        overlaps[local] = overlaps[local]! + (other < weight ? other : weight);
      }
    }
    return count;
  }
}
