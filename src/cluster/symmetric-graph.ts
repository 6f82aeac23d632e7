/**
 * Similar pairs as a graph in which each page has all its edges, for CENTER to scan.
 *
 *   nearest pages     edges, ascending
 *   0: 2              0: 2
 *   1: 2              1: 2
 *   2: 0              2: 0 1        page 1 is not among the nearest of page 2, but has it among its own
 */
import type { NeighborTable } from '../join/pairs/neighbor-table.ts';
import type { SimilarPairs } from '../join/pairs/similar-pairs.ts';

/** Beyond all pages. */
const NO_PAGE = 0xffff_ffff;

/**
 * Similar pairs stored both ways. Page p owns the edges offsets[p] .. offsets[p + 1] - 1, neighbors ascending;
 * the similarity of an edge is shared / total.
 */
export interface SymmetricGraph {
  /** Float64Array(n + 1): twenty million pages may have more than 2^32 edges. */
  readonly offsets: Float64Array;
  readonly neighbors: Uint32Array;
  readonly shared: Uint16Array;
  readonly total: Uint16Array;
}

/**
 * The pairs of similarity `threshold` or more in which at least one page has the other among its neighbors.
 *
 * Lists of slots by target and by owner are transposes of each other, and a transpose comes out sorted: so no
 * edge is ever compared with one of another page.
 *
 * Cost  O(n + slots), 6 bytes a kept slot besides the graph.
 */
export function graphFromNeighbors(table: NeighborTable, threshold: number): SymmetricGraph {
  const pageCount = table.counts.length;
  const kept = keptCounts(table, threshold);
  const incoming = slotsByTarget(table, kept);
  const outgoing = slotsByOwner(kept, incoming);
  const offsets = new Float64Array(pageCount + 1);
  for (let page = 0; page < pageCount; page++) {
    offsets[page + 1] = offsets[page]! + mergeEdges(table, outgoing, incoming, page, null, 0);
  }
  const edgeCount = offsets[pageCount]!;
  const graph = {
    offsets,
    neighbors: new Uint32Array(edgeCount),
    shared: new Uint16Array(edgeCount),
    total: new Uint16Array(edgeCount),
  };
  for (let page = 0; page < pageCount; page++) {
    mergeEdges(table, outgoing, incoming, page, graph, offsets[page]!);
  }
  return graph;
}

/** Kept slots of one page after the other, by their places among the slots of their owners: page p has those from offsets[p]. */
interface SlotRows {
  readonly offsets: Float64Array;
  readonly places: Uint8Array;
}

/** Of each page the neighbors at the threshold or above: they come first. */
function keptCounts(table: NeighborTable, threshold: number): Uint8Array {
  const { k, shared, total } = table;
  return table.counts.map((count, page) => {
    let kept = 0;
    while (kept < count && !(shared[page * k + kept]! / total[page * k + kept]! < threshold)) kept++;
    return kept;
  });
}

/** Rows by target, with the owner of each slot; a row ascends by owner. No groupBy(): there may be 2^32 slots or more. */
function slotsByTarget(table: NeighborTable, kept: Uint8Array): SlotRows & { readonly owners: Uint32Array } {
  const { k, ids } = table;
  const offsets = new Float64Array(kept.length + 1);
  for (let page = 0; page < kept.length; page++) {
    for (let place = 0; place < kept[page]!; place++) offsets[ids[page * k + place]! + 1]!++;
  }
  for (let page = 0; page < kept.length; page++) offsets[page + 1]! += offsets[page]!;
  const next = offsets.slice();
  const owners = new Uint32Array(offsets[kept.length]!);
  const places = new Uint8Array(owners.length);
  for (let page = 0; page < kept.length; page++) {
    for (let place = 0; place < kept[page]!; place++) {
      const at = next[ids[page * k + place]!]!++;
      owners[at] = page;
      places[at] = place;
    }
  }
  return { offsets, owners, places };
}

/** Rows by owner; a row ascends by target. */
function slotsByOwner(kept: Uint8Array, byTarget: ReturnType<typeof slotsByTarget>): SlotRows {
  const offsets = new Float64Array(kept.length + 1);
  for (let page = 0; page < kept.length; page++) offsets[page + 1] = offsets[page]! + kept[page]!;
  const next = offsets.slice();
  const places = new Uint8Array(byTarget.places.length);
  for (let i = 0; i < places.length; i++) places[next[byTarget.owners[i]!]!++] = byTarget.places[i]!;
  return { offsets, places };
}

/** Merges the two rows of a page, an edge that stands in both once, into `graph` from `at`. Returns their number. */
function mergeEdges(
  table: NeighborTable,
  outgoing: SlotRows,
  incoming: ReturnType<typeof slotsByTarget>,
  page: number,
  graph: SymmetricGraph | null,
  at: number,
): number {
  let [out, into] = [outgoing.offsets[page]!, incoming.offsets[page]!];
  const [outEnd, intoEnd] = [outgoing.offsets[page + 1]!, incoming.offsets[page + 1]!];
  let count = 0;
  for (; out < outEnd || into < intoEnd; count++) {
    const own = page * table.k + outgoing.places[out]!;
    const target = out < outEnd ? table.ids[own]! : NO_PAGE;
    const owner = into < intoEnd ? incoming.owners[into]! : NO_PAGE;
    const slot = target <= owner ? own : owner * table.k + incoming.places[into]!;
    if (target <= owner) out++;
    if (owner <= target) into++;
    if (graph === null) continue;
    graph.neighbors[at + count] = Math.min(target, owner);
    graph.shared[at + count] = table.shared[slot]!;
    graph.total[at + count] = table.total[slot]!;
  }
  return count;
}

/** The pairs between representatives, both ways; `centersOfTwins` brings the twins in. By groupBy() it takes twice as long. */
export function graphFromPairs({ a, b, agreement, total, representative }: SimilarPairs): SymmetricGraph {
  const pageCount = representative.length;
  const offsets = new Float64Array(pageCount + 1);
  for (const ends of [a, b]) for (const page of ends) offsets[page + 1]!++;
  for (let page = 0; page < pageCount; page++) offsets[page + 1]! += offsets[page]!;
  const neighbors = new Uint32Array(2 * a.length);
  const shared = new Uint16Array(2 * a.length);
  const next = offsets.slice();
  // Lower neighbors first, then higher ones: sorted pairs bring each kind in order.
  for (const [owners, others] of [
    [b, a],
    [a, b],
  ] as const) {
    for (let i = 0; i < a.length; i++) {
      const edge = next[owners[i]!]!++;
      neighbors[edge] = others[i]!;
      shared[edge] = agreement[i]!;
    }
  }
  return { offsets, neighbors, shared, total: new Uint16Array(2 * a.length).fill(total) };
}
