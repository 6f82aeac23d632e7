/**
 * Copies of any text, found as it is asked for: the versions that share the shingles by which the index
 * looks versions up, each compared with the text by its whole sketch.
 *
 * Cost         a look-up a shingle, then a sketch read and merged for each version found, most shared first.
 * Breaks down  what shares none of the indexed shingles is not found: a short passage of a long page.
 */
import { overlapOf, resemblance, type SketchOverlap } from '../../sketch/resemblance.ts';
import type { ShingleSketch } from '../../sketch/shingle-sketch.ts';
import type { NeighbourSpan } from '../catalog.ts';
import type { CopySource } from './copy-source.ts';
import type { Accept } from './page-filter.ts';

/** Shingles looked up for one text at most: the lowest, as versions are listed by their lowest. */
const MAX_LOOKED_UP = 256;

/** Versions compared for one text at most. */
const MAX_COMPARED = 1000;

/** Versions of any sweep that share shingles with a text, most shared first. */
export function versionsSharing({ versions }: CopySource, sketch: ShingleSketch): Uint32Array {
  return versions.withShingle(sketch.keys.subarray(0, MAX_LOOKED_UP)).versionIds.subarray(0, MAX_COMPARED);
}

/**
 * Pages whose current version is a copy of a text, nearest first, ties by page id: the relation's floor is
 * asked of the share that the shorter of the two has in the other, as resemblance is never greater.
 */
export function copiesOf(
  source: CopySource,
  sketch: ShingleSketch,
  skip: number,
  accept: Accept | null,
): NeighbourSpan {
  const { versions, relation } = source;
  const found: { pageId: number; overlap: SketchOverlap; resemblance: number }[] = [];
  for (const versionId of versionsSharing(source, sketch)) {
    const overlap = overlapOf(sketch, versions.get(versionId).sketch);
    if (overlap.shared < relation.floor * Math.min(overlap.ofA, overlap.ofB)) continue;
    const likeness = resemblance(overlap).value;
    for (const pageId of new Set(versions.pagesOf(versionId).map((place) => place.pageId))) {
      if (pageId === skip || versions.current(pageId) !== versionId) continue;
      if (accept === null || accept(pageId)) found.push({ pageId, overlap, resemblance: likeness });
    }
  }
  found.sort((x, y) => y.resemblance - x.resemblance || x.pageId - y.pageId);
  return {
    ids: Uint32Array.from(found, ({ pageId }) => pageId),
    shared: Uint16Array.from(found, ({ overlap }) => fraction(overlap).shared),
    total: Uint16Array.from(found, ({ overlap }) => fraction(overlap).total),
    start: 0,
    end: found.length,
  };
}

/** In 16 bits each, as lists of neighbours are; sketches of more shingles are rounded to fit. */
function fraction({ shared, ofA, ofB }: SketchOverlap): { shared: number; total: number } {
  const total = ofA + ofB - shared;
  const scale = Math.min(1, 65_535 / total);
  return { shared: Math.round(shared * scale), total: Math.round(total * scale) };
}
