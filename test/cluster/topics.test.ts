import assert from 'node:assert/strict';
import { test } from 'node:test';
import { topicLists } from '../../src/cluster/topic-graph.ts';
import { nestedTopics, topicResolutions } from '../../src/cluster/topics.ts';
import { graphOfLists } from '../../src/cluster/weighted-graph.ts';
import { generateBags } from '../generated-bags.ts';
import { nearestNeighborGraph } from '../join/in-memory.ts';
import { countBreaks } from './pieces.ts';

const { table } = await nearestNeighborGraph(generateBags({ pageCount: 3000, weightSum: 60 }), { k: 16 });
const graph = graphOfLists(topicLists(table, 16));

test('three levels nest, fine to broad, and every topic of every level is connected', () => {
  const levels = nestedTopics(graph);
  assert.equal(levels.length, 3);
  for (const [i, level] of levels.entries()) {
    assert.equal(new Set(level.topicOf).size, level.count);
    assert.equal(countBreaks(level.topicOf, graph), 0);
    const next = levels[i + 1];
    if (next === undefined) {
      assert.equal(level.parents, null);
      continue;
    }
    assert.ok(next.count <= level.count);
    for (let page = 0; page < 3000; page++) {
      assert.equal(level.parents![level.topicOf[page]!], next.topicOf[page]);
    }
  }
  assert.ok(levels[0]!.count > 20 && levels[2]!.count < levels[0]!.count);
});

test('the same seed gives the same topics', () => {
  assert.deepEqual(nestedTopics(graph, [30, 5, 1], 4), nestedTopics(graph, [30, 5, 1], 4));
});

test('resolutions fall in equal ratios to 1 and follow the number of pages', () => {
  const large = topicResolutions(7_700_000);
  assert.equal(large[0], 100_000);
  assert.equal(large.at(-1), 1);
  assert.ok(Math.abs(large[1]! / large[2]! - large[0]! / large[1]!) < 1e-9);
  assert.equal(topicResolutions(10, 5).length, 5);
});
