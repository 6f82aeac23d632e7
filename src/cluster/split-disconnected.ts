import type { WeightedGraph } from './weighted-graph.ts';

/**
 * Makes every connected piece of a community a community of its own, which never lowers Q; renumbers
 * `membership` in order of first nodes and returns how many communities there are.
 */
export function splitDisconnected(graph: WeightedGraph, membership: Uint32Array): number {
  const pieces = new Int32Array(membership.length).fill(-1);
  const stack = new Uint32Array(membership.length);
  let count = 0;
  for (let start = 0; start < membership.length; start++) {
    if (pieces[start]! < 0) fillPiece(graph, membership, pieces, stack, start, count++);
  }
  membership.set(pieces);
  return count;
}

/** Gives the nodes of a community that `start` reaches the number of their piece. */
function fillPiece(
  { offsets, neighbors }: WeightedGraph,
  membership: Uint32Array,
  pieces: Int32Array,
  stack: Uint32Array,
  start: number,
  piece: number,
): void {
  const community = membership[start]!;
  let size = 0;
  stack[size++] = start;
  pieces[start] = piece;
  while (size > 0) {
    const node = stack[--size]!;
    for (let e = offsets[node]!; e < offsets[node + 1]!; e++) {
      const other = neighbors[e]!;
      if (pieces[other]! >= 0 || membership[other] !== community) continue;
      pieces[other] = piece;
      stack[size++] = other;
    }
  }
}
