import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import fc from 'fast-check';
import { leiden } from '../../src/cluster/leiden.ts';
import { moveNodes } from '../../src/cluster/move-nodes.ts';
import { refinePartition } from '../../src/cluster/refine-partition.ts';
import { splitDisconnected } from '../../src/cluster/split-disconnected.ts';
import { aggregate, graphOfLists, renumber, type WeightedGraph } from '../../src/cluster/weighted-graph.ts';
import { indexes } from '../../src/lib/columns/indexes.ts';
import { Random } from '../../src/lib/random.ts';
import { countBreaks } from './pieces.ts';

/** Q of a partition, as leiden.ts says it. */
function quality(graph: WeightedGraph, membership: Uint32Array, resolution: number): number {
  const strengths = new Float64Array(membership.length);
  let inside = 0;
  for (let node = 0; node < membership.length; node++) {
    const community = membership[node]!;
    strengths[community]! += graph.strengths[node]!;
    inside += graph.loops[node]!;
    for (let e = graph.offsets[node]!; e < graph.offsets[node + 1]!; e++) {
      if (membership[graph.neighbors[e]!] === community) inside += graph.weights[e]!;
    }
  }
  let expected = 0;
  for (const strength of strengths) expected += strength * strength;
  const { totalWeight } = graph;
  return totalWeight === 0 ? 0 : (inside - (resolution * expected) / totalWeight) / totalWeight;
}

type Edge = readonly [number, number, number];

/** A graph of 20ths, each edge in the list of one end. */
function graphOf(nodeCount: number, edges: readonly Edge[]): WeightedGraph {
  const k = 60;
  const counts = new Uint8Array(nodeCount);
  const ids = new Uint32Array(nodeCount * k);
  const weights = new Float32Array(nodeCount * k);
  for (const [a, b, weight] of edges) {
    const slot = a * k + counts[a]!++;
    ids[slot] = b;
    weights[slot] = weight / 20;
  }
  return graphOfLists({ k, counts, ids, weights });
}

/** Groups of `size` nodes, dense inside, thin between. */
function planted(groups: number, size: number, seed: number): Edge[] {
  const random = new Random(seed);
  const edges: Edge[] = [];
  for (let a = 0; a < groups * size; a++) {
    for (let b = a + 1; b < groups * size; b++) {
      const isInside = Math.floor(a / size) === Math.floor(b / size);
      if (random.below(100) < (isInside ? 60 : 3)) edges.push([a, b, 1 + random.below(20)]);
    }
  }
  return edges;
}

const randomGraph = fc
  .record({
    nodes: fc.integer({ min: 1, max: 60 }),
    density: fc.integer({ min: 1, max: 30 }),
    seed: fc.nat(),
  })
  .map(({ nodes, density, seed }) => {
    const random = new Random(seed);
    const edges: Edge[] = [];
    for (let a = 0; a < nodes; a++) {
      for (let b = a + 1; b < nodes; b++)
        if (random.below(100) < density) edges.push([a, b, 1 + random.below(20)]);
    }
    return graphOf(nodes, edges);
  });

/**
 * A node that holds together two groups, of 1 to 3 and of 4 to 6, until a growing one, of 7 to 13, draws it away: the
 * graph that tells Leiden from Louvain (Traag, Waltman, van Eck 2019, figure 2), with weights at which that happens.
 */
function bridge(): WeightedGraph {
  const edges: Edge[] = [];
  for (const [nodes, inside, toBridge] of [
    [[1, 2, 3], 3, 4],
    [[4, 5, 6], 1, 3],
    [[7, 8, 9, 10, 11, 12, 13], 20, 8],
  ] as const) {
    for (const [i, node] of nodes.entries()) {
      edges.push([0, node, toBridge]);
      for (const other of nodes.slice(0, i)) edges.push([other, node, inside]);
    }
  }
  return graphOf(14, edges);
}

