import { indexes } from '../lib/columns/indexes.ts';
import type { Random } from '../lib/random.ts';
import type { WeightedGraph } from './weighted-graph.ts';

/** Gains below this share of a node's strength are rounding. */
const LEAST_GAIN = 1e-9;

/**
 * Moves nodes to the neighboring community that gains most until none gains; changes `communities`, whose
 * numbers are below the node count.
 *
 * Source  Traag, Waltman, van Eck 2019, MoveNodesFast.
 */
export function moveNodes(
  graph: WeightedGraph,
  communities: Uint32Array,
  resolution: number,
  random: Random,
): void {
  const { offsets, neighbors, weights, strengths, totalWeight } = graph;
  const nodeCount = communities.length;
  const scale = totalWeight === 0 ? 0 : resolution / totalWeight;
  const held = new Float64Array(nodeCount);
  const sizes = new Uint32Array(nodeCount);
  for (let node = 0; node < nodeCount; node++) {
    held[communities[node]!]! += strengths[node]!;
    sizes[communities[node]!]!++;
  }
  /** Numbers of no community, the next to be taken last. */
  const empty = new Uint32Array(nodeCount);
  let emptyCount = 0;
  for (let c = nodeCount - 1; c >= 0; c--) if (sizes[c] === 0) empty[emptyCount++] = c;
  const queue = shuffled(nodeCount, random);
  const queued = new Uint8Array(nodeCount).fill(1);
  const towards = new Float64Array(nodeCount);
  const touched = new Uint32Array(nodeCount);
  let head = 0;
  let waiting = nodeCount;
  while (waiting > 0) {
    const node = queue[head]!;
    head = head + 1 === nodeCount ? 0 : head + 1;
    waiting--;
    queued[node] = 0;
    const home = communities[node]!;
    const strength = strengths[node]!;
    const begin = offsets[node]!;
    const end = offsets[node + 1]!;
    let size = 0;
    for (let e = begin; e < end; e++) {
      const community = communities[neighbors[e]!]!;
      if (towards[community] === 0) touched[size++] = community;
      towards[community]! += weights[e]!;
    }
    held[home]! -= strength;
    let best = home;
    let bestGain = towards[home]! - scale * strength * held[home]! + LEAST_GAIN * strength;
    for (let i = 0; i < size; i++) {
      const community = touched[i]!;
      const gain = towards[community]! - scale * strength * held[community]!;
      if (gain > bestGain) {
        bestGain = gain;
        best = community;
      }
      towards[community] = 0;
    }
    if (bestGain < 0 && sizes[home]! > 1) best = empty[emptyCount - 1]!;
    held[best]! += strength;
    if (best === home) continue;
    if (sizes[best]!++ === 0) emptyCount--;
    if (--sizes[home]! === 0) empty[emptyCount++] = home;
    communities[node] = best;
    for (let e = begin; e < end; e++) {
      const other = neighbors[e]!;
      if (queued[other] === 1 || communities[other] === best) continue;
      queued[other] = 1;
      queue[(head + waiting++) % nodeCount] = other;
    }
  }
}

/** 0 .. size-1 in seeded order (Fisher, Yates). */
export function shuffled(size: number, random: Random): Uint32Array {
  const order = indexes(size);
  for (let i = size - 1; i > 0; i--) {
    const j = random.below(i + 1);
    const swap = order[i]!;
    order[i] = order[j]!;
    order[j] = swap;
  }
  return order;
}
