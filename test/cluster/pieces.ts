import type { WeightedGraph } from '../../src/cluster/weighted-graph.ts';

/** Connected pieces of the groups of nodes, counted by walks of their own: as many as groups where each is connected. */
export function countPieces(groupOf: ArrayLike<number>, edgesOf: (node: number) => Iterable<number>): number {
  const met = new Set<number>();
  let count = 0;
  for (let start = 0; start < groupOf.length; start++) {
    if (met.has(start)) continue;
    count++;
    const walk = [start];
    met.add(start);
    for (const node of walk) {
      for (const other of edgesOf(node)) {
        if (met.has(other) || groupOf[other] !== groupOf[start]) continue;
        met.add(other);
        walk.push(other);
      }
    }
  }
  return count;
}

function edgesIn({ offsets, neighbors }: WeightedGraph): (node: number) => Uint32Array {
  return (node) => neighbors.subarray(offsets[node], offsets[node + 1]);
}

/** Groups that are in more than one piece count once for each piece above the first. */
export function countBreaks(groupOf: ArrayLike<number>, graph: WeightedGraph): number {
  return countPieces(groupOf, edgesIn(graph)) - new Set(Array.from(groupOf)).size;
}
