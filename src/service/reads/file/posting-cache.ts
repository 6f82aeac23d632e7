import {
  createQuickScratch,
  type QuickScratch,
  type QuickSource,
} from '../../../join/exact/nearest-to-bag-quick.ts';
import { BLOCK_PAGES } from '../../../join/exact/postings.ts';
import { keptIn } from '../../../lib/kept.ts';
import type { IndexReader } from '../../../store/read/reader.ts';
import { RecentCache } from '../recent-cache.ts';

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
  const lists = new RecentCache<number, Lists>(cacheBytes, sizeBytes);
  const read = (feature: number) => reader.postings(relationId, feature);
  const source: QuickSource = {
    pageCount: reader.pageCount,
    blockPages: BLOCK_PAGES,
    sums: reader.bagSums(relationId),
    featureCount: reader.featureCount(relationId),
    posting: (blockId, featureId) => keptIn(lists, featureId, read).get(blockId) ?? NOTHING,
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
