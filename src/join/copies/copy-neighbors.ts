/**
 * The pairs of folded pages as neighbor lists of all pages: equal pages are each other's nearest, and pages of which one
 * is in the other stand where their resemblance puts them.
 */
import { type Groups, membersOf } from '../../lib/groups.ts';
import type { NeighborList } from '../pairs/neighbor-table.ts';
import { equalFigure, pairFigure } from './copy-relation.ts';
import type { SharedPairs } from './shingle-join.ts';

export class CopyNeighbors {
  readonly #pairs: SharedPairs;
  /** Pages behind each folded page. */
  readonly #groups: Groups;
  readonly #keyCounts: ArrayLike<number>;
  /** Pairs of each folded page; the other page is the one of the two that is not the owner. */
  readonly #pairsOf: Groups;
  readonly #limit: number;

  /** Shape  keyCounts of n folded pages: keys that are compared of each; `limit` neighbors a page. */
  constructor(pairs: SharedPairs, groups: Groups, keyCounts: ArrayLike<number>, limit: number) {
    this.#pairs = pairs;
    this.#groups = groups;
    this.#keyCounts = keyCounts;
    this.#pairsOf = pairsByEnd(pairs, keyCounts.length);
    this.#limit = limit;
  }

  /** Nearest first, ties by page id. Cost: a sort of the pairs of the folded page. */
  of(page: number, folded: number): NeighborList {
    const { a, b, shared, ofA, ofB } = this.#pairs;
    const { starts, members } = this.#pairsOf;
    const near = [{ other: folded, ...equalFigure(this.#keyCounts[folded]!) }];
    for (let i = starts[folded]!; i < starts[folded + 1]!; i++) {
      const pair = members[i]!;
      const other = a[pair] === folded ? b[pair]! : a[pair]!;
      near.push({ other, ...pairFigure(shared[pair]!, ofA[pair]!, ofB[pair]!) });
    }
    near.sort((x, y) => y.shared / y.total - x.shared / x.total);
    const found: { id: number; shared: number; total: number }[] = [];
    for (let from = 0; from < near.length && found.length < this.#limit; ) {
      const similarity = near[from]!.shared / near[from]!.total;
      const equal: typeof found = [];
      let to = from;
      for (; to < near.length && near[to]!.shared / near[to]!.total === similarity; to++) {
        const { other, shared, total } = near[to]!;
        for (const id of this.#firstOf(other, page)) equal.push({ id, shared, total });
      }
      equal.sort((x, y) => x.id - y.id);
      for (const one of equal.slice(0, this.#limit - found.length)) found.push(one);
      from = to;
    }
    return {
      ids: Uint32Array.from(found, (one) => one.id),
      shared: Uint16Array.from(found, (one) => one.shared),
      total: Uint16Array.from(found, (one) => one.total),
    };
  }

  /** As many pages of a group as a list can hold, `page` left out. */
  *#firstOf(folded: number, page: number): IterableIterator<number> {
    let left = this.#limit;
    for (const id of membersOf(this.#groups, folded)) {
      if (left === 0) return;
      if (id === page) continue;
      yield id;
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
