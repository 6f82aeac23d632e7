import type { Bag } from '../../../features/bag.ts';
import { weightedJaccard } from '../../../join/exact/weighted-jaccard.ts';
import { LentBags, lenderPlaces } from '../../../join/lend/lent-bags.ts';
import type { NearBy } from '../../../join/pairs/nearness.ts';
import { allOf, nearestFirst } from '../../../join/pairs/neighbor-span.ts';
import {
  createNeighborTable,
  type NeighborList,
  type NeighborTable,
  similarities,
} from '../../../join/pairs/neighbor-table.ts';
import { type Listing, PLAIN, rowsByScore } from '../../../join/pairs/votes.ts';
import { blended, NO_COSINE } from '../../../join/vectors/blend.ts';
import { cosineOf } from '../../../join/vectors/cosine.ts';
import { foundBlend, foundVectors, MEANING } from '../../../relations/meaning.ts';
import { lendShare, listingOf } from '../../../relations/topic.ts';
import type { IndexReader } from '../../read/reader.ts';
import { StoredBags } from '../../read/stored/stored-bags.ts';
import { storedPair } from '../../read/stored/stored-kernel.ts';
import type { RelationRecord } from '../../records.ts';
import { vectorsInMemory } from './check-vectors.ts';
import type { Checked } from './checked.ts';

/**
 * Neighbors are within the limit, not below `least` and in the order of the relation's rank; where the relation is
 * exact, every similarity is computed again from the two bags.
 *
 * Memory  where lists are ranked by votes, 10 bytes a neighbor.
 */
export function checkNeighbors({ reader, relation, faults }: Checked, least: number): void {
  const bags = relation.measure === 'exact' ? new StoredBags(reader, relation.id) : null;
  const isVoted = relation.rank === 'votes' && bags !== null;
  const pair = isVoted ? storedPair(reader, relation) : null;
  const blend = isVoted ? blendOf(reader) : null;
  const { parameters } = reader.card();
  const listing = isVoted ? listingOf(relation, parameters) : PLAIN;
  const lent =
    isVoted && reader.shard === null ? lentBagsOf(reader, relation, bags, lendShare(parameters)) : null;
  const ordered = rankedRows(reader, relation, isVoted, listing);
  for (const { pageId, list } of reader.allNeighbors(relation.id)) {
    const { ids, shared, total } = list;
    if (ids.length > relation.neighborLimit) faults.push(`page ${pageId} has ${ids.length} neighbors`);
    if (new Set(ids).size !== ids.length || ids.includes(pageId)) {
      faults.push(`page ${pageId} has a neighbor twice, or itself`);
    }
    pair?.take(lent?.[pageId] ?? bags!.of(pageId));
    const expected = ordered(pageId, list);
    if (expected !== null && ids.some((id, i) => id !== expected[i])) {
      faults.push(`the neighbors of page ${pageId} are out of order`);
    }
    for (let i = 0; i < ids.length; i++) {
      const similarity = shared[i]! / total[i]!;
      const parts = blend?.partsOf(pageId, ids[i]!) ?? NO_COSINE;
      // What vectors say is near may share no word; those of pages of other shards are not known here.
      const isByVectors =
        blend !== null && (ids[i]! >= reader.ownPageCount || (parts !== NO_COSINE && parts > 0));
      const isByMore = isByVectors || listing.keptCount > 0;
      if ((similarity < least && !isByMore) || similarity > 1) {
        faults.push(`page ${pageId} has a neighbor at ${similarity}`);
      }
      if (ids[i]! >= reader.ownPageCount) continue;
      const overlap = bags?.overlap(pageId, ids[i]!);
      const isExact =
        overlap === shared[i] &&
        total[i] === Math.max(1, bags!.sums[pageId]! + bags!.sums[ids[i]!]! - overlap!);
      if (bags !== null && !isExact) {
        faults.push(
          `pages ${pageId} and ${ids[i]} are stored at ${shared[i]}/${total[i]}, which is not exact`,
        );
      }
      if (pair === null) continue;
      if (lent === null && listing.keptCount > 0) continue;
      const other = lent?.[ids[i]!] ?? bags!.of(ids[i]!);
      const words = pair.of(other, lent === null ? similarity : weightedJaccard(lent[pageId]!, other));
      const nearness = blend === null ? words : blended(words, parts, blend);
      if (list.nearness?.[i] !== nearness) {
        faults.push(
          `page ${ids[i]} is stored as near to ${pageId} as ${list.nearness?.[i]}, not ${nearness}`,
        );
      }
    }
  }
}

