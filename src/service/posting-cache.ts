import { createQuickScratch, type QuickScratch, type QuickSource } from '../join/nearest-to-bag-quick.ts';
import { BLOCK_PAGES } from '../join/postings.ts';
import type { IndexReader } from '../store/reader.ts';

/** What a search for the neighbours of a bag needs; one search at a time. */
export interface Postings {
  readonly source: QuickSource;
  readonly scratch: QuickScratch;
}

/** What a list takes in memory beside its entries: most lists are shorter than this. */
const LIST_BYTES = 320;

/**
 * Posting lists of one relation, the latest used kept in memory up to `cacheBytes`, bags read when asked for.
 * Words are used as Zipf says, so the few long lists that cost most to read are nearly always there.
 *
 * Memory  the cache, 2 bytes a page, 1 byte a feature, and 2 MB to search in.
 */
export function openPostings(reader: IndexReader, relationId: number, cacheBytes: number): Postings {
  const cache = new Map<number, Uint32Array>();
  const featureCount = reader.featureCount(relationId);
  let heldBytes = 0;
  const posting = (blockId: number, featureId: number): Uint32Array => {
    const key = blockId * featureCount + featureId;
    const held = cache.get(key);
    const list = held ?? reader.posting(relationId, blockId, featureId);
    if (held !== undefined) cache.delete(key);
    else heldBytes += list.byteLength + LIST_BYTES;
    // A Map iterates in order of insertion: put back last, so that the first is the least recently used.
    cache.set(key, list);
    for (const [oldest, evicted] of cache) {
      if (heldBytes <= cacheBytes) break;
      cache.delete(oldest);
      heldBytes -= evicted.byteLength + LIST_BYTES;
    }
    return list;
  };
  const source: QuickSource = {
    pageCount: reader.pageCount,
    blockPages: BLOCK_PAGES,
    sums: reader.bagSums(relationId),
    featureCount,
    posting,
    bag: (pageId) => reader.bag(relationId, pageId),
  };
  return { source, scratch: createQuickScratch(source) };
}
