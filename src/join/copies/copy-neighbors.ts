/**
 * The pairs of folded pages as neighbor lists of all pages: equal pages are each other's nearest, and pages of which one
 * is in the other stand where their resemblance puts them.
 */
import { BoundedHeap } from '../../lib/bounded-heap.ts';
import type { Groups } from '../../lib/groups.ts';
import type { NeighborList } from '../pairs/neighbor-table.ts';
import { equalFigure, pairFigure } from './copy-relation.ts';
import type { SharedPairs } from './shingle-join.ts';

/** In place of a pair: pages of one group. */
const EQUAL = 0xffffffff;

export class CopyNeighbors {
  readonly #pairs: SharedPairs;
  /** Pages behind each folded page. */
  readonly #groups: Groups;
  readonly #keyCounts: ArrayLike<number>;
  /** Pairs of each folded page; the other page is the one of the two that is not the owner. */
  readonly #pairsOf: Groups;
  /** Its values are pairs. */
  readonly #heap: BoundedHeap;

  /** Shape  keyCounts of n folded pages: keys that are compared of each; `limit` neighbors a page. */
  constructor(pairs: SharedPairs, groups: Groups, keyCounts: ArrayLike<number>, limit: number) {
    this.#pairs = pairs;
    this.#groups = groups;
    this.#keyCounts = keyCounts;
    this.#pairsOf = pairsByEnd(pairs, keyCounts.length);
    this.#heap = new BoundedHeap(limit);
  }

  /** Nearest first, ties by page id. Cost: a look at each pair of the folded page. */
  of(page: number, folded: number): NeighborList {
    const { a, b } = this.#pairs;
    const { starts, members } = this.#pairsOf;
    const heap = this.#heap;
    heap.clear();
    this.#offerGroup(folded, 1, EQUAL, page);
    for (let i = starts[folded]!; i < starts[folded + 1]!; i++) {
      const pair = members[i]!;
      const { shared, total } = this.#figureOf(pair);
      this.#offerGroup(a[pair] === folded ? b[pair]! : a[pair]!, shared / total, pair, page);
    }
    heap.sort();
    const { size } = heap;
    const list = {
      ids: heap.ids.slice(0, size),
      shared: new Uint16Array(size),
      total: new Uint16Array(size),
    };
    for (let i = 0; i < size; i++) {
      const pair = heap.values[i]!;
      const figure = pair === EQUAL ? equalFigure(this.#keyCounts[folded]!) : this.#figureOf(pair);
      list.shared[i] = figure.shared;
      list.total[i] = figure.total;
    }
    return list;
  }

  #figureOf(pair: number) {
    const { shared, ofA, ofB } = this.#pairs;
    return pairFigure(shared[pair]!, ofA[pair]!, ofB[pair]!);
  }

  /** Offers the pages of a group, `page` left out: no more than a list can hold, as they ascend. */
  #offerGroup(folded: number, similarity: number, pair: number, page: number): void {
    const { starts, members } = this.#groups;
    const heap = this.#heap;
    if (similarity < heap.bound(0)) return;
    let left = heap.capacity;
    for (let i = starts[folded]!; left > 0 && i < starts[folded + 1]!; i++) {
      if (members[i] === page) continue;
      heap.offer(similarity, members[i]!, pair);
      left--;
    }
  }
}

/** Pairs by both of their ends. Not by groupBy(): two columns are not one, and to join them takes a fifth longer. */
function pairsByEnd({ a, b }: SharedPairs, foldedCount: number): Groups {
  const starts = new Uint32Array(foldedCount + 1);
  for (let i = 0; i < a.length; i++) {
    starts[a[i]! + 1]!++;
    starts[b[i]! + 1]!++;
  }
  for (let i = 0; i < foldedCount; i++) starts[i + 1]! += starts[i]!;
  const members = new Uint32Array(2 * a.length);
  const next = starts.slice();
  for (let i = 0; i < a.length; i++) {
    members[next[a[i]!]!++] = i;
    members[next[b[i]!]!++] = i;
  }
  return { starts, members };
}