/** How lists by words go by vectors, too, and the cosine of two pages in parts; null where they do not. */
function blendOf(reader: IndexReader) {
  const { parameters } = reader.card();
  const blend = foundBlend(parameters);
  const i = foundVectors(parameters).findIndex(({ name }) => name === blend?.vectors);
  if (blend === null || i < 0) return null;
  const vectorOf = vectorsInMemory(reader, MEANING.id + i);
  const partsOf = (a: number, b: number) => {
    const [one, other] = [vectorOf.get(a), vectorOf.get(b)];
    return one === undefined || other === undefined ? NO_COSINE : cosineOf(one, other);
  };
  return { ...blend, partsOf };
}

/** Of each page its bag with what the most similar pages of its list lend to it; null where they lend nothing. */
function lentBagsOf(
  reader: IndexReader,
  { id, floor }: RelationRecord,
  bags: StoredBags,
  share: number,
): Bag[] | null {
  if (share === 0) return null;
  const lent = new LentBags(share);
  const made = Array.from({ length: reader.pageCount }, (_, page) => bags.of(page));
  for (const { pageId, list } of reader.allNeighbors(id)) {
    const span = allOf(list);
    const near = similarities(span);
    const places = lenderPlaces(span, floor);
    made[pageId] = lent.of(
      bags.of(pageId),
      places.map((place) => ({ bag: bags.of(list.ids[place]!), similarity: near[place]! })),
    );
  }
  return made;
}

/** Gives the neighbors of a page in the order that they should have; pages are asked for in order. */
function rankedRows(
  reader: IndexReader,
  relation: RelationRecord,
  isVoted: boolean,
  listing: Listing,
): (page: number, list: NeighborList) => ArrayLike<number> | null {
  const pageOrder = orderOfPages(reader);
  if (!isVoted) {
    return (_, list) => placesBySimilarity(list, pageOrder).map((place) => list.ids[place]!);
  }
  // The lists of pages of other shards vote as well.
  if (reader.shard !== null) return () => null;
  const k = relation.neighborLimit;
  const blocks = rowsByScore(sortedTable(reader, relation, listing.by), listing);
  let start = 0;
  let block = blocks.next();
  return (page) => {
    while (!block.done && page >= start + block.value.counts.length) {
      start += block.value.counts.length;
      block = blocks.next();
    }
    if (block.done) return [];
    const from = (page - start) * k;
    return block.value.ids.subarray(from, from + block.value.counts[page - start]!);
  };
}

/** The stored lists, nearest first; what is beyond the limit, a fault of its own, is left out. */
function sortedTable(reader: IndexReader, relation: RelationRecord, by: NearBy): NeighborTable {
  const k = relation.neighborLimit;
  const empty = createNeighborTable(reader.pageCount, k);
  const table = { ...empty, nearness: new Uint16Array(empty.ids.length) };
  for (const { pageId, list } of reader.allNeighbors(relation.id)) {
    const near = nearestFirst(allOf(list), by);
    const places = Array.from(near.ids.subarray(0, k), (id) => list.ids.indexOf(id));
    table.counts[pageId] = places.length;
    for (const [i, place] of places.entries()) {
      table.ids[pageId * k + i] = list.ids[place]!;
      table.shared[pageId * k + i] = list.shared[place]!;
      table.total[pageId * k + i] = list.total[place]!;
      table.nearness[pageId * k + i] = list.nearness?.[place] ?? 0;
    }
  }
  return table;
}

/** By which ties are ordered: of a shard, the order of the whole. */
function orderOfPages(reader: IndexReader): (pageId: number) => number {
  if (reader.shard === null) return (pageId) => pageId;
  const { wholeIds } = reader.shardIds;
  return (pageId) => wholeIds[pageId]!;
}

/** Nearest first, ties by page id. */
function placesBySimilarity(
  { ids, shared, total }: NeighborList,
  orderOf: (pageId: number) => number = (pageId) => pageId,
): number[] {
  const similarity = (place: number) => shared[place]! / total[place]!;
  return Array.from(ids, (_, place) => place).sort(
    (a, b) => similarity(b) - similarity(a) || orderOf(ids[a]!) - orderOf(ids[b]!),
  );
}
