/**
 * Shingles in so many pages that they say nothing of which are copies: what tools and servers put into every page. The
 * printed method ignores them, in the pages and in any text that is compared with these.
 *
 * Source  Broder, Glassman, Manasse, Zweig, WWW6 1997, section 5.1.
 */
import type { ShingleSketch } from '../../sketch/shingle-sketch.ts';
import type { KeyParts } from './space/key-parts.ts';

/** Keys in more than `mostPages` pages, ascending. Memory  8 bytes a key of one of the parts. */
export function commonShingles(parts: KeyParts, mostPages: number): Float64Array {
  const common: number[] = [];
  for (const { keys } of parts.tables()) {
    const sorted = keys.slice().sort();
    for (let i = 0; i + mostPages < sorted.length; i++) {
      if (sorted[i] === sorted[i + mostPages] && sorted[i] !== sorted[i - 1]) common.push(sorted[i]!);
    }
  }
  return Float64Array.from(common).sort();
}

/** A sketch without some keys; itself where there are none. */
export function sketchWithout(sketch: ShingleSketch, ignored: Float64Array): ShingleSketch {
  if (ignored.length === 0) return sketch;
  const isIgnored = new Set(ignored);
  return { ...sketch, keys: sketch.keys.filter((key) => !isIgnored.has(key)) };
}
