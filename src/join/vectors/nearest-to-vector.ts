/** The vectors nearest to one by cosine, of a collection that comes block by block: each is compared, nothing is left out. */
import { BoundedHeap } from '../../lib/bounded-heap.ts';
import type { NeighborList } from '../pairs/neighbor-table.ts';
import { COSINE_PARTS, cosineParts } from './cosine.ts';
import { createVectorSpace, placeVectors, putVector, VectorScanner } from './vector-space.ts';

/** Vectors of the pages of a block, end to end. */
interface PageVectors {
  readonly pages: Uint32Array;
  readonly vectors: Int8Array;
}

interface NearestVectors {
  /** Int8Array(dimensions). */
  readonly vector: Int8Array;
  readonly count: number;
  /** Pages of a block at most. */
  readonly blockPages: number;
  readonly accept: (page: number) => boolean;
}

/** Similarities are parts of COSINE_PARTS, and none is 0; ties by page id. */
export function nearestToVector(
  blocks: Iterable<PageVectors>,
  { vector, count, blockPages, accept }: NearestVectors,
): NeighborList {
  const heap = new BoundedHeap(count);
  const space = createVectorSpace(blockPages + 1, vector.length);
  const scanner = new VectorScanner(space);
  putVector(space, blockPages, vector);
  const square = space.squares[blockPages]!;
  for (const { pages, vectors } of blocks) {
    placeVectors(space, vectors);
    scanner.scan(blockPages, 0, pages.length);
    const dots = scanner.dots.slice(0, pages.length);
    for (let i = 0; i < pages.length; i++) {
      const page = pages[i]!;
      scanner.scan(i, i, i + 1);
      const parts = cosineParts(dots[i]!, square, scanner.dots[0]!);
      if (parts > 0 && parts >= heap.bound(0) && accept(page)) heap.offer(parts, page, parts);
    }
  }
  return listOf(heap);
}

/** The entries of a heap of parts as a list. Sorts the heap. */
export function listOf(heap: BoundedHeap): NeighborList {
  heap.sort();
  return {
    ids: heap.ids.slice(0, heap.size),
    shared: Uint16Array.from(heap.values.subarray(0, heap.size)),
    total: new Uint16Array(heap.size).fill(COSINE_PARTS),
  };
}
