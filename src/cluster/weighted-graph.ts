/**
 * The graph that topics are found in, and the graph of its communities.
 *
 *   lists                graphOfLists          aggregate by {0 1} {2 3}
 *   0: 1 .5, 2 .2        0 --.8-- 1
 *   1: 0 .3, 3 .1        |.3      |.1          A --.4-- B        loops: A 1.6, B 1.0
 *   2: 3 .2, 0 .1        2 --.5-- 3
 *   3: 2 .3
 *
 * Each edge stands in the rows of both its nodes. What lies within a community becomes a loop of twice its weight, so that
 * the strengths of the nodes of a community sum to that of the community, and the total stays the same.
 *
 * Source  Blondel et al. 2008; Traag, Waltman, van Eck 2019, AggregateGraph.
 */

import { leaderOrder } from '../join/pairs/leader-order.ts';
import type { NeighborTable } from '../join/pairs/neighbor-table.ts';
import { sortFirst } from '../lib/columns/sort-first.ts';
import { groupBy } from '../lib/groups.ts';

/** An undirected weighted graph, each edge stored both ways; self-loops stand in a column of their own. */
export interface WeightedGraph {
  /** Float64Array(n + 1): node v owns the edges offsets[v] .. offsets[v + 1] - 1. */
  readonly offsets: Float64Array;
  readonly neighbors: Uint32Array;
  /** Float32Array or Float64Array, above 0. */
  readonly weights: Float32Array | Float64Array;
  /** Weight of each node's self-loop: twice the edges inside the community that became the node. */
  readonly loops: Float64Array;
  /** Sum of a node's edges and its loop. */
  readonly strengths: Float64Array;
  /** Sum of all strengths, 2m. */
  readonly totalWeight: number;
}

/** Weighted lists of pages: page p owns counts[p] slots from p * k. */
export interface WeightedLists extends Pick<NeighborTable, 'k' | 'counts' | 'ids'> {
  /** Float32Array(n * k), above 0. */
  readonly weights: Float32Array;
}

/**
 * The graph of lists: an edge where at least one page has the other in its list, weight = the sum of both. No
 * groupBy(): there may be more than 2^32 edges.
 *
 * Cost    three passes over the lists, the one that looks into the lists of others in the order of leaders; 17 bytes a slot.
 */
export function graphOfLists(lists: WeightedLists): WeightedGraph {
  const { k, counts, ids, weights: given } = lists;
  const pageCount = counts.length;
  const offsets = new Float64Array(pageCount + 1);
  const backs = placesInReturn(lists, offsets);
  for (let page = 0; page < pageCount; page++) offsets[page + 1]! += offsets[page]!;
  const next = offsets.slice(0, pageCount);
  const neighbors = new Uint32Array(offsets[pageCount]!);
  const weights = new Float32Array(offsets[pageCount]!);
  for (let page = 0; page < pageCount; page++) {
    for (let slot = page * k, end = slot + counts[page]!; slot < end; slot++) {
      const back = backs[slot]!;
      const id = ids[slot]!;
      if (isFromOtherEnd(page, id, back)) continue;
      const weight = given[slot]! + (back === NOT_IN_RETURN ? 0 : given[id * k + back]!);
      const at = next[page]!++;
      neighbors[at] = id;
      weights[at] = weight;
      const other = next[id]!++;
      neighbors[other] = page;
      weights[other] = weight;
    }
  }
  return withStrengths(offsets, neighbors, weights, new Float64Array(pageCount));
}

/** Stands for the place of a page in a list that it is not in. */
const NOT_IN_RETURN = 255;

/** An edge that both ends hold is made from the smaller end alone. */
function isFromOtherEnd(page: number, id: number, back: number): boolean {
  return id < page && back !== NOT_IN_RETURN;
}

/** Of each slot the place of its page in the list of the other page. Counts the edges of page p in `degrees[p + 1]`. */
function placesInReturn(lists: WeightedLists, degrees: Float64Array): Uint8Array {
  const { k, counts, ids } = lists;
  const backs = new Uint8Array(ids.length);
  for (const page of leaderOrder(lists)) {
    for (let slot = page * k, end = slot + counts[page]!; slot < end; slot++) {
      const id = ids[slot]!;
      const start = id * k;
      let back = 0;
      while (back < counts[id]! && ids[start + back] !== page) back++;
      if (back === counts[id]) back = NOT_IN_RETURN;
      backs[slot] = back;
      if (isFromOtherEnd(page, id, back)) continue;
      degrees[page + 1]!++;
      degrees[id + 1]!++;
    }
  }
  return backs;
}

