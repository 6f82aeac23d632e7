/**
 * The lists that topics are found in: of each page the nearest by votes (join/pairs/votes.ts), weighed against what its
 * whole list and that of the other page weigh.
 *
 *   w(a, b) = score(b | a) / sqrt(S(a) S(b));   S(a) = sum of the scores in the list of a
 *
 * By similarity alone a page of a dense place outweighs all its neighbors together, and few heavy pages draw a topic
 * around themselves; so each page has about the same to give.
 *
 * Measured   V-measure of the three levels against the first label, mean of six seeds, by similarity alone and so:
 *            wikispeedia .749 .673 .497 and .755 .695 .545, manuals .679 .658 .402 and .684 .709 .599, newsgroups
 *            .470 .433 .404 and .468 .433 .409, mdn .645 .639 .505 and .654 .656 .558. Scores without the division gain
 *            less (wikispeedia .749 .690 .551, mdn .640 .638 .538), the division without scores too (.755 .679 .476,
 *            .655 .655 .515).
 * Source     the division: Ng, Jordan, Weiss, NIPS 2001 (D^-1/2 A D^-1/2).
 */

import { leaderOrder } from '../join/pairs/leader-order.ts';
import type { NearBy } from '../join/pairs/nearness.ts';
import { type NeighborTable, rowOfTable } from '../join/pairs/neighbor-table.ts';
import { placesByScore, VoteCount } from '../join/pairs/votes.ts';
import type { WeightedLists } from './weighted-graph.ts';

interface TopicLists extends WeightedLists {
  /** Of each row of the table its places, best first, K a page. */
  readonly places: Uint8Array;
}

/**
 * The rows are nearest first, `by` what lists hold pages for.
 *
 * Cost  20 look-ups for each neighbor of a page; 8 bytes for each of the `limit` pages of a list, 1 for each neighbor.
 */
export function topicLists(table: NeighborTable, limit: number, by: NearBy = 'similarity'): TopicLists {
  const { counts, ids: allIds } = table;
  const pageCount = counts.length;
  const ids = new Uint32Array(pageCount * limit);
  const weights = new Float32Array(pageCount * limit);
  const allPlaces = new Uint8Array(allIds.length);
  const sums = new Float64Array(pageCount);
  const votes = new VoteCount(by);
  const rowOf = (page: number) => rowOfTable(table, page);
  const kept = counts.map((count) => Math.min(count, limit));
  const listRow = (page: number) => {
    const row = rowOf(page);
    const scores = votes.scores(row, page, rowOf);
    const places = placesByScore(row, scores);
    for (let i = 0; i < places.length; i++) allPlaces[row.start + i] = places[i]!;
    for (let i = 0; i < kept[page]!; i++) {
      const place = places[i]!;
      ids[page * limit + i] = allIds[row.start + place]!;
      weights[page * limit + i] = scores[place]!;
      sums[page]! += scores[place]!;
    }
  };
  for (const page of leaderOrder(table)) listRow(page);
  for (let page = 0; page < pageCount; page++) {
    for (let slot = page * limit, end = slot + kept[page]!; slot < end; slot++) {
      weights[slot] = topicWeight(weights[slot]!, sums[page]!, sums[ids[slot]!]!);
    }
  }
  return { k: limit, counts: kept, ids, weights, places: allPlaces };
}

/** What an entry of a list weighs by its score and the sums of both lists; the other page may have found none itself. */
export function topicWeight(score: number, own: number, other: number): number {
  return score / Math.sqrt(own * (other || own));
}
