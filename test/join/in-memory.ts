/** Joins with all that they find in memory: the joins of a build hand it out piece by piece. */
import type { BagMatrix } from '../../src/features/bag.ts';
import { rangesOf } from '../../src/join/bags/collapse-equal-bags.ts';
import { EntriesInMemory } from '../../src/join/bags/entry-source.ts';
import { streamNeighborGraph } from '../../src/join/buckets/nearest-neighbor-graph.ts';
import { streamThresholdPairs } from '../../src/join/buckets/threshold-join.ts';
import { PairSearch } from '../../src/join/exact/exact-pairs.ts';
import type { PostingBlocks } from '../../src/join/exact/postings.ts';
import { createNeighborTable, type NeighborTable } from '../../src/join/pairs/neighbor-table.ts';
import type { JoinReport, PairColumns } from '../../src/join/pairs/pair-columns.ts';
import { Uint32List } from '../../src/lib/columns/uint32-list.ts';

type ThresholdJoinOptions = Parameters<typeof streamThresholdPairs>[1];

type GraphReport = Awaited<ReturnType<typeof streamNeighborGraph>>;

type NeighborGraphOptions = Parameters<typeof streamNeighborGraph>[1];

export interface NeighborGraph extends GraphReport {
  readonly table: NeighborTable;
}

/** As streamNeighborGraph(), with the rows in one table. */
export async function nearestNeighborGraph(
  matrix: BagMatrix,
  options: NeighborGraphOptions = {},
): Promise<NeighborGraph> {
  const pageCount = matrix.sums.length;
  let table: NeighborTable | null = null;
  let first = 0;
  const report = await streamNeighborGraph(matrix, options, (rows) => {
    table ??= createNeighborTable(pageCount, rows.k);
    table.counts.set(rows.counts, first);
    table.ids.set(rows.ids, first * rows.k);
    table.shared.set(rows.shared, first * rows.k);
    table.total.set(rows.total, first * rows.k);
    first += rows.counts.length;
  });
  return { ...report, table: table ?? createNeighborTable(0, options.k ?? 32) };
}

type ThresholdPairs = PairColumns & JoinReport;

/** As streamThresholdPairs, with all pairs in memory: 12 bytes more a pair. */
export async function thresholdJoin(
  matrix: BagMatrix,
  options: ThresholdJoinOptions,
): Promise<ThresholdPairs> {
  const blocks: PairColumns[] = [];
  const report = await streamThresholdPairs(matrix, options, (block) => blocks.push(block));
  const size = blocks.reduce((sum, { a }) => sum + a.length, 0);
  const pairs = {
    a: new Uint32Array(size),
    b: new Uint32Array(size),
    shared: new Uint16Array(size),
    total: new Uint16Array(size),
  };
  let at = 0;
  for (const block of blocks.splice(0)) {
    pairs.a.set(block.a, at);
    pairs.b.set(block.b, at);
    pairs.shared.set(block.shared, at);
    pairs.total.set(block.total, at);
    at += block.a.length;
  }
  return { ...pairs, ...report };
}

/** Pairs of pages a < b, sorted by (a, b); the similarity of a pair is the exact fraction shared / total. */
interface ExactPairs {
  readonly a: Uint32Array;
  readonly b: Uint32Array;
  readonly shared: Uint16Array;
  readonly total: Uint16Array;
}

/** As PairSearch.find(), in columns. The range lets a bench take a sample of pages. */
export function exactPairs(
  matrix: BagMatrix,
  postings: PostingBlocks,
  threshold: number,
  from = 0,
  to: number = matrix.sums.length,
): ExactPairs {
  const { sums } = matrix;
  const [a, b, overlaps] = [new Uint32List(), new Uint32List(), new Uint32List()];
  const search = new PairSearch(
    rangesOf(matrix),
    new EntriesInMemory(matrix),
    threshold,
    postings.blockPages,
  );
  for (let page = from; page < to; page++) {
    for (const block of postings.blocks) {
      search.find(block, page, page + 1, (first, second, shared) => {
        a.push(first);
        b.push(second);
        overlaps.push(shared);
      });
    }
  }
  const pairs = { a: a.toArray(), b: b.toArray(), shared: Uint16Array.from(overlaps.toArray()) };
  const total = pairs.shared.map((shared, i) => sums[pairs.a[i]!]! + sums[pairs.b[i]!]! - shared);
  return { ...pairs, total };
}
