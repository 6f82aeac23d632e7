import { nestedTopics, topicResolutions } from 'akin-web/rooms/cluster/topics';
import { graphOfEdges } from 'akin-web/rooms/cluster/weighted-graph';
import { optionFault } from 'akin-web/rooms/errors';
import { NumberColumn } from 'akin-web/rooms/lib/columns/number-column';
import { firstNotBelow } from 'akin-web/rooms/lib/sorted';
import { defineStage } from '../record/stage.ts';

/**
 * The stage `topics`: nested topics of a whole graph that fits in one task, as it does when its clusters have become its
 * nodes. See cluster/topics.ts.
 */
export const topicsStage = defineStage({
  name: 'topics',
  doc: 'nested topics of a graph, given in one task',
  order: 'all rows in one task',
  input: {
    u: 'long',
    /** `u` itself for what lies within a node. */
    v: 'long',
    weight: 'double',
  },
  output: {
    node: 'long',
    /** 0 is that of the first resolution. */
    level: 'int',
    /** The first node of the topic. */
    topic: 'long',
  },
  plan: ({ found }) => ({ resolutions: topicResolutions(Number(found['pageCount'] ?? 0)) }),
  open({ options, found }) {
    const { resolutions } = found;
    if (!Array.isArray(resolutions) || !resolutions.every((value) => typeof value === 'number')) {
      throw optionFault(
        'the stage topics does not know its resolutions',
        '--found \'{"resolutions": [64, 8, 1]}\'',
      );
    }
    const columns = {
      u: new NumberColumn(Float64Array, 0),
      v: new NumberColumn(Float64Array, 0),
      weight: new NumberColumn(Float64Array, 0),
    };
    let count = 0;
    return {
      take({ u, v, weight }) {
        columns.u.set(count, u);
        columns.v.set(count, v);
        columns.weight.set(count++, weight);
      },
      end(emit) {
        const [u, v, weights] = [columns.u, columns.v, columns.weight].map((column) => column.first(count));
        const nodes = distinct(u!, v!);
        const numbers = (ids: Float64Array) => Uint32Array.from(ids, (id) => firstNotBelow(nodes, id));
        const graph = graphOfEdges(nodes.length, numbers(u!), numbers(v!), weights!);
        for (const [level, { topicOf, count: topicCount }] of nestedTopics(
          graph,
          resolutions,
          options.seed,
        ).entries()) {
          const firsts = new Float64Array(topicCount).fill(-1);
          for (const [number, topic] of topicOf.entries()) {
            if (firsts[topic] === -1) firsts[topic] = nodes[number]!;
            emit({ node: nodes[number]!, level, topic: firsts[topic]! });
          }
        }
      },
    };
  },
});

/** No set: it would end at 2^24 nodes. */
function distinct(u: Float64Array, v: Float64Array): Float64Array {
  const all = new Float64Array(u.length + v.length);
  all.set(u);
  all.set(v, u.length);
  all.sort();
  return all.filter((id, i) => i === 0 || id !== all[i - 1]);
}