/** Louvain: the moved communities themselves become the nodes of the next pass. */
function louvain(graph: WeightedGraph, resolution: number, seed: number): Uint32Array {
  const random = new Random(seed);
  let level = graph;
  let membership = indexes(graph.strengths.length);
  for (;;) {
    const communities = indexes(level.strengths.length);
    moveNodes(level, communities, resolution, random);
    const count = renumber(communities);
    membership = membership.map((node) => communities[node]!);
    if (count === communities.length) return membership;
    level = aggregate(level, communities, count);
  }
}

test('an edge stands once each way, whichever end named it, with the weights of both', () => {
  const edges: Edge[] = [
    [0, 1, 5],
    [1, 0, 5],
    [2, 0, 10],
  ];
  const graph = graphOf(4, edges);
  assert.deepEqual([...graph.offsets], [0, 2, 3, 4, 4]);
  assert.deepEqual([...graph.neighbors.slice(0, 2)].sort(), [1, 2]);
  assert.deepEqual([...graph.strengths], [1, 0.5, 0.5, 0]);
  assert.equal(graph.totalWeight, 2);
});

test('no community is internally disconnected, at any resolution', () => {
  fc.assert(
    fc.property(randomGraph, fc.constantFrom(0.2, 1, 4, 30), (graph, resolution) => {
      const { membership, count } = leiden(graph, { resolution });
      assert.equal(countBreaks(membership, graph), 0);
      assert.equal(new Set(membership).size, count);
    }),
    { seed: 11, numRuns: 300 },
  );
});

test('where Louvain leaves a community in pieces, refined parts find a better partition', () => {
  const graph = bridge();
  let broken = 0;
  for (let seed = 1; seed <= 20; seed++) {
    const moved = louvain(graph, 0.5, seed);
    const { membership } = leiden(graph, { resolution: 0.5, seed });
    assert.equal(countBreaks(membership, graph), 0);
    if (countBreaks(moved, graph) === 0) continue;
    broken++;
    splitDisconnected(graph, moved);
    const gain = quality(graph, membership, 0.5) - quality(graph, moved, 0.5);
    assert.ok(gain > 1e-6, `seed ${seed}: ${gain}`);
  }
  assert.ok(broken >= 5, `${broken} of 20`);
});

test('refined parts are connected, each inside its community', () => {
  fc.assert(
    fc.property(randomGraph, fc.constantFrom(0.2, 1, 4), fc.nat(), (graph, resolution, seed) => {
      const random = new Random(seed);
      const communities = Uint32Array.from(graph.strengths, () => random.below(3));
      const parts = refinePartition(graph, communities, 3, resolution, random);
      assert.equal(countBreaks(parts, graph), 0);
      const both = Array.from(parts, (part, node) => 3 * part + communities[node]!);
      assert.equal(new Set(both).size, new Set(parts).size);
    }),
    { seed: 14, numRuns: 200 },
  );
});

test('a node that is ill connected to the rest of its community stays alone', () => {
  let ill = 0;
  fc.assert(
    fc.property(randomGraph, fc.constantFrom(1, 4), (graph, resolution) => {
      const { offsets, neighbors, weights, strengths, totalWeight } = graph;
      const communities = Uint32Array.from(strengths, (_, node) => node % 3);
      const parts = refinePartition(graph, communities, 3, resolution, new Random(1));
      for (const [node, part] of parts.entries()) {
        const rest = (other: number) => other !== node && communities[other] === communities[node];
        let towards = 0;
        let expected = 0;
        for (let e = offsets[node]!; e < offsets[node + 1]!; e++) {
          if (rest(neighbors[e]!)) towards += weights[e]!;
        }
        for (const [other, strength] of strengths.entries()) {
          if (rest(other)) expected += (resolution * strengths[node]! * strength) / totalWeight;
        }
        if (towards >= 0.999 * expected) continue;
        ill++;
        assert.equal(parts.filter((other) => other === part).length, 1);
      }
    }),
    { seed: 15, numRuns: 100 },
  );
  assert.ok(ill > 100, `${ill}`);
});

