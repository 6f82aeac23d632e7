import { createNearestScratch, type NearestScratch, type PostingSource } from '../join/nearest-to-bag.ts';
import { BLOCK_PAGES } from '../join/postings.ts';
import type { IndexReader } from '../store/reader.ts';

/** What a search for the neighbours of a bag needs; one search at a time. */
export interface Postings {
  readonly source: PostingSource;
  readonly scratch: NearestScratch;
}

/**
 * Posting lists of one relation, the latest used kept in memory up to `cacheBytes`. Words are used as
 * Zipf says, so the few long lists that cost most to read are nearly always there.
 */
export function openPostings(reader: IndexReader, relationId: number, cacheBytes: number): Postings {
  const cache = new Map<number, Uint32Array>();
  let heldBytes = 0;
  const posting = (blockId: number, featureId: number): Uint32Array => {
    const key = blockId * 2 ** 32 + featureId;
    const held = cache.get(key);
    const list = held ?? reader.posting(relationId, blockId, featureId);
    if (held !== undefined) cache.delete(key);
    else heldBytes += list.byteLength;
    // A Map iterates in order of insertion: put back last, so that the first is the least recently used.
    cache.set(key, list);
    for (const [oldest, evicted] of cache) {
      if (heldBytes <= cacheBytes) break;
      cache.delete(oldest);
      heldBytes -= evicted.byteLength;
    }
    return list;
  };
  const sums = reader.bagSums(relationId);
  const source: PostingSource = { pageCount: reader.pageCount, blockPages: BLOCK_PAGES, sums, posting };
  return { source, scratch: createNearestScratch(source) };
}
