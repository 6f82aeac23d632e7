import { type HeapArrays, ID_BITS } from '../space/neighbor-heaps.ts';

/** Pages of a block, as bits: their heaps and reverse lists, 300 bytes each, stay in the cache. */
const BLOCK_BITS = 12;
/** Uint32 of an edge: the page it leads to, the page that holds it with its mark, the similarity. */
const EDGE_WORDS = 3;

/**
 * The edges of a neighbor graph that lead to a range of pages, by blocks of these: whoever walks them meets the pages of one block
 * after those of another, and those that hold the same page in ascending order. Room is kept from range to range, 12
 * bytes an edge.
 */
export class EdgeBlocks {
  #words = new Uint32Array(0);
  #similarities = new Float32Array(0);

  /** Calls `visit` with each edge to a page of first .. last-1; `from` has the mark of the neighbor. */
  forEach(
    { k, counts, ids, similarities }: HeapArrays,
    first: number,
    last: number,
    visit: (target: number, from: number, similarity: number) => void,
  ): void {
    const ends = new Uint32Array(((last - first) >>> BLOCK_BITS) + 1);
    const pageCount = counts.length;
    for (let page = 0; page < pageCount; page++) {
      for (let slot = page * k, end = slot + counts[page]!; slot < end; slot++) {
        const target = ids[slot]! & ID_BITS;
        if (target >= first && target < last) ends[(target - first) >>> BLOCK_BITS]!++;
      }
    }
    let size = 0;
    for (let block = 0; block < ends.length; block++) {
      const count = ends[block]!;
      ends[block] = size;
      size += count;
    }
    this.#reserve(size);
    const words = this.#words;
    const kept = this.#similarities;
    for (let page = 0; page < pageCount; page++) {
      for (let slot = page * k, end = slot + counts[page]!; slot < end; slot++) {
        const id = ids[slot]!;
        const target = id & ID_BITS;
        if (target < first || target >= last) continue;
        const at = EDGE_WORDS * ends[(target - first) >>> BLOCK_BITS]!++;
        words[at] = target;
        words[at + 1] = (page | (id & ~ID_BITS)) >>> 0;
        kept[at + 2] = similarities[slot]!;
      }
    }
    for (let at = 0, end = EDGE_WORDS * size; at < end; at += EDGE_WORDS) {
      visit(words[at]!, words[at + 1]!, kept[at + 2]!);
    }
  }

  #reserve(size: number): void {
    if (this.#words.length >= EDGE_WORDS * size) return;
    this.#words = new Uint32Array(Math.ceil(1.1 * EDGE_WORDS * size));
    this.#similarities = new Float32Array(this.#words.buffer);
  }
}
