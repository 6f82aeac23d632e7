/**
 * Copies of any text, found as it is asked for: the versions that share the shingles by which the index
 * looks versions up, each compared with the text by its whole sketch.
 *
 * Cost         a look-up a shingle, then a sketch read and merged for each version found, most shared first.
 * Breaks down  what shares none of the indexed shingles is not found: a short passage of a long page.
 */
import { storedFraction } from '../../join/copies/copy-relation.ts';
import { overlapOf } from '../../sketch/resemblance.ts';
import type { ShingleSketch } from '../../sketch/shingle-sketch.ts';
import type { NeighbourSpan } from '../held/catalog.ts';
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

export interface FoundCopy {
  readonly pageId: number;
  readonly shared: number;
  readonly total: number;
}

/**
 * Pages whose current version is a copy of a text, nearest first, ties by page id: the relation's floor is
 * asked of the share that the shorter of the two has in the other, as resemblance is never greater.
 */
export function copiesOfText(
  source: CopySource,
  sketch: ShingleSketch,
  skip: number,
  accept: Accept | null,
): NeighbourSpan {
  const { versions, relation } = source;
  const found: FoundCopy[] = [];
  for (const versionId of versionsSharing(source, sketch)) {
    const { shared, ofA, ofB } = overlapOf(sketch, versions.get(versionId).sketch);
    if (shared < relation.floor * Math.min(ofA, ofB)) continue;
    for (const pageId of currentPages(source, versionId)) {
      if (pageId === skip || (accept !== null && !accept(pageId))) continue;
      found.push({ pageId, ...storedFraction(shared, ofA + ofB - shared) });
    }
  }
  return spanOf(found);
}

/** Pages that say now what a version says. */
export function currentPages({ versions }: CopySource, versionId: number): number[] {
  const pageIds = new Set(versions.pagesOf(versionId).map(({ pageId }) => pageId));
  return [...pageIds].filter((pageId) => versions.current(pageId) === versionId);
}

/** As lists of neighbours are: nearest first, ties by page id. */
export function spanOf(found: FoundCopy[]): NeighbourSpan {
  found.sort((x, y) => y.shared * x.total - x.shared * y.total || x.pageId - y.pageId);
  return {
    ids: Uint32Array.from(found, ({ pageId }) => pageId),
    shared: Uint16Array.from(found, ({ shared }) => shared),
    total: Uint16Array.from(found, ({ total }) => total),
    start: 0,
    end: found.length,
  };
}
