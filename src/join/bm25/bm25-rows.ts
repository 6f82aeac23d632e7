import { type BagMatrix, bagAt } from '../../features/bag.ts';
import { overlapFrom } from '../exact/overlap-kernel.ts';
import type { NeighborTable } from '../pairs/neighbor-table.ts';
import { type Bm25Facts, queryOf } from './bm25.ts';
import { Bm25Search } from './bm25-search.ts';
import type { CountedBags } from './counted-bags.ts';

/**
 * What fills the rows of pages from .. to-1 of `table`, range after range: the K nearest by BM25, nearest first, ties by page id.
 * Reads shared arrays only and writes its own rows only.
 */
export function bm25Rows(
  matrix: BagMatrix,
  counted: CountedBags,
  facts: Bm25Facts,
  table: Required<NeighborTable>,
): (from: number, to: number) => void {
  const search = new Bm25Search(facts, counted);
  const weightOf = new Uint8Array(matrix.featureCount);
  const sharedWith = (id: number) => {
    const { offsets, features, weights } = matrix;
    return overlapFrom(weightOf, features, weights, offsets[id]!, offsets[id + 1]!, 0);
  };
  return (from, to) => {
    for (let page = from; page < to; page++) {
      const words = bagAt(counted.matrix, page);
      const heap = search.nearest(queryOf(facts, words, words.weights), { k: table.k, skip: page });
      const { features, weights, sum } = bagAt(matrix, page);
      for (let i = 0; i < features.length; i++) weightOf[features[i]!] = weights[i]!;
      table.counts[page] = heap.size;
      for (let i = 0; i < heap.size; i++) {
        const slot = page * table.k + i;
        const id = heap.ids[i]!;
        const shared = sharedWith(id);
        table.ids[slot] = id;
        table.shared[slot] = shared;
        table.total[slot] = sum + matrix.sums[id]! - shared;
        table.nearness[slot] = heap.scores[i]!;
      }
      for (const feature of features) weightOf[feature] = 0;
    }
  };
}
