/**
 * The K vectors nearest to each of a space by cosine: each is compared with all, a run of vectors at a time for many of them.
 *
 * Cost    n^2 inner products, see VECTOR_PAIR_US; nothing is left out.
 */
import { BoundedHeap } from '../../lib/bounded-heap.ts';
import { type NeighborTable, writeRow } from '../pairs/neighbor-table.ts';
import { COSINE_PARTS, cosineParts } from './cosine.ts';
import { forEachRun, VectorScanner, type VectorSpace } from './vector-space.ts';

/** A cosine by quick products may be off by so much in its last place. */
const SLACK = 1;

/** Fills rows from .. to - 1 of the table; similarities are parts of COSINE_PARTS, and none is 0. */
export function nearestVectorRows(
  space: VectorSpace,
  table: NeighborTable,
): (from: number, to: number) => void {
  const scanner = new VectorScanner(space);
  const { squares, count } = space;
  const inverses = squares.map((square) => 1 / Math.sqrt(square));
  return (from, to) => {
    const heaps = Array.from({ length: to - from }, () => new BoundedHeap(table.k));
    forEachRun(count, (first, end) => {
      for (const [at, heap] of heaps.entries()) {
        const own = from + at;
        scanner.scan(own, first, end);
        const scale = COSINE_PARTS * inverses[own]!;
        for (let other = first; other < end; other++) {
          const dot = scanner.dots[other - first]!;
          if (dot * inverses[other]! * scale < heap.bound(1) - SLACK || other === own) continue;
          const parts = cosineParts(dot, squares[own]!, squares[other]!);
          if (parts > 0) heap.offer(parts, other, parts);
        }
      }
    });
    for (const [at, heap] of heaps.entries()) writeRow(table, from + at, heap, () => COSINE_PARTS);
  };
}
