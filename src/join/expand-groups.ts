import type { CollapsedBags } from './collapse-equal-bags.ts';
import { type HeapArrays, ID_BITS, overlapOf } from './neighbour-heaps.ts';
import { createNeighbourTable, type NeighbourTable } from './neighbour-table.ts';

/** Pages of one table that is handed out. */
const BLOCK_PAGES = 16_384;

/**
 * The rows of all pages from the heaps of the groups of equal bags: a page's nearest are the others of its
 * own group, at similarity 1, then the pages of the neighbouring groups; ties by page id. Handed out block by
 * block in page order, in tables that are overwritten after the call.
 */
export function expandGroups(
  heaps: HeapArrays,
  groups: CollapsedBags,
  take: (rows: NeighbourTable) => void,
): void {
  const { groupOf } = groups;
  const { sums } = groups.bags;
  const { k } = heaps;
  const block = createNeighbourTable(Math.min(groupOf.length, BLOCK_PAGES), k);
  const row = new GroupRow(k);
  let read = -1;
  for (let first = 0; first < groupOf.length; first += BLOCK_PAGES) {
    const size = Math.min(BLOCK_PAGES, groupOf.length - first);
    block.counts.fill(0);
    block.ids.fill(0);
    block.shared.fill(0);
    block.total.fill(0);
    for (let i = 0; i < size; i++) {
      const group = groupOf[first + i]!;
      if (sums[group] === 0) continue;
      if (group !== read) row.read(heaps, (read = group));
      writePage(block, i, groups, first + i, row);
    }
    take({
      k,
      counts: block.counts.subarray(0, size),
      ids: block.ids.subarray(0, size * k),
      shared: block.shared.subarray(0, size * k),
      total: block.total.subarray(0, size * k),
    });
  }
}

/** One group's neighbours, most similar first. */
class GroupRow {
  readonly ids: Uint32Array;
  readonly similarities: Float32Array;
  size = 0;

  constructor(k: number) {
    this.ids = new Uint32Array(k);
    this.similarities = new Float32Array(k);
  }

  read(heaps: HeapArrays, group: number): void {
    const base = group * heaps.k;
    this.size = heaps.counts[group]!;
    for (let i = 0; i < this.size; i++) {
      const id = heaps.ids[base + i]! & ID_BITS;
      const similarity = heaps.similarities[base + i]!;
      let slot = i;
      while (slot > 0) {
        const other = this.similarities[slot - 1]!;
        if (other > similarity || (other === similarity && this.ids[slot - 1]! < id)) break;
        this.ids[slot] = this.ids[slot - 1]!;
        this.similarities[slot] = other;
        slot--;
      }
      this.ids[slot] = id;
      this.similarities[slot] = similarity;
    }
  }
}

function writePage(
  table: NeighbourTable,
  at: number,
  groups: CollapsedBags,
  page: number,
  row: GroupRow,
): void {
  const { offsets, members } = groups;
  const { sums } = groups.bags;
  const group = groups.groupOf[page]!;
  const base = at * table.k;
  let count = 0;
  const put = (id: number, shared: number, total: number, from: number) => {
    let slot = count;
    while (slot > from && table.ids[base + slot - 1]! > id) {
      if (slot < table.k) copySlot(table, base + slot - 1, base + slot);
      slot--;
    }
    if (slot >= table.k) return false;
    table.ids[base + slot] = id;
    table.shared[base + slot] = shared;
    table.total[base + slot] = total;
    if (count < table.k) count++;
    return true;
  };
  for (let m = offsets[group]!; m < offsets[group + 1]! && count < table.k; m++) {
    if (members[m] !== page) put(members[m]!, sums[group]!, sums[group]!, 0);
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
    const shared = overlapOf(row.similarities[i]!, sumOfBoth);
    for (let m = offsets[near]!; m < offsets[near + 1]!; m++) {
      if (!put(members[m]!, shared, sumOfBoth - shared, tieStart)) break;
    }
  }
  table.counts[at] = count;
}

function copySlot(table: NeighbourTable, from: number, to: number): void {
  table.ids[to] = table.ids[from]!;
  table.shared[to] = table.shared[from]!;
  table.total[to] = table.total[from]!;
}
