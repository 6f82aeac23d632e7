import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nestedTopics } from '../../../src/cluster/topics.ts';
import { graphOfLists } from '../../../src/cluster/weighted-graph.ts';
import { Random } from '../../../src/lib/random.ts';
import { topicsStage } from '../src/neighbors/topics.ts';
import { runRows } from './run-rows.ts';

const FIRST_ID = 2 ** 40;

test('topics of a graph given by its edges are those of the local build', async () => {
  const random = new Random(3);
  const lists = {
    k: 4,
    counts: new Uint8Array(200),
    ids: new Uint32Array(800),
    weights: new Float32Array(800),
  };
  const edges = new Map<string, { u: number; v: number; weight: number }>();
  for (let page = 0; page < 200; page++) {
    const near = new Set(Array.from({ length: 4 }, () => (page - (page % 20) + random.below(20)) % 200));
    near.delete(page);
    lists.counts[page] = near.size;
    for (const [slot, id] of [...near].entries()) {
      const [u, v] = [Math.min(page, id), Math.max(page, id)];
      const weight = (1 + ((u * 7 + v) % 3)) / 4;
      lists.ids[4 * page + slot] = id;
      lists.weights[4 * page + slot] = weight;
      const before = edges.get(`${u} ${v}`)?.weight ?? 0;
      edges.set(`${u} ${v}`, { u: FIRST_ID + 3 * u, v: FIRST_ID + 3 * v, weight: before + weight });
    }
  }
  const rows = [...edges.values()];
  const resolutions = [8, 3, 1];
  const found = await runRows(topicsStage, rows, { resolutions });
  const local = nestedTopics(graphOfLists(lists), resolutions);
  for (const [level, { count }] of local.entries()) {
    const ofLevel = found.filter((row) => row.level === level);
    assert.equal(new Set(ofLevel.map(({ topic }) => topic)).size, count);
    // Weights are summed in another order, so a tie may fall otherwise: both find the planted blocks in the end.
    const blocks = new Map<number, Set<number>>();
    for (const { node, topic } of ofLevel) {
      const block = Math.floor((node - FIRST_ID) / 60);
      blocks.set(topic, (blocks.get(topic) ?? new Set()).add(block));
    }
    assert.ok([...blocks.values()].every((within) => within.size === 1));
  }
});

test('what lies within a node counts for it', async () => {
  // Two heavy nodes and a weak edge: merged where the loops are not there, apart where they are.
  const edge = { u: 1, v: 2, weight: 1 };
  const apart = [edge, { u: 1, v: 1, weight: 50 }, { u: 2, v: 2, weight: 50 }];
  const topics = async (rows: (typeof edge)[]) =>
    (await runRows(topicsStage, rows, { resolutions: [1] })).map(({ topic }) => topic);
  assert.deepEqual(await topics([edge]), [1, 1]);
  assert.deepEqual(await topics(apart), [1, 2]);
});
