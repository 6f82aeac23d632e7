import assert from 'node:assert/strict';
import { topicLists } from '../src/cluster/topic-graph.ts';
import { nestedTopics } from '../src/cluster/topics.ts';
import { graphOfLists } from '../src/cluster/weighted-graph.ts';
import type { BagMatrix } from '../src/features/bag.ts';
import { joinCrew } from '../src/indexer/relate/crew/join-crew.ts';
import { weightedJaccard } from '../src/join/exact/weighted-jaccard.ts';
import { type NeighborGraph, nearestNeighborGraph } from '../test/join/in-memory.ts';
import { announce, type Cell, round, type Table, type Target } from './bench.ts';
import { bagOf } from './signatures.ts';
import { processorsForTwoThreads } from './spin-control.ts';

const LEAST_RECALL = 0.97;
/** 250 µs a page on one thread. */
const LEAST_PAGES_A_SECOND = 4000;
const LEAST_GAIN = 1.7;

export interface GraphFigures {
  readonly rows: Cell[][];
  readonly targets: Target[];
}

export function graphTable(caption: string, rows: Cell[][]): Table {
  return {
    caption,
    columns: [
      'pages',
      'threads',
      'µs a page',
      'processor µs a page',
      'recall@10',
      'rows met',
      'bags compared',
      'rounds',
      'topics µs a page',
      'spinning threads got, before',
      'and after',
    ],
    rows,
  };
}

/** The neighbor graph by one thread and by two, and nested topics on it. Asserted: one graph, exact similarities. */
export async function graphByThreads(matrix: BagMatrix): Promise<GraphFigures> {
  const pageCount = matrix.sums.length;
  const pages = `${pageCount.toLocaleString('en-US')} pages`;
  announce({ pages: pageCount, entries: matrix.features.length, features: matrix.featureCount });
  const rows: Cell[][] = [];
  const targets: Target[] = [];
  let first: NeighborGraph | null = null;
  let firstUs = 0;
  let topicsUs = 0;
  for (const threads of [1, 2]) {
    const before = await processorsForTwoThreads();
    const startedMs = performance.now();
    const startedCpu = process.cpuUsage();
    const graph = await nearestNeighborGraph(matrix, threads === 1 ? {} : { crew: joinCrew(threads) });
    const us = ((performance.now() - startedMs) * 1000) / pageCount;
    const spent = process.cpuUsage(startedCpu);
    const cpuUs = (spent.user + spent.system) / pageCount;
    const after = await processorsForTwoThreads();
    const recall = round(graph.recall, 4);
    announce({ pages: pageCount, threads, us: round(us, 1), cpuUs: round(cpuUs, 1), recall, before, after });
    if (first === null) {
      first = graph;
      firstUs = us;
      checkSimilarities(matrix, graph);
      topicsUs = topicMicroseconds(graph);
      targets.push(
        { figure: `recall@10, ${pages}`, atLeast: LEAST_RECALL, reached: recall },
        {
          figure: `${pages}, pages a second of processor time`,
          atLeast: LEAST_PAGES_A_SECOND,
          reached: Math.round(1e6 / cpuUs),
        },
      );
    } else {
      assert.deepEqual(graph.table.ids, first.table.ids);
      targets.push({
        figure: `${pages}, two threads against one`,
        atLeast: LEAST_GAIN,
        reached: round(firstUs / us, 2),
      });
    }
    rows.push([
      pageCount,
      threads,
      round(us, 1),
      round(cpuUs, 1),
      recall,
      round(graph.rowComparisons / pageCount, 0),
      round(graph.bagComparisons / pageCount, 0),
      graph.rounds,
      round(topicsUs, 1),
      before,
      after,
    ]);
  }
  return { rows, targets };
}

function topicMicroseconds({ table }: NeighborGraph): number {
  const startedMs = performance.now();
  nestedTopics(graphOfLists(topicLists(table, 24)));
  return ((performance.now() - startedMs) * 1000) / table.counts.length;
}

function checkSimilarities(matrix: BagMatrix, { table }: NeighborGraph): void {
  const step = Math.ceil(matrix.sums.length / 500);
  for (let page = 0; page < matrix.sums.length; page += step) {
    for (let slot = page * table.k; slot < page * table.k + table.counts[page]!; slot++) {
      const exact = weightedJaccard(bagOf(matrix, page), bagOf(matrix, table.ids[slot]!));
      assert.equal(table.shared[slot]! / table.total[slot]!, exact);
    }
  }
}
