/**
 * Shingles in so many pages that they say nothing of which are copies: what tools and servers put into every page. The
 * printed method ignores them, in the pages and in any text that is compared with these.
 *
 * Source  Broder, Glassman, Manasse, Zweig, WWW6 1997, section 5.1.
 */
import type { ShingleSketch } from '../../sketch/shingle-sketch.ts';
import type { SketchTable } from '../../sketch/sketch-table.ts';

/** Keys in more than `mostPages` pages, ascending. Memory  8 bytes a key of one of `partCount` parts by key. */
export function commonShingles({ keys }: SketchTable, mostPages: number, partCount = 1): Float64Array {
  const common: number[] = [];
  for (let part = 0; part < partCount; part++) {
    const sorted = keys.filter((key) => partCount === 1 || (key >>> 0) % partCount === part).sort();
    for (let i = 0; i + mostPages < sorted.length; i++) {
      if (sorted[i] === sorted[i + mostPages] && sorted[i] !== sorted[i - 1]) common.push(sorted[i]!);
    }
  }
  return Float64Array.from(common).sort();
}

/** The sketches without some keys; the table itself where there are none. */
export function tableWithout(table: SketchTable, ignored: Float64Array): SketchTable {
  if (ignored.length === 0) return table;
  const isIgnored = new Set(ignored);
  const offsets = new Float64Array(table.pageCount + 1);
  const keys = new Float64Array(table.keys.length);
  let at = 0;
  for (let page = 0; page < table.pageCount; page++) {
    for (let i = table.offsets[page]!; i < table.offsets[page + 1]!; i++) {
      if (!isIgnored.has(table.keys[i]!)) keys[at++] = table.keys[i]!;
    }
    offsets[page + 1] = at;
  }
  return { ...table, offsets, keys: keys.subarray(0, at) };
}

/** A sketch without some keys; itself where there are none. */
export function sketchWithout(sketch: ShingleSketch, ignored: Float64Array): ShingleSketch {
  if (ignored.length === 0) return sketch;
  const isIgnored = new Set(ignored);
  return { ...sketch, keys: sketch.keys.filter((key) => !isIgnored.has(key)) };
}
