/** The shingle sketches of a collection, pages 0..n-1, in compressed sparse rows. */
import type { ShingleSketch } from './shingle-sketch.ts';

export interface SketchTable {
  readonly pageCount: number;
  /** Float64Array(n + 1): page p owns keys[offsets[p]] .. keys[offsets[p + 1] - 1]. */
  readonly offsets: Float64Array;
  readonly keys: Float64Array;
  /** Float64Array(n) */
  readonly limits: Float64Array;
  /** Uint32Array(n): distinct shingles of each whole page. */
  readonly shingleCounts: Uint32Array;
}

export function tableOf(sketches: readonly ShingleSketch[]): SketchTable {
  const offsets = new Float64Array(sketches.length + 1);
  for (const [page, sketch] of sketches.entries()) offsets[page + 1] = offsets[page]! + sketch.keys.length;
  const keys = new Float64Array(offsets[sketches.length]!);
  for (const [page, sketch] of sketches.entries()) keys.set(sketch.keys, offsets[page]!);
  return {
    pageCount: sketches.length,
    offsets,
    keys,
    limits: Float64Array.from(sketches, (sketch) => sketch.limit),
    shingleCounts: Uint32Array.from(sketches, (sketch) => sketch.shingleCount),
  };
}

/** The table of some pages of a collection; `read` puts the keys of a page into an array from a place on. */
export function tableOfPages(
  { offsets, limits, shingleCounts }: Omit<SketchTable, 'keys'>,
  pages: Uint32Array,
  read: (page: number, keys: Float64Array, at: number) => void,
): SketchTable {
  const ownOffsets = new Float64Array(pages.length + 1);
  for (const [i, page] of pages.entries())
    ownOffsets[i + 1] = ownOffsets[i]! + offsets[page + 1]! - offsets[page]!;
  const keys = new Float64Array(ownOffsets[pages.length]!);
  for (const [i, page] of pages.entries()) read(page, keys, ownOffsets[i]!);
  return {
    pageCount: pages.length,
    offsets: ownOffsets,
    keys,
    limits: Float64Array.from(pages, (page) => limits[page]!),
    shingleCounts: pages.map((page) => shingleCounts[page]!),
  };
}

/** The sketch of one page, sharing the table's memory. */
export function sketchAt(table: SketchTable, page: number): ShingleSketch {
  return {
    keys: table.keys.subarray(table.offsets[page]!, table.offsets[page + 1]!),
    limit: table.limits[page]!,
    shingleCount: table.shingleCounts[page]!,
  };
}
