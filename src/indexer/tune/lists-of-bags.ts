import type { BagMatrix } from '../../features/bag.ts';
import { exactNeighbors } from '../../join/exact/exact-neighbors.ts';
import { lentLists } from '../../join/lend/lent-lists.ts';
import { JaccardNearness } from '../../join/pairs/nearness.ts';
import type { NeighborTable } from '../../join/pairs/neighbor-table.ts';
import { type Listing, PLAIN, rowsByScore } from '../../join/pairs/votes.ts';
import { LENT_LISTING } from '../../relations/topic.ts';

/** What a list is ordered by. */
export type Rank = 'votes' | 'similarity';

export interface ListOptions {
  /** Of the rows of the bags, the first ones are pages; the others are documents that ask and are in no list. */
  readonly pageCount: number;
  /** K of the lists. */
  readonly neighborLimit: number;
  readonly floor: number;
}

/** Row p of `ids` holds `counts[p]` pages from p * K, best first. */
export type RankedLists = Pick<NeighborTable, 'k' | 'counts' | 'ids'>;

export type ListsByRank = Readonly<Record<Rank, RankedLists>>;

/** The list of every row in either order, as an index of these bags would answer; by exact search. */
export function listsOfBags(matrix: BagMatrix, options: ListOptions): ListsByRank {
  return listsByRank(tableOfBags(matrix, options), PLAIN);
}

/** The same over bags to which neighbors lend so much. */
export function lentListsByRank(matrix: BagMatrix, options: ListOptions, share: number): ListsByRank {
  const { pageCount, floor } = options;
  const how = { pageCount, floor, pair: new JaccardNearness() };
  return listsByRank(lentLists(matrix, tableOfBags(matrix, options), share, how), LENT_LISTING);
}

/** The nearest pages of every row, with nearness. */
export function tableOfBags(
  matrix: BagMatrix,
  { pageCount, neighborLimit, floor }: ListOptions,
): NeighborTable {
  return exactNeighbors(matrix, { k: neighborLimit, floor, pageCount });
}

/** Either order of a table, whose rows are nearest first; in memory of its own, that can be handed over. */
export function listsByRank(table: NeighborTable, listing: Listing): ListsByRank {
  const { k, counts, ids } = table;
  const byVotes = new Uint32Array(ids.length);
  let at = 0;
  for (const block of rowsByScore(table, listing)) {
    byVotes.set(block.ids, at);
    at += block.ids.length;
  }
  const own = counts.slice();
  return { votes: { k, counts: own, ids: byVotes }, similarity: { k, counts: own, ids: ids.slice() } };
}
