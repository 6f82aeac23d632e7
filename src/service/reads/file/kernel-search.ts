/** What the kernel of a relation holds near to a bag, in one index file. */
import type { Bag } from '../../../features/bag.ts';
import type { Reach } from '../../../join/exact/reach.ts';
import { overlap } from '../../../join/exact/weighted-jaccard.ts';
import { listNearness, type PairNearness } from '../../../join/pairs/nearness.ts';
import { allOf } from '../../../join/pairs/neighbor-span.ts';
import type { NeighborList } from '../../../join/pairs/neighbor-table.ts';
import type { IndexReader } from '../../../store/read/reader.ts';
import { openBm25, type StoredBm25, storedPair } from '../../../store/read/stored/stored-kernel.ts';
import type { RelationRecord } from '../../../store/records.ts';
import type { Accept } from '../accept.ts';
import type { NearestQuery } from '../read-table.ts';

/** Measured: to read a bag and count its words, when the first search comes; of a page and of an entry that a search looks at. */
const OPEN_PAGE_US = 40;
const PAGE_US = 0.002;
const ENTRY_US = 0.005;

export class KernelSearch {
  readonly #reader: IndexReader;
  readonly #relation: RelationRecord;
  #pair: PairNearness | null = null;
  #bm25: StoredBm25 | null = null;
  #least: Uint16Array | null = null;

  constructor(reader: IndexReader, relation: RelationRecord) {
    this.#reader = reader;
    this.#relation = relation;
  }

  /** A list with how near its pages are to a bag. */
  rated(bag: Bag, list: NeighborList): NeighborList {
    this.#pair ??= storedPair(this.#reader, this.#relation);
    return { ...list, nearness: listNearness(this.#pair, bag, allOf(list), (page) => this.#bag(page)) };
  }

  /** What `nearest` takes, about. */
  nearestUs({ features }: Bag, frequency: (featureId: number) => number): number {
    let entries = 0;
    for (const feature of features) entries += frequency(feature);
    const { pageCount } = this.#reader;
    return (this.#bm25 === null ? OPEN_PAGE_US * pageCount : 0) + PAGE_US * pageCount + ENTRY_US * entries;
  }

  /** The nearest pages as the kernel has it, with how near they are; ties by page id. */
  nearest(
    { bag, count, skip }: Pick<NearestQuery, 'bag' | 'count' | 'skip'>,
    accept: Accept | null,
  ): NeighborList {
    const { queries, search } = (this.#bm25 ??= openBm25(this.#reader, this.#relation.id));
    const k = Math.min(count, this.#reader.pageCount);
    const heap = search.nearest(queries.of(bag), { k, skip, ...(accept !== null && { accept }) });
    return this.#compared(
      bag,
      heap.ids.slice(0, heap.size),
      Uint16Array.from(heap.scores.subarray(0, heap.size)),
    );
  }

  /** As `OpenFile.reach`. */
  reach(bag: Bag, skip: number): Reach {
    const { queries, search } = (this.#bm25 ??= openBm25(this.#reader, this.#relation.id));
    const least = (this.#least ??= leastNearness(this.#reader, this.#relation));
    const k = this.#relation.neighborLimit;
    const { nearest, ids, nearness } = search.reach(queries.of(bag), { k, skip, least });
    const near = Uint16Array.from(nearest.scores.subarray(0, nearest.size));
    return {
      nearest: this.#compared(bag, nearest.ids.slice(0, nearest.size), near),
      reached: this.#compared(bag, ids, nearness),
    };
  }

  #compared(bag: Bag, ids: Uint32Array, nearness: Uint16Array): NeighborList {
    const others = Array.from(ids, (page) => this.#bag(page));
    const shared = Uint16Array.from(others, (other) => overlap(bag, other));
    return {
      ids,
      shared,
      total: Uint16Array.from(others, ({ sum }, i) => bag.sum + sum - shared[i]!),
      nearness,
    };
  }

  #bag(page: number): Bag {
    return this.#reader.bag(this.#relation.id, page);
  }
}

/** Of each list that is full the least nearness; 0 of any other. Cost  4 us a page. */
function leastNearness(reader: IndexReader, { id, neighborLimit }: RelationRecord): Uint16Array {
  const least = new Uint16Array(reader.pageCount);
  for (const { pageId, list } of reader.allNeighbors(id))
    if (list.ids.length >= neighborLimit) least[pageId] = Math.min(...list.nearness!);
  return least;
}
