/**
 * A hash table from URL to page id: linear probing, at most half full, one 32-bit word a slot.
 *
 * A word is the page id and one more, 0 in an empty slot. The bits that ids leave free hold those of the hash: of pages
 * that only met in a slot hardly one is looked at, which costs two misses of the processor's caches.
 */
import { hash32 } from '../../lib/hash.ts';

/** Length of the table, which begins as zeros. */
export function slotCount(pageCount: number): number {
  return 2 ** Math.ceil(Math.log2(2 * pageCount + 2));
}

export function insertSlot(slots: Uint32Array, url: string, pageId: number): void {
  const hash = hash32(url);
  const mask = slots.length - 1;
  let slot = hash & mask;
  while (slots[slot] !== 0) slot = (slot + 1) & mask;
  slots[slot] = (hash & ~(mask >> 1)) | (pageId + 1);
}

/** The page of this URL, of which `isIt` is sure; -1 where there is none. */
export function findSlot(slots: Uint32Array, url: string, isIt: (pageId: number) => boolean): number {
  const hash = hash32(url);
  const mask = slots.length - 1;
  const idMask = mask >> 1;
  for (let slot = hash & mask; slots[slot] !== 0; slot = (slot + 1) & mask) {
    const word = slots[slot]!;
    const pageId = (word & idMask) - 1;
    if (((word ^ hash) & ~idMask) === 0 && isIt(pageId)) return pageId;
  }
  return -1;
}
