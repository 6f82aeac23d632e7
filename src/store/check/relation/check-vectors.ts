import { COSINE_PARTS, cosineOf, roundingAngle, squareOf } from '../../../join/vectors/cosine.ts';
import { foundVectors } from '../../../relations/meaning.ts';
import type { IndexReader } from '../../read/reader.ts';
import type { Checked } from './checked.ts';

/** A bound is written up to the next millionth. */
const ROUNDING = 1e-9;

/**
 * Vectors are of pages that are there, of one length and as many as is said; none is all zeros, and what roundings may add up to is
 * within what is said.
 */
export function checkVectors({ reader, relation, faults }: Checked): void {
  const found = foundVectors(reader.card().parameters).find(({ name }) => name === relation.profile);
  if (found === undefined) {
    faults.push(`nothing is said of the vectors ${relation.profile}`);
    return;
  }
  const angles: number[] = [];
  let last = -1;
  let count = 0;
  for (const { blockId, pages, vectors, dimensions } of reader.vectors.blocks(relation.id)) {
    if (dimensions !== found.dimensions)
      faults.push(`block ${blockId} has vectors of ${dimensions} components`);
    for (const [i, page] of pages.entries()) {
      if (page <= last) faults.push(`page ${page} is out of order among those with vectors`);
      last = page;
      if (!reader.input.isThere(page)) faults.push(`page ${page} has a vector, but is not there`);
      const square = squareOf(vectors.subarray(i * dimensions, (i + 1) * dimensions));
      if (square === 0) faults.push(`page ${page} has a vector of zeros`);
      angles.push(roundingAngle(square, dimensions));
      count++;
    }
  }
  const isWhole = reader.shard === null;
  if (isWhole ? count !== found.page_count : count > found.page_count)
    faults.push(`${count} pages have a vector, ${found.page_count} are said to`);
  const [first = 0, second = 0] = angles.sort((a, b) => b - a);
  if (first + second > found.error_bound + ROUNDING)
    faults.push(`a similarity may be off by ${first + second}, more than ${found.error_bound}`);
}

/** Every stored figure is that of both vectors; a list that is not full has every page that is at all near, where all pairs were compared. */
export function checkVectorNeighbors({ reader, relation, faults }: Checked): void {
  const { id, neighborLimit } = relation;
  const vectorOf = vectorsInMemory(reader, id);
  const counts = new Map<number, number>();
  for (const { pageId, list } of reader.allNeighbors(id)) {
    const vector = vectorOf.get(pageId);
    counts.set(pageId, list.ids.length);
    if (vector === undefined) faults.push(`page ${pageId} has neighbors, but no vector`);
    for (const [i, other] of list.ids.entries()) {
      if (vector === undefined || other >= reader.ownPageCount) continue;
      const near = vectorOf.get(other);
      const parts = near?.length === vector.length ? cosineOf(vector, near) : 0;
      if (list.total[i] !== COSINE_PARTS || list.shared[i] !== parts) {
        faults.push(
          `pages ${pageId} and ${other} are stored at ${list.shared[i]}/${list.total[i]}, but their vectors give ${parts}/${COSINE_PARTS}`,
        );
      }
    }
  }
  const found = foundVectors(reader.card().parameters).find(({ name }) => name === relation.profile);
  if (reader.shard !== null || found?.method !== 'exact') return;
  for (const [page, vector] of vectorOf) {
    const count = counts.get(page) ?? 0;
    if (count >= neighborLimit) continue;
    let near = 0;
    for (const [other, otherVector] of vectorOf)
      if (other !== page && cosineOf(vector, otherVector) > 0) near++;
    if (near !== count) faults.push(`page ${page} has ${count} neighbors, and ${near} pages are near`);
  }
}

/** Of all pages. Memory  a byte a component. */
export function vectorsInMemory(reader: IndexReader, relationId: number): Map<number, Int8Array> {
  const vectorOf = new Map<number, Int8Array>();
  for (const { pages, vectors, dimensions } of reader.vectors.blocks(relationId)) {
    for (const [i, page] of pages.entries()) {
      vectorOf.set(page, vectors.subarray(i * dimensions, (i + 1) * dimensions));
    }
  }
  return vectorOf;
}
