/**
 * One bounded heap a page, all in three flat arrays that threads can share: page p owns the slots from p * k.
 * The worst neighbor sits at the root; order is by similarity, then by the smaller id, a total order.
 *
 * A slot's id carries a mark in its top bit: found since the marks were last cleared. Similarities are
 * float32 of I / U: two different fractions with U below 4,096 never meet, and I comes back from it exactly
 * (overlapAtSimilarity). Page ids are below 2^31.
 */

export const NEW_BIT = 0x8000_0000;
export const ID_BITS = 0x7fff_ffff;

export interface HeapArrays {
  readonly k: number;
  readonly counts: Uint8Array;
  readonly ids: Uint32Array;
  readonly similarities: Float32Array;
}

export function createHeapArrays(pageCount: number, k: number): HeapArrays {
  return {
    k,
    counts: new Uint8Array(new SharedArrayBuffer(pageCount)),
    ids: new Uint32Array(new SharedArrayBuffer(4 * pageCount * k)),
    similarities: new Float32Array(new SharedArrayBuffer(4 * pageCount * k)),
  };
}

/** Inserts (id, similarity) unless `page` holds k better ones or has it; true where it got in. */
export function offer(heaps: HeapArrays, page: number, id: number, similarity: number): boolean {
  const { k, ids, similarities } = heaps;
  const base = page * k;
  const count = heaps.counts[page]!;
  const score = Math.fround(similarity);
  if (count === k && (k === 0 || !isWorse(heaps, base, score, id))) return false;
  if (find(heaps, page, id) >= 0) return false;
  let slot: number;
  if (count < k) {
    heaps.counts[page] = count + 1;
    slot = count;
    while (slot > 0) {
      const parent = (slot - 1) >> 1;
      if (isWorse(heaps, base + parent, score, id)) break;
      ids[base + slot] = ids[base + parent]!;
      similarities[base + slot] = similarities[base + parent]!;
      slot = parent;
    }
  } else {
    slot = 0;
    for (;;) {
      let child = 2 * slot + 1;
      if (child >= k) break;
      if (child + 1 < k) {
        const right = base + child + 1;
        if (isWorse(heaps, right, similarities[base + child]!, ids[base + child]! & ID_BITS)) child++;
      }
      if (!isWorse(heaps, base + child, score, id)) break;
      ids[base + slot] = ids[base + child]!;
      similarities[base + slot] = similarities[base + child]!;
      slot = child;
    }
  }
  ids[base + slot] = (id | NEW_BIT) >>> 0;
  similarities[base + slot] = score;
  return true;
}

/** The slot of `id` among the neighbors of `page`, or -1. */
export function find(heaps: Pick<HeapArrays, 'k' | 'counts' | 'ids'>, page: number, id: number): number {
  const { ids } = heaps;
  const base = page * heaps.k;
  const end = base + heaps.counts[page]!;
  for (let slot = base; slot < end; slot++) if (((ids[slot]! ^ id) & ID_BITS) === 0) return slot;
  return -1;
}

/** The similarity that a new neighbor must reach; `floor` while there is room. */
export function bound(heaps: HeapArrays, page: number, floor: number): number {
  return heaps.counts[page]! < heaps.k ? floor : heaps.similarities[page * heaps.k]!;
}

/** The overlap I of two bags from their sums and similarity I / (sum + sum' - I). */
export function overlapAtSimilarity(similarity: number, sumOfBoth: number): number {
  return Math.round((similarity * sumOfBoth) / (1 + similarity));
}

function isWorse(heaps: HeapArrays, slot: number, score: number, id: number): boolean {
  const own = heaps.similarities[slot]!;
  return own < score || (own === score && (heaps.ids[slot]! & ID_BITS) > id);
}
