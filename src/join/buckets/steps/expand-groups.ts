import type { CollapsedBags } from '../../bags/collapse-equal-bags.ts';
import { EQUAL_NEARNESS } from '../../pairs/nearness.ts';
import { createNeighborTable, type NeighborTable } from '../../pairs/neighbor-table.ts';
import type { JoinSpace } from '../space/join-space.ts';
import { ID_BITS, overlapAtSimilarity } from '../space/neighbor-heaps.ts';

/** Pages of one table that is handed out. */
const BLOCK_PAGES = 16_384;

type RatedTable = NeighborTable & { readonly nearness: Uint16Array };

/** One group's neighbors, most similar first, ties by the number of the group. */
interface GroupRow {
  readonly ids: Uint32Array;
  readonly similarities: Float64Array;
  readonly shared: Uint32Array;
  readonly nearness: Uint16Array;
  size: number;
}

/** The neighbors of groups, at most k of each. */
interface GroupRows {
  readonly k: number;
  /** Writes the neighbors of a group to `row`. */
  read(group: number, row: GroupRow): void;
}

/**
 * The rows of all pages from those of the groups of equal bags: a page's nearest are the others of its
 * own group, at similarity 1, then the pages of the neighboring groups; ties by page id. Handed out block by
 * block in page order, in tables that are overwritten after the call.
 *
 * Groups are numbered by their first pages, so where the k nearest groups are exact, the k nearest pages are: each of
 * those groups has a page before any page of a group that is as near and was left out.
 */
export function expandGroups(
  rows: GroupRows,
  groups: CollapsedBags,
  take: (rows: NeighborTable) => void,
): void {
  const { groupOf } = groups;
  const { sums } = groups.bags;
  const { k } = rows;
  const blockPages = Math.min(groupOf.length, BLOCK_PAGES);
  const block = { ...createNeighborTable(blockPages, k), nearness: new Uint16Array(blockPages * k) };
  const row: GroupRow = {
    ids: new Uint32Array(k),
    similarities: new Float64Array(k),
    shared: new Uint32Array(k),
    nearness: new Uint16Array(k),
    size: 0,
  };
  let read = -1;
  for (let first = 0; first < groupOf.length; first += BLOCK_PAGES) {
    const size = Math.min(BLOCK_PAGES, groupOf.length - first);
    block.counts.fill(0);
    block.ids.fill(0);
    block.shared.fill(0);
    block.total.fill(0);
    block.nearness.fill(0);
    for (let i = 0; i < size; i++) {
      const group = groupOf[first + i]!;
      if (sums[group] === 0) continue;
      if (group !== read) rows.read((read = group), row);
      writePage(block, i, groups, first + i, row);
    }
    take({
      k,
      counts: block.counts.subarray(0, size),
      ids: block.ids.subarray(0, size * k),
      shared: block.shared.subarray(0, size * k),
      total: block.total.subarray(0, size * k),
      nearness: block.nearness.subarray(0, size * k),
    });
  }
}

/** The rows of a table of groups, exact and in order. */
export function tableRows({ k, counts, ids, shared, total, nearness }: RatedTable): GroupRows {
  return {
    k,
    read(group, row) {
      row.size = counts[group]!;
      for (let i = 0; i < row.size; i++) {
        const slot = group * k + i;
        row.ids[i] = ids[slot]!;
        row.shared[i] = shared[slot]!;
        row.nearness[i] = nearness[slot]!;
        row.similarities[i] = shared[slot]! / total[slot]!;
      }
    },
  };
}

/** The heaps of the groups, whose bags have these sums, in order; each neighbor with its nearness. */
export function heapRows(
  { heaps, nearness }: Pick<JoinSpace, 'heaps' | 'nearness'>,
  sums: Uint16Array,
): GroupRows {
  return {
    k: heaps.k,
    read(group, row) {
      const base = group * heaps.k;
      row.size = heaps.counts[group]!;
      for (let i = 0; i < row.size; i++) {
        const id = heaps.ids[base + i]! & ID_BITS;
        const similarity = heaps.similarities[base + i]!;
        let slot = i;
        while (slot > 0) {
          const other = row.similarities[slot - 1]!;
          if (other > similarity || (other === similarity && row.ids[slot - 1]! < id)) break;
          row.ids[slot] = row.ids[slot - 1]!;
          row.similarities[slot] = other;
          row.nearness[slot] = row.nearness[slot - 1]!;
          slot--;
        }
        row.ids[slot] = id;
        row.similarities[slot] = similarity;
        row.nearness[slot] = nearness[base + i]!;
      }
      for (let i = 0; i < row.size; i++) {
        row.shared[i] = overlapAtSimilarity(row.similarities[i]!, sums[group]! + sums[row.ids[i]!]!);
      }
    },
  };
}

function writePage(table: RatedTable, at: number, groups: CollapsedBags, page: number, row: GroupRow): void {
  const { starts, members } = groups;
  const { sums } = groups.bags;
  const group = groups.groupOf[page]!;
  const base = at * table.k;
  let count = 0;
  const put = (id: number, shared: number, total: number, nearness: number, from: number) => {
    let slot = count;
    while (slot > from && table.ids[base + slot - 1]! > id) {
      if (slot < table.k) copySlot(table, base + slot - 1, base + slot);
      slot--;
    }
    if (slot >= table.k) return false;
    table.ids[base + slot] = id;
    table.shared[base + slot] = shared;
    table.total[base + slot] = total;
    table.nearness[base + slot] = nearness;
    if (count < table.k) count++;
    return true;
  };
  for (let m = starts[group]!; m < starts[group + 1]! && count < table.k; m++) {
    if (members[m] !== page) put(members[m]!, sums[group]!, sums[group]!, EQUAL_NEARNESS, 0);
  }
  let tieStart = count;
  for (let i = 0; i < row.size; i++) {
    const isTie = i > 0 && row.similarities[i] === row.similarities[i - 1];
    if (!isTie) {
      if (count >= table.k) break;
      tieStart = count;
    }
    const near = row.ids[i]!;
    const sumOfBoth = sums[group]! + sums[near]!;
    const shared = row.shared[i]!;
    for (let m = starts[near]!; m < starts[near + 1]!; m++) {
      if (!put(members[m]!, shared, sumOfBoth - shared, row.nearness[i]!, tieStart)) break;
    }
  }
  table.counts[at] = count;
}

function copySlot(table: RatedTable, from: number, to: number): void {
  table.ids[to] = table.ids[from]!;
  table.shared[to] = table.shared[from]!;
  table.total[to] = table.total[from]!;
  table.nearness[to] = table.nearness[from]!;
}
