/** What the kernel of a relation holds near to a bag, in one index file. */
import type { Bag } from '../../../features/bag.ts';
import { overlap } from '../../../join/exact/weighted-jaccard.ts';
import { listNearness, type PairNearness } from '../../../join/pairs/nearness.ts';
import { allOf } from '../../../join/pairs/neighbor-span.ts';
import type { NeighborList } from '../../../join/pairs/neighbor-table.ts';
import type { IndexReader } from '../../../store/read/reader.ts';
import { openBm25, type StoredBm25, storedPair } from '../../../store/read/stored-kernel.ts';
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
    const ids = heap.ids.slice(0, heap.size);
    const others = Array.from(ids, (page) => this.#bag(page));
    const shared = Uint16Array.from(others, (other) => overlap(bag, other));
    return {
      ids,
      shared,
      total: Uint16Array.from(others, ({ sum }, i) => bag.sum + sum - shared[i]!),
      nearness: Uint16Array.from(heap.scores.subarray(0, heap.size)),
    };
  }

  #bag(page: number): Bag {
    return this.#reader.bag(this.#relation.id, page);
  }
}
