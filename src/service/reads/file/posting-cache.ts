import {
  createQuickScratch,
  type QuickScratch,
  type QuickSource,
} from '../../../join/exact/nearest-to-bag-quick.ts';
import { BLOCK_PAGES } from '../../../join/exact/postings.ts';
import type { IndexReader } from '../../../store/read/reader.ts';

/** What a search for the neighbors of a bag needs; one search at a time. */
export interface Postings {
  readonly source: QuickSource;
  readonly scratch: QuickScratch;
  /** Pages that have a feature. */
  frequency(featureId: number): number;
}

/** Posting lists of one feature, by block. */
type Lists = ReadonlyMap<number, Uint32Array>;

/** What a feature, and each list, takes in memory besides the entries: most lists are shorter than this. */
const FEATURE_BYTES = 300;
const LIST_BYTES = 300;

const NOTHING = new Uint32Array(0);

/**
 * Posting lists of one relation, the latest used kept in memory up to `cacheBytes`, bags read when asked for.
 * Words are used as Zipf says, so the few long lists that cost most to read are nearly always there.
 *
 * Memory  the cache, 2 bytes a page, 5 bytes a feature, and 2 MB to search in.
 */
export function openPostings(reader: IndexReader, relationId: number, cacheBytes: number): Postings {
  const lists = new RecentCache<Lists>(cacheBytes, sizeBytes, (feature) =>
    reader.postings(relationId, feature),
  );
  const source: QuickSource = {
    pageCount: reader.pageCount,
    blockPages: BLOCK_PAGES,
    sums: reader.bagSums(relationId),
    featureCount: reader.featureCount(relationId),
    posting: (blockId, featureId) => lists.get(featureId).get(blockId) ?? NOTHING,
    bag: (pageId) => reader.bag(relationId, pageId),
  };
  /** 0 where it was not asked for yet. */
  const frequencies = new Uint32Array(source.featureCount);
  return {
    source,
    scratch: createQuickScratch(source),
    frequency: (featureId) => (frequencies[featureId] ||= reader.feature(relationId, featureId).pageCount),
  };
}

function sizeBytes(lists: Lists): number {
  let bytes = FEATURE_BYTES;
  for (const list of lists.values()) bytes += list.byteLength + LIST_BYTES;
  return bytes;
}

/**
 * Keeps what was used recently: when the younger half is full, the older half is dropped and the younger takes
 * its place. A list in exact order of use would cost more than the look-up: a Map is slow to give its first
 * key once many were taken away.
 */
class RecentCache<T> {
  readonly #halfBytes: number;
  readonly #sizeOf: (value: T) => number;
  readonly #load: (key: number) => T;
  #young = new Map<number, T>();
  #old = new Map<number, T>();
  #youngBytes = 0;

  constructor(capacityBytes: number, sizeOf: (value: T) => number, load: (key: number) => T) {
    this.#halfBytes = capacityBytes / 2;
    this.#sizeOf = sizeOf;
    this.#load = load;
  }

  get(key: number): T {
    const held = this.#young.get(key);
    if (held !== undefined) return held;
    const value = this.#old.get(key) ?? this.#load(key);
    const bytes = this.#sizeOf(value);
    if (this.#youngBytes + bytes > this.#halfBytes) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#youngBytes = 0;
    }
    this.#young.set(key, value);
    this.#youngBytes += bytes;
    return value;
  }
}
