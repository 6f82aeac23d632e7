import assert from 'node:assert/strict';
import { test } from 'node:test';
import { topicLists } from '../../src/cluster/topic-graph.ts';
import { graphOfLists } from '../../src/cluster/weighted-graph.ts';
import { createNeighborTable } from '../../src/join/pairs/neighbor-table.ts';
import { generateBags } from '../generated-bags.ts';
import { nearestNeighborGraph } from '../join/in-memory.ts';
import { slowScores } from '../slow-votes.ts';

const LIMIT = 12;
const { table } = await nearestNeighborGraph(generateBags({ pageCount: 400, weightSum: 60 }), { k: 16 });
/** Any will do: of each neighbor one. */
const nearness = Uint16Array.from(table.ids, (_, slot) => (slot * 40_503) & 0xffff);
const graph = graphOfLists(topicLists({ ...table, nearness }, LIMIT));

const nearestOf = (page: number) =>
  Array.from({ length: table.counts[page]! }, (_, i) => {
    const slot = page * table.k + i;
    const similarity = table.shared[slot]! / table.total[slot]!;
    return { id: table.ids[slot]!, similarity, nearness: nearness[slot]! / 65_535 };
  });
/** Lists by score, best first, each from the definition. */
const lists = Array.from(table.counts, (_, page) =>
  slowScores(nearestOf(page), page, nearestOf).slice(0, LIMIT),
);

test('each edge weighs what its definition says, whichever of its ends has the other in its list', () => {
  const sum = lists.map((list) => list.reduce((all, { score }) => all + score, 0));
  const expected = new Map<string, number>();
  for (const [page, list] of lists.entries()) {
    for (const { near, score } of list) {
      const { id } = near;
      const weight = score / Math.sqrt(sum[page]! * sum[id]!);
      for (const key of [`${page} ${id}`, `${id} ${page}`])
        expected.set(key, (expected.get(key) ?? 0) + weight);
    }
  }
  let count = 0;
  for (let page = 0; page < table.counts.length; page++) {
    for (let e = graph.offsets[page]!; e < graph.offsets[page + 1]!; e++, count++) {
      const wanted = expected.get(`${page} ${graph.neighbors[e]}`);
      assert.ok(wanted !== undefined && Math.abs(graph.weights[e]! - wanted) < 1e-6 * wanted);
    }
  }
  assert.equal(count, expected.size);
});

test('a page that is in lists and has none of its own takes part with a finite weight', () => {
  const half = createNeighborTable(3, 2);
  half.counts[0] = 1;
  half.ids[0] = 2;
  half.shared[0] = 1;
  half.total[0] = 2;
  const { weights, offsets } = graphOfLists(topicLists(half, 2));
  assert.deepEqual([...offsets], [0, 1, 1, 2]);
  assert.ok(weights.every((weight) => weight > 0 && Number.isFinite(weight)));
});