/**
 * The graph of edges given once each, in any order; of an edge from a node to itself the loop is twice the weight, as of
 * what lies within a community.
 */
export function graphOfEdges(
  nodeCount: number,
  u: Uint32Array,
  v: Uint32Array,
  edgeWeights: Float64Array,
): WeightedGraph {
  const offsets = new Float64Array(nodeCount + 1);
  const loops = new Float64Array(nodeCount);
  for (let i = 0; i < u.length; i++) {
    if (u[i] === v[i]) {
      loops[u[i]!]! += 2 * edgeWeights[i]!;
      continue;
    }
    offsets[u[i]! + 1]!++;
    offsets[v[i]! + 1]!++;
  }
  for (let node = 0; node < nodeCount; node++) offsets[node + 1]! += offsets[node]!;
  const next = offsets.slice(0, nodeCount);
  const neighbors = new Uint32Array(offsets[nodeCount]!);
  const weights = new Float64Array(offsets[nodeCount]!);
  for (let i = 0; i < u.length; i++) {
    if (u[i] === v[i]) continue;
    for (const [from, to] of [
      [u[i]!, v[i]!],
      [v[i]!, u[i]!],
    ] as const) {
      const at = next[from]!++;
      neighbors[at] = to;
      weights[at] = edgeWeights[i]!;
    }
  }
  return withStrengths(offsets, neighbors, weights, loops);
}

/** The graph whose nodes are the communities of `membership`, 0 .. count-1. */
export function aggregate(graph: WeightedGraph, membership: Uint32Array, count: number): WeightedGraph {
  const { offsets, neighbors, weights } = graph;
  const { starts, members } = groupBy(membership, count);
  const sums = new Float64Array(count);
  const touched = new Uint32Array(count);
  const loops = new Float64Array(count);
  const nextOffsets = new Float64Array(count + 1);
  // Edges only grow fewer, and what is not written to takes no memory: cheaper than to grow or to count first.
  const nextNeighbors = new Uint32Array(neighbors.length);
  const nextWeights = new Float64Array(neighbors.length);
  let at = 0;
  const sumUp = (community: number) => {
    let size = 0;
    for (let i = starts[community]!; i < starts[community + 1]!; i++) {
      const node = members[i]!;
      loops[community]! += graph.loops[node]!;
      for (let e = offsets[node]!; e < offsets[node + 1]!; e++) {
        const other = membership[neighbors[e]!]!;
        if (other === community) loops[community]! += weights[e]!;
        else {
          if (sums[other] === 0) touched[size++] = other;
          sums[other]! += weights[e]!;
        }
      }
    }
    sortFirst(touched, size);
    for (let i = 0; i < size; i++) {
      const other = touched[i]!;
      nextNeighbors[at] = other;
      nextWeights[at++] = sums[other]!;
      sums[other] = 0;
    }
    nextOffsets[community + 1] = at;
  };
  for (let community = 0; community < count; community++) sumUp(community);
  return withStrengths(nextOffsets, nextNeighbors.subarray(0, at), nextWeights.subarray(0, at), loops);
}

/** Renumbers communities 0, 1, ... in order of their first nodes; returns how many. */
export function renumber(membership: Uint32Array): number {
  let size = 0;
  for (const community of membership) size = Math.max(size, community + 1);
  const names = new Int32Array(size).fill(-1);
  let count = 0;
  for (let node = 0; node < membership.length; node++) {
    const community = membership[node]!;
    if (names[community]! < 0) names[community] = count++;
    membership[node] = names[community]!;
  }
  return count;
}

export function withStrengths(
  offsets: Float64Array,
  neighbors: Uint32Array,
  weights: Float32Array | Float64Array,
  loops: Float64Array,
): WeightedGraph {
  const strengths = loops.slice();
  let totalWeight = 0;
  for (let node = 0; node < strengths.length; node++) {
    for (let e = offsets[node]!; e < offsets[node + 1]!; e++) strengths[node]! += weights[e]!;
    totalWeight += strengths[node]!;
  }
  return { offsets, neighbors, weights, loops, strengths, totalWeight };
}