test('refined parts are more than single nodes', () => {
  const graph = graphOf(120, planted(6, 20, 3));
  const groups = Uint32Array.from({ length: 120 }, (_, node) => Math.floor(node / 20));
  const parts = refinePartition(graph, groups, 6, 1, new Random(1));
  assert.ok(new Set(parts).size < 60);
});

test('a community in pieces becomes a community for each, numbered by first nodes', () => {
  // 0-4 and 2-5 in one community, 1-3 in another with 6 alone.
  const graph = graphOf(7, [
    [0, 4, 5],
    [2, 5, 5],
    [1, 3, 5],
    [0, 1, 5],
  ]);
  const membership = Uint32Array.of(1, 0, 1, 0, 1, 1, 0);
  assert.equal(splitDisconnected(graph, membership), 4);
  assert.deepEqual([...membership], [0, 1, 2, 1, 0, 2, 3]);
});

test('no single node could move and gain', () => {
  fc.assert(
    fc.property(randomGraph, fc.constantFrom(0.5, 1, 3), (graph, resolution) => {
      const { membership, count } = leiden(graph, { resolution, iterations: 10 });
      const reached = quality(graph, membership, resolution);
      for (let node = 0; node < membership.length; node++) {
        for (let community = 0; community < count; community++) {
          const moved = membership.slice();
          moved[node] = community;
          assert.ok(quality(graph, moved, resolution) <= reached + 1e-6);
        }
      }
    }),
    { seed: 12, numRuns: 60 },
  );
});

test('planted groups are found, and the same seed finds them the same way', () => {
  const graph = graphOf(120, planted(6, 20, 3));
  const { membership, count } = leiden(graph, { resolution: 1 });
  assert.equal(count, 6);
  for (let node = 0; node < 120; node++) assert.equal(membership[node], Math.floor(node / 20));
  assert.deepEqual(leiden(graph, { resolution: 1 }).membership, membership);
});

test('the graph of communities has the quality of their partition', () => {
  fc.assert(
    fc.property(randomGraph, fc.constantFrom(0.5, 1, 3), (graph, resolution) => {
      const { membership, count } = leiden(graph, { resolution });
      const contracted = aggregate(graph, membership, count);
      const alone = Uint32Array.from({ length: count }, (_, i) => i);
      const [fine, coarse] = [quality(graph, membership, resolution), quality(contracted, alone, resolution)];
      assert.ok(Math.abs(fine - coarse) < 1e-9, `${fine} against ${coarse}`);
    }),
    { seed: 13, numRuns: 60 },
  );
});

test('modularity is that of a Louvain library or better, and measured alike', () => {
  const require = createRequire(import.meta.url);
  const Graph = require('graphology');
  const louvain = require('graphology-communities-louvain');
  let ahead = 0;
  for (let seed = 1; seed <= 20; seed++) {
    const edges = planted(3 + (seed % 5), 8 + seed, seed).filter((_, i) => i % 3 > 0);
    const nodes = (3 + (seed % 5)) * (8 + seed);
    const peer = new Graph.UndirectedGraph();
    for (let node = 0; node < nodes; node++) peer.addNode(node);
    for (const [a, b, weight] of edges) peer.addEdge(a, b, { weight: Math.fround(weight / 20) });
    const random = new Random(seed);
    const found = louvain.detailed(peer, { rng: () => random.nextUint32() / 2 ** 32 });
    const graph = graphOf(nodes, edges);
    const theirs = Uint32Array.from({ length: nodes }, (_, node) => found.communities[node]);
    assert.ok(Math.abs(quality(graph, theirs, 1) - found.modularity) < 1e-6);
    const ours = quality(graph, leiden(graph, { resolution: 1, iterations: 10 }).membership, 1);
    assert.ok(ours > found.modularity - 0.01, `seed ${seed}: ${ours} against ${found.modularity}`);
    ahead += ours - found.modularity;
  }
  assert.ok(ahead > -0.02, `${ahead} in all`);
});
