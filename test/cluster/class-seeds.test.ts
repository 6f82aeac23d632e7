import assert from 'node:assert/strict';
import { test } from 'node:test';
import { classOfCluster, NO_CLASS, seedGraph } from '../../src/cluster/class-seeds.ts';
import { graphOfLists } from '../../src/cluster/weighted-graph.ts';

const PATHS = [['Science', 'Physics'], ['Science', 'Biology'], ['History']];

test('an edge weighs four times as much in one class, a quarter between two, and the same elsewhere', () => {
  // A star: page 0 of Physics with one page of Physics, of Biology, of History, and one of no class.
  const graph = graphOfLists({
    k: 4,
    counts: Uint8Array.of(4, 0, 0, 0, 0),
    ids: Uint32Array.of(1, 2, 3, 4, ...new Uint32Array(16)),
    weights: Float32Array.of(1, 1, 1, 1, ...new Float32Array(16)),
  });
  const seeded = seedGraph(graph, Uint32Array.of(0, 0, 1, 2, NO_CLASS), PATHS);
  assert.deepEqual([...seeded.weights.subarray(0, 4)], [4, 1, 0.25, 1]);
  assert.deepEqual([...seeded.strengths], [6.25, 4, 1, 0.25, 1]);
  assert.equal(seeded.totalWeight, 12.5);
  assert.deepEqual([...seeded.neighbors], [...graph.neighbors]);
});

test('a cluster is named by the deepest class that more than half of its classes lie in', () => {
  assert.deepEqual(classOfCluster([0, 0, 1], 10, PATHS), ['Science', 'Physics']);
  assert.deepEqual(classOfCluster([0, 0, 1, 1, 2], 10, PATHS), ['Science']);
  assert.equal(classOfCluster([0, 1, 2, 2], 10, PATHS), null);
  // One page, or two of a hundred, name nothing.
  assert.equal(classOfCluster([0], 1, PATHS), null);
  assert.equal(classOfCluster([0, 0], 100, PATHS), null);
});
