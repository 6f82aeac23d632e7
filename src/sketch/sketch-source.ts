import type { ShingleSketch } from './shingle-sketch.ts';
import { type SketchTable, sketchAt, tableOfPages } from './sketch-table.ts';

/** Sketches of consecutive pages of a collection. */
export interface SketchBlock {
  /** The page that is page 0 of the table. */
  readonly first: number;
  readonly table: SketchTable;
}

/** The sketches of a collection, wherever their keys are; the columns of pages are in memory. */
export interface SketchSource extends Omit<SketchTable, 'keys'> {
  /** All of it where the keys are in memory; else null. */
  readonly table: SketchTable | null;
  /** All pages in order; a block is valid until the next one is asked for. */
  blocks(): Iterable<SketchBlock>;
  at(page: number): ShingleSketch;
  /** The sketches of some pages, which ascend, end to end. */
  pick(pages: Uint32Array): SketchTable;
}

export function sourceOf(table: SketchTable): SketchSource {
  return {
    ...table,
    table,
    blocks: () => [{ first: 0, table }],
    at: (page) => sketchAt(table, page),
    pick: (pages) =>
      tableOfPages(table, pages, (page, keys, at) =>
        keys.set(table.keys.subarray(table.offsets[page], table.offsets[page + 1]), at),
      ),
  };
}
