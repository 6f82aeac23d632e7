/**
 * Lists over bags to which neighbors lent words (lent-bags.ts). Those that lend are in the list; the others are the nearest over
 * lent bags among the pages of the list by similarity and the first of the lists of those that lend. None of these is more similar than those that lend, as
 * one may be that a search of a large collection had missed: so a list alone says who lends.
 *
 * Measured   of the ten nearest over lent bags of all pages these have .997 on articles, all but one in two thousand on manuals and posts;
 *            with all of their lists, and with those of all 32 pages, P@10 is within .0003, at a third more of the cost each.
 */

import { type BagMatrix, bagAt } from '../../features/bag.ts';
import { BoundedHeap } from '../../lib/bounded-heap.ts';
import { longer } from '../../lib/columns/longer.ts';
import { reachesShare } from '../../lib/reaches-share.ts';
import { overlapFrom } from '../exact/overlap-kernel.ts';
import type { PairNearness } from '../pairs/nearness.ts';
import {
  createNeighborTable,
  type Neighbor,
  type NeighborTable,
  rowOfTable,
} from '../pairs/neighbor-table.ts';
import { LENDERS, LentBags } from './lent-bags.ts';

/** Of the list of a page that lends, so many are compared. */
const NEIGHBORS_OF_LENDER = 20;

/** How many entries lent bags have, about: what is lent has so much of a weight in all, and none of it less than 1. */
export function lentEntryCount(
  { offsets, sums }: Pick<BagMatrix, 'offsets' | 'sums'>,
  share: number,
): number {
  let total = 0;
  for (const sum of sums) total += sum;
  return offsets.at(-1)! + Math.ceil(share * total);
}

/** Lent bags of all pages; rows of the table are by similarity. Memory  5 bytes an entry (`lentEntryCount`). */
export function lentMatrix(matrix: BagMatrix, table: NeighborTable, share: number): BagMatrix {
  const lent = new LentBags(share);
  const pageCount = matrix.sums.length;
  const offsets = new Float64Array(pageCount + 1);
  const sums = new Uint16Array(pageCount);
  let room = lentEntryCount(matrix, share);
  let [features, weights] = [new Uint32Array(room), new Uint8Array(room)];
  for (let page = 0; page < pageCount; page++) {
    const { ids, shared, total, start, end } = rowOfTable(table, page);
    const lenders = Array.from(ids.subarray(start, Math.min(end, start + LENDERS)), (id, i) => ({
      bag: bagAt(matrix, id),
      similarity: shared[start + i]! / total[start + i]!,
    }));
    const bag = lent.of(bagAt(matrix, page), lenders);
    const from = offsets[page]!;
    const to = from + bag.features.length;
    if (to > room) {
      room = Math.ceil(1.25 * to);
      [features, weights] = [longer(features, room), longer(weights, room)];
    }
    features.set(bag.features, from);
    weights.set(bag.weights, from);
    offsets[page + 1] = to;
    sums[page] = bag.sum;
  }
  return { offsets, features, weights, sums, featureCount: matrix.featureCount };
}

interface LentListOptions {
  /** Of the rows, the first ones are pages; the others are in no list. */
  readonly pageCount: number;
  readonly floor: number;
  readonly pair: PairNearness;
}

