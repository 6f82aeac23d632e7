import { indexes } from '../lib/columns/indexes.ts';
import { groupBy } from '../lib/groups.ts';
import type { Random } from '../lib/random.ts';
import { shuffled } from './move-nodes.ts';
import type { WeightedGraph } from './weighted-graph.ts';

/**
 * Parts of each community, connected: nodes start alone, and one that is well connected to the rest of its
 * community joins the neighboring part that gains most, if that part is well connected too.
 *
 * Shape   communities Uint32Array(n), numbers below `count` → the part of each node, numbers below n.
 * Source  Traag, Waltman, van Eck 2019, RefinePartition, with the best merge in place of a random one.
 */
export function refinePartition(
  graph: WeightedGraph,
  communities: Uint32Array,
  count: number,
  resolution: number,
  random: Random,
): Uint32Array {
  const { offsets, neighbors, weights, strengths, totalWeight } = graph;
  const nodeCount = communities.length;
  const scale = totalWeight === 0 ? 0 : resolution / totalWeight;
  const whole = new Float64Array(count);
  for (let node = 0; node < nodeCount; node++) whole[communities[node]!]! += strengths[node]!;
  const parts = indexes(nodeCount);
  const held = strengths.slice();
  const sizes = new Uint32Array(nodeCount).fill(1);
  /** Weight from each part to the rest of its community. */
  const outward = new Float64Array(nodeCount);
  const weighOutward = (node: number) => {
    const community = communities[node]!;
    let sum = 0;
    for (let e = offsets[node]!; e < offsets[node + 1]!; e++) {
      if (communities[neighbors[e]!] === community) sum += weights[e]!;
    }
    outward[node] = sum;
  };
  const isWellConnected = (part: number, all: number) =>
    outward[part]! >= scale * held[part]! * (all - held[part]!) * (1 - 1e-9);
  const towards = new Float64Array(nodeCount);
  const touched = new Uint32Array(nodeCount);
  const join = (node: number) => {
    if (sizes[parts[node]!]! !== 1) return;
    const community = communities[node]!;
    const all = whole[community]!;
    if (!isWellConnected(node, all)) return;
    let size = 0;
    for (let e = offsets[node]!; e < offsets[node + 1]!; e++) {
      const other = neighbors[e]!;
      if (communities[other] !== community) continue;
      const part = parts[other]!;
      if (towards[part] === 0) touched[size++] = part;
      towards[part]! += weights[e]!;
    }
    let best = node;
    let bestGain = 0;
    for (let i = 0; i < size; i++) {
      const part = touched[i]!;
      const gain = towards[part]! - scale * strengths[node]! * held[part]!;
      if (gain > bestGain && isWellConnected(part, all)) {
        bestGain = gain;
        best = part;
      }
    }
    if (best !== node) {
      parts[node] = best;
      sizes[node] = 0;
      sizes[best]!++;
      held[best]! += strengths[node]!;
      outward[best]! += outward[node]! - 2 * towards[best]!;
    }
    for (let i = 0; i < size; i++) towards[touched[i]!] = 0;
  };
  // Communities do not meet here: one after the other gives what the order gives, with what is read in the cache.
  const order = shuffled(nodeCount, random);
  const { starts, members } = groupBy(
    order.map((node) => communities[node]!),
    count,
  );
  for (let community = 0; community < count; community++) {
    const end = starts[community + 1]!;
    for (let i = starts[community]!; i < end; i++) weighOutward(order[members[i]!]!);
    for (let i = starts[community]!; i < end; i++) join(order[members[i]!]!);
  }
  return parts;
}
