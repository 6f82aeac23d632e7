/** The lists of sampled pages by words and by vectors, as a build of these pages makes them (relate/lists/blend.ts). */
import { type BagMatrix, bagAt } from '../../features/bag.ts';
import { JaccardNearness } from '../../join/pairs/nearness.ts';
import { createNeighborTable, rowOfTable } from '../../join/pairs/neighbor-table.ts';
import { NO_COSINE, ScaleCount } from '../../join/vectors/blend.ts';
import { blendCandidates, writeBlended } from '../../join/vectors/blend-candidates.ts';
import { nearestVectorRows } from '../../join/vectors/nearest-vectors.ts';
import { cosineAt, createVectorSpace, putVector, type VectorSpace } from '../../join/vectors/vector-space.ts';
import { MEANING_NEIGHBOR_LIMIT } from '../../relations/meaning.ts';
import { BLENDED_LISTING } from '../../relations/topic.ts';
import { type ListOptions, type ListsByRank, listsByRank, tableOfBags } from './lists-of-bags.ts';

/** Of rows of bags the vectors, in memory that threads share. */
export interface RowVectors {
  readonly space: VectorSpace;
  /** Of each vector its row, ascending. */
  readonly rows: Uint32Array;
}

/** Vectors of one length by row; those of other lengths and empty ones are left out. Null where none is left. */
export function rowVectors(
  vectors: readonly Int8Array[],
  dimensions: number,
  scannerCount: number,
): RowVectors | null {
  const rows = Uint32Array.from(vectors.keys()).filter((row) => vectors[row]!.length === dimensions);
  if (rows.length === 0) return null;
  const space = createVectorSpace(rows.length, dimensions, scannerCount);
  for (const [i, row] of rows.entries()) putVector(space, i, vectors[row]!);
  return { space, rows };
}

/** Memory  as of the lists by words, and 260 bytes a vector. */
export function blendedLists(
  matrix: BagMatrix,
  options: ListOptions,
  vectors: RowVectors,
  share: number,
): ListsByRank {
  const { rows, space } = vectors;
  const byWords = tableOfBags(matrix, options);
  const rowCount = byWords.counts.length;
  const placeOf = new Int32Array(rowCount).fill(-1);
  for (const [place, row] of rows.entries()) placeOf[row] = place;
  const near = nearestOf(vectors);
  const comparing = {
    pair: new JaccardNearness(),
    bagOf: (row: number) => bagAt(matrix, row),
    cosineOf: (a: number, b: number) =>
      placeOf[a]! < 0 || placeOf[b]! < 0 ? NO_COSINE : cosineAt(space, placeOf[a]!, placeOf[b]!),
  };
  const none = { ...near, start: 0, end: 0 };
  const scale = new ScaleCount();
  const candidates = Array.from({ length: rowCount }, (_, row) => {
    const byVectors = placeOf[row]! < 0 ? none : rowOfTable(near, placeOf[row]!);
    const found = blendCandidates(row, rowOfTable(byWords, row), byVectors, comparing);
    scale.add(found.words, found.parts);
    return found;
  });
  const table = {
    ...createNeighborTable(rowCount, options.neighborLimit),
    nearness: new Uint16Array(rowCount * options.neighborLimit),
  };
  for (const [row, found] of candidates.entries())
    writeBlended(table, row, found, { share, scale: scale.scale });
  return listsByRank(table, BLENDED_LISTING);
}

const kept = new WeakMap<RowVectors, ReturnType<typeof createNeighborTable>>();

/** The nearest of each vector, by rows; the same whatever bags are made of. */
function nearestOf(vectors: RowVectors) {
  const known = kept.get(vectors);
  if (known !== undefined) return known;
  const { rows, space } = vectors;
  const near = createNeighborTable(rows.length, MEANING_NEIGHBOR_LIMIT);
  nearestVectorRows(space, near)(0, rows.length);
  for (const [i, place] of near.ids.entries()) near.ids[i] = rows[place]!;
  kept.set(vectors, near);
  return near;
}
