/** The vectors of pages that wait. */
import { unpackVectors } from '../../../features/vectors.ts';
import type { NeighborList } from '../../../join/pairs/neighbor-table.ts';
import { cosineParts, squareOf } from '../../../join/vectors/cosine.ts';
import { listOf } from '../../../join/vectors/nearest-to-vector.ts';
import { BoundedHeap } from '../../../lib/bounded-heap.ts';
import { keptIn } from '../../../lib/kept.ts';
import type { Accept } from '../accept.ts';
import type { NearestVectorsQuery } from '../read-table.ts';

/** Of a component of a vector, compared. */
const COMPONENT_US = 0.002;

const NO_VECTOR = new Int8Array(0);
const NONE: ReadonlyMap<number, Int8Array> = new Map();

export class SegmentVectors {
  /** Name to page id to vector. */
  readonly #ofName = new Map<string, Map<number, Int8Array>>();

  /** Takes the place of what the page had; `packed` as `packVectors` packs them. */
  put(page: number, packed: string): void {
    for (const ofName of this.#ofName.values()) ofName.delete(page);
    for (const [name, vector] of Object.entries(unpackVectors(packed))) {
      keptIn(this.#ofName, name, () => new Map()).set(page, vector);
    }
  }

  get(name: string, page: number): Int8Array {
    return this.#ofName.get(name)?.get(page) ?? NO_VECTOR;
  }

  /** How long those of each name are that other pages have than this one. */
  lengthsBut(page: number): Map<string, number> {
    const lengths = new Map<string, number>();
    for (const [name, ofName] of this.#ofName) {
      for (const [other, { length }] of ofName) {
        if (other === page) continue;
        lengths.set(name, length);
        break;
      }
    }
    return lengths;
  }

  count(name: string): number {
    return this.#ofName.get(name)?.size ?? 0;
  }

  /** What `nearest` takes, about. */
  nearestUs(name: string, { vector }: Pick<NearestVectorsQuery, 'vector'>): number {
    return this.count(name) * vector.length * COMPONENT_US;
  }

  /** The nearest of them that have a vector of the same length; ties by page id. `accept` null where any will do. */
  nearest(
    name: string,
    { vector, count, skip }: Pick<NearestVectorsQuery, 'vector' | 'count' | 'skip'>,
    accept: Accept | null,
  ): NeighborList {
    const heap = new BoundedHeap(Math.min(count, this.count(name)));
    const square = squareOf(vector);
    for (const [page, other] of this.#ofName.get(name) ?? NONE) {
      if (page === skip || other.length !== vector.length) continue;
      let dot = 0;
      for (let i = 0; i < vector.length; i++) dot += vector[i]! * other[i]!;
      const parts = cosineParts(dot, square, squareOf(other));
      if (parts > 0 && parts >= heap.bound(0) && (accept === null || accept(page)))
        heap.offer(parts, page, parts);
    }
    return listOf(heap);
  }
}
