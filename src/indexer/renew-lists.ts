import type { BagMatrix } from '../features/bag.ts';
import { nearestNeighbourGraph } from '../join/buckets/nearest-neighbour-graph.ts';
import { exactNeighbours } from '../join/exact/exact-neighbours.ts';
import type { Postings } from '../join/exact/postings.ts';
import { createNeighbourTable, type NeighbourTable } from '../join/pairs/neighbour-table.ts';
import { cheapestRenewal } from '../join/renewal-cost.ts';
import {
  isSameList,
  type NearestList,
  type UpdateReport,
  updateNeighbours,
} from '../join/update-neighbours.ts';
import type { BuildOptions } from './build-options.ts';

/** How complete the lists of an index are, as its parameter `neighbours` says. */
export interface Completeness {
  readonly method: 'exact' | 'graph';
  readonly recall: number;
  readonly sample_count: number;
}

/**
 * Brings the topic lists of an index up to date in place, where `changed` pages have other bags: in the way that costs
 * least. What comes of it is as complete as what was there, or more so.
 */
export async function renewLists(
  matrix: BagMatrix,
  postings: Postings,
  lists: NearestList[],
  changed: ReadonlySet<number>,
  { neighbourLimit: k, floor, seed }: Pick<BuildOptions, 'neighbourLimit' | 'floor' | 'seed'>,
  stored: Completeness,
): Promise<UpdateReport & { readonly completeness: Completeness }> {
  const losing = lists.flatMap(({ ids }, page) =>
    ids.length === k && !changed.has(page) && ids.some((id) => changed.has(id)) ? [page] : [],
  );
  const way = cheapestRenewal(matrix, changed, losing, stored.method === 'graph');
  if (way === 'update') {
    return { ...updateNeighbours(matrix, postings, lists, changed, { k, floor }), completeness: stored };
  }
  const searchedCount = matrix.sums.length;
  if (way === 'exact') {
    const table = createNeighbourTable(searchedCount, k);
    exactNeighbours(matrix, postings, table, 0, searchedCount, { floor });
    const completeness = { method: 'exact', recall: 1, sample_count: 0 } as const;
    return { touched: replaceLists(lists, table), searchedCount, completeness };
  }
  const graph = await nearestNeighbourGraph(matrix, { k, floor, seed, targetRecall: stored.recall });
  const completeness = { method: 'graph', recall: graph.recall, sample_count: graph.sampleCount } as const;
  return { touched: replaceLists(lists, graph.table), searchedCount, completeness };
}

/** Returns the pages whose list is another one now, ascending. */
function replaceLists(lists: NearestList[], { k, counts, ids, shared, total }: NeighbourTable): number[] {
  const touched: number[] = [];
  for (const [page, list] of lists.entries()) {
    const [from, to] = [page * k, page * k + counts[page]!];
    const next = { ids: ids.slice(from, to), shared: shared.slice(from, to), total: total.slice(from, to) };
    if (isSameList(list, next)) continue;
    lists[page] = next;
    touched.push(page);
  }
  return touched;
}
