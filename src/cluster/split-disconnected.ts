import type { WeightedGraph } from './weighted-graph.ts';

/**
 * Makes every connected piece of a community a community of its own, which never lowers Q; renumbers
 * `membership` in order of first nodes and returns how many communities there are.
 */
export function splitDisconnected(graph: WeightedGraph, membership: Uint32Array): number {
  const { offsets, neighbors } = graph;
  const pieces = new Int32Array(membership.length).fill(-1);
  const stack = new Uint32Array(membership.length);
  let count = 0;
  for (let start = 0; start < membership.length; start++) {
    if (pieces[start]! >= 0) continue;
    let size = 0;
    stack[size++] = start;
    pieces[start] = count;
    while (size > 0) {
      const node = stack[--size]!;
      for (let e = offsets[node]!; e < offsets[node + 1]!; e++) {
        const other = neighbors[e]!;
        if (pieces[other]! >= 0 || membership[other] !== membership[start]) continue;
        pieces[other] = count;
        stack[size++] = other;
      }
    }
    count++;
  }
  membership.set(pieces);
  return count;
}
