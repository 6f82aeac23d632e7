import type { CollapsedBags } from './collapse-equal-bags.ts';
import { type HeapArrays, ID_BITS, overlapOf } from './neighbour-heaps.ts';
import { createNeighbourTable, type NeighbourTable } from './neighbour-table.ts';

/**
 * The table of all pages from the heaps of the groups of equal bags: a page's nearest are the others of its
 * own group, at similarity 1, then the pages of the neighbouring groups; ties by page id.
 */
export function expandGroups(heaps: HeapArrays, bags: CollapsedBags, k: number): NeighbourTable {
  const pageCount = bags.groupOf.length;
  const allocate = (bytes: number) => new SharedArrayBuffer(bytes);
  const table = createNeighbourTable(pageCount, k, allocate);
  const { sums } = bags.matrix;
  const row = new GroupRow(heaps.k);
  for (let group = 0; group < sums.length; group++) {
    if (sums[group] === 0) continue;
    row.read(heaps, group);
    for (let m = bags.offsets[group]!; m < bags.offsets[group + 1]!; m++) {
      writePage(table, bags, bags.members[m]!, group, row);
    }
  }
  return table;
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
  bags: CollapsedBags,
  page: number,
  group: number,
  row: GroupRow,
): void {
  const { offsets, members } = bags;
  const { sums } = bags.matrix;
  const base = page * table.k;
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
  table.counts[page] = count;
}

function copySlot(table: NeighbourTable, from: number, to: number): void {
  table.ids[to] = table.ids[from]!;
  table.shared[to] = table.shared[from]!;
  table.total[to] = table.total[from]!;
}