/** The lists, nearest first; similarities are of the bags as they are, nearness is of the lent ones. */
export function lentLists(
  matrix: BagMatrix,
  table: NeighborTable,
  share: number,
  { pageCount, floor, pair }: LentListOptions,
  onPages: (done: number) => void = () => {},
): NeighborTable {
  const { k } = table;
  const lent = lentMatrix(matrix, table, share);
  const rowCount = matrix.sums.length;
  const result = { ...createNeighborTable(rowCount, k), nearness: new Uint16Array(rowCount * k) };
  const [own, ownLent] = [new BagOverlaps(matrix), new BagOverlaps(lent)];
  const heap = new BoundedHeap(k);
  const met = new Uint32Array(rowCount);
  for (let page = 0; page < rowCount; page++) {
    const { ids, shared, total, start, end } = rowOfTable(table, page);
    const lenderEnd = Math.min(end, start + LENDERS);
    own.take(page);
    ownLent.take(page);
    heap.clear();
    met[page] = page + 1;
    const offer = (id: number) => {
      if (met[id] === page + 1 || id >= pageCount) return;
      met[id] = page + 1;
      const overlap = ownLent.with(id);
      const similarity = overlap / ownLent.totalWith(id, overlap);
      if (overlap > 0 && similarity >= floor) heap.offer(similarity, id, overlap);
    };
    for (let at = start; at < lenderEnd; at++) met[ids[at]!] = page + 1;
    for (let at = lenderEnd; at < end; at++) offer(ids[at]!);
    for (let at = start; at < lenderEnd; at++) {
      const from = ids[at]! * k;
      const to = from + Math.min(NEIGHBORS_OF_LENDER, table.counts[ids[at]!]!);
      for (let further = from; further < to; further++) offer(table.ids[further]!);
    }
    heap.sort();
    const members: Member[] = [];
    for (let at = start; at < lenderEnd; at++)
      members.push({ id: ids[at]!, shared: shared[at]!, total: total[at]!, lent: ownLent.with(ids[at]!) });
    const last = members.length < LENDERS ? null : members.at(-1)!;
    for (let i = 0; i < heap.size && members.length < k; i++) {
      const id = heap.ids[i]!;
      const overlap = own.with(id);
      const member = { id, shared: overlap, total: own.totalWith(id, overlap), lent: heap.values[i]! };
      const isLess =
        last === null ? !reachesShare(member.shared, member.total, floor) : isBehind(member, last);
      if (isLess) members.push(member);
    }
    writeMembers(result, page, members, lent, pair);
    if (page % 1024 === 1023) onPages(page + 1);
  }
  return result;
}

/** A page of a list: what it shares with its owner, as they are and over lent words. */
interface Member extends Neighbor {
  readonly lent: number;
}

function isBehind(one: Member, other: Member): boolean {
  const difference = one.shared * other.total - other.shared * one.total;
  return difference < 0 || (difference === 0 && one.id > other.id);
}

function writeMembers(
  table: Required<NeighborTable>,
  page: number,
  members: readonly Member[],
  { offsets, features, weights, sums }: BagMatrix,
  pair: PairNearness,
): void {
  const bagOf = (id: number) => {
    return { features, weights, sum: sums[id]!, start: offsets[id]!, end: offsets[id + 1]! };
  };
  pair.take(bagOf(page));
  const rated = members.map((one) => {
    const similarity = one.lent === 0 ? 0 : one.lent / (sums[page]! + sums[one.id]! - one.lent);
    return { ...one, nearness: pair.of(bagOf(one.id), similarity) };
  });
  rated.sort((a, b) => b.nearness - a.nearness || a.id - b.id);
  table.counts[page] = rated.length;
  for (const [i, { id, shared, total, nearness }] of rated.entries()) {
    const slot = page * table.k + i;
    table.ids[slot] = id;
    table.shared[slot] = shared;
    table.total[slot] = total;
    table.nearness[slot] = nearness;
  }
}

/** What the bag of one page after the other shares with others of its matrix. Memory  a byte a feature. */
class BagOverlaps {
  readonly #matrix: BagMatrix;
  readonly #weightOf: Uint8Array;
  #page = -1;

  constructor(matrix: BagMatrix) {
    this.#matrix = matrix;
    this.#weightOf = new Uint8Array(matrix.featureCount);
  }

  take(page: number): void {
    const { offsets, features, weights } = this.#matrix;
    if (this.#page >= 0)
      for (let at = offsets[this.#page]!; at < offsets[this.#page + 1]!; at++)
        this.#weightOf[features[at]!] = 0;
    this.#page = page;
    for (let at = offsets[page]!; at < offsets[page + 1]!; at++) this.#weightOf[features[at]!] = weights[at]!;
  }

  with(page: number): number {
    const { offsets, features, weights } = this.#matrix;
    return overlapFrom(this.#weightOf, features, weights, offsets[page]!, offsets[page + 1]!, 0);
  }

  /** Of what both have, 1 at least. */
  totalWith(page: number, overlap: number): number {
    const { sums } = this.#matrix;
    return Math.max(1, sums[this.#page]! + sums[page]! - overlap);
  }
}
