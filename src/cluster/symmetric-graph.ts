import type { NeighbourTable } from '../join/neighbour-table.ts';
import type { SimilarPairs } from '../join/similar-pairs.ts';
import { sortedOrder } from '../lib/radix-sort.ts';
import { Uint32List } from '../lib/uint32-list.ts';

/**
 * Similar pairs stored both ways. Page p owns the edges offsets[p] .. offsets[p + 1] - 1, neighbours ascending;
 * the similarity of an edge is shared / total.
 */
export interface SymmetricGraph {
  /** Uint32Array(n + 1). */
  readonly offsets: Uint32Array;
  readonly neighbours: Uint32Array;
  readonly shared: Uint16Array;
  readonly total: Uint16Array;
}

/**
 * The pairs of similarity `threshold` or more in which at least one page has the other among its neighbours.
 *
 * Cost  two radix sorts of twice the kept slots.
 */
export function graphFromNeighbours(table: NeighbourTable, threshold: number): SymmetricGraph {
  const kept = new Uint32List();
  const owners = new Uint32List();
  for (let page = 0; page < table.counts.length; page++) {
    const end = page * table.k + table.counts[page]!;
    for (let slot = page * table.k; slot < end; slot++) {
      if (table.shared[slot]! / table.total[slot]! < threshold) break;
      kept.push(slot);
      owners.push(page);
    }
  }
  const slots = kept.toArray();
  const column = (read: (slot: number) => number) => Uint16Array.from(slots, read);
  return symmetric(
    table.counts.length,
    owners.toArray(),
    slots.map((slot) => table.ids[slot]!),
    column((slot) => table.shared[slot]!),
    column((slot) => table.total[slot]!),
  );
}

/** The pairs between representatives, both ways; `centersOfTwins` brings the twins in. */
export function graphFromPairs(pairs: SimilarPairs): SymmetricGraph {
  const total = new Uint16Array(pairs.a.length).fill(pairs.total);
  return symmetric(pairs.representative.length, pairs.a, pairs.b, pairs.agreement, total);
}

function symmetric(
  pageCount: number,
  from: Uint32Array,
  to: Uint32Array,
  shared: Uint16Array,
  total: Uint16Array,
): SymmetricGraph {
  const size = from.length;
  const major = new Uint32Array(2 * size);
  const minor = new Uint32Array(2 * size);
  major.set(from);
  major.set(to, size);
  minor.set(to);
  minor.set(from, size);
  // Where both pages name each other an edge stands twice.
  const order = sortedOrder(major, minor).filter(
    (edge, i, all) => i === 0 || major[edge] !== major[all[i - 1]!] || minor[edge] !== minor[all[i - 1]!],
  );
  const offsets = new Uint32Array(pageCount + 1);
  for (const edge of order) offsets[major[edge]! + 1]!++;
  for (let page = 0; page < pageCount; page++) offsets[page + 1]! += offsets[page]!;
  return {
    offsets,
    neighbours: order.map((edge) => minor[edge]!),
    shared: Uint16Array.from(order, (edge) => shared[edge % size]!),
    total: Uint16Array.from(order, (edge) => total[edge % size]!),
  };
}
