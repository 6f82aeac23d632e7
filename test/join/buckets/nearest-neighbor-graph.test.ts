import assert from 'node:assert/strict';
import { test } from 'node:test';
import { joinCrew } from '../../../src/indexer/relate/crew/join-crew.ts';
import { exactNeighbors } from '../../../src/join/exact/exact-neighbors.ts';
import { weightedJaccard } from '../../../src/join/exact/weighted-jaccard.ts';
import { generateBags } from '../../generated-bags.ts';
import { longTest } from '../../long-test.ts';
import { bagOf, matrixOf, randomMatrix } from '../bags.ts';
import { nearestNeighborGraph } from '../in-memory.ts';

const matrix = generateBags({ pageCount: 6000, weightSum: 100 });

test('the graph holds nearly all of the exact ten nearest, as many as it says, every similarity exact', async () => {
  const graph = await nearestNeighborGraph(matrix, { sampleSize: 500 });
  const exact = exactNeighbors(matrix, { k: 10, floor: 0.03 });
  let wanted = 0;
  let found = 0;
  for (let page = 0; page < 6000; page++) {
    const last = page * 10 + exact.counts[page]! - 1;
    const least = exact.counts[page] === 0 ? 2 : exact.shared[last]! / exact.total[last]!;
    wanted += exact.counts[page]!;
    for (let i = 0; i < Math.min(exact.counts[page]!, graph.table.counts[page]!); i++) {
      const slot = page * graph.table.k + i;
      const similarity = graph.table.shared[slot]! / graph.table.total[slot]!;
      if (similarity >= least) found++;
      if (page % 20 === 0) {
        assert.equal(similarity, weightedJaccard(bagOf(matrix, page), bagOf(matrix, graph.table.ids[slot]!)));
      }
    }
  }
  assert.ok(found / wanted >= 0.97, `recall ${found / wanted}`);
  assert.ok(graph.recallLow >= 0.97 && graph.recallHigh - graph.recallLow < 0.03);
  assert.ok(graph.recallLow - 0.005 <= found / wanted && found / wanted <= graph.recallHigh + 0.005);
});

test('neighbors are nearest first, ties by id, none twice and none the page itself', async () => {
  const { table } = await nearestNeighborGraph(randomMatrix(700, 120, 3), { k: 12 });
  for (let page = 0; page < 700; page++) {
    const row = Array.from({ length: table.counts[page]! }, (_, i) => page * 12 + i).map((slot) => ({
      id: table.ids[slot]!,
      similarity: table.shared[slot]! / table.total[slot]!,
    }));
    assert.equal(new Set([page, ...row.map((near) => near.id)]).size, row.length + 1);
    assert.deepEqual(
      row,
      row.toSorted((x, y) => y.similarity - x.similarity || x.id - y.id),
    );
    assert.ok(row.every((near) => near.similarity >= 0.03));
  }
});

longTest('one thread and three threads give the same graph', async () => {
  const small = generateBags({ pageCount: 700, weightSum: 60, seed: 8 });
  const options = { targetRecall: 1, maxRepetitions: 12, maxRounds: 6, sampleSize: 100, slack: -0.5 };
  const first = await nearestNeighborGraph(small, options);
  assert.deepEqual(await nearestNeighborGraph(small, { ...options, crew: joinCrew(3) }), first);
  const other = await nearestNeighborGraph(small, { ...options, seed: 2 });
  assert.notDeepEqual(other.table.ids, first.table.ids);
});

test('a thousand mirrors cost one bag, and each has the others as its nearest', async () => {
  const rows = Array.from({ length: 1300 }, (_, page) =>
    page % 13 > 2
      ? new Map([
          [1, 5],
          [2, 7],
          [3, 9],
        ])
      : new Map([
          [1, 5],
          [2, 3],
          [4 + page, 20],
        ]),
  );
  const graph = await nearestNeighborGraph(matrixOf(rows, 1400), { k: 5 });
  assert.equal(graph.distinctCount, 301);
  assert.deepEqual([...graph.table.ids.slice(3 * 5, 4 * 5)], [4, 5, 6, 7, 8]);
  assert.deepEqual([...graph.table.shared.slice(3 * 5, 4 * 5)], [21, 21, 21, 21, 21]);
  assert.deepEqual(
    [...graph.table.ids.slice(0, 5)],
    [3, 4, 5, 6, 7],
    'a page near the mirrors has the first of them',
  );
});

test('pages without a bag or without a like have no neighbors', async () => {
  const rows = [new Map<number, number>(), new Map([[1, 5]]), new Map([[2, 5]]), new Map<number, number>()];
  const graph = await nearestNeighborGraph(matrixOf(rows, 3));
  assert.deepEqual([...graph.table.counts], [0, 0, 0, 0]);
  assert.equal(graph.recall, 1);
  const none = await nearestNeighborGraph(matrixOf([], 0));
  assert.equal(none.table.counts.length, 0);
});
