/**
 * Vectors in cells around some of them, the pivots: near ones lie in one cell or in cells of near pivots, as a rule. So of a large
 * collection a vector is compared with those of the cells that are nearest to it alone.
 *
 *   2 sqrt(n) pivots, drawn by lot     each vector goes to the pivot that is nearest to it
 *   a sample's exact neighbors         against what so many cells give: more cells until the recall is met
 *   all vectors                        each with those of its nearest cells
 *
 * Cost    n (2 sqrt(n) + cells * sqrt(n) / 2) inner products, beside n a page of the sample.
 * Source  Sivic and Zisserman, Video Google (2003), as inverted files; Jégou, Douze, Schmid (2011).
 */
import { BoundedHeap } from '../../lib/bounded-heap.ts';
import { Random } from '../../lib/random.ts';
import { type MeasuredRecall, measuredRecall } from '../pairs/measured-recall.ts';
import { type NeighborTable, writeRow } from '../pairs/neighbor-table.ts';
import { COSINE_PARTS, cosineParts } from './cosine.ts';
import {
  copyVector,
  createVectorSpace,
  forEachRun,
  VectorScanner,
  type VectorSpace,
} from './vector-space.ts';

/** All arrays are shared between threads. */
export interface VectorCells {
  /** The vectors cell by cell, then the pivots. */
  readonly space: VectorSpace;
  /** Of each place the row that it is in the collection. */
  readonly rows: Uint32Array;
  /** Where each cell ends. */
  readonly ends: Uint32Array;
}

const RECALL_AT = 10;
const SAMPLE = 512;
/** Cells that are tried first. */
const LEAST_CELLS = 8;

const shared = (length: number) => new Uint32Array(new SharedArrayBuffer(4 * length));

function pivotCount(count: number): number {
  return Math.ceil(2 * Math.sqrt(count));
}

/** For `threadCount` threads and the caller. Memory  twice as much again as the vectors have. */
export function vectorCells(vectors: VectorSpace, seed: number, threadCount: number): VectorCells {
  const { count, dimensions } = vectors;
  const pivots = drawn(count, pivotCount(count), seed);
  const scanned = createVectorSpace(count + pivots.length, dimensions, 1);
  const space = createVectorSpace(count + pivots.length, dimensions, threadCount + 1);
  for (let row = 0; row < count; row++) copyVector(vectors, row, scanned, row);
  for (const [i, row] of pivots.entries()) {
    copyVector(vectors, row, scanned, count + i);
    copyVector(vectors, row, space, count + i);
  }
  const scanner = new VectorScanner(scanned);
  const cellOf = new Uint32Array(count);
  const sizes = new Uint32Array(pivots.length);
  for (let row = 0; row < count; row++)
    sizes[(cellOf[row] = nearestPivots(scanner, scanned, row, count, 1)[0]!)]!++;
  const ends = shared(pivots.length);
  let end = 0;
  for (const [cell, size] of sizes.entries()) ends[cell] = end += size;
  const next = Uint32Array.from(ends, (last, cell) => last - sizes[cell]!);
  const rows = shared(count);
  for (let row = 0; row < count; row++) {
    const place = next[cellOf[row]!]!++;
    rows[place] = row;
    copyVector(vectors, row, space, place);
  }
  return { space, rows, ends };
}

/** Different rows, ascending. */
function drawn(count: number, size: number, seed: number): number[] {
  const random = new Random(seed);
  const chosen = new Set<number>();
  while (chosen.size < Math.min(count, size)) chosen.add(random.below(count));
  return [...chosen].sort((a, b) => a - b);
}

/** The `wanted` cells whose pivots are nearest to the vector at a place; pivots stand from `count` on. */
function nearestPivots(
  scanner: VectorScanner,
  { squares }: VectorSpace,
  place: number,
  count: number,
  wanted: number,
): Uint32Array {
  const heap = new BoundedHeap(wanted);
  forEachRun(squares.length - count, (from, to) => {
    scanner.scan(place, count + from, count + to);
    for (let cell = from; cell < to; cell++) {
      const score = scanner.dots[cell - from]! / Math.sqrt(squares[count + cell]!);
      if (score >= heap.bound(Number.NEGATIVE_INFINITY)) heap.offer(score, cell, 0);
    }
  });
  heap.sort();
  return heap.ids.subarray(0, heap.size);
}

/** Fills the rows of the table of the vectors at places from .. to - 1, each compared with those of so many cells. */
export function cellVectorRows(
  { space, rows, ends }: VectorCells,
  table: NeighborTable,
  cellCount: number,
  scanner = new VectorScanner(space),
): (from: number, to: number) => void {
  const { squares } = space;
  const heap = new BoundedHeap(table.k);
  return (from, to) => {
    for (let place = from; place < to; place++) {
      heap.clear();
      for (const cell of nearestPivots(scanner, space, place, rows.length, cellCount)) {
        const start = cell === 0 ? 0 : ends[cell - 1]!;
        forEachRun(ends[cell]! - start, (first, end) => {
          scanner.scan(place, start + first, start + end);
          for (let other = start + first; other < start + end; other++) {
            if (other === place) continue;
            const parts = cosineParts(scanner.dots[other - start - first]!, squares[place]!, squares[other]!);
            if (parts >= heap.bound(1)) heap.offer(parts, rows[other]!, parts);
          }
        });
      }
      writeRow(table, rows[place]!, heap, () => COSINE_PARTS);
    }
  };
}

/** How many cells reach the recall, measured on a sample; all of them where nothing less does. */
export function cellsFor(
  cells: VectorCells,
  table: NeighborTable,
  targetRecall: number,
  seed: number,
): MeasuredRecall & { readonly cellCount: number } {
  const { rows, ends, space } = cells;
  const scanner = new VectorScanner(space);
  const places = drawn(rows.length, SAMPLE, seed ^ SAMPLE);
  const leasts = places.map((place) => leastOf(cells, scanner, place));
  const wanted = Uint8Array.from(leasts, ({ count }) => count);
  for (
    let cellCount = Math.min(LEAST_CELLS, ends.length);
    ;
    cellCount = Math.min(2 * cellCount, ends.length)
  ) {
    const fill = cellVectorRows(cells, table, cellCount, scanner);
    const held = Uint8Array.from(places, (place, i) => {
      fill(place, place + 1);
      const start = rows[place]! * table.k;
      const found = table.shared.subarray(start, start + table.counts[rows[place]!]!);
      return Math.min(leasts[i]!.count, found.filter((parts) => parts >= leasts[i]!.parts).length);
    });
    const recall = measuredRecall(wanted, held, rows.length);
    if (recall.recallLow >= targetRecall || cellCount === ends.length) return { ...recall, cellCount };
  }
}

/** How many of the nearest of a vector there are, and the similarity of the last of them: compared with all. */
function leastOf(
  { space, rows }: VectorCells,
  scanner: VectorScanner,
  place: number,
): { readonly count: number; readonly parts: number } {
  const heap = new BoundedHeap(RECALL_AT);
  forEachRun(rows.length, (from, to) => {
    scanner.scan(place, from, to);
    for (let other = from; other < to; other++) {
      if (other === place) continue;
      const parts = cosineParts(scanner.dots[other - from]!, space.squares[place]!, space.squares[other]!);
      if (parts >= heap.bound(1)) heap.offer(parts, rows[other]!, parts);
    }
  });
  return { count: heap.size, parts: heap.size === 0 ? 0 : heap.scores[0]! };
}
